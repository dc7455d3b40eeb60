import { hasCorpus, corpus, importerOf, storedFiles } from './corpus.js';
import { fixture, fixtures, textAt } from './tool-output.js';

/** An output of a tool that is damaged, and the tool that wrote it. */
export interface Output {
  readonly tool: string;
  readonly name: string;
  readonly text: string;
}

/** A large log is cut to the part that tells what it is: what follows repeats itself. */
const MOST = 120_000;

const real = storedFiles().flatMap(({ path, format }): readonly Output[] => {
  const tool = importerOf[format] ?? null;
  if (tool === null) return [];
  const text = textAt(`${corpus}/${path}`);
  return [{ tool, name: path, text: text.length > MOST ? text.slice(0, MOST / 2) + text.slice(-MOST / 2) : text }];
});

/** Every fixture, and every file of the corpus where that is present. */
export const outputs: readonly Output[] = [
  ...fixtures.map(({ tool, name }) => ({ tool, name, text: fixture(name) })),
  ...(hasCorpus ? real : []),
];

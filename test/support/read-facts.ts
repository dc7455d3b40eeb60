import { parse } from 'yaml';
import type { FactReader, ToolReading } from '../../src/domain/applicability/facts/reader.js';
import { toolText } from '../../src/domain/applicability/facts/tool-text.js';
import { environmentKeysFile } from '../../src/domain/content/schema.js';
import { seeded } from './mutated-text.js';
import { textAt } from './tool-output.js';

/** A stored output, by its place below the fixtures of facts. */
export const output = (name: string): string => textAt(`fixtures/facts/${name}`);

export const read = (reader: FactReader, content: string): readonly ToolReading[] => reader.read(toolText(content));

/** The findings of one reading by their keys. */
export function factsIn(reading: ToolReading | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((reading?.findings ?? []).map(({ key, value }) => [key, value]));
}

/** The facts of a text that holds one output. */
export function facts(reader: FactReader, content: string): Readonly<Record<string, unknown>> {
  const readings = read(reader, content);
  if (readings.length !== 1) throw new Error(`one reading expected, ${readings.length} found`);
  return factsIn(readings[0]);
}

const known = environmentKeysFile.parse(parse(textAt('../content/environment-keys.yaml'))).map(({ key }) => key);

const isKnown = (key: string): boolean =>
  key.startsWith('capability.') ||
  known.some((each) => each === key || (each.endsWith('.*') && key.startsWith(each.slice(0, -1))));

/**
 * What is wrong with readings of broken copies of these texts: lines gone, the start or the end cut, quoted. Nothing is
 * wrong where every finding stands in the text and its key in the registry.
 */
export function faultsWhenBroken(reader: FactReader, contents: readonly string[]): readonly string[] {
  const random = seeded(7);
  return contents.flatMap((content) =>
    Array.from({ length: 60 }, () => broken(content, random)).flatMap((text) =>
      read(reader, text).flatMap(({ firstLine, lastLine, findings, problems }) => [
        ...findings.filter(({ key }) => !isKnown(key)).map(({ key }) => `unknown key ${key}`),
        ...[...findings, ...problems]
          .filter(({ line }) => line < firstLine || line > lastLine)
          .map(({ line }) => `line ${line} is not in ${firstLine} to ${lastLine}`),
        ...(lastLine > text.split('\n').length ? ['more lines than the text'] : []),
      ]),
    ),
  );
}

function broken(content: string, random: () => number): string {
  const share = random() * 0.3;
  const kept = content.split('\n').filter(() => random() > share);
  const start = random() < 0.5 ? Math.floor(random() * content.length * 0.5) : 0;
  const end = random() < 0.5 ? content.length - Math.floor(random() * content.length * 0.5) : content.length;
  const mark = random() < 0.3 ? '> ' : '';
  return kept.map((line) => mark + line).join('\n').slice(start, end); // prettier-ignore
}

import type { FactReader, Finding } from '../../src/domain/applicability/facts/reader.js';
import { toolText } from '../../src/domain/applicability/facts/tool-text.js';
import { seeded } from './mutated-text.js';
import { textAt } from './tool-output.js';

/** What a reader says about one place, in a form that a spec can compare. */
export interface SeenPlace {
  readonly tool: string;
  readonly place: readonly [first: number, last: number];
  readonly facts: Readonly<Record<string, Finding['value']>>;
  readonly lines: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export const smiOutput = (name: string): string => textAt(`fixtures/facts/${name}`);

export function seen(reader: FactReader, text: string): readonly SeenPlace[] {
  return reader.read(toolText(text)).map(({ tool, firstLine, lastLine, findings, problems }) => ({
    tool,
    place: [firstLine, lastLine],
    facts: Object.fromEntries(findings.map(({ key, value }) => [key, value])),
    lines: Object.fromEntries(findings.map(({ key, line }) => [key, line])),
    problems: problems.map(({ line, message }) => `${line} ${message.en}`),
  }));
}

export function onlyPlace(reader: FactReader, text: string): SeenPlace {
  const [place, second] = seen(reader, text);
  if (!place || second) throw new Error('one place expected');
  return place;
}

/** Texts as a careless copy leaves them: ends cut off, lines gone. The same ones each time. */
export function damaged(text: string): readonly string[] {
  const random = seeded(7);
  const lines = text.split('\n');
  const cuts = Array.from({ length: 40 }, () => text.slice(0, Math.floor(random() * text.length)));
  const tails = Array.from({ length: 20 }, () => text.slice(Math.floor(random() * text.length)));
  const gaps = Array.from({ length: 60 }, () => lines.filter(() => random() > 0.15).join('\n'));
  return [...cuts, ...tails, ...gaps];
}

/** Facts of damaged texts that the whole text does not say, as `key value`; numbers of GPUs excepted. */
export function invented(reader: FactReader, text: string): readonly string[] {
  const told = (each: string) =>
    seen(reader, each).flatMap(({ facts }) => Object.entries(facts).flatMap(([key, value]) => pairs(key, value)));
  const known = new Set(told(text));
  return damaged(text).flatMap((each) => told(each).filter((pair) => !known.has(pair)));
}

function pairs(key: string, value: Finding['value']): readonly string[] {
  if (key === 'gpu.count' || key === 'gpu.per_node') return [];
  return (typeof value === 'object' ? value : [value]).map((each) => `${key} ${each}`);
}

import { linesOf } from '../labeled-lines.js';

export type Labels = ReadonlyMap<string, string>;

/** One line of an exposition: a series and its value. */
export interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
  readonly line: number;
}

/** The samples of an exposition whose names are wanted; lines that are none are passed over. */
export function* samplesOf(text: string, isWanted: (name: string) => boolean): Iterable<Sample> {
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    if (line === '') continue;
    const name = /^\s{0,20}([a-zA-Z_:][\w:]{0,200})(?=[{\s])/.exec(line)?.[1];
    if (name === undefined || !isWanted(name)) continue;
    const sample = sampleOf(line, name, number);
    if (sample) yield sample;
  }
}

/** The kinds that `# TYPE` states. */
export function typesOf(text: string): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const line of linesOf(text)) {
    if (!line.includes('TYPE')) continue;
    const found = /^\s{0,20}# {0,4}TYPE {1,4}([\w:]{1,200}) {1,4}(\w{1,20})/.exec(line);
    if (found) types.set(found[1] ?? '', found[2] ?? '');
  }
  return types;
}

function sampleOf(line: string, name: string, number: number): Sample | null {
  let at = line.indexOf(name) + name.length;
  const labels = new Map<string, string>();
  if (line[at] === '{') {
    const end = labelsOf(line, at + 1, labels);
    if (end === null) return null;
    at = end;
  }
  // a time in milliseconds may follow
  const value = /^\s{1,20}([+-]?(?:\d[\d.]{0,40}(?:[eE][+-]?\d{1,4})?|Inf|NaN))(?:\s{1,20}-?\d{1,20})?\s*$/.exec(line.slice(at))?.[1]; // prettier-ignore
  return value === undefined ? null : { name, labels, value: numberOfText(value), line: number };
}

/** Reads the labels from `start` on and gives the place behind the brace; null where it does not close. */
function labelsOf(line: string, start: number, labels: Map<string, string>): number | null {
  const label = /\s{0,20}([a-zA-Z_]\w{0,200})\s{0,5}=\s{0,5}"((?:[^"\\]|\\.)*)"\s{0,20},?/y;
  label.lastIndex = start;
  let end = start;
  for (let found = label.exec(line); found; found = label.exec(line)) {
    labels.set(found[1] ?? '', (found[2] ?? '').replace(/\\(["\\])/g, '$1'));
    end = label.lastIndex;
  }
  const rest = /^\s{0,20}\}/.exec(line.slice(end, end + 30));
  return rest ? end + rest[0].length : null;
}

/** Numbers as Prometheus writes them; NaN for no value, Infinity for none that is finite. */
export function numberOfText(text: string): number {
  if (/^[+-]?Inf$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

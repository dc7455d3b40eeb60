import { cutText } from '../cut-text.js';
import { error, warning, type Importer, type ImportProblem, type Reading, type ReadObservation } from './importer.js';
import { lineAt } from './line-at.js';
import { pointOf, withoutOther, type OpenPart } from './open-part.js';

/** Longer texts are not read again with what may follow. */
const LONGEST_ASKED = 4 * 1024 * 1024;

/** Longer texts are not read again with each end of a unit. */
const LONGEST_ASKED_FOR_UNITS = 256 * 1024;

/** A number that may go on behind the end of the text. */
const openNumber = /\d[.,]?(?:[eE][+-]?)?$/;

/** What may follow on a unit of which only the beginning is there, such as `G`, `GB`, `m` and `u`. */
const endsOfUnits = ['s', 'sec', 'in', 'B', 'iB', 'B/s', 'iB/s', 'b/s', '/s', '/sec'];

/**
 * Reads a text whose last line may be cut. What would be another number if the text went on is left out, and an ERROR names
 * it. Of a monitor or a log the whole open line is left out where other lines say the same, with a warning: one tick of many.
 */
export function readToEnd(
  { hasTicks }: Pick<Importer, 'hasTicks'>,
  text: string,
  read: (text: string) => Reading,
): Reading {
  const all = read(text);
  if (text.endsWith('\n') || all.runs.length === 0) return all;
  const last = lineAt(text, text.length);
  const open = openPartOf(text, all, read);
  const lists = open && open.count > 0 ? openLists(all, open) : null;
  if (hasTicks || lists) {
    const ended = read(wholeLinesOf(text));
    const isOneOfMany = runsOf(ended) !== runsOf(all) && pointsOf(ended) === pointsOf(all);
    if (isOneOfMany) return withProblem(ended, lists === 'REPEATS' ? leftOutNumber(last, text) : leftOutLine(last));
  }
  if (open && open.count > 0) return withProblem(open.kept, leftOutNumber(last, text));
  if (all.problems.some(({ line }) => line === last)) return all;
  if (isTorn(text)) return withProblem(all, tornLine(last));
  return open || endsInLine(text, all, read) ? withProblem(all, mayBeCut(last)) : all;
}

/** Whether the text ends in a number that may go on. */
export function endsInNumber(text: string): boolean {
  return openNumber.test(text.slice(-10));
}

/** What a reading says of a text if it went on; null where it would say the same. */
function openPartOf(text: string, all: Reading, read: (text: string) => Reading): OpenPart | null {
  const end = text.slice(-10);
  const isNumber = openNumber.test(end);
  if (text.length > LONGEST_ASKED)
    return isNumber ? someOf(withoutOther(all, read(wholeLinesOf(text)), 'MISSING_IS_OPEN')) : null;
  if (isNumber) return openNumberOf(text, all, read);
  if (!/[\w.,+-]$/.test(end)) return null;
  return openUnitOf(text, all, read) ?? openNameOf(all, read(`${text}7`));
}

function openNumberOf(text: string, all: Reading, read: (text: string) => Reading): OpenPart | null {
  const longer = read(`${text}7`);
  if (runsOf(longer) === runsOf(all)) return openMeanOf(text, all, read);
  // what the lines before say by themselves stands, also where a longer number does not fit to it
  const ended = read(wholeLinesOf(text));
  return longer.runs.length === 0
    ? withoutOther(all, ended, 'MISSING_IS_OPEN')
    : withoutOther(all, longer, 'MISSING_IS_OPEN', ended);
}

/** What one more digit leaves as it is, rounded, and several do not: a mean of a total. */
function openMeanOf(text: string, all: Reading, read: (text: string) => Reading): OpenPart | null {
  const longer = read(`${text}777777`);
  return longer.runs.length === 0 ? null : someOf(withoutOther(all, longer, 'OTHER_IS_OPEN'));
}

function openUnitOf(text: string, all: Reading, read: (text: string) => Reading): OpenPart | null {
  if (text.length > LONGEST_ASKED_FOR_UNITS || !/\d\s?[A-Za-z]{1,6}$/.test(text.slice(-12))) return null;
  for (const rest of endsOfUnits) {
    const open = withoutOther(all, read(`${text}${rest}`), 'OTHER_IS_OPEN');
    if (open.count > 0) return open;
  }
  return null;
}

function openNameOf(all: Reading, longer: Reading): OpenPart | null {
  const isName = valuesOf(longer) === valuesOf(all) && pointsOf(longer) !== pointsOf(all);
  return isName ? { kept: all, count: 0 } : null;
}

/** Whether the text ends in a word, in a line that says something. */
function endsInLine(text: string, all: Reading, read: (text: string) => Reading): boolean {
  if (text.length > LONGEST_ASKED || !/[\w.,+-]$/.test(text.slice(-1))) return false;
  return runsOf(read(wholeLinesOf(text))) !== runsOf(all);
}

function someOf(open: OpenPart): OpenPart | null {
  return open.count > 0 ? open : null;
}

/** Whether all that is open are values of which a run has many; SAMPLES do not count one by one. */
function openLists(all: Reading, { kept }: OpenPart): 'REPEATS' | 'SAMPLES' | null {
  const said = new Set(kept.runs.flatMap(({ observations }) => observations.map((one) => JSON.stringify(one))));
  const open = all.runs.flatMap(({ observations }) => observations.filter((one) => !said.has(JSON.stringify(one))));
  const isList = ({ samples, repeats }: ReadObservation) => Math.max(samples?.length ?? 0, repeats?.length ?? 0) > 1;
  if (open.length === 0 || !open.every(isList)) return null;
  return open.some(({ repeats }) => repeats !== undefined) ? 'REPEATS' : 'SAMPLES';
}

function wholeLinesOf(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function withProblem(reading: Reading, problem: ImportProblem): Reading {
  return { ...reading, problems: [...reading.problems, problem] };
}

/** So many lines before the last one are compared with it. */
const LINES_COMPARED = 2_000;

/** Whether an earlier line begins like all of the last one and goes on: its rest is lost. */
function isTorn(text: string): boolean {
  const start = text.lastIndexOf('\n') + 1;
  const last = shapeOf(text.slice(start));
  if (last.trim() === '' || text.length - start > 20_000) return false;
  const before = text
    .slice(Math.max(0, start - 400_000), start)
    .split('\n')
    .slice(-LINES_COMPARED)
    .map(shapeOf);
  return before.some((line) => line.length > last.length && line.startsWith(last)) && !before.includes(last.trimEnd());
}

/** A line without what its numbers and columns are. */
function shapeOf(line: string): string {
  return line
    .slice(0, 20_000)
    .replace(/\d[\d.,]*/g, '0')
    .replace(/\s+/g, ' ');
}

function runsOf({ runs }: Reading): string {
  return JSON.stringify(runs);
}

function pointsOf({ runs }: Reading): string {
  const points = runs.map(({ observations }) => observations.map(pointOf).sort());
  return JSON.stringify(points);
}

function valuesOf({ runs }: Reading): string {
  return JSON.stringify(runs.map(({ observations }) => observations.map(({ value, repeats }) => [value, repeats])));
}

function tornLine(line: number): ImportProblem {
  return warning(
    line,
    `Line ${line} is the last one and breaks off: others of its kind go on. Send the whole file`,
    `第 ${line} 行是最后一行，且比同类行短，内容中断。请上传完整文件`,
    { code: 'LAST_LINE_OPEN' },
  );
}

function mayBeCut(line: number): ImportProblem {
  return warning(
    line,
    `Line ${line} is the last one and does not end: what stands at its end may be cut. Send the whole file`,
    `第 ${line} 行是最后一行且没有换行，末尾的内容可能被截断。请上传完整文件`,
    { code: 'LAST_LINE_OPEN' },
  );
}

function leftOutLine(line: number): ImportProblem {
  return warning(
    line,
    `Line ${line} is the last one and does not end: it may be cut, and was left out`,
    `第 ${line} 行是最后一行且没有换行，可能被截断，未采用`,
    { code: 'LAST_LINE_OPEN' },
  );
}

/** The last word of the text, as far as it is shown. */
const lastWord = /[^\s;]{1,60}$/;

/** The last word of a text, shortened. */
export function lastWordOf(text: string): string {
  return cutText(lastWord.exec(text.slice(-60))?.[0] ?? '', 60);
}

/** The number at the very end of a text may be cut, and is not taken. */
export function leftOutNumber(line: number, text: string): ImportProblem {
  const word = lastWordOf(text);
  return error(
    line,
    `Line ${line} is the last one and does not end: what stands at its end, "${word}", may be cut and was left out. Send the whole file, or end the line where it is whole`,
    `第 ${line} 行是最后一行且没有换行：末尾的“${word}”可能被截断，未采用。请上传完整文件；若内容已完整，请在末尾加上换行`,
    { scope: 'VALUE', code: 'LAST_LINE_OPEN', value: word },
  );
}

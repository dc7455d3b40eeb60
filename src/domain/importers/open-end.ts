import { warning, type Importer, type ImportProblem, type Reading } from './importer.js';
import { seriesKeyOf } from './in-unit.js';
import { lineAt } from './line-at.js';

/** Longer texts are not read twice to find out whether the end matters. */
const LONGEST_ASKED = 4 * 1024 * 1024;

/** A number that may go on behind the end of the text. */
const openNumber = /\d[.,]?(?:[eE][+-]?)?$/;

/**
 * Reads a text whose last line may be cut. Of a monitor a line without an end is left out, one tick of many; elsewhere what
 * stands at the very end is read, and a warning says that it may be cut.
 */
export function readToEnd(importer: Importer, text: string, read: (text: string) => Reading): Reading {
  if (text.endsWith('\n')) return read(text);
  const last = lineAt(text, text.length);
  const reading = importer.hasTicks ? readTicks(text, last, read) : read(text);
  if (reading.runs.length === 0 || reading.problems.some(({ line }) => line === last)) return reading;
  const said = doubtOf(text, last, reading, read);
  return said ? { ...reading, problems: [...reading.problems, said] } : reading;
}

function doubtOf(text: string, last: number, reading: Reading, read: (text: string) => Reading): ImportProblem | null {
  const end = text.slice(-10);
  if (isTorn(text)) return tornLine(last);
  if (!/[\w.,+-]$/.test(end)) return null;
  const isNumber = openNumber.test(end);
  if (text.length > LONGEST_ASKED) return isNumber ? mayBeCut(last) : null;
  const longer = read(`${text}7`);
  if (runsOf(longer) === runsOf(reading)) return null;
  const isName = valuesOf(longer) === valuesOf(reading) && pointsOf(longer) !== pointsOf(reading);
  return isNumber || isName ? mayBeCut(last) : null;
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

/** Unless nothing else tells of a device, or of all. */
function readTicks(text: string, last: number, read: (text: string) => Reading): Reading {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const ended = read(whole);
  const all = read(text);
  if (runsOf(ended) === runsOf(all)) return all;
  const isCovered = pointsOf(all) === pointsOf(ended) && ended.runs.length === all.runs.length;
  return isCovered
    ? { ...ended, problems: [...ended.problems, leftOutLine(last)] }
    : { ...all, problems: [...all.problems, mayBeCut(last)] };
}

function runsOf({ runs }: Reading): string {
  return JSON.stringify(runs);
}

function pointsOf({ runs }: Reading): string {
  const points = runs.map(({ observations }) =>
    observations.map(({ metric, dimensions }) => `${metric} ${seriesKeyOf(dimensions)}`).sort(),
  );
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

import { error, type ImportProblem, type Reading } from '../importers/importer.js';
import { endsInNumber, leftOutNumber } from '../importers/open-end.js';
import { decimalMarkOf, numberIn } from '../importers/number.js';
import { measured } from '../importers/repeated.js';
import type { MetricDefinition } from '../measurement/metric.js';

/** Most values of a file. */
const MOST_VALUES = 1_000;

/** A word of a text, without the comma that parts it from the next. */
interface Word {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/**
 * A text of nothing but numbers, by lines, blanks, semicolons or commas, with comments behind `#`: repeated measurements of
 * the metric, in its unit. What can be read in two ways is an ERROR. Null where anything else stands in it.
 */
export function plainValues(text: string, metric: Pick<MetricDefinition, 'key' | 'unit'>): Reading | null {
  const { lines, words } = linesAndWords(text);
  if (!areNumbers(words)) return null;
  const numbered = numberedLine(lines);
  if (numbered !== null) return { runs: [], problems: [numbersOfRows(numbered, lines[numbered - 1] ?? '')] };
  const mark = decimalMarkOf(words.map(({ text: word }) => word));
  const toldByOthers = decimalMarkOf(words.map(({ text: word }) => word).filter((word) => !integers.test(word)));
  const values: number[] = [];
  for (const { text: word, line } of words) {
    const isUnclear =
      integers.test(word) && (words.length === 1 || severalGroups.test(word)) && toldByOthers !== 'POINT';
    const value = plain.test(word) ? Number(word) : isUnclear ? null : numberIn(word, mark);
    if (typeof value === 'number') values.push(value);
    else return { runs: [], problems: [unclear(line, word)] };
  }
  if (values.length > MOST_VALUES || !values.every(Number.isFinite)) {
    const problem = error(
      null,
      `The file holds ${values.length} values; at most ${MOST_VALUES} finite ones are taken`,
      `文件含 ${values.length} 个值，最多接受 ${MOST_VALUES} 个有限数值`,
    );
    return { runs: [], problems: [problem] };
  }
  // the last number may be cut where neither a comment nor the end of the line follows
  const isOpen = endsInNumber(text) && !(text.split(/[\r\n]/).at(-1) ?? '').includes('#');
  const taken = isOpen ? values.slice(0, -1) : values;
  const open = isOpen ? [leftOutNumber(lines.length, text)] : [];
  if (taken.length === 0) return { runs: [], problems: open };
  const run = {
    status: 'OK',
    tool: 'plain-values',
    toolVersion: null,
    variant: null,
    startedAt: null,
    command: null,
    environment: {},
    workload: {},
    session: null,
    block: null,
    observations: measured({ metric: metric.key, dimensions: {}, unit: metric.unit }, taken),
  } as const;
  return { runs: [run], problems: open };
}

/** Longer texts are no list of values that somebody wrote down. */
const LONGEST = 1024 * 1024;

/** Whether a text is nothing but numbers, so that somebody has to say what they are. */
export function isPlainNumbers(text: string): boolean {
  return text.length <= LONGEST && areNumbers(linesAndWords(text).words);
}

function linesAndWords(text: string): { readonly lines: readonly string[]; readonly words: readonly Word[] } {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/#.*/, '').trim());
  return { lines, words: lines.flatMap((line, index) => wordsOf(line, index + 1)) };
}

function areNumbers(words: readonly Word[]): boolean {
  return words.length > 0 && words.every(({ text: word }) => looksLikeNumber.test(word) && /\d/.test(word));
}

/** What to say of a file of plain numbers, where nobody said what they are. */
export const plainNumbersUnsaid = {
  en: 'The file holds nothing but numbers: say what they are by --metric, --unit and --direction',
  zh: '文件中只有数字：请用 --metric、--unit 和 --direction 说明其含义',
};

const looksLikeNumber = /^[+-]?(?:[\d.,'’_]{1,60})(?:e[+-]?\d{1,4})?$/i;
/** As programs write numbers. */
const plain = /^[+-]?(?:\d{1,60}\.?\d{0,60}|\.\d{1,60})(?:e[+-]?\d{1,4})?$/i;

/**
 * The words of a line. Commas without blanks part numbers that have points, and three numbers or more that are no groups of
 * thousands; a single comma is a mark inside a number.
 */
function wordsOf(line: string, number: number): readonly Word[] {
  return line
    .split(/[\s;]+/)
    .map((word) => word.replace(/^,+|,+$/g, ''))
    .filter((word) => word !== '')
    .flatMap((word) => partsOf(word).map((text) => ({ text, line: number })));
}

/** Two numbers, or one with a decimal comma or groups of thousands. */
const integers = /^[+-]?\d+(?:,\d+)+$/;
const severalGroups = /^[+-]?\d{1,3}(?:,\d{3}){2,}$/;
const groups = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;

function partsOf(word: string): readonly string[] {
  const parts = word.split(',').filter((part) => part !== '');
  if (parts.length < 2 || groups.test(word) || !parts.every((part) => plain.test(part))) return [word];
  const areAllDecimal = parts.every((part) => part.includes('.'));
  return parts.length > 2 || areAllDecimal ? parts : [word];
}

/** The first line where each has two numbers, of which the first counts the rows; null elsewhere. */
function numberedLine(lines: readonly string[]): number | null {
  const rows = lines.flatMap((line, index) => (line === '' ? [] : [{ cells: line.split(/[\s;]+|,\s*(?=\S+$)/).filter((cell) => cell !== ''), line: index + 1 }]));
  const [first] = rows;
  if (!first || rows.length < 2 || !rows.every(({ cells }) => cells.length === 2)) return null;
  const start = first.cells[0];
  const isCounted = (start === '0' || start === '1') && rows.every(({ cells }, index) => cells[0] === String(Number(start) + index));
  return isCounted ? first.line : null;
} // prettier-ignore

function numbersOfRows(line: number, shown: string): ImportProblem {
  return error(
    line,
    `"${shown.slice(0, 60)}" holds two numbers, and the first of each line counts the lines: give the values alone`,
    `“${shown.slice(0, 60)}”含两个数，且每行第一个数是行号：请只保留数值`,
    { code: 'AMBIGUOUS_NUMBER', value: shown.slice(0, 60) },
  );
}

function unclear(line: number, word: string): ImportProblem {
  const shown = word.slice(0, 60);
  return error(
    line,
    `"${shown}" can be read in more than one way: write numbers with a decimal point, without separators of thousands, one on each line`,
    `“${shown}”有多种读法：请使用小数点，不要使用千位分隔符，每行一个数`,
    { code: 'AMBIGUOUS_NUMBER', value: shown },
  );
}

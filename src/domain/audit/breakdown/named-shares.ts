import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { isObject, objectsOf, readJson, startsLikeJson } from '../../importers/json.js';
import { timePartWords } from '../../report/words.js';
import { timeParts, type TimePart } from '../time-breakdown.js';
import { csvLines, markOf, tooManyCells, widthOf, type Cells } from '../../importers/cells.js';
import { numberIn, type DecimalMark, type NumberFault } from '../../importers/number.js';
import { decimalMarkIn, excerpt, quantityIn, secondsOfUnit, unreadable } from '../../importers/quantity.js';
import { unread, type BreakdownReader, type BreakdownReading, type Category, type TimeRow } from './reader.js';

/** Words for the parts, lower-case and without separators; `total` is the whole of which they are parts. */
const words: Readonly<Record<Part, readonly string[]>> = {
  compute: ['compute', 'computation', 'computetime', 'gpucompute', 'kernel', 'kernels', 'gpu', '计算'],
  communication: [
    'communication', 'comm', 'comms', 'communicationtime', 'exposedcommunication', 'collectives', 'nccl', 'rccl', 'hccl', 'network', '通信',
  ],
  input: ['input', 'inputtime', 'data', 'dataloading', 'dataloader', 'datawait', 'dataload', 'io', 'storage', '输入', '数据'],
  host: ['host', 'hosttime', 'cpu', 'cpuexec', 'launch', 'launchoverhead', 'cpuoverhead', 'python', '主机'],
  other: ['other', 'idle', 'rest', 'unexplained', 'bubble', 'memory', '其他', '空闲'],
  total: ['total', 'step', 'steptime', 'iteration', 'iterationtime', 'wall', 'walltime', 'elapsed', 'sum', '合计', '总计', '步时间'],
}; // prettier-ignore
type Part = Category | 'total';
const parts: readonly Part[] = [...timeParts, 'other', 'total'];
const partOf: ReadonlyMap<string, Part> = new Map(
  parts.flatMap((part) => words[part].map((name): [string, Part] => [name, part])),
);

/** What a value is: a share, a percentage, seconds, or a number that does not say. */
type Unit = 'SHARE' | 'PERCENT' | 'SECONDS' | 'BARE';

interface Value {
  readonly name: string;
  readonly part: Part;
  readonly value: number;
  readonly unit: Unit;
}

/** JSON or CSV that names the four parts, in shares, percent or times: what people and scripts write. */
export const namedShares: BreakdownReader = {
  format: 'named-shares',
  isWrittenByHand: true,
  what: {
    en: 'JSON or CSV with compute, communication, input and host as shares, percent or times',
    zh: '含 compute、communication、input、host 的 JSON 或 CSV（占比、百分比或时间）',
  },
  recognizes: (text) => valuesOf(text).isOfParts,
  read: (text) => {
    const { values, problems } = valuesOf(text);
    return problems.length > 0 ? unread(...problems) : readingOf(values);
  },
};

function isPart(part: string): boolean {
  return timeParts.some((name) => name === part);
}

interface Values {
  readonly values: readonly Value[];
  readonly problems: readonly ImportProblem[];
  /** Whether a part is named with a number, be it one that is refused. */
  readonly isOfParts: boolean;
}

const notAValue = { en: 'is no share, percentage or time', zh: '不是占比、百分比或时间' };

function valuesOf(text: string): Values {
  const { pairs, problems: found, mark } = startsLikeJson(text) ? jsonPairs(text) : csvPairs(text);
  const problems = [...found];
  let isOfParts = found.length > 0;
  const values = pairs.flatMap(({ name, cell, line }): Value[] => {
    const [plain, inName] = nameAndUnit(name);
    const part = partOf.get(plain);
    if (part === undefined) return [];
    const value = valueIn(cell, inName, mark);
    if (value !== 'NO_NUMBER' && isPart(part)) isOfParts = true;
    if (typeof value !== 'string') return [{ name, part, ...value }];
    // Null is how a script says that it does not know
    const isUnknown = value === 'NO_NUMBER' && /^(?:null|n\/?a|-|)$/i.test(String(cell));
    if (!isUnknown) problems.push(unreadable(line, name, String(cell), value, notAValue));
    return [];
  });
  const twice = values.find(
    ({ part }, index) => part !== 'other' && values.findIndex((one) => one.part === part) < index,
  );
  if (twice) problems.push(named(twice.name));
  return { values, problems, isOfParts };
}

interface Pair {
  readonly name: string;
  /** A number of JSON is one; text may have a unit. */
  readonly cell: string | number | null;
  readonly line: number | null;
}

interface Pairs {
  readonly pairs: readonly Pair[];
  readonly problems: readonly ImportProblem[];
  readonly mark: DecimalMark;
}

const noPairs: Pairs = { pairs: [], problems: [], mark: 'UNKNOWN' };

/** The names of the object, or of the one that it holds under a name for the breakdown. */
function jsonPairs(text: string): Pairs {
  const [first, second] = objectsOf(readJson(text));
  if (!first || second) return noPairs;
  const inner = ['timeBreakdown', 'time_breakdown', 'breakdown', 'shares']
    .map((name) => first.object[name])
    .find(isObject);
  const pairs = Object.entries(inner ?? first.object).flatMap(([name, cell]): Pair[] =>
    typeof cell === 'number' || typeof cell === 'string' || cell === null ? [{ name, cell, line: first.line }] : [],
  );
  const texts = pairs.flatMap(({ cell }) => (typeof cell === 'string' ? [cell] : []));
  return { pairs, problems: [], mark: decimalMarkIn(texts) };
}

/** Names in the first line and values in the second, or a name and a value in each line. */
function csvPairs(text: string): Pairs {
  if (text.length > LONGEST_CSV) return noPairs;
  const lines = csvLines(text);
  const mark = markOf(lines);
  const [header, row, third] = lines;
  const names = header?.cells ?? [];
  if (names.filter(isKnown).length >= 2 && row && !third) {
    const problems = widthOf(row.cells) > names.length ? [tooManyCells(row, names.length)] : [];
    const pairs = names.map((name, index): Pair => ({ name, cell: row.cells[index] ?? '', line: row.line }));
    return { pairs, problems, mark };
  }
  const [, second = ''] = names;
  const unit = quantityIn(second) === null ? unitIn(second) : null;
  const named = lines.filter(({ cells }) => widthOf(cells) >= 2 && isKnown(cells[0] ?? ''));
  const columns = isKnown(names[0] ?? '') ? null : names.length;
  const torn = named.filter((one) => isTorn(one, columns));
  const pairs = named.map(({ cells, line }): Pair => {
    const [name = '', cell = ''] = cells;
    return { name: unit === null ? name : `${name} (${unit})`, cell, line };
  });
  // A table of many columns is of another kind
  const isNarrow = ({ cells }: Cells) => cells.length <= MOST_COLUMNS;
  return named.every(isNarrow) || torn.length > 0
    ? { pairs, problems: torn.map((one) => tooManyCells(one, columns ?? 2)), mark }
    : noPairs;
}

/** A CSV of a handful of names is short, and has a name, a value and perhaps something beside it. */
const LONGEST_CSV = 10_000;
const MOST_COLUMNS = 3;

function isKnown(name: string): boolean {
  return partOf.has(nameAndUnit(name)[0]);
}

/**
 * Whether a comma inside a number has cut a line: it has more cells than the head of the table, or, without a head, goes
 * on with digits behind digits.
 */
function isTorn({ cells }: Cells, columns: number | null): boolean {
  const width = widthOf(cells);
  if (columns !== null) return width > columns && width <= columns + 1;
  return width > 2 && /\d$/.test(cells[1] ?? '') && /^\d/.test(cells[2] ?? '');
}

/** The unit that the head of a column of values names. */
function unitIn(head: string): string | null {
  if (head.length > LONGEST_NAME) return null;
  const close = head.indexOf(')');
  const open = close < 0 ? -1 : head.lastIndexOf('(', close);
  if (open >= 0) return head.slice(open + 1, close);
  return /%|percent/.exec(head)?.[0] ?? null;
}

const LONGEST_NAME = 100;
const percentWords = new Set(['%', 'pct', 'pctg', 'percent', 'percentage']);
const shareWords = new Set(['share', 'shares', 'fraction', 'ratio']);

/** `compute_ms`, `Compute (ms)` and `compute %` are compute, with a unit. */
function nameAndUnit(name: string): readonly [string, Unit | number | null] {
  const text = name.trim();
  if (text.length > LONGEST_NAME) return ['', null];
  const [plain, said] = bracketsBehind(text) ?? wordBehind(text) ?? [text, ''];
  const letters = plain.toLowerCase().replace(/[^\p{L}]/gu, '');
  const unit = said.trim().toLowerCase();
  if (percentWords.has(unit)) return [letters, 'PERCENT'];
  if (shareWords.has(unit)) return [letters, 'SHARE'];
  return [letters, secondsOfUnit(unit)];
}

/** `Compute (ms)`, `compute [%]` */
function bracketsBehind(text: string): readonly [string, string] | null {
  if (!/[)\]]$/.test(text)) return null;
  const inside = text.slice(0, -1);
  const open = Math.max(inside.lastIndexOf('('), inside.lastIndexOf('['));
  return open < 0 || open < Math.max(inside.lastIndexOf(')'), inside.lastIndexOf(']'))
    ? null
    : [inside.slice(0, open), inside.slice(open + 1)];
}

/** `compute_ms`, `compute %`; a word that is no unit belongs to the name. */
function wordBehind(text: string): readonly [string, string] | null {
  if (text.endsWith('%')) return [text.slice(0, -1), '%'];
  const word = /\p{L}+$/u.exec(text.slice(-LONGEST_UNIT))?.[0] ?? '';
  const before = text.slice(0, text.length - word.length);
  const isUnit = percentWords.has(word.toLowerCase()) || shareWords.has(word.toLowerCase()) || secondsOfUnit(word) !== null; // prettier-ignore
  return isUnit && /[_\s-]$/.test(before) ? [before, word] : null;
}

const LONGEST_UNIT = 20;

type Amount = Pick<Value, 'value' | 'unit'>;

function valueIn(cell: Pair['cell'], inName: Unit | number | null, mark: DecimalMark): Amount | NumberFault {
  const { digits = '', unit: suffix = '' } = (typeof cell === 'string' && quantityIn(cell)) || {};
  const value = typeof cell === 'number' ? numberIn(String(cell), 'POINT') : numberIn(digits, mark);
  if (typeof value === 'string') return value;
  if (value < 0) return 'NO_NUMBER';
  if (suffix === '%') return { value: value / 100, unit: 'PERCENT' };
  if (suffix !== '') {
    const scale = secondsOfUnit(suffix);
    return scale === null ? 'NO_NUMBER' : { value: value * scale, unit: 'SECONDS' };
  }
  if (typeof inName === 'number') return { value: value * inName, unit: 'SECONDS' };
  if (inName === 'PERCENT') return { value: value / 100, unit: 'PERCENT' };
  return { value, unit: inName ?? 'BARE' };
}

/** People round percentages to whole ones. */
const ROUNDING = 0.02;

function readingOf(values: readonly Value[]): BreakdownReading {
  const parts = values.filter(({ part }) => part !== 'total');
  const total = values.find(({ part }) => part === 'total') ?? null;
  const units = new Set(parts.map(({ unit }) => unit));
  if (units.size > 1) return unread(mixed());
  const unit = parts[0]?.unit ?? 'BARE';
  const sum = parts.reduce((added, { value }) => added + value, 0);
  if (sum <= 0) return unread(error(null, 'All values are 0', '所有值都是 0'));
  if (unit === 'SECONDS') return timesOf(parts, total?.unit === 'SECONDS' ? total.value : null);
  // Bare numbers beside a bare whole are parts of it, whatever their unit
  const whole = unit === 'BARE' && total?.unit === 'BARE' && total.value > 0 ? total.value : null;
  const scale = whole ?? (unit === 'BARE' && sum > 1 + ROUNDING && Math.abs(sum - 100) <= 100 * ROUNDING ? 100 : 1);
  if (sum / scale > 1 + ROUNDING) return unread(unit === 'BARE' && whole === null ? noUnit(sum) : tooMuch(sum / scale));
  // What rounding makes too much is taken off all of them
  const over = Math.max(1, sum / scale);
  const wallSeconds = total?.unit === 'SECONDS' ? total.value : null;
  return { ...base(parts.map((one) => ({ ...one, value: one.value / scale / over }))), unit: 'SHARES', wallSeconds };
}

function timesOf(parts: readonly Value[], total: number | null): BreakdownReading {
  return { ...base(parts), unit: 'SECONDS', wallSeconds: total };
}

function base(parts: readonly Value[]) {
  const rows = parts.flatMap(({ name, part, value }): TimeRow[] =>
    part === 'total' ? [] : [{ name, category: part, seconds: value }],
  );
  const tells = timeParts.filter((part) => rows.some(({ category }) => category === part));
  const missing = timeParts.filter((part) => !tells.includes(part));
  const problems = missing.length === 0 ? [] : [unknown(missing)];
  return { rows, tells, steps: null, processor: null, problems };
}

function named(name: string): ImportProblem {
  const shown = excerpt(name);
  return error(null, `"${shown}" names a part that is there already`, `“${shown}”与已有的部分重复`);
}

function mixed(): ImportProblem {
  return error(
    null,
    'Shares, percentages and times are mixed: give all values alike',
    '占比、百分比和时间混用，请统一写法',
  );
}

function noUnit(sum: number): ImportProblem {
  const shown = Number(sum.toPrecision(6));
  return error(
    null,
    `The values add up to ${shown} and say no unit: write shares up to 1, "62 %", or times such as "12.3 ms"`,
    `各值之和为 ${shown}，且没有单位：请写不超过 1 的占比、“62%”或“12.3 ms”这样的时间`,
  );
}

function tooMuch(sum: number): ImportProblem {
  const percent = Number((sum * 100).toPrecision(4));
  return error(null, `The parts add up to ${percent} % of the whole`, `各部分之和为整体的 ${percent}%`);
}

function unknown(parts: readonly TimePart[]): ImportProblem {
  const names = parts.map((part) => timePartWords[part]);
  return warning(
    null,
    `Not said, so unknown: ${names.map(({ en }) => en).join(', ')}`,
    `未给出，因此未知：${names.map(({ zh }) => zh).join('、')}`,
    { code: 'SHARE_UNKNOWN' },
  );
}

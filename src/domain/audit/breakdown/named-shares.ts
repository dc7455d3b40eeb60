import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { isObject, objectsOf, readJson, startsLikeJson } from '../../importers/json.js';
import { timeParts } from '../time-breakdown.js';
import { csvLines, numberIn, secondsOfUnit } from './cells.js';
import { unread, type BreakdownReader, type BreakdownReading, type Category, type TimeRow } from './reader.js';

/** Words for the parts, lower-case and without separators; `total` is the whole of which they are parts. */
const words: Readonly<Record<Category | 'total', readonly string[]>> = {
  compute: ['compute', 'computation', 'computetime', 'gpucompute', 'kernel', 'kernels', 'gpu', '计算'],
  communication: [
    'communication', 'comm', 'comms', 'communicationtime', 'exposedcommunication', 'collectives', 'nccl', 'rccl', 'hccl', 'network', '通信',
  ],
  input: ['input', 'inputtime', 'data', 'dataloading', 'dataloader', 'datawait', 'dataload', 'io', 'storage', '输入', '数据'],
  host: ['host', 'hosttime', 'cpu', 'cpuexec', 'launch', 'launchoverhead', 'cpuoverhead', 'python', '主机'],
  other: ['other', 'idle', 'rest', 'unexplained', 'bubble', 'memory', '其他', '空闲'],
  total: ['total', 'step', 'steptime', 'iteration', 'iterationtime', 'wall', 'walltime', 'elapsed', 'sum', '合计', '总计', '步时间'],
}; // prettier-ignore
const partOf = new Map(Object.entries(words).flatMap(([part, names]) => names.map((name) => [name, part] as const)));

/** What a value is: a share, a percentage, seconds, or a number that does not say. */
type Unit = 'SHARE' | 'PERCENT' | 'SECONDS' | 'BARE';

interface Value {
  readonly name: string;
  readonly part: Category | 'total';
  readonly value: number;
  readonly unit: Unit;
}

/** JSON or CSV that names the four parts, in shares, percent or times: what people and scripts write. */
export const namedShares: BreakdownReader = {
  format: 'named-shares',
  what: 'JSON or CSV with compute, communication, input and host as shares, percent or times',
  recognizes: (text) => valuesOf(text).values.filter(({ part }) => isPart(part)).length >= 1,
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
}

function valuesOf(text: string): Values {
  const problems: ImportProblem[] = [];
  const values = (startsLikeJson(text) ? jsonPairs(text) : csvPairs(text)).flatMap(([name, cell, line]): Value[] => {
    const [plain, inName] = nameAndUnit(name);
    const part = partOf.get(plain);
    if (part === undefined) return [];
    const value = valueIn(cell, inName);
    if (value === null) {
      // Null is how a script says that it does not know
      if (!/^(?:null|n\/?a|-|)$/i.test(cell)) problems.push(noNumber(line, name, cell));
      return [];
    }
    return [{ name, part: part as Category | 'total', ...value }];
  });
  const twice = values.find(
    ({ part }, index) => part !== 'other' && values.findIndex((one) => one.part === part) < index,
  );
  if (twice) problems.push(named(twice.name));
  return { values, problems };
}

type Pair = readonly [name: string, cell: string, line: number | null];

/** The names of the object, or of the one that it holds under a name for the breakdown. */
function jsonPairs(text: string): readonly Pair[] {
  const [first, second] = objectsOf(readJson(text));
  if (!first || second) return [];
  const inner = ['timeBreakdown', 'time_breakdown', 'breakdown', 'shares']
    .map((name) => first.object[name])
    .find(isObject);
  return Object.entries(inner ?? first.object).flatMap(([name, value]): Pair[] =>
    typeof value === 'number' || typeof value === 'string' || value === null ? [[name, String(value), first.line]] : [],
  );
}

/** Names in the first line and values in the second, or a name and a value in each line. */
function csvPairs(text: string): readonly Pair[] {
  if (text.length > LONGEST_CSV) return [];
  const lines = csvLines(text);
  const [header, row, third] = lines;
  const names = header?.cells ?? [];
  const inHeader = names.filter((name) => partOf.has(nameAndUnit(name)[0])).length;
  if (inHeader >= 2 && row && !third) return names.map((name, index): Pair => [name, row.cells[index] ?? '', row.line]);
  const unit = /\(([^)]+)\)|(%|percent)/.exec(names[1] ?? '');
  const suffix = unit && numberIn(names[1] ?? '') === null ? ` (${unit[1] ?? unit[2] ?? ''})` : '';
  return lines.flatMap(({ cells, line }): Pair[] => {
    const [name = '', value = ''] = cells;
    return cells.length < 2 || cells.length > 3 ? [] : [[`${name}${suffix}`, value, line]];
  });
}

/** A CSV of a handful of names is short. */
const LONGEST_CSV = 10_000;

/** `compute_ms`, `Compute (ms)` and `compute %` are compute, with a unit. */
function nameAndUnit(name: string): readonly [string, Unit | number | null] {
  const [, plain = name, inBrackets, behind] =
    /^(.*?)(?:\s*[([]([^)\]]+)[)\]]|[_\s-]+(ns|us|µs|ms|s|sec|secs|seconds|milliseconds|microseconds|nanoseconds|pct|pctg|percent|percentage|%|share|shares|fraction|ratio))$/i.exec(name.trim()) ?? []; // prettier-ignore
  const unit = (inBrackets ?? behind ?? '').trim().toLowerCase();
  const letters = plain.toLowerCase().replace(/[^\p{L}]/gu, '');
  if (/^(?:%|pct|pctg|percent|percentage)$/.test(unit)) return [letters, 'PERCENT'];
  if (/^(?:share|shares|fraction|ratio)$/.test(unit)) return [letters, 'SHARE'];
  return [letters, secondsOfUnit(unit)];
}

function valueIn(cell: string, inName: Unit | number | null): { value: number; unit: Unit } | null {
  const [, digits = '', suffix = ''] = /^([+-]?[\d.,eE+-]*\d)\s*(%|[a-zµμ]+)?$/.exec(cell.trim()) ?? [];
  const value = numberIn(digits);
  if (value === null || value < 0) return null;
  if (suffix === '%') return { value: value / 100, unit: 'PERCENT' };
  if (suffix !== '') {
    const scale = secondsOfUnit(suffix);
    return scale === null ? null : { value: value * scale, unit: 'SECONDS' };
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

function noNumber(line: number | null, name: string, cell: string): ImportProblem {
  const shown = cell.slice(0, 60);
  return error(
    line,
    `${name} "${shown}" is no share, percentage or time`,
    `${name} 的值“${shown}”不是占比、百分比或时间`,
  );
}

function named(name: string): ImportProblem {
  return error(null, `"${name}" names a part that is there already`, `“${name}”与已有的部分重复`);
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

function unknown(parts: readonly string[]): ImportProblem {
  return warning(null, `Not said, so unknown: ${parts.join(', ')}`, `未给出，因此未知：${parts.join('、')}`);
}

import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { startsLikeJson } from '../../importers/json.js';
import { bracketed, csvLines, markOf, tooManyCells, widthOf, type Cells } from '../../importers/cells.js';
import type { DecimalMark } from '../../importers/number.js';
import { amountIn, noTime, secondsOfUnit, unreadable } from '../../importers/quantity.js';
import { unread, type BreakdownReader, type BreakdownReading, type Category, type TimeRow } from './reader.js';
import { ownValue } from '../../own-value.js';

/** The categories of the PyTorch profiler's plugin for TensorBoard; together they are the whole step. */
const categories: Readonly<Record<string, readonly [string, Category]>> = {
  kernel: ['Kernel', 'compute'],
  memset: ['Memset', 'compute'],
  memcpy: ['Memcpy', 'input'],
  communication: ['Communication', 'communication'],
  dataloader: ['DataLoader', 'input'],
  runtime: ['Runtime', 'host'],
  cpuexec: ['CPU Exec', 'host'],
  other: ['Other', 'other'],
};

/** Fewer of the names are no sign of this format. */
const FEWEST = 4;

/** The step time breakdown of the PyTorch profiler in TensorBoard as CSV: a column for each category, or a line for each. */
export const stepTimeCsv: BreakdownReader = {
  format: 'step-time-csv',
  what: {
    en: 'PyTorch Profiler (TensorBoard) step time breakdown as CSV: Kernel, Memcpy, Memset, Communication, Runtime, DataLoader, CPU Exec, Other',
    zh: 'PyTorch Profiler（TensorBoard）的单步时间分解 CSV（Kernel、Memcpy、Memset、Communication、Runtime、DataLoader、CPU Exec、Other）',
  },
  recognizes: (text) => {
    if (startsLikeJson(text)) return false;
    const lines = csvLines(text.slice(0, 20_000));
    return namesIn(lines[0]) >= FEWEST || linesOf(lines) >= FEWEST;
  },
  read: (text) => {
    const lines = csvLines(text);
    return namesIn(lines[0]) >= FEWEST ? readWide(lines) : readLong(lines);
  },
};

/** The letters of a name, without what stands in its first brackets. */
function nameOf(cell: string): string {
  const inside = bracketed(cell);
  const open = cell.indexOf('(');
  const plain = inside === null ? cell : cell.slice(0, open) + cell.slice(cell.indexOf(')', open) + 1);
  return plain.replace(/[^a-z]/gi, '').toLowerCase();
}

function known(cell: string): readonly [string, Category] | null {
  const name = nameOf(cell);
  return ownValue(categories, name) ?? null;
}

const namesIn = (header: Cells | undefined): number => (header?.cells ?? []).filter((cell) => known(cell)).length;
const linesOf = (lines: readonly Cells[]): number => lines.filter(({ cells }) => known(cells[0] ?? '')).length;

/** Microseconds where the name says no unit: the plugin writes these. */
function scaleOf(cell: string): number {
  return secondsOfUnit(bracketed(cell) ?? '') ?? 1e-6;
}

function readWide([header, ...lines]: readonly Cells[]): BreakdownReading {
  const problems: ImportProblem[] = [];
  const sums = new Map<string, number>();
  const mark = markOf(lines);
  const names = header?.cells ?? [];
  const columns = names.flatMap((name, index) => {
    const of = known(name);
    return of === null ? [] : [{ index, name: of[0], scale: scaleOf(name) }];
  });
  const twice = columns.find(({ name }, at) => columns.findIndex((one) => one.name === name) < at);
  if (twice) return unread(repeated(header?.line ?? null, twice.name));
  let steps = 0;
  for (const one of lines) {
    const { line, cells } = one;
    // The line of an average or a sum repeats the steps
    if (/average|total|sum/i.test(cells[0] ?? '') && lines.length > 1) continue;
    steps += 1;
    if (widthOf(cells) > names.length) problems.push(tooManyCells(one, names.length));
    for (const { index, name, scale } of columns) {
      sums.set(name, (sums.get(name) ?? 0) + timeOf(cells[index] ?? '', mark, line, name, problems) * scale);
    }
  }
  return readingOf(sums, steps, problems);
}

function readLong(lines: readonly Cells[]): BreakdownReading {
  const problems: ImportProblem[] = [];
  const sums = new Map<string, number>();
  const mark = markOf(lines);
  const names = lines.find(({ cells }) => !known(cells[0] ?? ''))?.cells ?? [];
  const column = Math.max(
    1,
    names.findIndex((name) => /time|duration/i.test(name)),
  );
  const scale = scaleOf(names[column] ?? '');
  const width = Math.max(2, names.length);
  for (const one of lines) {
    const { line, cells } = one;
    const of = known(cells[0] ?? '');
    if (of === null) continue;
    if (widthOf(cells) > width) problems.push(tooManyCells(one, width));
    const value = timeOf(cells[column] ?? '', mark, line, of[0], problems) * scale;
    sums.set(of[0], (sums.get(of[0]) ?? 0) + value);
  }
  return readingOf(sums, 1, problems);
}

function timeOf(cell: string, mark: DecimalMark, line: number, name: string, problems: ImportProblem[]): number {
  const value = cell === '' ? 0 : amountIn(cell, mark);
  if (typeof value === 'number') return value;
  problems.push(unreadable(line, name, cell, value, noTime));
  return 0;
}

function repeated(line: number | null, name: string): ImportProblem {
  return error(line, `There are two columns "${name}"`, `有两列“${name}”`);
}

function readingOf(
  sums: ReadonlyMap<string, number>,
  steps: number,
  problems: readonly ImportProblem[],
): BreakdownReading {
  const rows = [...sums].map(([name, seconds]): TimeRow => ({ name, seconds, category: known(name)?.[1] ?? 'other' }));
  const wallSeconds = rows.reduce((sum, { seconds }) => sum + seconds, 0);
  const failed = problems.filter(({ severity }) => severity === 'ERROR');
  if (failed.length > 0) return unread(...failed);
  if (wallSeconds <= 0) return unread(error(null, 'All times are 0', '所有时间都是 0'));
  const isSet = (name: string) => (sums.get(name) ?? 0) > 0;
  return {
    rows,
    unit: 'SECONDS',
    wallSeconds,
    steps,
    processor: null,
    tells: sums.has('Communication') ? ['compute', 'communication', 'input', 'host'] : ['compute', 'input', 'host'],
    problems: [
      ...problems,
      ...(isSet('Memcpy') ? [copies()] : []),
      ...(sums.has('Communication') ? [] : [withoutCommunication()]),
    ],
  };
}

function copies(): ImportProblem {
  return warning(
    null,
    'Memcpy does not say which way it copies; it counts as input',
    'Memcpy 未注明拷贝方向，计为输入',
    { code: 'GROUPED' },
  );
}

function withoutCommunication(): ImportProblem {
  return warning(
    null,
    'There is no category Communication, so its share is unknown; kernels of NCCL would be in Kernel, which counts as compute',
    '没有 Communication 类别，因此通信占比未知；NCCL 核函数若有，会在 Kernel 中，而 Kernel 计为计算',
    { code: 'SHARE_UNKNOWN' },
  );
}

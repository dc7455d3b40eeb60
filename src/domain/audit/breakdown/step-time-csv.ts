import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { csvLines, numberIn, secondsOfUnit, type Cells } from './cells.js';
import { unread, type BreakdownReader, type BreakdownReading, type Category, type TimeRow } from './reader.js';

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
  what: 'PyTorch Profiler (TensorBoard) step time breakdown as CSV: Kernel, Memcpy, Memset, Communication, Runtime, DataLoader, CPU Exec, Other',
  recognizes: (text) => {
    const lines = csvLines(text.slice(0, 20_000));
    return widthOf(lines[0]) >= FEWEST || lengthOf(lines) >= FEWEST;
  },
  read: (text) => {
    const lines = csvLines(text);
    return widthOf(lines[0]) >= FEWEST ? readWide(lines) : readLong(lines);
  },
};

const nameOf = (cell: string): string => cell.replace(/\(.*?\)/, '').replace(/[^a-z]/gi, '').toLowerCase(); // prettier-ignore

function known(cell: string): readonly [string, Category] | null {
  return Object.hasOwn(categories, nameOf(cell)) ? (categories[nameOf(cell)] ?? null) : null;
}

const widthOf = (header: Cells | undefined): number => (header?.cells ?? []).filter((cell) => known(cell)).length;
const lengthOf = (lines: readonly Cells[]): number => lines.filter(({ cells }) => known(cells[0] ?? '')).length;

/** Microseconds where the name says no unit: the plugin writes these. */
function scaleOf(cell: string): number {
  return secondsOfUnit(/\((\S+)\)/.exec(cell)?.[1] ?? '') ?? 1e-6;
}

function readWide([header, ...lines]: readonly Cells[]): BreakdownReading {
  const problems: ImportProblem[] = [];
  const sums = new Map<string, number>();
  let steps = 0;
  for (const { line, cells } of lines) {
    // The line of an average or a sum repeats the steps
    if (/average|total|sum/i.test(cells[0] ?? '') && lines.length > 1) continue;
    steps += 1;
    for (const [index, name] of (header?.cells ?? []).entries()) {
      const of = known(name);
      if (of === null) continue;
      const value = timeOf(cells[index] ?? '', line, of[0], problems);
      sums.set(of[0], (sums.get(of[0]) ?? 0) + value * scaleOf(name));
    }
  }
  return readingOf(sums, steps, problems);
}

function readLong(lines: readonly Cells[]): BreakdownReading {
  const problems: ImportProblem[] = [];
  const sums = new Map<string, number>();
  const header = lines.find(({ cells }) => !known(cells[0] ?? ''));
  const names = header?.cells ?? [];
  const column = Math.max(
    1,
    names.findIndex((name) => /time|duration/i.test(name)),
  );
  for (const { line, cells } of lines) {
    const of = known(cells[0] ?? '');
    if (of === null) continue;
    sums.set(
      of[0],
      (sums.get(of[0]) ?? 0) + timeOf(cells[column] ?? '', line, of[0], problems) * scaleOf(names[column] ?? ''),
    );
  }
  return readingOf(sums, 1, problems);
}

function timeOf(cell: string, line: number, name: string, problems: ImportProblem[]): number {
  const value = cell === '' ? 0 : numberIn(cell);
  if (value !== null && value >= 0) return value;
  problems.push(error(line, `${name} "${cell.slice(0, 60)}" is no time`, `${name} 的值“${cell.slice(0, 60)}”不是时间`));
  return 0;
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
  );
}

function withoutCommunication(): ImportProblem {
  return warning(
    null,
    'There is no category Communication, so its share is unknown; kernels of NCCL would be in Kernel, which counts as compute',
    '没有 Communication 类别，因此通信占比未知；NCCL 核函数若有，会在 Kernel 中，而 Kernel 计为计算',
  );
}

import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { dashedTables, type DashedTable } from './dashed-table.js';
import { deviceCategory } from './kernel-category.js';
import { noTime, numberIn, timeIn, unreadable } from './numbers.js';
import { unread, type BreakdownReader, type BreakdownReading, type TimeRow } from './reader.js';

/** A row of the table; times in seconds. */
interface Row {
  readonly name: string;
  readonly selfProcessor: number;
  readonly processorTotal: number;
  readonly selfDevice: number;
  readonly calls: number;
}

/** The table of torch.profiler: `prof.key_averages().table()`, for CUDA, ROCm, XPU or NPU. */
export const torchProfilerTable: BreakdownReader = {
  format: 'torch-profiler-table',
  what: { en: 'torch.profiler (key_averages().table())', zh: 'torch.profiler（key_averages().table()）' },
  recognizes: (text) => tablesOf(text).length > 0,
  read: (text) => {
    const [table, ...others] = tablesOf(text);
    if (!table) return unread();
    if (others.length > 0) return unread(severalTables([table, ...others].map(({ line }) => line)));
    const device = deviceOf(table);
    if (device === null) return unread(noDevice(table.line));
    return readTable(table, device);
  },
};

function tablesOf(text: string): readonly DashedTable[] {
  return dashedTables(text, (line) => {
    const names = line.trim();
    return /^Name\s/.test(names) && names.includes('Self CPU') && names.endsWith('# of Calls');
  });
}

/** CUDA also stands for ROCm: the column is named so there. */
function deviceOf({ columns }: DashedTable): string | null {
  const found = columns
    .map((name) => /^Self (\w+)$/.exec(name)?.[1])
    .find((name) => name !== undefined && name !== 'CPU');
  return found ?? null;
}

function readTable(table: DashedTable, device: string): BreakdownReading {
  const problems: ImportProblem[] = [];
  const rows = rowsOf(table, device, problems);
  if (problems.some(({ severity }) => severity === 'ERROR')) return unread(...problems);
  const listed = deviceRows(rows);
  if (listed.length === 0) return unread(noKernels(table.line));
  const sum = listed.reduce((total, { seconds }) => total + seconds, 0);
  const total = footerTime(table, device);
  const missing = total === null ? 0 : total - sum;
  if (total !== null && missing > total * CUT) problems.push(cutOff(missing, total));
  const unlisted: TimeRow[] =
    total !== null && missing > total * CUT
      ? [{ name: { en: '(not in the table)', zh: '（不在表中）' }, category: 'other', seconds: missing }]
      : [];
  if (total !== null && -missing > total * CUT) problems.push(counted(sum, total));
  const step = rows.find(({ name, processorTotal }) => isStep(name) && processorTotal > 0);
  return {
    rows: [...listed, ...unlisted],
    unit: 'SECONDS',
    wallSeconds: step?.processorTotal ?? null,
    steps: step?.calls ?? null,
    processor: processorTime(rows, footerTime(table, 'CPU')),
    tells: ['compute', 'communication', 'input'],
    problems,
  };
}

/** How far the sum of the rows may be from the total that the table states: times are rounded. */
const CUT = 0.02;

/** PyTorch prints decimal points and no separators of thousands, whatever the language of the machine. */
const MARK = 'POINT';

function rowsOf({ columns, rows }: DashedTable, device: string, problems: ImportProblem[]): readonly Row[] {
  const at = (name: string) => columns.indexOf(name);
  const calls = at('# of Calls');
  const timeAt = (name: string) => {
    const index = at(name);
    return (line: number, cells: readonly string[]): number => {
      const cell = cells[index] ?? '';
      const value = cell === '' ? 0 : timeIn(cell, MARK);
      if (typeof value === 'number') return value;
      const { severity, ...problem } = unreadable(line, name, cell, value, noTime);
      // A value of another kind counts as none, a time that is beyond all bounds cannot
      problems.push({ ...problem, severity: value === 'NO_NUMBER' ? 'WARNING' : severity });
      return 0;
    };
  };
  const [self, total, own] = [timeAt('Self CPU'), timeAt('CPU total'), timeAt(`Self ${device}`)];
  return rows.map(({ line, cells }) => {
    const count = numberIn(cells[calls] ?? '', MARK);
    return {
      name: cells[0] ?? '',
      selfProcessor: self(line, cells),
      processorTotal: total(line, cells),
      selfDevice: own(line, cells),
      calls: typeof count === 'number' ? count : 1,
    };
  });
}

/**
 * What ran on the device. An operator has its kernels' time too, and so has a range that was annotated: only rows without
 * time of the processor are kernels and copies, and of these not the ranges. Old versions list operators alone.
 */
function deviceRows(rows: readonly Row[]): readonly TimeRow[] {
  const onProcessor = new Set(rows.filter(({ processorTotal }) => processorTotal > 0).map(({ name }) => name));
  const busy = rows.filter(({ selfDevice, name }) => selfDevice > 0 && !isStep(name));
  const kernels = busy.filter(({ name, selfProcessor, processorTotal }) => {
    return selfProcessor === 0 && processorTotal === 0 && !onProcessor.has(name) && !isRange(name);
  });
  return (kernels.length > 0 ? kernels : busy).map(({ name, selfDevice }) => ({
    name,
    category: deviceCategory(name),
    seconds: selfDevice,
  }));
}

function isStep(name: string): boolean {
  return name.startsWith('ProfilerStep');
}

/** Ranges that PyTorch itself annotates. */
function isRange(name: string): boolean {
  return /^(?:nccl|gloo|mpi|ucc|hccl|xccl):|^Optimizer\.|^DistributedDataParallel\.|^FSDP::/.test(name);
}

/** Waiting for the device is no work of the processor. */
function processorTime(rows: readonly Row[], total: number | null): BreakdownReading['processor'] {
  if (total === null) return null;
  const sum = (of: RegExp, field: 'selfProcessor' | 'processorTotal') =>
    rows.reduce((seconds, row) => seconds + (of.test(row.name) ? row[field] : 0), 0);
  const waits = sum(/^(?:cuda|hip|acl|xpu)\w*Synchronize/, 'selfProcessor');
  const waitForInput = sum(/^enumerate\(DataLoader\)/, 'processorTotal');
  return { work: Math.max(0, total - waits - waitForInput), waitForInput };
}

function footerTime({ footer }: DashedTable, device: string): number | null {
  const line = footer.find((one) => one.trim().startsWith(`Self ${device} time total:`));
  const time = timeIn(line?.split(':')[1] ?? '', MARK);
  return typeof time === 'number' ? time : null;
}

function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 100);
}

function severalTables(lines: readonly number[]): ImportProblem {
  return error(
    null,
    `There are ${lines.length} tables here, in lines ${lines.join(', ')}: send the one that counts`,
    `其中有 ${lines.length} 张表（第 ${lines.join('、')} 行），请只提交需要的那一张`,
  );
}

function noDevice(line: number): ImportProblem {
  return error(
    line,
    'The table has no times of a device: profile with ProfilerActivity.CUDA',
    '表中没有设备时间：请在性能剖析时启用 ProfilerActivity.CUDA',
  );
}

function noKernels(line: number): ImportProblem {
  return error(line, 'Nothing in the table ran on the device', '表中没有任何内容在设备上运行');
}

function cutOff(missing: number, total: number): ImportProblem {
  const share = percent(missing, total);
  return warning(
    null,
    `The table is cut off: ${share} % of the device time is not in it. Print it with row_limit=-1`,
    `表不完整：设备时间的 ${share}% 不在其中。请以 row_limit=-1 打印`,
  );
}

function counted(sum: number, total: number): ImportProblem {
  const share = percent(sum, total);
  return warning(
    null,
    `The rows add up to ${share} % of the device time that the table states: something in it counts twice`,
    `各行之和为表中所述设备时间的 ${share}%，有内容被重复计算`,
  );
}

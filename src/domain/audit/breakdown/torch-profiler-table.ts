import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { deviceCategory } from '../../importers/profilers/kernel-category.js';
import {
  footerTime,
  isStep,
  kernelRows,
  ROUNDING,
  torchRows,
  torchTables,
  type TorchRow,
  type TorchTable,
} from '../../importers/profilers/torch-table.js';
import { unread, type BreakdownReader, type BreakdownReading, type TimeRow } from './reader.js';

/** The table of torch.profiler: `prof.key_averages().table()`, for CUDA, ROCm, XPU or NPU. */
export const torchProfilerTable: BreakdownReader = {
  format: 'torch-profiler-table',
  what: { en: 'torch.profiler (key_averages().table())', zh: 'torch.profiler（key_averages().table()）' },
  recognizes: (text) => torchTables(text).length > 0,
  read: (text) => {
    const [table, ...others] = torchTables(text);
    if (!table) return unread();
    if (others.length > 0) return unread(severalTables([table, ...others].map(({ line }) => line)));
    return table.device === null ? unread(noDevice(table.line)) : readTable(table, table.device);
  },
};

function readTable(table: TorchTable, device: string): BreakdownReading {
  const problems: ImportProblem[] = [];
  const rows = torchRows(table, problems);
  if (problems.some(({ severity }) => severity === 'ERROR')) return unread(...problems);
  const listed = deviceRows(rows);
  if (listed.length === 0) return unread(noKernels(table.line));
  const sum = listed.reduce((total, { seconds }) => total + seconds, 0);
  const total = footerTime(table, device);
  const missing = total === null ? 0 : total - sum;
  if (total !== null && missing > total * ROUNDING) problems.push(cutOff(missing, total));
  const unlisted: TimeRow[] =
    total !== null && missing > total * ROUNDING
      ? [{ name: { en: '(not in the table)', zh: '（不在表中）' }, category: 'other', seconds: missing }]
      : [];
  if (total !== null && -missing > total * ROUNDING) problems.push(counted(sum, total));
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

/** Old versions list operators alone, which have the time of their kernels. */
function deviceRows(rows: readonly TorchRow[]): readonly TimeRow[] {
  const kernels = kernelRows(rows);
  const busy = kernels.length > 0 ? kernels : rows.filter(({ selfDevice, name }) => selfDevice > 0 && !isStep(name));
  return busy.map(({ name, selfDevice }) => ({ name, category: deviceCategory(name), seconds: selfDevice }));
}

/** Waiting for the device is no work of the processor. */
function processorTime(rows: readonly TorchRow[], total: number | null): BreakdownReading['processor'] {
  if (total === null) return null;
  const sum = (of: RegExp, field: 'selfProcessor' | 'processorTotal') =>
    rows.reduce((seconds, row) => seconds + (of.test(row.name) ? row[field] : 0), 0);
  const waits = sum(/^(?:cuda|hip|acl|xpu)\w*Synchronize/, 'selfProcessor');
  const waitForInput = sum(/^enumerate\(DataLoader\)/, 'processorTotal');
  return { work: Math.max(0, total - waits - waitForInput), waitForInput };
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
    { code: 'INCOMPLETE' },
  );
}

function counted(sum: number, total: number): ImportProblem {
  const share = percent(sum, total);
  return warning(
    null,
    `The rows add up to ${share} % of the device time that the table states: something in it counts twice`,
    `各行之和为表中所述设备时间的 ${share}%，有内容被重复计算`,
    { code: 'OVERLAPPING' },
  );
}

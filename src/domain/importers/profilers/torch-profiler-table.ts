import type { Facts } from '../../measurement/environment-diff.js';
import { dimensionOf } from '../../measurement/unit.js';
import {
  incomplete,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { linesOf } from '../labeled-lines.js';
import { numberIn } from '../number.js';
import { quantityIn } from '../quantity.js';
import { MOST_NAMED, profileRun, tooManyNamed, workName } from './profile-run.js';
import { footerCell, footerTime, isStep, kernelRows, ROUNDING, torchRows, torchTables, type TorchRow, type TorchTable } from './torch-table.js'; // prettier-ignore

/** The table of torch.profiler: each is one run. Times in the unit of their cells, sizes in powers of 1024. */
export const torchProfilerTable: Importer = {
  tool: 'torch-profiler-table',
  what: 'torch.profiler key_averages().table()',

  recognizes: (text) => torchTables(text).length > 0,

  nearMiss: (text) =>
    text.includes('Self CPU t') &&
    /^[^\n]{0,200}Self CPU (?:total|time avg)[^\n]{0,400}(?:Number of Calls|# Calls)/m.test(text)
      ? oldTable()
      : null,

  read(text) {
    const tables = torchTables(text);
    const around = tables.length === 0 ? [] : surroundings(text, tables);
    const problems: ImportProblem[] = [];
    const runs = tables.map((table, index) => readTable(table, around[index] ?? nothing, problems));
    return { runs, problems };
  },
};

function readTable(table: TorchTable, around: Surrounding, problems: ImportProblem[]): ReadRun {
  const rows = torchRows(table, problems);
  const kernels = new Set(kernelRows(rows));
  const kept = mostTime(rows, table.line, problems);
  const total = table.device === null ? '' : footerCell(table, table.device);
  const isComplete = table.isClosed && footerCell(table, 'CPU') !== '';
  if (!isComplete) problems.push(withoutTotal(table.line));
  problems.push(...doubtsOf(table, rows, kernels));
  return profileRun('torch-profiler-table', {
    status: isComplete ? 'OK' : 'PARTIAL',
    variant: around.heading ?? table.label,
    workload: deviceFact(table),
    observations: [
      ...time('host.profiled_time', {}, footerCell(table, 'CPU')),
      ...time('gpu.profiled_time', {}, total),
      ...rows.flatMap(stepTime).slice(0, 1),
      ...around.tokenRates,
      ...kept.flatMap((row) => (kernels.has(row) ? kernelOf(row, table) : operatorOf(row, table))),
    ],
  });
}

/** The device is named by the table alone: `CUDA` also stands for ROCm. */
function deviceFact({ device }: TorchTable): Facts {
  return { 'workload.settings.profiled_device': device?.toLowerCase() ?? 'cpu' };
}

function mostTime(rows: readonly TorchRow[], line: number, problems: ImportProblem[]): readonly TorchRow[] {
  if (rows.length <= MOST_NAMED) return rows;
  problems.push(tooManyNamed(rows.length, line));
  const most = (row: TorchRow) => Math.max(row.selfDevice, row.processorTotal);
  return rows.toSorted((a, b) => most(b) - most(a)).slice(0, MOST_NAMED);
}

type Dimensions = ReadObservation['dimensions'];

function time(metric: string, dimensions: Dimensions, cell: string): readonly ReadObservation[] {
  const { digits = '', unit = '' } = quantityIn(cell) ?? {};
  const value = numberIn(digits, 'POINT');
  return typeof value === 'number' && value >= 0 && dimensionOf(unit) === 'time'
    ? [{ metric, dimensions, value, unit }]
    : [];
}

function stepTime(row: TorchRow): readonly ReadObservation[] {
  return isStep(row.name) && row.processorTotal > 0 ? time('time.profiled_step', {}, row.cell('CPU time avg')) : [];
}

function kernelOf(row: TorchRow, { device }: TorchTable): readonly ReadObservation[] {
  const dimensions = { kernel: workName(row.name) };
  return [
    ...time('kernel.time_total', dimensions, row.cell(`Self ${device}`)),
    ...time('kernel.time_mean', dimensions, row.cell(`${device} time avg`)),
    ...count('kernel.instances', dimensions, row),
  ];
}

function operatorOf(row: TorchRow, { device }: TorchTable): readonly ReadObservation[] {
  const [overload, shapes] = [row.cell('Overload Name'), row.cell('Input Shapes')];
  const dimensions = {
    operator: workName(row.name),
    ...(overload === '' ? {} : { overload: workName(overload) }),
    ...(shapes === '' ? {} : { shapes: workName(shapes) }),
  };
  // a range on the device spans kernels that have rows of their own
  if (row.processorTotal === 0 && row.selfProcessor === 0 && row.selfDevice > 0) return [];
  return [
    ...time('operator.self_host_time', dimensions, row.cell('Self CPU')),
    ...time('operator.host_time', dimensions, row.cell('CPU total')),
    ...(device === null
      ? []
      : [
          ...time('operator.self_device_time', dimensions, row.cell(`Self ${device}`)),
          ...time('operator.device_time', dimensions, row.cell(`${device} total`)),
          ...size('operator.self_device_memory', dimensions, row.cell(`Self ${device} Mem`)),
          ...size('operator.device_memory', dimensions, row.cell(`${device} Mem`)),
        ]),
    ...size('operator.self_host_memory', dimensions, row.cell('Self CPU Mem')),
    ...size('operator.host_memory', dimensions, row.cell('CPU Mem')),
    ...operations(dimensions, row),
    ...count('operator.calls', dimensions, row),
  ];
}

function count(metric: string, dimensions: Dimensions, row: TorchRow): readonly ReadObservation[] {
  const value = numberIn(row.cell('# of Calls'), 'POINT');
  return typeof value === 'number' && value >= 0 ? [{ metric, dimensions, value, unit: 'count' }] : [];
}

/** Older versions write `Mb`, newer ones `MB`; all mean powers of 1024. What was released more than taken is negative. */
const sizes: Readonly<Record<string, string>> = { b: 'B', kb: 'KiB', mb: 'MiB', gb: 'GiB', tb: 'TiB' };

function size(metric: string, dimensions: Dimensions, cell: string): readonly ReadObservation[] {
  const { digits = '', unit: found = '' } = quantityIn(cell) ?? {};
  const [value, unit] = [numberIn(digits, 'POINT'), sizes[found.toLowerCase()]];
  return typeof value === 'number' && unit !== undefined ? [{ metric, dimensions, value, unit }] : [];
}

function operations(dimensions: Dimensions, row: TorchRow): readonly ReadObservation[] {
  return ['', 'K', 'M', 'G', 'T', 'P'].flatMap((prefix): readonly ReadObservation[] => {
    const value = numberIn(row.cell(`Total ${prefix}FLOPs`), 'POINT');
    if (typeof value !== 'number' || value < 0) return [];
    return [{ metric: 'operator.flops', dimensions, value, unit: `${prefix.replace('K', 'k')}FLOP` }];
  });
}

/** What programs that profile themselves print around a table. */
interface Surrounding {
  readonly heading: string | null;
  readonly tokenRates: readonly ReadObservation[];
}

const nothing: Surrounding = { heading: null, tokenRates: [] };
const headingLine = /^\s{0,3}(?:#{1,6}|[-=*]{2,40}) ([^-=*#\s][^\n]{0,120})$/;
const tokenRate = /\b\d{1,9} tokens in \d{1,7}(?:\.\d{1,6})? ?s \((\d{1,9}(?:\.\d{1,6})?) tok(?:ens)?\/s\)/;

/** For each table the heading above it and the rates of tokens below, as far as the next one. */
function surroundings(text: string, tables: readonly TorchTable[]): readonly Surrounding[] {
  const found = tables.map(() => ({ heading: null as string | null, tokenRates: [] as ReadObservation[] }));
  let [next, number] = [0, 0];
  let heading: string | null = null;
  for (const line of linesOf(text)) {
    number += 1;
    const table = found[next];
    if (table && tables[next]?.line === number) {
      table.heading = heading;
      heading = null;
      next += 1;
      continue;
    }
    heading = headingLine.exec(line)?.[1]?.replace(/\s[-=*#]{2,40}\s{0,20}$/, '').trim() ?? heading; // prettier-ignore
    const rate = next > 0 ? tokenRate.exec(line)?.[1] : undefined;
    if (rate !== undefined) found[next - 1]?.tokenRates.push(rateOf(Number(rate)));
  }
  return found;
}

function rateOf(value: number): ReadObservation {
  return { metric: 'serving.output_token_throughput', dimensions: {}, value, unit: 'tokens/s' };
}

function doubtsOf(
  table: TorchTable,
  rows: readonly TorchRow[],
  kernels: ReadonlySet<TorchRow>,
): readonly ImportProblem[] {
  const { device, line } = table;
  if (device === null) return [processorOnly(line)];
  const total = footerTime(table, device);
  if (!rows.some(({ selfDevice }) => selfDevice > 0) && (total ?? 0) === 0) return [noDeviceWork(line)];
  if (total === null || kernels.size === 0) return [];
  const missing = total - [...kernels].reduce((sum, { selfDevice }) => sum + selfDevice, 0);
  return missing > total * ROUNDING ? [cutOff(missing / total, line)] : [];
}

function withoutTotal(line: number): ImportProblem {
  return incomplete(
    line,
    'The table ends without its totals: the output is not complete',
    '表格缺少末尾的合计行，输出不完整',
  );
}

function processorOnly(line: number): ImportProblem {
  return warning(
    line,
    'The table has no times of a device: only the processor was profiled. Add ProfilerActivity.CUDA for kernels',
    '表中没有设备时间，只剖析了 CPU。需要核函数数据请启用 ProfilerActivity.CUDA',
    { code: 'NO_DEVICE_TIMES' },
  );
}

function noDeviceWork(line: number): ImportProblem {
  return warning(
    line,
    'Nothing in the table ran on the device: another process may have launched the kernels',
    '表中没有任何内容在设备上运行，核函数可能由其他进程启动',
    { code: 'NO_DEVICE_TIMES' },
  );
}

function cutOff(share: number, line: number): ImportProblem {
  const percent = Math.round(share * 100);
  return warning(
    line,
    `The rows lack ${percent} % of the device time. The totals hold all of it; print the table with row_limit=-1 for the rest`,
    `表中各行缺少 ${percent}% 的设备时间，合计值仍然完整；如需其余各行，请以 row_limit=-1 打印`,
    { code: 'INCOMPLETE' },
  );
}

function oldTable(): ImportProblem {
  return error(
    null,
    'This is a table of torch.autograd.profiler before PyTorch 1.7: profile with torch.profiler',
    '这是 PyTorch 1.7 之前 torch.autograd.profiler 的表格，请改用 torch.profiler',
  );
}

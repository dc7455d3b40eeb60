import { dimensionOf } from '../../measurement/unit.js';
import { bracketed, tooManyCells, type Cells } from '../cells.js';
import { leftOut, error, warning, type ImportProblem, type ReadObservation, type Reading } from '../importer.js';
import { isNoValue } from '../number.js';
import { amountIn, excerpt, noTime, unreadable } from '../quantity.js';
import type { NsysReport, NsysTable } from './nsys-tables.js';
import { MOST_NAMED, profileRun, tooManyNamed, workName } from './profile-run.js';

/** The runs of the summaries: a report that comes again is of the next profile. */
export function nsysReading(tool: string, tables: readonly NsysTable[], text: string): Reading {
  const problems: ImportProblem[] = [];
  const toolVersion = /nsight-systems[/\\-](\d{4}\.\d{1,2}(?:\.\d{1,3})?)/i.exec(text)?.[1] ?? null;
  const runs = profilesOf(tables).flatMap((profile) => {
    const observations = profile.flatMap((table) => observationsOf(table, problems));
    return observations.length === 0 ? [] : [profileRun(tool, { toolVersion, observations })];
  });
  if (runs.length === 0 && problems.length === 0) problems.push(noReport());
  else if (!tables.some(({ report }) => report === 'KERNELS' || report === 'BOTH')) problems.push(noKernels());
  return { runs, problems };
}

/** For text that holds another report: what to ask nsys for. */
export function nsysNearMiss(text: string): ImportProblem | null {
  const isTrace = /^"?Start \((?:ns|us|ms|s)\)"?,"?Duration \(/m.test(text);
  return isTrace || (/\.nsys-rep\b/.test(text) && /Executing '\w{1,60}' stats report/.test(text)) ? noReport() : null;
}

type KnownTable = NsysTable & { readonly report: NsysReport };

function profilesOf(tables: readonly NsysTable[]): readonly (readonly KnownTable[])[] {
  const profiles: KnownTable[][] = [];
  for (const { report, ...table } of tables) {
    if (report === null) continue;
    const known = { ...table, report };
    const last = profiles.at(-1);
    const isAgain = last?.some((one) => one.report === report && (report !== 'CALLS' || isOfCuda(one) === isOfCuda(known)));
    if (last && !isAgain) last.push(known);
    else profiles.push([known]);
  } // prettier-ignore
  // cuda_gpu_sum holds what the other two hold
  return profiles.map((profile) => {
    const hasBoth = profile.some(({ report }) => report === 'BOTH');
    return hasBoth ? profile.filter(({ report }) => report !== 'KERNELS' && report !== 'COPIES') : profile;
  });
}

/** The calls of CUDA stand in a report of the same columns as those of the operating system. */
function isOfCuda({ columns, rows }: NsysTable): boolean {
  const at = columns.indexOf('Name');
  return rows.some(({ cells }) => isCudaCall(cells[at] ?? ''));
}

const isCudaCall = (name: string): boolean => /^(?:cuda|cu)[A-Z]\w{2,}/.test(name);

/** Name of the column without its unit, in either spelling. */
const spellings: Readonly<Record<Column, readonly string[]>> = {
  share: ['Time', 'Time (%)', 'Time(%)'],
  total: ['Total Time', 'Total'],
  count: ['Instances', 'Num Calls', 'Count', 'Operations'],
  mean: ['Avg', 'Average'],
  median: ['Med', 'Median'],
  min: ['Min', 'Minimum'],
  max: ['Max', 'Maximum'],
  sd: ['StdDev'],
};
type Column = 'share' | 'total' | 'count' | 'mean' | 'median' | 'min' | 'max' | 'sd';

interface Row {
  readonly line: number;
  readonly name: string;
  readonly dimensions: ReadObservation['dimensions'];
  /** Values that the row has, in the unit of the table. */
  readonly values: Readonly<Partial<Record<Column, number>>>;
}

function observationsOf(table: KnownTable, problems: ImportProblem[]): readonly ReadObservation[] {
  const { report, columns, line, torn } = table;
  if (torn) {
    problems.push(tooManyCells(torn, columns.length));
    return [];
  }
  const unit = unitOf(columns);
  if (unit === null) return [];
  const rows = rowsOf(table, problems);
  if (rows.length === 0 && table.rows.length === 0) problems.push(empty(line));
  const kept = rows.toSorted((a, b) => (b.values.total ?? 0) - (a.values.total ?? 0)).slice(0, MOST_NAMED);
  if (kept.length < rows.length) problems.push(tooManyNamed(rows.length, line));
  if (report === 'SIZES') return kept.flatMap((row) => one('gpu.copied_bytes', row, 'total', unit));
  if (report === 'CALLS') return kept.filter(({ name }) => isCudaCall(name)).flatMap((row) => ofCall(row, unit));
  const isCopy = ({ name }: Row) => report === 'COPIES' || (report === 'BOTH' && /^\[CUDA mem/.test(name));
  return [
    ...allKernels(rows.filter((row) => !isCopy(row)), unit),
    ...kept.flatMap((row) => (isCopy(row) ? ofCopy(row, unit) : ofKernel(row, unit))),
  ]; // prettier-ignore
}

/** Nanoseconds and megabytes unless the columns say otherwise. nsys counts 1,000,000 bytes a megabyte. */
function unitOf(columns: readonly string[]): string | null {
  const isSize = columns[0]?.startsWith('Total') ?? false;
  const column = columns.find((name) => name.startsWith('Total')) ?? '';
  const unit = bracketed(column) ?? (isSize ? 'MB' : 'ns');
  return dimensionOf(unit) === (isSize ? 'data-size' : 'time') ? unit : null;
}

function rowsOf({ columns, rows, mark, report }: KnownTable, problems: ImportProblem[]): readonly Row[] {
  const nameAt = columns.indexOf(columns.includes('Operation') ? 'Operation' : 'Name');
  const places = placesOf(columns);
  const shapes = ['GridXYZ', 'BlockXYZ'].map((name) => columns.indexOf(name));
  return rows.flatMap(({ line, cells }: Cells): Row[] => {
    const name = workName(cells[nameAt] ?? '');
    const values: Partial<Record<Column, number>> = {};
    let isRead = name !== '';
    for (const [column, at] of places) {
      const cell = cells[at] ?? '';
      if (isNoValue(cell)) continue;
      const value = amountIn(cell, mark);
      if (typeof value === 'number') values[column] = value;
      else if (value !== 'NO_NUMBER') problems.push(unreadable(line, columns[at] ?? '', cell, value, noTime));
      else isRead = false;
    }
    if (!isRead || values.total === undefined) {
      problems.push(notKept(line, cells[nameAt] ?? ''));
      return [];
    }
    const key = report === 'KERNELS' || report === 'BOTH' ? 'kernel' : report === 'CALLS' ? 'call' : 'operation';
    const launch = shapes.map((at) => cells[at] ?? '').filter((shape) => shape !== '').map(workName).join(' x '); // prettier-ignore
    return [{ line, name, values, dimensions: { [key]: name, ...(launch === '' ? {} : { launch }) } }];
  });
}

function placesOf(columns: readonly string[]): readonly (readonly [Column, number])[] {
  const plain = columns.map((name) => name.replace(/ ?\([^)]{1,10}\)$/, ''));
  return (Object.entries(spellings) as [Column, readonly string[]][]).flatMap(([column, names]) => {
    const at = plain.findIndex((name, index) => names.includes(name) || names.includes(columns[index] ?? ''));
    return at < 0 ? [] : [[column, at] as const];
  });
}

function one(metric: string, { dimensions, values }: Row, column: Column, unit: string): readonly ReadObservation[] {
  const value = values[column];
  return value === undefined ? [] : [{ metric, dimensions, value, unit }];
}

/** The sum over the whole report: nsys leaves no kernel out. */
function allKernels(rows: readonly Row[], unit: string): readonly ReadObservation[] {
  const value = rows.reduce((sum, { values }) => sum + (values.total ?? 0), 0);
  return rows.length === 0 ? [] : [{ metric: 'kernel.time_total', dimensions: {}, value, unit }];
}

function ofKernel(row: Row, unit: string): readonly ReadObservation[] {
  const inside = distributionOf(row);
  return [
    ...one('kernel.time_total', row, 'total', unit),
    ...one('kernel.time', row, 'median', unit).map((median) => ({ ...median, ...inside })),
    ...one('kernel.time_mean', row, 'mean', unit).map((mean) =>
      row.values.median === undefined ? { ...mean, ...inside } : mean,
    ),
    ...one('kernel.instances', row, 'count', 'count'),
    ...one('kernel.time_share', row, 'share', '%'),
  ];
}

function ofCopy(row: Row, unit: string): readonly ReadObservation[] {
  // in a report of both, the dimension is named after kernels
  const dimensions = { operation: row.name };
  const found = [...one('gpu.copy_time', row, 'total', unit), ...one('gpu.copies', row, 'count', 'count')];
  return found.map((observation) => ({ ...observation, dimensions }));
}

function ofCall(row: Row, unit: string): readonly ReadObservation[] {
  return [...one('host.api_time', row, 'total', unit), ...one('host.api_calls', row, 'count', 'count')];
}

function distributionOf({ values }: Row): Pick<ReadObservation, 'distribution'> {
  const { count, mean, sd, min, median, max } = values;
  if (count === undefined || !Number.isSafeInteger(count) || count < 1) return {};
  const or = (value: number | undefined): number | null => value ?? null;
  return {
    distribution: {
      count,
      mean: or(mean),
      sd: count < 2 ? null : or(sd),
      min: or(min),
      p50: or(median),
      p90: null,
      p99: null,
      max: or(max),
    },
  };
}

function noReport(): ImportProblem {
  return error(
    null,
    'There is no summary of kernels, copies or CUDA calls here: run nsys stats with --report cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_api_sum',
    '其中没有核函数、拷贝或 CUDA 调用的汇总：请用 --report cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_api_sum 运行 nsys stats',
  );
}

function noKernels(): ImportProblem {
  return warning(
    null,
    'There is no summary of kernels here: add --report cuda_gpu_kern_sum',
    '其中没有核函数汇总：请加 --report cuda_gpu_kern_sum',
    { code: 'NO_DEVICE_TIMES' },
  );
}

function empty(line: number): ImportProblem {
  return warning(line, 'The summary has no rows', '该汇总没有数据行', { code: 'INCOMPLETE' });
}

function notKept(line: number, name: string): ImportProblem {
  const shown = excerpt(name);
  return leftOut(
    line,
    `The row "${shown}" was left out: a value of it is no number`,
    `未采用“${shown}”一行：其中有的值不是数字`,
  );
}

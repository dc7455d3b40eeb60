import type { BothLanguages } from '../../locale.js';
import type { Facts } from '../../measurement/environment-diff.js';
import { meanOf, medianOf } from '../distribution.js';
import { badRun, warning, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import type { ProblemCode } from '../problem-codes.js';
import type { Launch } from './nccl-launch.js';
import { contradictionOf, type Half, type Row } from './nccl-rows.js';

/** One table while it is read. */
export interface Table {
  readonly line: number;
  readonly launch: Launch;
  /** Null as long as nothing has named it. */
  collective: string | null;
  readonly countsWrong: boolean;
  readonly rows: Row[];
  /** Lines of rows that could not be read. */
  readonly broken: number[];
  /** Rows whose numbers disagree, and how. */
  readonly contradictions: { readonly row: Row; readonly message: BothLanguages }[];
  /** Rows of no bytes, which transfer nothing. */
  empty: number;
  /** Places where somebody left out rows. */
  elided: number;
  average: number | null;
  /** What the summary says about wrong values. */
  check: { readonly wrong: number; readonly hasFailed: boolean } | null;
}

/** Moves the rows that contradict themselves, or the others, out of the rows. */
export function withoutContradictions(table: Table): Table {
  const halves = table.rows.flatMap(({ outOfPlace, inPlace }) => [outOfPlace, inPlace]);
  const factor = medianOf(halves.filter(({ algbw }) => algbw >= 5).map(({ algbw, busbw }) => busbw / algbw));
  const rows: Row[] = [];
  const contradictions: Table['contradictions'] = [];
  for (const row of table.rows) {
    const message = contradictionOf(row, table.collective, factor);
    if (message) contradictions.push({ row, message });
    else rows.push(row);
  }
  return { ...table, rows, contradictions };
}

export function runOf(table: Table): ReadRun {
  return {
    status: statusOf(table),
    tool: 'nccl-tests',
    toolVersion: table.launch.version,
    variant: null,
    startedAt: null,
    command: table.launch.command,
    environment: table.launch.facts(),
    workload: workloadOf(table),
    session: null,
    block: null,
    observations: observationsOf(table),
  };
}

export function timeOfCpu(line: number): ImportProblem {
  return badRun(
    line,
    'The times are those of the CPU (-C): they say nothing of the bandwidth',
    '时间为 CPU 时间（-C），不能反映带宽',
  );
}

/** As many rows are named one by one. */
const MAX_CONTRADICTIONS = 5;

export function tableProblems(table: Table): readonly ImportProblem[] {
  const { line, rows, broken, contradictions, elided, empty, average } = table;
  const found: ImportProblem[] = [];
  const say = (code: ProblemCode) => (at: number | null, en: string, zh: string) =>
    found.push(warning(at, en, zh, { code }));
  const [warn, lacking] = [say('LEFT_OUT'), say('INCOMPLETE')];
  if (hasWrongValues(table)) {
    const wrong = wrongValues(table) ?? 0;
    say('CHECK_FAILED')(
      line,
      `The check failed: ${wrong} wrong values. The run is invalid`,
      `校验失败：有 ${wrong} 个错误值，本次运行无效`,
    );
  }
  if (broken.length > 0) {
    warn(
      broken[0] ?? line,
      `Rows that could not be read and were left out: ${broken.length}`,
      `${broken.length} 行无法读取，未采用`,
    );
  }
  for (const { row, message } of contradictions.slice(0, MAX_CONTRADICTIONS)) {
    warn(
      row.line,
      `The row of ${row.bytes} B was left out: ${message.en}`,
      `未采用 ${row.bytes} B 一行：${message.zh}`,
    );
  }
  const more = contradictions.length - MAX_CONTRADICTIONS;
  if (more > 0)
    warn(line, `More rows with numbers that disagree were left out: ${more}`, `另有 ${more} 行数值互相矛盾，未采用`);
  if (elided > 0) lacking(line, 'Rows were left out of the file ("...")', '文件中省略了部分行（“...”）');
  if (empty > 0) warn(line, `Rows of 0 bytes left out, which transfer nothing: ${empty}`, `${empty} 行大小为 0 字节，没有传输数据，未采用`); // prettier-ignore
  if (average === null)
    lacking(line, 'The table ends without its average: the output is not complete', '表格缺少末尾的平均值，输出不完整');
  if (average !== null && rows.length === 0) lacking(line, 'There is an average but no rows', '只有平均值，没有数据行');
  if (average !== null && acceptedAverage(table) === null) {
    const mean = Number((meanOfRows(table) ?? 0).toPrecision(6));
    warn(line, `The average of ${average} GB/s was left out: the busbw of the rows has a mean of ${mean} GB/s`, `未采用平均值 ${average} GB/s：各行 busbw 的平均值为 ${mean} GB/s`);
  } // prettier-ignore
  if (table.collective === null) {
    say('WORKLOAD_UNKNOWN')(line, 'The output does not name the collective: give it as workload.operation', '输出中没有集合通信操作的名称，请用 workload.operation 给出');
  } // prettier-ignore
  return found;
}

function statusOf(table: Table): ReadRun['status'] {
  if (hasWrongValues(table)) return 'FAILED';
  const lost = table.broken.length + table.contradictions.length + table.elided;
  const isWhole = lost === 0 && acceptedAverage(table) !== null && table.rows.length > 0;
  return isWhole ? 'OK' : 'PARTIAL';
}

/**
 * The printed average, or null where the rows, if all were read, have another mean: off by more than 1 % and what two
 * decimals can tell. The benchmark counts both places of a row, and rows of 0 bytes as 0.
 */
function acceptedAverage(table: Table): number | null {
  const { average } = table;
  const mean = meanOfRows(table);
  if (average === null || mean === null) return average;
  const withEmpty = (mean * table.rows.length) / (table.rows.length + table.empty);
  return [mean, withEmpty].some((own) => Math.abs(average - own) <= 0.01 * own + 0.006) ? average : null;
}

/** Null where not all rows were read. */
function meanOfRows({ rows, broken, contradictions, elided }: Table): number | null {
  if (broken.length + contradictions.length + elided > 0) return null;
  return meanOf(rows.flatMap(({ outOfPlace, inPlace }) => [outOfPlace.busbw, inPlace.busbw]));
}

function hasWrongValues(table: Table): boolean {
  return table.check?.hasFailed === true || (wrongValues(table) ?? 0) > 0;
}

/** Null where nothing was checked. */
function wrongValues({ rows, countsWrong, check }: Table): number | null {
  const counts = rows.flatMap(({ outOfPlace, inPlace }) => [outOfPlace.wrong, inPlace.wrong]);
  const checked = counts.filter((wrong) => wrong !== null);
  const sum = checked.reduce((total, wrong) => total + wrong, 0);
  if (check?.hasFailed) return Math.max(sum, check.wrong);
  return countsWrong && checked.length > 0 ? sum : null;
}

function workloadOf(table: Table): Facts {
  const sizes = table.rows.map(({ bytes }) => bytes);
  const isWhole = table.elided === 0 && table.empty === 0 && sizes.length > 0;
  const range: Facts = isWhole
    ? {
        'workload.min_bytes': sizes.reduce((least, size) => Math.min(least, size)),
        'workload.max_bytes': sizes.reduce((most, size) => Math.max(most, size)),
      }
    : {};
  const [type, otherType] = distinct(table.rows, ({ type }) => type);
  const [reduction, otherReduction] = distinct(table.rows, ({ redop }) => (redop === 'none' ? null : redop));
  return {
    'workload.tool': 'nccl-tests',
    ...(table.collective === null ? {} : { 'workload.operation': table.collective }),
    ...(type && !otherType ? { 'workload.data_type': type } : {}),
    ...(reduction && !otherReduction ? { 'workload.reduction': reduction } : {}),
    ...range,
    ...table.launch.settings,
  };
}

function distinct(rows: readonly Row[], of: (row: Row) => string | null): readonly string[] {
  return [...new Set(rows.map(of))].filter((value) => value !== null).sort();
}

const figures: readonly (readonly [string, string, (half: Half) => number])[] = [
  ['time', 'us', ({ time }) => time],
  ['algbw', 'GB/s', ({ algbw }) => algbw],
  ['busbw', 'GB/s', ({ busbw }) => busbw],
];

function observationsOf(table: Table): readonly ReadObservation[] {
  const points = pointsOf(table.rows);
  const found: ReadObservation[] = [];
  for (const [name, unit, figure] of figures) {
    for (const [place, half] of [['out_of_place', 'outOfPlace'], ['in_place', 'inPlace']] as const) {
      for (const { dimensions, rows } of points) {
        const values = rows.map((row) => figure(row[half]));
        const value = medianOf(values);
        if (value === null) continue;
        found.push({ metric: `fabric.${name}.${place}`, dimensions, value, unit, ...(values.length > 1 ? { repeats: values } : {}) });
      }
    } // prettier-ignore
  }
  const wrong = wrongValues(table);
  const average = acceptedAverage(table);
  if (average !== null) found.push({ metric: 'fabric.busbw.avg', dimensions: {}, value: average, unit: 'GB/s' });
  if (wrong !== null) found.push({ metric: 'fabric.wrong_values', dimensions: {}, value: wrong, unit: 'count' });
  return found;
}

interface Point {
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly rows: readonly Row[];
}

/** Rows of one size are repetitions; type and reduction are dimensions only where a table has several. */
function pointsOf(rows: readonly Row[]): readonly Point[] {
  const hasTypes = distinct(rows, ({ type }) => type).length > 1;
  const hasReductions = distinct(rows, ({ redop }) => redop).length > 1;
  const points = new Map<string, { dimensions: Point['dimensions']; rows: Row[] }>();
  for (const row of rows) {
    const dimensions = {
      bytes: row.bytes,
      ...(hasTypes ? { type: row.type } : {}),
      ...(hasReductions && row.redop !== null ? { redop: row.redop } : {}),
    };
    const key = JSON.stringify(dimensions);
    const point = points.get(key);
    if (point) point.rows.push(row);
    else points.set(key, { dimensions, rows: [row] });
  }
  return [...points.values()];
}

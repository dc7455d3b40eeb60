import type { Facts } from '../../measurement/environment-diff.js';
import { leftOut, error, warning, type Importer, type ImportProblem, type ReadObservation } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { isNoValue, numberOf } from '../number.js';
import { firstNames, profileRun, workName } from './profile-run.js';

/**
 * The tables of `torch.utils.benchmark.Compare`, each a run. The values are medians; the unit stands below each table and
 * differs between them.
 */
export const torchBenchmarkCompare: Importer = {
  tool: 'torch-benchmark-compare',
  what: 'torch.utils.benchmark.Compare',

  recognizes: (text) => tablesOf(text).length > 0,

  read(text) {
    const tables = tablesOf(text);
    const problems = problemsOf(tables);
    const environment = versionIn(text);
    const runs = tables.flatMap((table) => {
      const observations = table.unit === null ? [] : observationsOf(table, table.unit);
      if (observations.length === 0) return [];
      return [profileRun('torch-benchmark-compare', { variant: table.label, environment, observations })];
    });
    return { runs, problems };
  },
};

interface Row {
  readonly line: number;
  readonly label: string;
  readonly threads: number;
  readonly cells: readonly string[];
}

interface CompareTable {
  readonly line: number;
  readonly label: string | null;
  readonly columns: readonly string[];
  readonly rows: Row[];
  /** Lines inside of the table that are no rows of it. */
  readonly torn: number[];
  unit: string | null;
}

const threadsLine = /^\s{0,20}(\d{1,6}) threads: -{3,}\s{0,20}$/;
const unitLine = /^\s{0,20}Times are in (?:nano|micro|milli)?seconds \((ns|us|ms|s)\)\./;

interface Open {
  title: { readonly line: number; readonly label: string | null } | null;
  columns: readonly string[] | null;
  table: CompareTable | null;
  threads: number;
}

function tablesOf(text: string): readonly CompareTable[] {
  if (!text.includes('threads: ---')) return [];
  const tables: CompareTable[] = [];
  const streams = new Map<string | null, Open>();
  for (const { number, text: line, label } of labeledLines(text)) {
    let open = streams.get(label);
    if (!open) streams.set(label, (open = { title: null, columns: null, table: null, threads: 1 }));
    const title = titleIn(line);
    const [threads, unit] = [threadsLine.exec(line)?.[1], unitLine.exec(line)?.[1]];
    if (title !== null) {
      open.title = { line: number, label: title === '' ? null : title };
      open.columns = null;
      open.table = null;
    } else if (open.title && open.columns === null) {
      // the names of the columns stand right below the title
      const cells = line.split('|');
      if (cells.length > 1 && cells[0]?.trim() === '') open.columns = cells.slice(1).map((cell) => cell.trim());
      else open.title = null;
    } else if (open.title && open.columns && threads !== undefined) {
      if (open.table === null) {
        open.table = { ...open.title, columns: open.columns, rows: [], torn: [], unit: null };
        tables.push(open.table);
      }
      open.threads = Number(threads);
    } else if (open.table && unit !== undefined) {
      open.table.unit = unit;
      open.title = null;
      open.table = null;
    } else if (open.table && line.trim() !== '') addRow(open.table, line, number, open.threads);
  }
  return tables;
}

/** What stands between the dashes of `[------ label ------]`; null for another line. */
function titleIn(line: string): string | null {
  const text = line.trim();
  if (!text.startsWith('[--') || !text.endsWith('--]')) return null;
  let [start, end] = [1, text.length - 1];
  while (start < end && text[start] === '-') start += 1;
  while (end > start && text[end - 1] === '-') end -= 1;
  return text.slice(start, end).trim();
}

/** A label may hold bars, values do not: they are counted from the end. */
function addRow(table: CompareTable, line: string, number: number, threads: number): void {
  const parts = line.split('|');
  const first = parts.length - table.columns.length;
  if (first < 1) {
    table.torn.push(number);
    return;
  }
  const label = parts.slice(0, first).join('|').trim();
  table.rows.push({ line: number, label, threads, cells: parts.slice(first).map((cell) => cell.trim()) });
}

/** Columns that scripts add to the times. */
function isRatio(column: string): boolean {
  return /speed[- ]?up|\bratio\b|\brelative\b|\bvs\.? |%/i.test(column);
}

/** `8.477`, `8.477 (+-0.151)`, `18.3 (! 23%)` */
const valueCell = /^(\S{1,40})(?:\s{1,20}\((?:\+-|±|! ?)[^)]{0,40}\))?$/;

function valueOf(cell: string): number | null {
  const value = numberOf(valueCell.exec(cell)?.[1] ?? '');
  return value !== null && value >= 0 && Number.isFinite(value) ? value : null;
}

function observationsOf({ columns, rows }: CompareTable, unit: string): readonly ReadObservation[] {
  return rows.flatMap(({ label, threads, cells }) =>
    columns.flatMap((column, index): readonly ReadObservation[] => {
      const value = isRatio(column) ? null : valueOf(cells[index] ?? '');
      if (value === null) return [];
      const metric = /\bcompil(?:e|ation)[- ]time\b/i.test(column) ? 'compile.time' : 'time.median';
      return [{ metric, dimensions: dimensionsOf(label, column, threads), value, unit }];
    }),
  );
}

function dimensionsOf(label: string, column: string, threads: number): ReadObservation['dimensions'] {
  return { case: workName(label), ...(column === '' ? {} : { column: workName(column) }), threads };
}

/** The version of PyTorch, where the text around the tables names one alone. */
function versionIn(text: string): Facts {
  const found = new Set([...text.matchAll(/^Torch version: (\S{1,60})$/gm)].map(([, version = '']) => version));
  const [version] = found;
  return version !== undefined && found.size === 1 ? { torch: version } : {};
}

function problemsOf(tables: readonly CompareTable[]): readonly ImportProblem[] {
  const withoutUnit = tables.filter(({ unit }) => unit === null);
  const report = withoutUnit.length === tables.length ? error : leftOut;
  const ratios = tables.flatMap(({ columns }) => columns.filter(isRatio));
  const noisy = tables.flatMap(({ rows }) => rows.filter(({ cells }) => cells.some((cell) => cell.includes('(!'))));
  const unread = tables.flatMap(({ columns, rows, torn }) => [
    ...torn,
    ...rows.filter(({ cells }) => columns.some((column, at) => isUnread(column, cells[at] ?? ''))).map(({ line }) => line),
  ]); // prettier-ignore
  const [shown, count] = [firstNames(ratios), unread.length];
  return [
    ...withoutUnit.map(({ line }) =>
      report(
        line,
        'The table ends without the line that states its unit, "Times are in ...": it was left out',
        '表格末尾缺少说明单位的“Times are in ...”一行，未采用',
      ),
    ),
    ...(ratios.length > 0 ? [leftOut(null, `Left out, since these are no times: ${shown}`, `不是时间，未采用：${shown}`)] : []),
    ...(noisy.length > 0
      ? [
          warning(
            noisy[0]?.line ?? null,
            `PyTorch marks ${noisy.length} rows with a high variance: the interquartile range is over a tenth of the median`,
            `PyTorch 标记 ${noisy.length} 行波动较大：四分位距超过中位数的十分之一`, { code: 'UNSTABLE' },
          ),
        ]
      : []),
    ...(count > 0
      ? [warning(unread[0] ?? null, `Rows with values that could not be read: ${count}`, `有 ${count} 行的值无法识别`, { code: 'LEFT_OUT' })]
      : []),
  ]; // prettier-ignore
}

function isUnread(column: string, cell: string): boolean {
  return !isRatio(column) && !isNoValue(cell) && valueOf(cell) === null;
}

import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { bracketed, csvLines, markOf, tooManyCells, widthOf, type Cells } from './cells.js';
import { dashedTables } from './dashed-table.js';
import { deviceCategory } from './kernel-category.js';
import { amountIn, excerpt, noTime, secondsOfUnit, unreadable } from './numbers.js';
import { unread, type BreakdownReader, type TimeRow } from './reader.js';

/** The reports that tell of the time of the device. Others are of the processor, or of sizes. */
type Report = 'KERNELS' | 'COPIES' | 'BOTH';

interface Table {
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly Cells[];
  /** A line that follows the rows and has too many cells. */
  readonly torn?: Cells;
}

/** Summaries of `nsys stats` or `nsys profile --stats=true`, as CSV or as tables: cuda_gpu_kern_sum, cuda_gpu_mem_time_sum, cuda_gpu_sum. */
export const nsysStats: BreakdownReader = {
  format: 'nsys-stats',
  what: {
    en: 'nsys stats (cuda_gpu_kern_sum, cuda_gpu_mem_time_sum, cuda_gpu_sum)',
    zh: 'nsys stats（cuda_gpu_kern_sum、cuda_gpu_mem_time_sum、cuda_gpu_sum）',
  },
  recognizes: (text) => tablesOf(text).length > 0,
  read: (text) => {
    const tables = tablesOf(text);
    const found = new Map<Report, Table>();
    const problems: ImportProblem[] = [];
    for (const table of tables) {
      const report = reportOf(table.columns);
      if (report === null) continue;
      if (found.has(report)) problems.push(repeated(table.line));
      else found.set(report, table);
    }
    // cuda_gpu_sum holds what the other two hold
    const both = found.get('BOTH');
    const used = both ? [both] : [found.get('KERNELS'), found.get('COPIES')].filter((table) => table !== undefined);
    if (used.length === 0) return unread(noReport());
    const rows = used.flatMap((table) => rowsOf(table, problems));
    if (rows.length === 0) return unread(...problems, empty(used[0]?.line ?? null));
    const hasKernels = both !== undefined || found.has('KERNELS');
    const hasCopies = both !== undefined || found.has('COPIES');
    if (!hasKernels) problems.push(noKernels());
    if (!hasCopies) problems.push(noCopies());
    const tells = [
      ...(hasKernels ? (['compute', 'communication'] as const) : []),
      ...(hasCopies ? (['input'] as const) : []),
    ];
    return { rows, unit: 'SECONDS', wallSeconds: null, steps: null, processor: null, tells, problems };
  },
};

function tablesOf(text: string): readonly Table[] {
  const inTables = dashedTables(text, (line) => /^\s*Time ?\(%\)\s+Total Time/.test(line));
  if (inTables.length === 0) return csvTables(text);
  return inTables.map(({ rows, ...table }) => ({
    ...table,
    rows: rows.map((row) => ({ ...row, separator: ',' as const })),
  }));
}

const csvHeader = /^"?Time ?\(%\)"?([,;\t])"?Total Time/m;

/** The output of one command may hold several reports, with lines of other kinds between them. */
function csvTables(text: string): readonly Table[] {
  const found = csvHeader.exec(text)?.[1];
  const separator = ([',', ';', '\t'] as const).find((one) => one === found);
  if (separator === undefined) return [];
  const tables: { line: number; columns: readonly string[]; rows: Cells[]; torn?: Cells }[] = [];
  let last: number | null = null;
  for (const one of csvLines(text, separator)) {
    const [first = '', second = ''] = one.cells;
    const table = tables.at(-1);
    if (/^Time ?\(%\)$/.test(first)) {
      const isTable = /^Total Time/.test(second);
      last = isTable ? one.line : null;
      if (isTable) tables.push({ line: one.line, columns: one.cells, rows: [] });
    } else if (table && last === one.line - 1) {
      if (one.cells.length === table.columns.length) {
        table.rows.push(one);
        last = one.line;
      } else if (widthOf(one.cells) > table.columns.length) table.torn ??= one;
    }
  }
  return tables;
}

function reportOf(columns: readonly string[]): Report | null {
  const has = (name: string) => columns.includes(name);
  if (has('Category') && has('Operation')) return 'BOTH';
  if (has('Operation')) return 'COPIES';
  return has('Instances') && has('Name') && !has('Style') ? 'KERNELS' : null;
}

function rowsOf({ columns, rows, torn }: Table, problems: ImportProblem[]): readonly TimeRow[] {
  const time = columns.findIndex((name) => name.startsWith('Total Time'));
  const name = columns.includes('Operation') ? columns.indexOf('Operation') : columns.indexOf('Name');
  const scale = secondsOfUnit(bracketed(columns[time] ?? '') ?? '') ?? 1e-9;
  if (torn) problems.push(tooManyCells(torn, columns.length));
  // nsys itself parts thousands with commas, whatever the language of the machine
  const told = markOf(rows);
  const mark = told === 'UNKNOWN' ? 'POINT' : told;
  return rows.flatMap(({ line, cells }): TimeRow[] => {
    const [cell, said] = [cells[time] ?? '', cells[name] ?? ''];
    const value = amountIn(cell, mark);
    if (typeof value === 'number' && said !== '') return [{ name: said, category: deviceCategory(said), seconds: value * scale }]; // prettier-ignore
    const isLeftOut = value === 'NO_NUMBER' || typeof value === 'number';
    problems.push(isLeftOut ? leftOut(line, cell) : unreadable(line, columns[time] ?? '', cell, value, noTime));
    return [];
  });
}

function repeated(line: number): ImportProblem {
  return warning(line, 'The same report again: the first one is read', '同一报告再次出现，只读取第一份');
}

function noReport(): ImportProblem {
  return error(
    null,
    'There is no summary of GPU time here: run nsys stats with --report cuda_gpu_kern_sum,cuda_gpu_mem_time_sum',
    '其中没有 GPU 时间汇总：请用 --report cuda_gpu_kern_sum,cuda_gpu_mem_time_sum 运行 nsys stats',
  );
}

function empty(line: number | null): ImportProblem {
  return error(line, 'The summary of GPU time has no rows', 'GPU 时间汇总没有数据行');
}

function noKernels(): ImportProblem {
  return warning(
    null,
    'There are no kernels here, only copies: add --report cuda_gpu_kern_sum for compute and communication',
    '其中只有拷贝而没有核函数：计算与通信请加 --report cuda_gpu_kern_sum',
  );
}

function noCopies(): ImportProblem {
  return warning(
    null,
    'Copies are not in a summary of kernels, so the share of input is unknown: add --report cuda_gpu_mem_time_sum',
    '核函数汇总不含拷贝，因此输入的占比未知：请加 --report cuda_gpu_mem_time_sum',
  );
}

function leftOut(line: number, cell: string): ImportProblem {
  const shown = excerpt(cell);
  return warning(line, `"${shown}" is no time; the line is left out`, `“${shown}”不是时间，该行未计入`);
}

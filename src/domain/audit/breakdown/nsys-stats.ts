import { bracketed, tooManyCells } from '../../importers/cells.js';
import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { deviceCategory } from '../../importers/profilers/kernel-category.js';
import {
  nsysCsvTables,
  nsysDrawnTables,
  type NsysReport,
  type NsysTable,
} from '../../importers/profilers/nsys-tables.js';
import { amountIn, excerpt, noTime, secondsOfUnit, unreadable } from '../../importers/quantity.js';
import { unread, type BreakdownReader, type TimeRow } from './reader.js';

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
    const found = new Map<NsysReport, NsysTable>();
    const problems: ImportProblem[] = [];
    for (const table of tables) {
      const { report } = table;
      if (report === null || report === 'CALLS') continue;
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

/** The summaries of times; of sizes nothing is read here. */
function tablesOf(text: string): readonly NsysTable[] {
  const drawn = nsysDrawnTables(text);
  const tables = drawn.length > 0 ? drawn : nsysCsvTables(text);
  return tables.filter(({ report }) => report !== 'SIZES');
}

function rowsOf({ columns, rows, mark, torn }: NsysTable, problems: ImportProblem[]): readonly TimeRow[] {
  const time = columns.findIndex((name) => name.startsWith('Total Time'));
  const name = columns.includes('Operation') ? columns.indexOf('Operation') : columns.indexOf('Name');
  const scale = secondsOfUnit(bracketed(columns[time] ?? '') ?? '') ?? 1e-9;
  if (torn) problems.push(tooManyCells(torn, columns.length));
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
  return warning(line, 'The same report again: the first one is read', '同一报告再次出现，只读取第一份', {
    scope: 'VALUE',
    code: 'LEFT_OUT',
  });
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
    { code: 'NO_DEVICE_TIMES' },
  );
}

function noCopies(): ImportProblem {
  return warning(
    null,
    'Copies are not in a summary of kernels, so the share of input is unknown: add --report cuda_gpu_mem_time_sum',
    '核函数汇总不含拷贝，因此输入的占比未知：请加 --report cuda_gpu_mem_time_sum',
    { code: 'SHARE_UNKNOWN' },
  );
}

function leftOut(line: number, cell: string): ImportProblem {
  const shown = excerpt(cell);
  return warning(line, `"${shown}" is no time; the line is left out`, `“${shown}”不是时间，该行未计入`, {
    scope: 'VALUE',
    code: 'LEFT_OUT',
  });
}

import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { startsLikeJson } from '../../importers/json.js';
import { bracketed, csvLines, markOf, tooManyCells, widthOf, type Cells } from '../../importers/cells.js';
import { amountIn, noTime, secondsOfUnit, unreadable } from '../../importers/quantity.js';
import { unread, type BreakdownReader, type BreakdownReading, type Category, type TimeRow } from './reader.js';

/**
 * Data frames of Holistic Trace Analysis as CSV: `get_temporal_breakdown` (what the device does, and when it is idle) and
 * the first one of `get_gpu_kernel_breakdown` (kinds of kernels, with what overlaps). Ranks are added up.
 */
export const holisticTraceAnalysis: BreakdownReader = {
  format: 'holistic-trace-analysis',
  what: {
    en: 'Holistic Trace Analysis: get_temporal_breakdown or get_gpu_kernel_breakdown as CSV',
    zh: 'Holistic Trace Analysis（get_temporal_breakdown 或 get_gpu_kernel_breakdown 的 CSV）',
  },
  recognizes: (text) => {
    if (startsLikeJson(text)) return false;
    const [header] = csvLines(text.slice(0, 2_000));
    return isTemporal(header) || isKinds(header);
  },
  read: (text) => {
    const [header, ...lines] = csvLines(text);
    return isTemporal(header) ? readTemporal(header, lines) : readKinds(header, lines);
  },
};

type Header = Cells | undefined;
const columnOf = (header: Header, name: RegExp): number => (header?.cells ?? []).findIndex((cell) => name.test(cell));

function isTemporal(header: Header): boolean {
  return columnOf(header, /^idle_time\(\w+\)$/) >= 0 && columnOf(header, /^kernel_time\(\w+\)$/) >= 0;
}

function isKinds(header: Header): boolean {
  return columnOf(header, /^kernel_type$/) >= 0 && columnOf(header, /^sum$/) >= 0;
}

function readTemporal(header: Header, lines: readonly Cells[]): BreakdownReading {
  const problems: ImportProblem[] = [];
  const added = adder(header, lines, problems);
  const sum = (name: string): number => {
    const at = columnOf(header, new RegExp(`^${name}\\(`));
    const scale = secondsOfUnit(bracketed(header?.cells[at] ?? '') ?? '') ?? 1e-6;
    return added(lines, at, name) * scale;
  };
  // What HTA calls kernel time is from the first kernel to the end of the last one
  const wallSeconds = sum('kernel_time');
  const rows: TimeRow[] = [
    { name: { en: 'compute', zh: '计算' }, category: 'compute', seconds: sum('compute_time') },
    {
      name: { en: 'communication and memory, not hidden', zh: '未被掩盖的通信与显存操作' },
      category: 'other',
      seconds: sum('non_compute_time'),
    },
    { name: { en: 'idle', zh: '空闲' }, category: 'other', seconds: sum('idle_time') },
  ];
  if (problems.length > 0) return unread(...problems);
  if (wallSeconds <= 0) return unread(error(null, 'All times are 0', '所有时间都是 0'));
  const split = warning(
    null,
    'This breakdown has communication and memory in one figure, and not why the device is idle: these shares are unknown. get_gpu_kernel_breakdown tells communication',
    '该分解把通信与显存操作合为一项，也不说明设备空闲的原因，因此这些占比未知；通信可由 get_gpu_kernel_breakdown 得到',
    { code: 'SHARE_UNKNOWN' },
  );
  return { rows, unit: 'SECONDS', wallSeconds, steps: null, processor: null, tells: ['compute'], problems: [split] };
}

function readKinds(header: Header, lines: readonly Cells[]): BreakdownReading {
  const [kind, sum] = [columnOf(header, /^kernel_type$/), columnOf(header, /^sum$/)];
  const problems: ImportProblem[] = [];
  const added = adder(header, lines, problems);
  const rows = lines.map((one) => {
    const name = one.cells[kind] ?? '';
    return { name, category: kindOf(name), seconds: added([one], sum, name) * 1e-6 };
  });
  if (problems.length > 0) return unread(...problems);
  if (rows.length === 0)
    return unread(error(header?.line ?? null, 'There are no kinds of kernels', '其中没有核函数类别'));
  const kinds = ['COMPUTATION', 'COMMUNICATION', ' overlapping '];
  const hidden = rows.filter(({ name }) => kinds.every((word) => name.includes(word)));
  return {
    rows,
    unit: 'SECONDS',
    wallSeconds: null,
    steps: null,
    processor: null,
    tells: ['compute', 'communication'],
    problems: hidden.some(({ seconds }) => seconds > 0) ? [overlap()] : [],
  };
}

/** What is hidden behind computation is no time that could be saved: it counts as computation. */
function kindOf(name: string): Category {
  if (name.includes('COMPUTATION')) return 'compute';
  return name.includes('COMMUNICATION') ? 'communication' : 'other';
}

/** Adds up a column over lines. What is no time becomes a problem, and so does a line that is cut into too many cells. */
function adder(header: Header, lines: readonly Cells[], problems: ImportProblem[]) {
  const columns = header?.cells.length ?? 0;
  problems.push(...lines.filter(({ cells }) => widthOf(cells) > columns).map((line) => tooManyCells(line, columns)));
  const mark = markOf(lines);
  return (some: readonly Cells[], at: number, name: string): number =>
    some.reduce((sum, { line, cells }) => {
      const cell = cells[at] ?? '';
      const value = amountIn(cell, mark);
      if (typeof value === 'number') return sum + value;
      problems.push(unreadable(line, name, cell, value, noTime));
      return sum;
    }, 0);
}

function overlap(): ImportProblem {
  return warning(
    null,
    'Communication that overlaps with computation counts as computation: only what is not hidden can be saved',
    '与计算重叠的通信计为计算：只有未被掩盖的部分才可能省下',
    { code: 'OVERLAPPING' },
  );
}

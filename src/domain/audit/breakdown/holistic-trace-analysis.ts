import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { csvLines, numberIn, secondsOfUnit, type Cells } from './cells.js';
import { unread, type BreakdownReader, type BreakdownReading, type Category, type TimeRow } from './reader.js';

/**
 * Data frames of Holistic Trace Analysis as CSV: `get_temporal_breakdown` (what the device does, and when it is idle) and
 * the first one of `get_gpu_kernel_breakdown` (kinds of kernels, with what overlaps). Ranks are added up.
 */
export const holisticTraceAnalysis: BreakdownReader = {
  format: 'holistic-trace-analysis',
  what: 'Holistic Trace Analysis: get_temporal_breakdown or get_gpu_kernel_breakdown as CSV',
  recognizes: (text) => {
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
  const sum = (name: string): number => {
    const at = columnOf(header, new RegExp(`^${name}\\(`));
    const scale = secondsOfUnit(/\((\w+)\)/.exec(header?.cells[at] ?? '')?.[1] ?? '') ?? 1e-6;
    return added(lines, at, name, problems) * scale;
  };
  // What HTA calls kernel time is from the first kernel to the end of the last one
  const wallSeconds = sum('kernel_time');
  const rows: TimeRow[] = [
    { name: 'compute', category: 'compute', seconds: sum('compute_time') },
    { name: 'communication and memory, not hidden', category: 'other', seconds: sum('non_compute_time') },
    { name: 'idle', category: 'other', seconds: sum('idle_time') },
  ];
  if (problems.length > 0) return unread(...problems);
  if (wallSeconds <= 0) return unread(error(null, 'All times are 0', '所有时间都是 0'));
  const split = warning(
    null,
    'This breakdown has communication and memory in one figure, and not why the device is idle: these shares are unknown. get_gpu_kernel_breakdown tells communication',
    '该分解把通信与显存操作合为一项，也不说明设备空闲的原因，因此这些占比未知；通信可由 get_gpu_kernel_breakdown 得到',
  );
  return { rows, unit: 'SECONDS', wallSeconds, steps: null, processor: null, tells: ['compute'], problems: [split] };
}

function readKinds(header: Header, lines: readonly Cells[]): BreakdownReading {
  const [kind, sum] = [columnOf(header, /^kernel_type$/), columnOf(header, /^sum$/)];
  const problems: ImportProblem[] = [];
  const rows = lines.map((one): TimeRow => {
    const name = one.cells[kind] ?? '';
    return { name, category: kindOf(name), seconds: added([one], sum, name, problems) * 1e-6 };
  });
  if (problems.length > 0) return unread(...problems);
  if (rows.length === 0)
    return unread(error(header?.line ?? null, 'There are no kinds of kernels', '其中没有核函数类别'));
  const hidden = rows.filter(({ name }) => /COMPUTATION overlapping.*COMMUNICATION|COMMUNICATION overlapping.*COMPUTATION/.test(name)); // prettier-ignore
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

function added(lines: readonly Cells[], at: number, name: string, problems: ImportProblem[]): number {
  return lines.reduce((sum, { line, cells }) => {
    const value = numberIn(cells[at] ?? '');
    if (value !== null && value >= 0) return sum + value;
    const cell = (cells[at] ?? '').slice(0, 60);
    problems.push(error(line, `${name} "${cell}" is no time`, `${name} 的值“${cell}”不是时间`));
    return sum;
  }, 0);
}

function overlap(): ImportProblem {
  return warning(
    null,
    'Communication that overlaps with computation counts as computation: only what is not hidden can be saved',
    '与计算重叠的通信计为计算：只有未被掩盖的部分才可能省下',
  );
}

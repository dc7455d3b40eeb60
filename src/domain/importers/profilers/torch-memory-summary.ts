import {
  incomplete,
  leftOut,
  partFailed,
  error,
  type Importer,
  type ImportProblem,
  type ReadObservation,
} from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { isNoValue, numberOf } from '../number.js';
import { cellsOf } from '../piped-table.js';
import { profileRun } from './profile-run.js';

/** What `torch.cuda.memory_summary()` prints, of one device or several. All its units are powers of 1024. */
export const torchMemorySummary: Importer = {
  tool: 'torch-memory-summary',
  what: 'torch.cuda.memory_summary()',

  recognizes: (text) => title.test(text),

  nearMiss: (text) =>
    /"allocated_bytes\.all\.peak"|'allocated_bytes\.all\.peak'/.test(text)
      ? error(
          null,
          'This is torch.cuda.memory_stats(): print torch.cuda.memory_summary() instead',
          '这是 torch.cuda.memory_stats() 的输出，请改为打印 torch.cuda.memory_summary()',
        )
      : null,

  read(text) {
    const summaries = summariesOf(text);
    const problems = summaries.flatMap(problemsOf);
    const runs = batchesOf(summaries.filter(({ observations }) => observations.length > 0)).map((batch) =>
      profileRun('torch-memory-summary', {
        status: batch.every(({ isClosed }) => isClosed) ? 'OK' : 'PARTIAL',
        observations: batch.flatMap(({ observations }) => observations),
      }),
    );
    return { runs, problems };
  },
};

const title = /PyTorch CUDA memory summary, device ID (\d{1,6})\b/;

interface Summary {
  readonly line: number;
  readonly device: number;
  readonly label: string | null;
  readonly observations: ReadObservation[];
  isClosed: boolean;
  /** Rows whose cells are no sizes. */
  readonly unread: number[];
}

/** Row of the table -> metrics of what is in use now and of the peak. */
const rowMetrics: readonly (readonly [RegExp, string | null, string])[] = [
  [/^allocated memory$/i, 'memory.allocated', 'memory.peak_allocated'],
  [/^(?:gpu )?reserved memory$/i, 'memory.reserved', 'memory.peak_reserved'],
  [/^active memory$/i, null, 'memory.peak_active'],
  [/^requested memory$/i, null, 'memory.peak_requested'],
  [/^non-releasable memory$/i, null, 'memory.peak_non_releasable'],
];

function summariesOf(text: string): readonly Summary[] {
  if (!title.test(text)) return [];
  const summaries: Summary[] = [];
  const open = new Map<string | null, Summary>();
  for (const { number, text: line, label } of labeledLines(text)) {
    const device = title.exec(line)?.[1];
    if (device !== undefined) {
      const summary = { line: number, device: Number(device), label, observations: [], isClosed: false, unread: [] };
      summaries.push(summary);
      open.set(label, summary);
      continue;
    }
    const summary = open.get(label);
    if (summary && line.includes('|')) readLine(summary, line, number);
  }
  return summaries;
}

function readLine(summary: Summary, line: string, number: number): void {
  const counts = /CUDA OOMs:\s{0,20}(\d{1,12})\s{0,40}\|\s{0,40}cudaMalloc retries:\s{0,20}(\d{1,12})/.exec(line);
  const dimensions = { gpu: summary.device };
  if (counts) {
    const [, failures = '', retries = ''] = counts;
    summary.observations.push(
      { metric: 'memory.oom_count', dimensions, value: Number(failures), unit: 'count' },
      { metric: 'memory.alloc_retries', dimensions, value: Number(retries), unit: 'count' },
    );
    return;
  }
  const add = (metric: string | null, cell: string): void => {
    if (metric === null || isNoValue(cell) || summary.observations.some((one) => one.metric === metric)) return;
    const found = sizeOf(cell);
    if (found === null) summary.unread.push(number);
    else summary.observations.push({ metric, dimensions, ...found });
  };
  const [name = '', now = '', peak = ''] = cellsOf(line);
  const metrics = rowMetrics.find(([pattern]) => pattern.test(name));
  if (!metrics) return;
  // the rows of what is reserved come last but one of the sizes
  if (metrics[2] === 'memory.peak_reserved') summary.isClosed = true;
  add(metrics[1], now);
  add(metrics[2], peak);
}

/** `14324 MiB`, or `4261 MB` of versions before 2.0, which is as much. */
function sizeOf(cell: string): { readonly value: number; readonly unit: string } | null {
  const [, digits = '', prefix = ''] = /^([\d.,]{1,20})\s{0,5}([KMGTP]?)i?B$/.exec(cell.trim()) ?? [];
  const value = numberOf(digits);
  return value === null ? null : { value, unit: prefix === '' ? 'B' : `${prefix}iB` };
}

/** The devices of one moment are one run: a device that comes again begins the next one. */
function batchesOf(summaries: readonly Summary[]): readonly (readonly Summary[])[] {
  const batches: Summary[][] = [];
  for (const summary of summaries) {
    const last = batches.at(-1);
    if (!last || last.some(({ device }) => device === summary.device)) batches.push([summary]);
    else last.push(summary);
  }
  return batches;
}

function problemsOf({ line, device, isClosed, unread, observations }: Summary): readonly ImportProblem[] {
  const [first = line] = unread;
  return [
    ...(unread.length > 0
      ? [leftOut(first, `Sizes that could not be read were left out: ${unread.length}`, `${unread.length} 个大小无法识别，未采用`)]
      : []),
    ...(isClosed || observations.length === 0
      ? []
      : [
          incomplete(
            line,
            `The summary of device ${device} is not complete: it does not tell the reserved memory`,
            `设备 ${device} 的汇总不完整：缺少 reserved memory`,
          ),
        ]),
    ...(count(observations, 'memory.oom_count') > 0
      ? [partFailed(line, `Device ${device} ran out of memory in this run`, `设备 ${device} 在本次运行中发生过显存不足（OOM）`)]
      : []),
  ]; // prettier-ignore
}

function count(observations: readonly ReadObservation[], metric: string): number {
  return observations.find((one) => one.metric === metric)?.value ?? 0;
}

import { labeledLines } from '../labeled-lines.js';

/** Statistics of one time, in milliseconds, by `min`, `mean`, `p99` ... */
export type TrtTimes = Map<string, number>;

/** What one execution of trtexec printed. */
export interface TrtexecLog {
  line: number;
  /** Line of the summary, or null. */
  summaryLine: number | null;
  command: string | null;
  outcome: 'PASSED' | 'FAILED' | null;
  /** `MM/DD/YYYY-hh:mm:ss` of the first message. */
  time: string | null;
  /** Settings and facts by their labels in lower case: `precision`, `selected device` ... */
  readonly labels: Map<string, string>;
  readonly times: Map<string, TrtTimes>;
  throughput: number | null;
  throughputLine: number | null;
  walltime: number | null;
  computeTotal: number | null;
  queries: number | null;
  buildTime: number | null;
  /** What trtexec warns of, each once, with its line. */
  readonly warnings: Map<string, number>;
}

const prefix = /^\s{0,20}\[(\d\d\/\d\d\/\d{4}-\d\d:\d\d:\d\d)\] \[[IWEVF]\] ?/;
const marker =
  /&&&& (RUNNING|PASSED|FAILED) TensorRT\.trtexec(?:\s\[[^\]]{1,60}\]){0,4}(?:\s{1,5}#\s{1,5}(.{1,4000}))?/;

const empty = (line: number): TrtexecLog => ({
  line, summaryLine: null, command: null, outcome: null, time: null, labels: new Map(), times: new Map(), throughput: null,
  throughputLine: null, walltime: null, computeTotal: null, queries: null, buildTime: null, warnings: new Map(),
}); // prettier-ignore

/** Every execution in a text. One ends where it says that it passed or failed, or where the next begins. */
export function executionsIn(text: string): readonly TrtexecLog[] {
  const logs: TrtexecLog[] = [];
  let open: TrtexecLog | null = null;
  let part = '';
  for (const { number, text: whole } of labeledLines(text)) {
    if (whole === '') continue;
    const [, kind, command] = marker.exec(whole) ?? [];
    if (kind === 'RUNNING' && open) {
      logs.push(open);
      open = null;
    }
    open ??= empty(number);
    if (kind !== undefined) {
      open.command = command === undefined ? open.command : command.trim();
      if (kind === 'RUNNING') continue;
      open.outcome = kind === 'PASSED' ? 'PASSED' : 'FAILED';
      logs.push(open);
      [open, part] = [null, ''];
      continue;
    }
    const [start = '', time] = prefix.exec(whole) ?? [];
    if (time !== undefined) open.time ??= time;
    part = note(open, whole.slice(start.length).trim(), part, number);
    if (logs.length > 1_000) break;
  }
  if (open) logs.push(open);
  return logs.filter(isOfTrtexec);
}

/** Lines between two executions say nothing. */
function isOfTrtexec({ outcome, times, labels, throughput }: TrtexecLog): boolean {
  return outcome !== null || times.size > 0 || throughput !== null || labels.has('precision');
}

const number = '(\\d{1,15}(?:\\.\\d{1,15})?(?:e[+-]?\\d{1,2})?)';
const partNames =
  /^(Latency|Host Latency|End-to-End Host Latency|Enqueue Time|H2D Latency|GPU Compute(?: Time)?|D2H Latency)(?::|$)/i;
const oneStatistic = new RegExp(
  `^(min|max|mean|median|percentile): ${number} ms(?: at ${number}%)?(?: \\(end to end ${number} ms)?`,
);
const statistics = new RegExp(`\\b(min|max|mean|median|percentile\\(${number}%\\)) = ${number} ms`, 'g');
const label = /^([A-Z][A-Za-z()+ -]{1,40}?) ?: (\S.{0,500})$/; // prettier-ignore

/** The part of the summary that the next lines belong to. */
function note(log: TrtexecLog, line: string, part: string, at: number): string {
  const [name] = partNames.exec(line)?.slice(1) ?? [];
  if (name !== undefined) {
    log.summaryLine ??= at;
    const key = partOf(name);
    for (const [, statistic = '', percent, value] of line.matchAll(statistics)) put(log, key, statistic, percent, Number(value));
    return key;
  }
  const [, statistic, value, percent, endToEnd] = oneStatistic.exec(line) ?? [];
  if (statistic !== undefined && part !== '') {
    put(log, part, statistic, percent, Number(value));
    if (endToEnd !== undefined) put(log, 'end-to-end', statistic, percent, Number(endToEnd));
    return part;
  }
  if (noteTotals(log, line, at)) return part;
  const [, key, text] = label.exec(line) ?? [];
  if (key !== undefined && text !== undefined && log.labels.size < 200 && !log.labels.has(key.toLowerCase())) {
    log.labels.set(key.toLowerCase(), text.trim());
  }
  return part;
} // prettier-ignore

function partOf(name: string): string {
  const plain = name.toLowerCase();
  if (plain.startsWith('gpu compute')) return 'gpu compute';
  if (plain.startsWith('end-to-end')) return 'end-to-end';
  return plain.replace(/^host latency$/, 'latency');
}

function put(log: TrtexecLog, part: string, statistic: string, percent: string | undefined, value: number): void {
  const times: TrtTimes = log.times.get(part) ?? new Map<string, number>();
  log.times.set(part, times);
  const name = statistic.startsWith('percentile') ? `p${Number(percent ?? 99)}` : statistic;
  if (!times.has(name)) times.set(name, value);
}

const totals = {
  throughput: new RegExp(`^Throughput: ${number} qps`, 'i'),
  walltime: new RegExp(`^(?:Total Host )?Walltime: ${number} s$`, 'i'),
  computeTotal: new RegExp(`^(?:Total GPU Compute Time|total compute time): ${number} s$`, 'i'),
  queries: new RegExp(`^Timing trace has ${number} queries over`),
  buildTime: new RegExp(`^Engine built in ${number} sec`),
};

function noteTotals(log: TrtexecLog, line: string, at: number): boolean {
  const of = (pattern: RegExp): number | null => {
    const found = pattern.exec(line)?.[1];
    return found === undefined ? null : Number(found);
  };
  const throughput = of(totals.throughput);
  if (throughput !== null) [log.throughput, log.throughputLine] = [throughput, at];
  log.walltime ??= of(totals.walltime);
  log.computeTotal ??= of(totals.computeTotal);
  log.queries ??= of(totals.queries);
  log.buildTime ??= of(totals.buildTime);
  const [, warning] = /^\* ((?:GPU compute time is unstable|Throughput may be bound by).{0,200})$/.exec(line) ?? [];
  if (warning !== undefined && !log.warnings.has(warning)) log.warnings.set(warning, at);
  return throughput !== null || warning !== undefined;
}

import { partFailed, warning, type ImportProblem } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { loadOf, type Load } from './perf-analyzer-run.js';
import { modelName } from './workload.js';

/** What stands before a measurement and is about all that follow. */
export interface Settings {
  readonly command: string | null;
  readonly model: string | null;
  readonly batchSize: number | null;
  readonly serviceKind: string | null;
  /** Asked for by scripts around perf_analyzer. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** A block that begins with `Request concurrency: 4`. Times are in microseconds. */
export interface Measurement {
  readonly load: Load;
  readonly line: number;
  readonly settings: Settings;
  readonly requestCount: number | null;
  readonly inferences: number | null;
  /** By `mean`, `std`, `p95` ... */
  readonly latencies: ReadonlyMap<string, number>;
  readonly serverTimes: ReadonlyMap<string, number>;
  readonly passRates: readonly number[];
  readonly passLatencies: readonly number[];
  readonly isCut: boolean;
}

/** A line `Concurrency: 2, throughput: 955.708 infer/sec, latency 4311 usec` of the summary. */
export interface SummaryRow {
  readonly load: Load;
  readonly line: number;
  readonly settings: Settings;
  readonly inferences: number;
  readonly latency: number;
  /** `Average`, or a percentile such as `p95`: the line above the rows says it. */
  readonly statistic: string;
}

export interface PerfAnalyzerLog {
  readonly measurements: readonly Measurement[];
  readonly rows: readonly SummaryRow[];
  readonly problems: readonly ImportProblem[];
}

interface Open {
  load: Load;
  line: number;
  settings: Settings;
  requestCount: number | null;
  inferences: number | null;
  latencies: Map<string, number>;
  serverTimes: Map<string, number>;
  passRates: number[];
  passLatencies: number[];
  isOfEnsemble: boolean;
}

const number = '(\\d{1,15}(?:\\.\\d{1,15})?(?:e[+-]?\\d{1,2})?)';
const blockStart = new RegExp(
  `^\\s{0,20}(Request concurrency|Request Rate): ${number}(?: inference requests per seconds?)?\\s*$`,
);
const summaryTitle = /Inferences\/Second vs\. Client (Average|p\d{1,2}) Batch Latency/;
const summaryRow = new RegExp(
  `(Concurrency|Request Rate): ${number}, throughput: ${number} infer/sec, latency ${number} usec`,
);
const pass = new RegExp(
  `Pass \\[\\d{1,6}\\] throughput: ${number} infer/sec\\.? (?:Avg|p\\d{1,2}) latency: ${number} usec`,
);
const throughput = new RegExp(`^\\s{0,20}Throughput: ${number} infer/sec`);
const latency = new RegExp(
  `^\\s{0,20}(Avg|p\\d{1,2}) latency: ${number} usec(?: \\(standard deviation ${number} usec\\))?`,
);
const serverLatency = /^\s{0,20}Avg request latency: \d{1,15} usec \((.{1,300})\)/; // prettier-ignore

/** More than can be stored of one file. */
const MOST = 4_000;

/** All blocks and all lines of the summaries, in their order. */
export function measurementsIn(text: string): PerfAnalyzerLog {
  const measurements: Measurement[] = [];
  const rows: SummaryRow[] = [];
  const problems: ImportProblem[] = [];
  let settings: Settings = { command: null, model: null, batchSize: null, serviceKind: null, inputTokens: null, outputTokens: null };
  let open: Open | null = null;
  let statistic = 'Average';
  const close = (): void => {
    if (open) measurements.push(closed(open));
    open = null;
  };
  for (const { number: line, text: whole } of labeledLines(text)) {
    if (whole === '') continue;
    const [, kind, value] = blockStart.exec(whole) ?? [];
    const [, title] = summaryTitle.exec(whole) ?? [];
    const [, rowKind, rowValue, rate, time] = summaryRow.exec(whole) ?? [];
    if (kind !== undefined) {
      close();
      open = opened(loadOf(kind, Number(value)), line, settings);
    } else if (title !== undefined) {
      close();
      statistic = title;
    } else if (rowKind !== undefined) {
      close();
      rows.push({ load: loadOf(rowKind, Number(rowValue)), line, settings, inferences: Number(rate), latency: Number(time), statistic });
    } else if (open) note(open, whole);
    else settings = noted(settings, whole);
    const problem = problemOf(whole, line);
    if (problem && problems.length < 100) problems.push(problem);
    if (measurements.length + rows.length > MOST) break;
  }
  close();
  return { measurements: measurements.filter(isMeasured), rows, problems };
} // prettier-ignore

function opened(load: Load, line: number, settings: Settings): Open {
  return {
    load, line, settings, requestCount: null, inferences: null, latencies: new Map(), serverTimes: new Map(), passRates: [],
    passLatencies: [], isOfEnsemble: false,
  };
} // prettier-ignore

function closed(open: Open): Measurement {
  const isCut = open.inferences === null || open.latencies.size === 0;
  return { ...open, isCut };
}

/** A load that was tried and gave nothing is not a measurement. */
function isMeasured({ inferences, latencies, requestCount }: Measurement): boolean {
  return inferences !== null || latencies.size > 0 || requestCount !== null;
}

function note(open: Open, line: string): void {
  if (/^\s{0,20}Composing models:/.test(line)) open.isOfEnsemble = true;
  // what follows is about the parts
  if (open.isOfEnsemble) return;
  const [, passRate, passLatency] = pass.exec(line) ?? [];
  if (passRate !== undefined) {
    open.passRates.push(Number(passRate));
    open.passLatencies.push(Number(passLatency));
    return;
  }
  const [, rate] = throughput.exec(line) ?? [];
  if (rate !== undefined) open.inferences ??= Number(rate);
  const [, statistic, value, deviation] = latency.exec(line) ?? [];
  if (statistic !== undefined) {
    const name = statistic === 'Avg' ? 'mean' : statistic;
    if (!open.latencies.has(name)) open.latencies.set(name, Number(value));
    if (deviation !== undefined && !open.latencies.has('std')) open.latencies.set('std', Number(deviation));
  }
  const [, count] = /^\s{0,20}Request count: (\d{1,15})/.exec(line) ?? [];
  if (count !== undefined) open.requestCount ??= Number(count);
  const [, parts] = serverLatency.exec(line) ?? [];
  for (const part of parts?.split('+') ?? []) {
    const [, name, time] = /^\s{0,5}([a-z/ ]{1,30}) (\d{1,15}) usec/.exec(part) ?? [];
    if (name !== undefined) open.serverTimes.set(name, Number(time));
  }
}

function noted(settings: Settings, line: string): Settings {
  const [, batch] = /^\s{0,20}Batch size: (\d{1,9})\s*$/.exec(line) ?? [];
  if (batch !== undefined) return { ...settings, batchSize: Number(batch) };
  const [, kind] = /^\s{0,20}Service Kind: ([A-Za-z_]{1,40})/.exec(line) ?? [];
  if (kind !== undefined) return { ...settings, serviceKind: kind.toLowerCase() };
  const [, side, length] = /^\s{0,20}(Input|Output) Sequence Length: (\d{1,9})\s*$/.exec(line) ?? [];
  if (side !== undefined) {
    return side === 'Input'
      ? { ...settings, inputTokens: Number(length) }
      : { ...settings, outputTokens: Number(length) };
  }
  const command = /\bperf_analyzer (?=.{0,3000}?-)/.exec(line);
  if (!command) return settings;
  const whole = line.slice(command.index, command.index + 4_000).trim();
  const [, model] = /\s(?:-m|--model-name)[ =]([^\s'"]{1,200})/.exec(whole) ?? [];
  const [, size] = /\s(?:-b|--batch-size)[ =](\d{1,9})\b/.exec(whole) ?? [];
  return {
    ...settings,
    command: whole,
    model: model === undefined ? null : modelName(model),
    batchSize: size === undefined ? settings.batchSize : Number(size),
  };
}

function problemOf(line: string, number: number): ImportProblem | null {
  if (/Failed to obtain stable measurement/.test(line)) {
    return warning(
      number,
      'perf_analyzer found no stable measurement for a load, which is therefore missing',
      'perf_analyzer 未能在某个负载下得到稳定的测量，因此缺少该负载的结果',
      { code: 'UNSTABLE' },
    );
  }
  if (/\[WARNING\] Perf Analyzer (?:is|was) not able to keep up/.test(line)) {
    return warning(
      number,
      'perf_analyzer could not keep up with the load that it was asked for: the client may have been the limit, not the server',
      'perf_analyzer 未能达到要求的负载：瓶颈可能在客户端而非服务端',
      { code: 'CLIENT_LIMITED' },
    );
  }
  if (/Request latency is not stabilizing/.test(line)) {
    return warning(number, 'The latency did not become stable', '延迟未能稳定', { code: 'UNSTABLE' });
  }
  return /^\s{0,20}Pass \[\d{1,6}\] cb::Error/.test(line)
    ? partFailed(number, 'A measurement window failed with an error', '有一个测量窗口因错误失败')
    : null;
}

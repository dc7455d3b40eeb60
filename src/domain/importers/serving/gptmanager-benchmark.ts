import { incomplete, type Importer, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { isNoValue, numberOf } from '../number.js';
import {
  contradiction, contradicts, countsOf, noneCompleted, plain, readingOf, requestProblems, requestsFrom, roundingProblem,
  statusOf, type Result,
} from './requests.js'; // prettier-ignore
import { WorkloadFacts } from './workload.js';

/** What gptManagerBenchmark of TensorRT-LLM prints: lines `[BENCHMARK] name(unit) value`. */
export const gptmanagerBenchmark: Importer = {
  tool: 'gptmanager-benchmark',
  what: 'gptManagerBenchmark (TensorRT-LLM)',

  recognizes: (text) =>
    ['[BENCHMARK] num_samples', '[BENCHMARK] total_latency(ms) ', '[BENCHMARK] seq_throughput(seq/sec) '].every(
      (part) => text.includes(part),
    ),

  read: (text) => readingOf(blocksIn(text).map(readBlock)),
};

interface Block {
  readonly line: number;
  /** Name without unit -> value and its line. */
  readonly values: Map<string, { readonly value: number | null; readonly line: number }>;
}

const benchmarkLine = /\[BENCHMARK\] (\w{1,60})(?:\([^)\n]{0,40}\))?\s{1,20}(\S{1,60})/;

/** The count of samples stands twice: alone, and before the times. */
function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let block: Block | null = null;
  for (const { number, text: line } of labeledLines(text)) {
    if (line === '') continue;
    const [, name = '', cell = ''] = benchmarkLine.exec(line) ?? [];
    if (name === '') continue;
    if (block === null || (name === 'num_samples' && block.values.has('total_latency'))) {
      block = { line: number, values: new Map() };
      blocks.push(block);
    }
    const value = isNoValue(cell) ? null : numberOf(cell);
    if (!block.values.has(name)) block.values.set(name, { value: value !== null && Number.isFinite(value) ? value : null, line: number }); // prettier-ignore
  }
  return blocks.filter(({ values }) => values.has('total_latency') || values.has('seq_throughput'));
}

const plainNames: readonly (readonly [string, string, string])[] = [
  ['seq_throughput', 'serving.request_throughput', 'requests/s'],
  ['token_throughput', 'serving.output_token_throughput', 'tokens/s'],
  ['avg_user_tokens_per_second', 'serving.output_token_throughput_per_user', 'tokens/s'],
  ['avg_acceptance_rate', 'serving.acceptance_length', ''],
  ['avg_request_queueing_latency', 'serving.queue_time', 'ms'],
  ['total_latency', 'serving.total_latency', 'ms'],
];

/** The gap between tokens is the average of each request, which is its time per output token. */
const latencyNames: readonly (readonly [string, string])[] = [
  ['sequence_latency', 'e2e_latency'],
  ['time_to_first_token', 'ttft'],
  ['inter_token_latency', 'tpot'],
];

function readBlock({ line, values }: Block): Result {
  const of = (name: string): number | null => values.get(name)?.value ?? null;
  const requests = requestsFrom(of('num_samples') ?? 0, of('num_error_samples'));
  const isWhole = values.has('avg_sequence_latency') && (values.has('p50_sequence_latency') || !values.has('p99_sequence_latency'));
  const status = statusOf(requests);
  const doubts = requests.completed === 0 ? [] : doubtsOf(of, line);
  const observations = requests.completed === 0 ? [] : measuredIn(of, requests.completed, doubts.length > 0);
  const run: ReadRun = {
    status: status === 'OK' && !isWhole ? 'PARTIAL' : status,
    tool: 'gptmanager-benchmark',
    toolVersion: null,
    variant: null,
    startedAt: null,
    command: null,
    environment: {},
    workload: new WorkloadFacts()
      .set('tool', 'gptmanager-benchmark')
      .set('framework', 'tensorrt-llm')
      .set('num_prompts', requests.sent).facts,
    session: null,
    block: null,
    observations: [...observations, ...countsOf(requests)],
  };
  return {
    run,
    refusal: requests.completed === 0 ? noneCompleted(line) : null,
    problems: [
      ...(isWhole ? [] : [truncated(line)]),
      ...requestProblems(requests, values.has('p99_sequence_latency'), line),
      ...doubts,
      ...roundingProblem(of('seq_throughput'), values.get('seq_throughput')?.line ?? line),
    ],
  };
} // prettier-ignore

function measuredIn(
  of: (name: string) => number | null,
  count: number,
  isDoubtful: boolean,
): readonly ReadObservation[] {
  const observations: ReadObservation[] = [];
  const put = (metric: string, value: number | null, unit: string, more: Partial<ReadObservation> = {}) => {
    if (value !== null && value > 0) observations.push({ ...plain(metric, value, unit), ...more });
  };
  for (const [name, metric, unit] of plainNames) {
    if (!(isDoubtful && name === 'seq_throughput')) put(metric, of(name), unit);
  }
  for (const [name, latency] of latencyNames) {
    const mean = of(`avg_${name}`);
    const [min, p50, p90, p99, max] = ['min', 'p50', 'p90', 'p99', 'max'].map((part) => of(`${part}_${name}`));
    const distribution = { count, mean, sd: null, min: min ?? null, p50: p50 ?? null, p90: p90 ?? null, p99: p99 ?? null, max: max ?? null };
    put(`serving.${latency}.mean`, mean, 'ms', max === null || max === undefined ? {} : { distribution });
    put(`serving.${latency}.median`, p50 ?? null, 'ms');
    put(`serving.${latency}.p90`, p90 ?? null, 'ms');
    put(`serving.${latency}.p99`, p99 ?? null, 'ms');
  }
  return observations;
} // prettier-ignore

function doubtsOf(of: (name: string) => number | null, line: number): readonly ImportProblem[] {
  const [rate, count, total] = [of('seq_throughput'), of('num_samples'), of('total_latency')];
  if (rate === null || count === null || total === null || total <= 0) return [];
  const own = count / (total / 1000);
  if (!contradicts(rate, own, 0.01)) return [];
  const shown = Number(own.toPrecision(6));
  return [
    contradiction(
      line,
      [`sequence throughput of ${rate}`, `${count} samples in ${total} ms are ${shown} per second`],
      [`序列吞吐量 ${rate}`, `${total} ms 内 ${count} 个样本，即每秒 ${shown} 个`],
    ),
  ];
}

function truncated(line: number): ImportProblem {
  return incomplete(
    line,
    'The latencies of sequences are missing: the output is not complete',
    '缺少序列延迟，输出不完整',
  );
}

import { samplesWithDistribution } from './distribution.js';
import { warning, type ImportProblem, type ReadObservation } from './importer.js';
import type { Json, JsonObject } from './json.js';

/** How many requests a result is about. `sent` is at least 1. */
export interface Requests {
  readonly sent: number;
  readonly completed: number;
  readonly failed: number;
}

export interface FoundMetrics {
  readonly observations: readonly ReadObservation[];
  problemsAt(line: number): readonly ImportProblem[];
}

export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Old files have no `failed`: what was sent and not completed failed, and so did a request without a first token. */
export function requestsOf(found: JsonObject): Requests {
  const completed = finite(found.completed) ?? 0;
  const unanswered = numbersOf(found.ttfts).filter((ttft) => ttft === 0).length;
  const prompts = finite(found.num_prompts) ?? completed;
  const failed = finite(found.failed) ?? Math.max(prompts - completed, unanswered, 0);
  return { completed: Math.max(completed, 0), failed: Math.max(failed, 0), sent: Math.max(completed + failed, 1) };
}

/** Key of the file -> metric and unit. */
const plainMetrics: readonly (readonly [string, string, string])[] = [
  ['request_throughput', 'serving.request_throughput', 'requests/s'],
  ['request_goodput', 'serving.request_goodput', 'requests/s'],
  ['request_goodput:', 'serving.request_goodput', 'requests/s'],
  ['output_throughput', 'serving.output_token_throughput', 'tokens/s'],
  ['total_token_throughput', 'serving.total_token_throughput', 'tokens/s'],
  ['max_output_tokens_per_s', 'serving.peak_output_token_throughput', 'tokens/s'],
  ['max_concurrent_requests', 'serving.peak_concurrent_requests', 'count'],
  ['duration', 'serving.duration', 's'],
];

const latencies: Readonly<Record<string, string>> = { ttft: 'ttft', tpot: 'tpot', itl: 'itl', e2el: 'e2e_latency' };
const statistics = new Set(['mean', 'median', 'std', 'p50', 'p90', 'p95', 'p99']);

/** All metrics of one result. Per-request arrays are in seconds, everything named `_ms` in milliseconds. */
export function metricsOf(found: JsonObject, requests: Requests): FoundMetrics {
  const counts = [
    plain('serving.completed_requests', requests.completed, 'count'),
    plain('serving.failed_requests', requests.failed, 'count'),
  ];
  // what an all-failed run writes are zeros, not measured values
  if (requests.completed === 0) return { observations: counts, problemsAt: () => [] };

  const left: string[] = [];
  const observations = new Map<string, ReadObservation>();
  const put = (observation: ReadObservation) => observations.set(observation.metric, observation);
  for (const [key, metric, unit] of plainMetrics) {
    const value = finite(found[key]);
    if (value !== null) put(plain(metric, value, unit));
    else if (found[key] !== undefined && found[key] !== null) left.push(key);
  }
  for (const [key, raw] of Object.entries(found)) {
    const [, statistic = '', name = ''] = /^([a-z0-9.]+)_(ttft|tpot|itl|e2el)_ms$/.exec(key) ?? [];
    const latency = latencies[name];
    if (!latency || raw === null) continue;
    const value = finite(raw);
    // a mean of zero says that the latency was not measured; a deviation of zero can be
    const hasMean = (finite(found[`mean_${name}_ms`]) ?? 1) > 0;
    const isMeasured = value !== null && (statistic === 'std' ? hasMean && value >= 0 : value > 0);
    if (isMeasured && statistics.has(statistic)) put(plain(`serving.${latency}.${statistic}`, value, 'ms'));
    else left.push(key);
  }
  for (const [metric, values] of Object.entries(perRequest(found))) addSamples(observations, metric, values);
  return {
    observations: [...observations.values(), ...counts],
    problemsAt: (line) => (left.length === 0 ? [] : [leftOut(left, line)]),
  };
}

function leftOut(keys: readonly string[], line: number): ImportProblem {
  const names = keys.slice(0, 10).join(', ');
  return warning(
    line,
    `Left out, since not measured or no known metric: ${names}`,
    `未采用（未测得或没有对应指标）：${names}`,
  );
}

function plain(metric: string, value: number, unit: string): ReadObservation {
  return { metric, dimensions: {}, value, unit };
}

/** In milliseconds, without the requests that failed. The end-to-end time is the first token and all gaps after it. */
function perRequest(found: JsonObject): Readonly<Record<string, readonly number[]>> {
  const firstTokens = numbersOf(found.ttfts);
  const gaps = Array.isArray(found.itls) ? found.itls.map(numbersOf) : [];
  const isAnswered = (index: number) => (firstTokens[index] ?? 0) > 0;
  const hasBoth = gaps.length > 0 && gaps.length === firstTokens.length;
  return {
    'serving.ttft': firstTokens.filter((ttft) => ttft > 0).map(inMilliseconds),
    'serving.itl': gaps.filter((_, index) => !hasBoth || isAnswered(index)).flat().map(inMilliseconds),
    'serving.e2e_latency': hasBoth
      ? gaps.flatMap((gap, index) =>
          isAnswered(index) ? [inMilliseconds(gap.reduce((sum, value) => sum + value, firstTokens[index] ?? 0))] : [],
        )
      : [],
  }; // prettier-ignore
}

/** Samples go to the mean; where the file has no statistics of the latency, those of the samples are given. */
function addSamples(observations: Map<string, ReadObservation>, metric: string, values: readonly number[]): void {
  const inside = samplesWithDistribution(values);
  if (!inside) return;
  const { distribution } = inside;
  const own = [
    ['mean', distribution.mean],
    ['median', distribution.p50],
    ['p99', distribution.p99],
  ] as const;
  const hasOwn = [...observations.keys()].some((key) => key.startsWith(`${metric}.`));
  for (const [statistic, value] of hasOwn ? [] : own) {
    if (value !== null) observations.set(`${metric}.${statistic}`, plain(`${metric}.${statistic}`, value, 'ms'));
  }
  const mean = observations.get(`${metric}.mean`);
  if (mean) observations.set(mean.metric, { ...mean, ...inside });
}

const inMilliseconds = (seconds: number): number => seconds * 1000;

/** Keeps the places of the values, so that arrays of one result stay parallel; what is no number becomes zero. */
function numbersOf(value: Json | undefined): readonly number[] {
  return Array.isArray(value) ? value.map((entry: Json) => finite(entry) ?? 0) : [];
}

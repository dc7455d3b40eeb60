import { samplesWithDistribution } from '../distribution.js';
import { leftOut, warning, type ImportProblem, type ReadObservation } from '../importer.js';
import type { Json, JsonObject } from '../json.js';
import { countsOf, latencyMetric, plain, requestsFrom, type Requests } from './requests.js';
import { finite } from './workload.js';
import { ownValue } from '../../own-value.js';

export interface FoundMetrics {
  readonly observations: readonly ReadObservation[];
  problemsAt(line: number): readonly ImportProblem[];
}

/** Texts of users and logs of servers, which are not even read, and what is large and of no use. */
export const notRead: ReadonlySet<string> = new Set(['generated_texts', 'errors', 'internal_states']);

/** Old files have no `failed`: what was sent and not completed failed, and so did a request without a first token. */
export function requestsOf(found: JsonObject): Requests {
  const completed = finite(found.completed) ?? 0;
  const firstTokens = numbersOf(found.ttfts);
  const unanswered = firstTokens.filter((ttft) => ttft === 0).length;
  const prompts = finite(found.num_prompts) ?? (firstTokens.length > 0 ? firstTokens.length : null);
  return requestsFrom(
    completed,
    finite(found.failed) ?? (prompts === null ? null : Math.max(prompts - completed, unanswered, 0)),
  );
}

/** Key of the file -> metric and unit. */
const plainMetrics: readonly (readonly [string, string, string])[] = [
  ['request_throughput', 'serving.request_throughput', 'requests/s'],
  ['request_goodput', 'serving.request_goodput', 'requests/s'],
  ['request_goodput:', 'serving.request_goodput', 'requests/s'],
  ['input_throughput', 'serving.input_token_throughput', 'tokens/s'],
  ['output_throughput', 'serving.output_token_throughput', 'tokens/s'],
  ['total_throughput', 'serving.total_token_throughput', 'tokens/s'],
  ['total_token_throughput', 'serving.total_token_throughput', 'tokens/s'],
  ['user_throughput', 'serving.output_token_throughput_per_user', 'tokens/s'],
  ['max_output_tokens_per_s', 'serving.peak_output_token_throughput', 'tokens/s'],
  ['max_concurrent_requests', 'serving.peak_concurrent_requests', 'count'],
  ['concurrency', 'serving.mean_concurrent_requests', 'count'],
  ['accept_length', 'serving.acceptance_length', ''],
  ['avg_decoded_tokens_per_iter', 'serving.acceptance_length', ''],
  ['spec_decode_acceptance_length', 'serving.acceptance_length', ''],
  ['spec_decode_acceptance_rate', 'serving.acceptance_rate', 'percent'],
  ['duration', 'serving.duration', 's'],
];

const latencies: Readonly<Record<string, string>> = {
  ttft: 'ttft',
  tpot: 'tpot',
  itl: 'itl',
  e2el: 'e2e_latency',
  e2e_latency: 'e2e_latency',
};
const statistics = new Set(['mean', 'median', 'std', 'p50', 'p90', 'p95', 'p99']);

/** The metric of a statistic that a client states of a latency, or null. */
export function clientMetric(latency: string, statistic: string): string | null {
  const isKept = statistics.has(statistic) || (latency === 'itl' && statistic === 'max');
  return isKept ? latencyMetric(`serving.${latency}`, statistic) : null;
}

/** All metrics of one result. Per-request arrays are in seconds, everything named `_ms` in milliseconds. */
export function metricsOf(found: JsonObject, requests: Requests): FoundMetrics {
  const counts = countsOf(requests);
  // what an all-failed run writes are zeros, not measured values
  if (requests.completed === 0) return { observations: counts, problemsAt: () => [] };

  const left: string[] = [];
  const observations = new Map<string, ReadObservation>();
  const put = (observation: ReadObservation) => observations.set(observation.metric, observation);
  for (const [key, metric, unit] of plainMetrics) {
    const value = finite(found[key]);
    if (value !== null && (value > 0 || !metric.includes('acceptance'))) put(plain(metric, value, unit));
    else if (value === null && found[key] !== undefined && found[key] !== null) left.push(key);
  }
  for (const [key, raw] of Object.entries(found)) {
    const [, statistic = '', name = ''] = /^([a-z0-9.]{1,20})_(ttft|tpot|itl|e2el|e2e_latency)_ms$/.exec(key) ?? [];
    const latency = ownValue(latencies, name);
    if (!latency || raw === null || (/^(?:min|max)$/.test(statistic) && latency !== 'itl')) continue;
    const value = finite(raw);
    const metric = clientMetric(latency, statistic);
    const isMeasured = value !== null && isReceived(found, name) && (statistic === 'std' ? value >= 0 : value > 0);
    if (isMeasured && metric) put(plain(metric, value, 'ms'));
    else left.push(key);
  }
  for (const [metric, values] of perRequest(found)) addSamples(observations, metric, values);
  return {
    observations: [...observations.values(), ...counts],
    problemsAt: (line) => [...(left.length === 0 ? [] : [notKept(left, line)]), ...paceProblems(found, line)],
  };
}

/** A mean or a median of zero says that the latency was not measured, or that the tokens came all at once. */
function isReceived(found: JsonObject, name: string): boolean {
  return ['mean', 'median', 'p50'].every((statistic) => (finite(found[`${statistic}_${name}_ms`]) ?? 1) > 0);
}

function notKept(keys: readonly string[], line: number): ImportProblem {
  const names = keys.slice(0, 10).join(', ');
  return leftOut(
    line,
    `Left out, since not measured or no known metric: ${names}`,
    `未采用（未测得或没有对应指标）：${names}`,
  );
}

/** In milliseconds, without the requests that failed. The end-to-end time is the first token and all gaps after it. */
function* perRequest(found: JsonObject): Iterable<readonly [string, readonly number[] | Float64Array]> {
  const firstTokens = numbersOf(found.ttfts);
  yield ['serving.ttft', firstTokens.filter((ttft) => ttft > 0).map(inMilliseconds)];
  const gaps = listOf(found.itls);
  const hasBoth = gaps.length > 0 && gaps.length === firstTokens.length;
  const answered = gaps.flatMap((gap, index) => {
    const first = firstTokens[index] ?? 0;
    return hasBoth && first <= 0 ? [] : [{ first, own: listOf(gap) }];
  });
  yield ['serving.itl', inOneRow(answered.map(({ own }) => own))];
  if (!hasBoth) return;
  const whole = answered.map(({ first, own }) => own.reduce<number>((sum, gap) => sum + (finite(gap) ?? 0), first));
  yield ['serving.e2e_latency', whole.map(inMilliseconds)];
}

/** There may be millions of gaps: they are copied once, without room for more. */
function inOneRow(lists: readonly (readonly Json[])[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) for (const gap of list) all[at++] = inMilliseconds(finite(gap) ?? 0);
  return all;
}

/** Samples go to the mean; where the file has no statistics of the latency, those of the samples are given. */
function addSamples(
  observations: Map<string, ReadObservation>,
  metric: string,
  values: readonly number[] | Float64Array,
): void {
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
    if (value !== null && value > 0) {
      observations.set(`${metric}.${statistic}`, plain(`${metric}.${statistic}`, value, 'ms'));
    }
  }
  const mean = observations.get(`${metric}.mean`);
  if (mean) observations.set(mean.metric, { ...mean, ...inside });
}

/** Fewer starts would say more about chance than about the client. */
const LEAST_STARTS = 100;

/** By when the requests started: the client itself was too slow for the rate that it was asked for. */
function paceProblems(found: JsonObject, line: number): readonly ImportProblem[] {
  const starts = numbersOf(found.start_times).filter((at) => at > 0);
  const asked = finite(found.request_rate) ?? Number(found.request_rate);
  if (starts.length < LEAST_STARTS || !(asked > 0) || finite(found.max_concurrency) !== null) return [];
  const [first, last] = starts.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, 0]);
  const rate = (starts.length - 1) / (last - first);
  if (!Number.isFinite(rate) || !Number.isFinite(asked) || rate > 0.8 * asked) return [];
  const [wanted, sent] = [asked, rate].map((number) => Number(number.toPrecision(3)));
  return [
    warning(
      line,
      `The client sent ${sent} requests/s where ${wanted} were asked for: it may have been the limit, not the server`,
      `要求每秒发送 ${wanted} 个请求，客户端实际只发送了 ${sent} 个：瓶颈可能在客户端而非服务端`,
      { code: 'CLIENT_LIMITED' },
    ),
  ];
}

const inMilliseconds = (seconds: number): number => seconds * 1000;

/** Keeps the places of the values, so that arrays of one result stay parallel; what is no number becomes zero. */
function numbersOf(value: Json | undefined): readonly number[] {
  return listOf(value).map((entry) => finite(entry) ?? 0);
}

function listOf(value: Json | undefined): readonly Json[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list;
}

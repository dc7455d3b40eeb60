import { dimensionOf } from '../../measurement/unit.js';
import { leftOut, type Distribution, type ImportProblem, type ReadObservation } from '../importer.js';
import { latencyMetric, plain } from './requests.js';
import { ownValue } from '../../own-value.js';

/** A metric as GenAI-Perf and AIPerf state it in all their files: a name, a unit, and numbers by `avg`, `p99`, `std` ... */
export interface ProfileMetric {
  /** In lower case with underscores: `time_to_first_token`. */
  readonly key: string;
  readonly unit: string;
  readonly statistics: Readonly<Record<string, number>>;
  readonly line: number;
}

export interface FoundStatistics {
  readonly observations: readonly ReadObservation[];
  /** Names of what was not measured. */
  readonly left: readonly string[];
}

/** Both tools take the inter-token latency per request, as what others call the time per output token. */
const latencies: Readonly<Record<string, string>> = {
  time_to_first_token: 'serving.ttft',
  time_to_second_token: 'serving.time_to_second_token',
  time_to_first_output_token: 'serving.time_to_first_output_token',
  inter_token_latency: 'serving.tpot',
  inter_chunk_latency: 'serving.itl',
  request_latency: 'serving.e2e_latency',
};

const rates: Readonly<Record<string, readonly [string, string]>> = {
  request_throughput: ['serving.request_throughput', 'requests/s'],
  request_goodput: ['serving.request_goodput', 'requests/s'],
  goodput: ['serving.request_goodput', 'requests/s'],
  output_token_throughput: ['serving.output_token_throughput', 'tokens/s'],
  total_token_throughput: ['serving.total_token_throughput', 'tokens/s'],
  output_token_throughput_per_user: ['serving.generation_speed', 'tokens/s'],
  output_token_throughput_per_request: ['serving.output_token_throughput_per_user', 'tokens/s'],
  prefill_throughput: ['serving.prefill_throughput_per_user', 'tokens/s'],
  prefill_throughput_per_user: ['serving.prefill_throughput_per_user', 'tokens/s'],
};

const common = ['mean', 'std', 'p50', 'p90', 'p95', 'p99'];
const ofFew: Readonly<Record<string, readonly string[]>> = {
  'serving.time_to_second_token': ['mean', 'p99'],
  'serving.time_to_first_output_token': ['mean', 'p95', 'p99'],
};

/**
 * The observations of all metrics with a meaning here. `count` is the number of requests behind each distribution, null
 * where nobody says it. What is zero on average was not measured.
 */
export function statisticsOf(metrics: readonly ProfileMetric[], count: number | null): FoundStatistics {
  const observations = new Map<string, ReadObservation>();
  const left: string[] = [];
  for (const { key, unit, statistics } of metrics) {
    const latency = ownValue(latencies, key);
    const rate = ownValue(rates, key);
    const mean = statistics.avg;
    // no request within the limits is a result
    const isMeasured = mean !== undefined && (mean > 0 || (mean === 0 && key.includes('goodput')));
    if ((latency || rate) && !isMeasured) left.push(key);
    else if (latency && dimensionOf(unit) !== 'time') left.push(key);
    else if (latency) {
      for (const found of latencyOf(latency, unit, statistics, count)) observations.set(found.metric, found);
    } else if (rate && mean !== undefined) observations.set(rate[0], plain(rate[0], mean, rate[1]));
  }
  const duration = metrics.find(({ key, unit }) => key === 'benchmark_duration' && dimensionOf(unit) === 'time');
  const seconds = duration?.statistics.avg ?? 0;
  if (duration && seconds > 0) observations.set('serving.duration', plain('serving.duration', seconds, duration.unit));
  return { observations: [...observations.values()], left };
}

function latencyOf(
  metric: string,
  unit: string,
  statistics: ProfileMetric['statistics'],
  count: number | null,
): readonly ReadObservation[] {
  const inside = count === null ? null : distributionOf(statistics, count);
  return (ofFew[metric] ?? common).flatMap((name) => {
    const value = statistics[name === 'mean' ? 'avg' : name];
    if (value === undefined || !(name === 'std' ? value >= 0 : value > 0)) return [];
    const observation = plain(latencyMetric(metric, name), value, unit);
    return [name === 'mean' && inside ? { ...observation, distribution: inside } : observation];
  });
}

/** Null where the file has no percentiles. */
function distributionOf(statistics: ProfileMetric['statistics'], count: number): Distribution | null {
  const of = (name: string): number | null => statistics[name] ?? null;
  if (of('max') === null || count < 1) return null;
  return {
    count,
    mean: of('avg'),
    sd: of('std'),
    min: of('min'),
    p50: of('p50'),
    p90: of('p90'),
    p99: of('p99'),
    max: of('max'),
  };
}

/** The mean of a metric, or null. */
export function averageOf(metrics: readonly ProfileMetric[], ...keys: readonly string[]): number | null {
  return metrics.find(({ key }) => keys.includes(key))?.statistics.avg ?? null;
}

/** `Time To First Token (ms)` is `time_to_first_token` in `ms`. */
export function titleOf(cell: string): { readonly key: string; readonly unit: string } {
  const title = cell.replace(/\s+/g, ' ').trim().slice(0, 200);
  const [, name = title, unit = ''] = /^(.{1,150}?) ?\(([^()]{1,40})\)$/.exec(title) ?? [];
  return { key: name.trim().toLowerCase().replaceAll(' ', '_'), unit: unit.trim() };
}

/** The statistics that a column may hold. */
export function isStatistic(name: string): boolean {
  return /^(?:avg|min|max|std|p\d{1,2}(?:\.\d{1,2})?)$/.test(name);
}

export function notKept(keys: readonly string[], line: number): readonly ImportProblem[] {
  if (keys.length === 0) return [];
  const names = keys.slice(0, 10).join(', ');
  return [leftOut(line, `Left out, since not measured: ${names}`, `未采用（未测得）：${names}`)];
}

import type { Distribution, ReadObservation } from '../importer.js';
import { plain } from './requests.js';

/** Statistics of one metric of a benchmark, by `mean`, `median`, `std`, `p95`, `p99` ...; a key that is missing is unknown. */
export interface GuideStatistics {
  readonly values: Readonly<Record<string, number>>;
  readonly distribution?: Distribution | null;
  readonly samples?: readonly number[];
}

/** The metrics of GuideLLM by the names of its JSON file. */
export type GuideMetrics = ReadonlyMap<string, GuideStatistics>;

const all = ['mean', 'median', 'std', 'p90', 'p95', 'p99'];
const few = ['mean', 'median', 'p95', 'p99'];

/**
 * Name -> metric, unit, statistics. GuideLLM takes the inter-token latency per request, as what others call the time per
 * output token; what GuideLLM calls so counts the first token too.
 */
const latencies: Readonly<Record<string, readonly [string, string, readonly string[]]>> = {
  request_latency: ['serving.e2e_latency', 's', all],
  time_to_first_token_ms: ['serving.ttft', 'ms', all],
  time_to_first_output_token_ms: ['serving.time_to_first_output_token', 'ms', few],
  inter_token_latency_ms: ['serving.tpot', 'ms', all],
  time_per_output_token_ms: ['serving.normalized_latency', 'ms', few],
};

/** Of rates over time the mean is kept. */
const rates: Readonly<Record<string, readonly [string, string]>> = {
  requests_per_second: ['serving.request_throughput', 'requests/s'],
  prompt_tokens_per_second: ['serving.input_token_throughput', 'tokens/s'],
  output_tokens_per_second: ['serving.output_token_throughput', 'tokens/s'],
  tokens_per_second: ['serving.total_token_throughput', 'tokens/s'],
  request_concurrency: ['serving.mean_concurrent_requests', 'count'],
};

/** Names of the JSON file. */
export const guideNames: readonly string[] = [...Object.keys(latencies), ...Object.keys(rates)];

/** What is zero was not measured: GuideLLM writes it where answers do not arrive token by token. */
export function guideObservations(metrics: GuideMetrics): readonly ReadObservation[] {
  const ofRates = Object.entries(rates).flatMap(([name, [metric, unit]]) => {
    const mean = metrics.get(name)?.values.mean ?? 0;
    return mean > 0 ? [plain(metric, mean, unit)] : [];
  });
  const ofLatencies = Object.entries(latencies).flatMap(([name, [metric, unit, statistics]]) => {
    const found = metrics.get(name);
    if (!found || found.values.mean === 0 || found.values.median === 0) return [];
    return statistics.flatMap((statistic) => {
      const value = found.values[statistic];
      if (value === undefined || !(statistic === 'std' ? value >= 0 : value > 0)) return [];
      const observation = plain(`${metric}.${statistic}`, value, unit);
      return [statistic === 'mean' ? { ...observation, ...insideOf(found) } : observation];
    });
  });
  return [...ofRates, ...ofLatencies];
}

function insideOf({ distribution, samples }: GuideStatistics): Partial<ReadObservation> {
  return distribution ? { distribution, ...(samples && samples.length > 0 ? { samples } : {}) } : {};
}

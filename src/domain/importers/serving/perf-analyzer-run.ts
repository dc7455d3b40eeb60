import type { ReadObservation, ReadRun } from '../importer.js';
import { latencyMetric, plain } from './requests.js';
import type { WorkloadFacts } from './workload.js';

/** What the requests of a point were sent by. */
export interface Load {
  readonly kind: 'concurrency' | 'request_rate';
  readonly value: number;
}

/** The load that perf_analyzer was asked for, as `Concurrency` and `Request Rate` name it. */
export function loadOf(name: string, value: number): Load {
  return { kind: /^(?:request )?concurrency$/i.test(name.trim()) ? 'concurrency' : 'request_rate', value };
}

export const sameLoad = (a: Load | null, b: Load | null): boolean =>
  a !== null && b !== null && a.kind === b.kind && a.value === b.value;

/**
 * The rate of a point. perf_analyzer counts inferences: a request of a batch counts as often as the batch has elements.
 * `batchSize` is null where nobody says it; it is 1 unless somebody asked for more.
 */
export function rateObservation(inferences: number, batchSize: number | null): ReadObservation {
  return (batchSize ?? 1) > 1
    ? plain('serving.inference_throughput', inferences, 'samples/s')
    : plain('serving.request_throughput', inferences, 'requests/s');
}

/** A run of one point of a sweep. */
export function pointRun(
  format: string,
  load: Load | null,
  workload: WorkloadFacts,
  more: Pick<ReadRun, 'status' | 'observations'> & { readonly command?: string | null },
): ReadRun {
  workload.set('tool', 'perf-analyzer');
  if (load) workload.set(load.kind, load.value);
  return {
    tool: format,
    toolVersion: null,
    variant: null,
    startedAt: null,
    environment: {},
    workload: workload.facts,
    session: null,
    block: null,
    ...more,
    command: more.command ?? null,
  };
}

/** `p95` as a statistic of the end-to-end latency, null for percentiles that are not kept. */
export function percentileMetric(name: string): string | null {
  return /^p(?:50|90|95|99)$/.test(name) ? latencyMetric('serving.e2e_latency', name) : null;
}

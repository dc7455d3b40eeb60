import { fewSamples, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import { setArguments } from './client-arguments.js';
import type { Surroundings } from './surroundings.js';
import { finite, type WorkloadFacts } from './workload.js';

export type OfflineKind = 'throughput' | 'latency';

/** The run of an offline benchmark of vLLM; `around` is what the log says of it. */
export function offlineRun(
  kind: OfflineKind,
  status: ReadRun['status'],
  workload: WorkloadFacts,
  observations: readonly ReadObservation[],
  around: Surroundings,
): ReadRun {
  workload.set('tool', `vllm-bench-${kind}`);
  setArguments(workload, around.options);
  // `vllm bench latency` has a default for each; `throughput` takes the lengths of the data set
  workload
    .set('input_tokens', finite(around.options.input_len))
    .set('output_tokens', finite(around.options.output_len));
  return {
    status,
    tool: 'vllm-bench-offline',
    toolVersion: around.engine,
    variant: around.heading,
    startedAt: null,
    command: around.command,
    environment: around.engine === null ? {} : { vllm: around.engine },
    workload: workload.facts,
    session: null,
    block: null,
    observations,
  };
}

/** Percentiles of the latency of a batch that have a metric of their own. */
export const batchPercentiles: readonly number[] = [50, 90, 99];

export const batchLatency = (percentile: number | null): string =>
  percentile === null ? 'time.batch_latency' : `time.batch_latency_p${percentile}`;

export function fewIterations(count: number | null, line: number): readonly ImportProblem[] {
  if (count === null || count >= 100) return [];
  return [
    fewSamples(
      line,
      `The percentiles are those of ${count} iterations: the p99 is close to the maximum`,
      `百分位数只来自 ${count} 次迭代，p99 接近最大值`,
    ),
  ];
}

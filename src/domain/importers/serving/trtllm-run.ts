import type { Facts } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import { warning, type Distribution, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import {
  contradiction,
  contradicts,
  countsOf,
  latencyMetric,
  plain,
  requestProblems,
  requestsFrom,
} from './requests.js';
import { limitOf, modelName, precisionOf, roundedLength, WorkloadFacts } from './workload.js';

/** What a report of trtllm-bench says, as text or as JSON; null where it does not. */
export interface TrtllmReport {
  readonly line: number;
  readonly version: string | null;
  readonly gpu: string | null;
  readonly model: string | null;
  readonly backend: string | null;
  readonly dtype: string | null;
  readonly quantization: string | null;
  readonly settings: Readonly<Record<string, string | number | null>>;
  readonly parallelism: Readonly<Record<string, number | null>>;
  readonly requestCount: number | null;
  readonly inputLength: number | null;
  readonly outputLength: number | null;
  /** As the report gives it: what it means is said in `rateOf`. */
  readonly issueRate: number | null;
  /** Metric and unit -> value. */
  readonly values: readonly (readonly [metric: string, unit: string, value: number | null])[];
  /** Latency -> statistic (`p50`, `average`, `minimum` …) -> milliseconds. */
  readonly latencies: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
  readonly startedAt: string | null;
  readonly isClosed: boolean;
}

export interface TrtllmResult {
  readonly run: ReadRun;
  readonly problems: readonly ImportProblem[];
}

/** The run of a report. `tool` is the format that it came in. */
export function trtllmRun(tool: string, report: TrtllmReport): TrtllmResult {
  const { line, requestCount } = report;
  const requests = requestsFrom(requestCount ?? 0, 0);
  const { observations, problems } = measuredIn(report);
  const run: ReadRun = {
    status: report.isClosed ? 'OK' : 'PARTIAL',
    tool,
    toolVersion: report.version,
    variant: null,
    startedAt: report.startedAt,
    command: null,
    environment: {
      ...(report.version === null ? {} : { tensorrtLlm: report.version }),
      ...(report.gpu === null ? {} : gpuFacts(report.gpu)),
    },
    workload: workloadOf(report),
    session: null,
    block: null,
    observations: [...observations, ...(requestCount === null ? [] : countsOf(requests).slice(0, 1))],
  };
  const hasP99 = Object.values(report.latencies).some(({ p99 }) => typeof p99 === 'number');
  return {
    run,
    problems: [
      ...(requestCount === null ? [] : requestProblems(requests, hasP99, line)),
      ...problems,
      ...queueProblem(report),
    ],
  };
}

function measuredIn(report: TrtllmReport): {
  readonly observations: readonly ReadObservation[];
  readonly problems: readonly ImportProblem[];
} {
  const problems: ImportProblem[] = [];
  const observations = new Map<string, ReadObservation>();
  const put = (metric: string, value: number | null | undefined, unit: string) => {
    if (typeof value === 'number' && value > 0 && !observations.has(metric)) observations.set(metric, plain(metric, value, unit)); // prettier-ignore
  };
  const doubt = throughputDoubt(report);
  if (doubt) problems.push(doubt);
  for (const [metric, unit, value] of report.values) {
    if (!(doubt && metric === 'serving.request_throughput')) put(metric, value, unit);
  }
  for (const [latency, statistics] of Object.entries(report.latencies)) {
    // streaming was off where they are zero
    if (!((statistics.average ?? 1) > 0 && (statistics.p50 ?? 1) > 0)) continue;
    put(`serving.${latency}.mean`, statistics.average, 'ms');
    for (const statistic of ['p50', 'p90', 'p95', 'p99'])
      put(latencyMetric(`serving.${latency}`, statistic), statistics[statistic], 'ms');
    const mean = observations.get(`serving.${latency}.mean`);
    if (mean && statistics.maximum !== undefined && report.requestCount !== null) {
      observations.set(mean.metric, { ...mean, distribution: distributionOf(statistics, report.requestCount) });
    }
  }
  return { observations: [...observations.values()], problems };
}

function distributionOf(statistics: Readonly<Record<string, number | null>>, count: number): Distribution {
  const { average = null, minimum = null, maximum = null, p50 = null, p90 = null, p99 = null } = statistics;
  return { count, mean: average, sd: null, min: minimum, p50, p90, p99, max: maximum };
}

function valueOf({ values }: TrtllmReport, metric: string): number | null {
  return values.find(([name]) => name === metric)?.[2] ?? null;
}

/** A rate that is not the number of requests divided by the time that they took. */
function throughputDoubt(report: TrtllmReport): ImportProblem | null {
  const rate = valueOf(report, 'serving.request_throughput');
  const total = valueOf(report, 'serving.total_latency');
  const { requestCount, line } = report;
  if (rate === null || total === null || total <= 0 || requestCount === null) return null;
  const own = requestCount / (total / 1000);
  if (!contradicts(rate, own, 0.0001)) return null;
  const seconds = Number((total / 1000).toPrecision(6));
  const shown = Number(own.toPrecision(6));
  return contradiction(
    line,
    [`request throughput of ${rate}`, `${requestCount} requests in ${seconds} s are ${shown} per second`],
    [`请求吞吐量 ${rate}`, `${seconds} s 内 ${requestCount} 个请求，即每秒 ${shown} 个`],
  );
}

/** Where all requests are sent at once, a latency is mostly the wait for those before. */
function queueProblem(report: TrtllmReport): readonly ImportProblem[] {
  const mean = report.latencies.e2e_latency?.average ?? null;
  const total = valueOf(report, 'serving.total_latency');
  if (mean === null || total === null || rateOf(report) !== 'unlimited' || mean < 0.2 * total) return [];
  return [
    warning(
      report.line,
      'All requests were sent at once: their latencies include the wait in the queue, and are no latencies of a service',
      '所有请求一次性发出：延迟包含排队等待时间，不代表在线服务的延迟',
      { code: 'OTHER_MEANING' },
    ),
  ];
}

/**
 * The report calls "issue rate" the mean distance of two requests in nanoseconds, times 10^9. Requests that were sent at
 * least twice as fast as they were answered were not held back; no rate can be said of others.
 */
function rateOf(report: TrtllmReport): string | null {
  const { issueRate } = report;
  const answered = valueOf(report, 'serving.request_throughput');
  if (issueRate === null || answered === null) return null;
  if (issueRate <= 0 || issueRate === Infinity) return 'unlimited';
  const sent = 1e18 / issueRate;
  return issueRate > 1e9 && sent > 2 * answered ? 'unlimited' : null;
}

function workloadOf(report: TrtllmReport): Facts {
  const workload = new WorkloadFacts();
  const quantization = report.quantization === null ? null : precisionOf(report.quantization);
  workload
    .set('tool', 'trtllm-bench')
    .set('framework', 'tensorrt-llm')
    .set('model', report.model === null ? null : modelName(report.model))
    .set('precision', quantization ?? (report.dtype === null ? null : precisionOf(report.dtype)))
    .set('request_rate', limitOf(rateOf(report) ?? undefined))
    .set('num_prompts', report.requestCount)
    .set('input_tokens', report.inputLength === null ? null : roundedLength(report.inputLength))
    .set('output_tokens', report.outputLength === null ? null : roundedLength(report.outputLength))
    .set('settings.backend', report.backend);
  for (const [axis, size] of Object.entries(report.parallelism)) workload.set(`parallelism.${axis}`, size);
  for (const [key, value] of Object.entries(report.settings)) workload.set(`settings.${key}`, value);
  return workload.facts;
}

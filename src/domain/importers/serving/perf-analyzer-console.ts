import {
  incomplete,
  error,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type Reading,
} from '../importer.js';
import { percentileMetric, pointRun, rateObservation, sameLoad } from './perf-analyzer-run.js';
import { measurementsIn, type Measurement, type SummaryRow } from './perf-analyzer-log.js';
import { countsOf, noneCompleted, plain, readingOf, requestProblems, requestsFrom, type Result } from './requests.js';
import { WorkloadFacts } from './workload.js';

/** What perf_analyzer prints: a block for each load, and a line for each at the end. */
export const perfAnalyzerConsole: Importer = {
  tool: 'perf-analyzer-console',
  what: 'perf_analyzer (console)',

  recognizes: (text) =>
    /Inferences\/Second vs\. Client (?:Average|p\d{1,2}) Batch Latency/.test(text) ||
    (text.includes('Request concurrency: ') &&
      /^[^\n]{0,60}Request concurrency: \d/m.test(text) &&
      /^[^\n]{0,60}Throughput: [\d.]{1,20} infer\/sec/m.test(text)),

  nearMiss(text) {
    if (!text.includes('*** Measurement Settings ***') || !text.includes('Service Kind:')) return null;
    return error(
      null,
      'perf_analyzer started and measured nothing: send the output with the lines after "Request concurrency"',
      'perf_analyzer 已启动但没有测量结果，请上传包含“Request concurrency”之后各行的输出',
    );
  },

  read(text): Reading {
    const { measurements, rows, problems } = measurementsIn(text);
    const left = [...rows];
    const results = measurements.map((measurement): Result & { readonly line: number } => {
      const index = left.findIndex((row) => isOf(row, measurement));
      const [row] = index === -1 ? [] : left.splice(index, 1);
      return { ...blockResult(measurement, row ?? null, rows.length > 0), line: row?.line ?? measurement.line };
    });
    // what the summary alone says
    const others = left.map((row) => ({ ...summaryResult(row), line: row.line }));
    const ordered = [...results, ...others].sort((a, b) => a.line - b.line);
    const reading = readingOf(ordered);
    const last = measurements.at(-1);
    if (rows.length > 0 || !last || last.isCut)
      return { runs: reading.runs, problems: [...reading.problems, ...problems] };
    const runs = reading.runs.map((run, index) =>
      index === reading.runs.length - 1 && run.status === 'OK' ? { ...run, status: 'PARTIAL' as const } : run,
    );
    return { runs, problems: [...reading.problems, ...problems, withoutSummary(last.line)] };
  },
};

/** The same load, and a throughput that both print alike. */
function isOf(row: SummaryRow, { load, inferences }: Measurement): boolean {
  if (!sameLoad(row.load, load)) return false;
  return inferences === null || Math.abs(row.inferences - inferences) <= 0.01 * row.inferences;
}

function summaryResult(row: SummaryRow): Result {
  const isMeasured = row.inferences > 0;
  const metric = row.statistic === 'Average' ? 'serving.e2e_latency.mean' : percentileMetric(row.statistic);
  const latency = metric && row.latency > 0 ? [plain(metric, row.latency, 'us')] : [];
  return {
    run: pointRun('perf-analyzer-console', row.load, workloadOf(row), {
      status: isMeasured ? 'OK' : 'FAILED',
      observations: isMeasured ? [rateObservation(row.inferences, row.settings.batchSize), ...latency] : [],
      command: row.settings.command,
    }),
    refusal: isMeasured ? null : noneCompleted(row.line),
    problems: [],
  };
}

function workloadOf({ settings }: Pick<SummaryRow, 'settings'>): WorkloadFacts {
  return new WorkloadFacts()
    .set('model', settings.model)
    .set('batch_size', settings.batchSize)
    .set('backend', settings.serviceKind)
    .set('settings.input_tokens_mean', settings.inputTokens)
    .set('settings.output_tokens_mean', settings.outputTokens);
}

function blockResult(found: Measurement, row: SummaryRow | null, hasSummary: boolean): Result {
  const inferences = found.inferences ?? row?.inferences ?? null;
  const completed = found.requestCount;
  const isNone = completed === 0 || inferences === null || inferences <= 0;
  const isWhole = row !== null || !hasSummary;
  const rate = inferences === null ? [] : [withPasses(rateObservation(inferences, found.settings.batchSize), found.passRates)];
  const requests = requestsFrom(completed ?? 0, null);
  return {
    run: pointRun('perf-analyzer-console', found.load, workloadOf(found), {
      status: isNone ? 'FAILED' : found.isCut ? 'PARTIAL' : 'OK',
      observations: isNone ? [] : [...rate, ...latenciesOf(found, row), ...serverTimes(found), ...(completed === null ? [] : countsOf(requests))],
      command: found.settings.command,
    }),
    refusal: isNone ? noneCompleted(found.line) : null,
    problems: isNone
      ? []
      : [
          ...(completed === null ? [] : requestProblems(requests, found.latencies.has('p99'), found.line)),
          ...(found.isCut ? [cutOff(found.line)] : []),
          ...(isWhole ? [] : [notInSummary(found.line)]),
        ],
  };
} // prettier-ignore

function latenciesOf(found: Measurement, row: SummaryRow | null): readonly ReadObservation[] {
  const metrics = new Map<string, ReadObservation>();
  if (row) {
    const name = row.statistic === 'Average' ? 'serving.e2e_latency.mean' : percentileMetric(row.statistic);
    if (name && row.latency > 0) metrics.set(name, plain(name, row.latency, 'us'));
  }
  for (const [statistic, value] of found.latencies) {
    const name = ['mean', 'std'].includes(statistic) ? `serving.e2e_latency.${statistic}` : percentileMetric(statistic);
    if (name && value > 0) metrics.set(name, plain(name, value, 'us'));
  }
  const mean = metrics.get('serving.e2e_latency.mean');
  if (mean) metrics.set(mean.metric, withPasses(mean, found.passLatencies));
  return [...metrics.values()];
}

/** perf_analyzer merges the last three windows, once they agree; those before were on the way there. */
function withPasses(observation: ReadObservation, passes: readonly number[]): ReadObservation {
  const repeats = passes.slice(-3).filter((value) => value > 0);
  return repeats.length > 1 ? { ...observation, repeats } : observation;
}

const parts: readonly (readonly [string, string])[] = [
  ['queue', 'serving.queue_time'],
  ['compute input', 'serving.compute_input_time'],
  ['compute infer', 'serving.compute_time'],
  ['compute', 'serving.compute_time'],
  ['compute output', 'serving.compute_output_time'],
];

function serverTimes({ serverTimes: found }: Measurement): readonly ReadObservation[] {
  return parts.flatMap(([name, metric]) => {
    const value = found.get(name) ?? 0;
    return value > 0 ? [plain(metric, value, 'us')] : [];
  });
}

function cutOff(line: number): ImportProblem {
  return incomplete(line, 'The block has no throughput or no latency: the output is not complete', '该测量块缺少吞吐量或延迟，输出不完整'); // prettier-ignore
}

function withoutSummary(line: number): ImportProblem {
  return incomplete(
    line,
    'The summary at the end is missing: the output is not complete',
    '缺少末尾的汇总，输出不完整',
  );
}

function notInSummary(line: number): ImportProblem {
  return incomplete(
    line,
    'The load is missing in the summary at the end, where perf_analyzer names only stable measurements',
    '末尾的汇总中没有该负载，perf_analyzer 只汇总稳定的测量',
  );
}

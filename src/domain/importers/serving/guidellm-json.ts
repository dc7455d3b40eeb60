import { error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { isObject, readJson, startsLikeJson, type Json, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { setSource } from './guidellm-data.js';
import { guideNames, type GuideStatistics } from './guidellm-metrics.js';
import { guideResult, type GuideBenchmark, type Strategy } from './guidellm-run.js';
import { readingOf } from './requests.js';
import { finite, textOf, WorkloadFacts } from './workload.js';

/** The report of GuideLLM 0.2 and later (`benchmarks.json`). */
export const guidellmJson: Importer = {
  tool: 'guidellm-json',
  what: 'guidellm benchmark, guidellm run (benchmarks.json)',

  recognizes: (text) =>
    startsLikeJson(text) &&
    text.includes('"benchmarks"') &&
    /"type_"\s{0,10}:\s{0,10}"generative_benchmark"/.test(text) &&
    text.includes('"requests_per_second"'),

  nearMiss(text) {
    const isFirstRelease =
      startsLikeJson(text) && text.includes('"benchmarks"') && text.includes('"decode_times"') && text.includes('"first_token_set"');
    if (!isFirstRelease) return null;
    return error(
      null,
      'A report of GuideLLM before 0.2 is not read: repeat the measurement with a later release',
      '不支持 GuideLLM 0.2 之前的报告，请用更新的版本重新测试',
    );
  },

  read(text): Reading {
    const found: GuideBenchmark[] = [];
    let requests = new Requests();
    const json = readJson(text, {
      skip: notRead,
      each: {
        benchmarks: (element) => {
          const benchmark = isObject(element) ? benchmarkOf(element, requests) : null;
          if (benchmark) found.push(benchmark);
          requests = new Requests();
        },
        // there may be millions of requests: they are not kept
        successful: (request) => requests.add(request),
        errored: () => undefined,
        incomplete: () => undefined,
      },
    });
    const problems: readonly ImportProblem[] = json.problem ? [{ ...json.problem, severity: found.length > 0 ? 'WARNING' : 'ERROR' }] : [];
    if (found.length === 0) return { runs: [], problems: problems.length > 0 ? problems : [noBenchmark()] };
    const document = json.documents[0]?.value;
    const metadata = isObject(document) && isObject(document.metadata) ? document.metadata : {};
    const toolVersion = textOf(metadata.guidellm_version);
    const reading = readingOf(found.map((benchmark) => guideResult('guidellm-json', { ...benchmark, toolVersion })));
    return { runs: reading.runs, problems: [...reading.problems, ...problems] };
  },
}; // prettier-ignore

/** Texts of users and models, and what is large and of no use. */
const notRead: ReadonlySet<string> = new Set([
  'prompt', 'output', 'reasoning_output', 'tool_calls', 'request_args', 'cumulative_distribution_function', 'pdf', 'profile',
  'text', 'image', 'video', 'audio', 'tool_call', 'error', 'traceback', 'extras', 'scheduler_state',
]); // prettier-ignore

function benchmarkOf(found: JsonObject, requests: Requests): GuideBenchmark | null {
  if (!isObject(found.metrics)) return null;
  const { metrics } = found;
  const config = [found.config, found.args].find(isObject) ?? {};
  const totals = [metrics.request_totals, found.request_totals].find(isObject) ?? {};
  const successful = finite(totals.successful);
  const workload = new WorkloadFacts();
  const backend = [config.backend, found.worker].find(isObject) ?? {};
  setSource(workload, backend, [config.requests, found.request_loader].find(isObject) ?? {});
  const seconds = finite(found.start_time) ?? NaN;
  const start = new Date(seconds * 1000);
  const started = Number.isFinite(start.getTime()) ? startedAtOf(start.toISOString(), String(seconds), 1) : null;
  const entries = guideNames.flatMap((name) => {
    const summary = summaryOf(metrics[name]);
    if (!summary) return [];
    // a part of the requests says nothing about the rest
    const samples = requests.count === successful ? requests.samplesOf(name) : [];
    return [[name, statisticsOf(summary, successful, samples)] as const];
  });
  return {
    strategy: strategyIn(config.strategy),
    line: 1,
    metrics: new Map(entries),
    successful,
    incomplete: finite(totals.incomplete),
    errored: finite(totals.errored),
    duration: finite(found.duration),
    inputTokens: finite(summaryOf(metrics.prompt_token_count)?.mean),
    outputTokens: finite(summaryOf(metrics.output_token_count)?.mean),
    startedAt: started?.startedAt ?? null,
    workload,
    problems: started?.problems ?? [],
  };
} // prettier-ignore

function strategyIn(found: Json | undefined): Strategy {
  const strategy = isObject(found) ? found : {};
  const type = textOf(strategy.type_) ?? 'unknown';
  return {
    type,
    concurrency: type === 'concurrent' ? finite(strategy.streams) : null,
    rate: type === 'constant' || type === 'poisson' ? finite(strategy.rate) : null,
  };
}

/** Of the requests that were completed. */
function summaryOf(metric: Json | undefined): JsonObject | null {
  return isObject(metric) && isObject(metric.successful) ? metric.successful : null;
}

const valueKeys: Readonly<Record<string, string>> = { mean: 'mean', median: 'median', std_dev: 'std' };

function statisticsOf(summary: JsonObject, count: number | null, samples: readonly number[]): GuideStatistics {
  const percentiles = isObject(summary.percentiles) ? summary.percentiles : {};
  const values: Record<string, number> = {};
  for (const [key, name] of Object.entries(valueKeys)) {
    const value = finite(summary[key]);
    if (value !== null) values[name] = value;
  }
  for (const name of ['p90', 'p95', 'p99']) {
    const value = finite(percentiles[name]);
    if (value !== null) values[name] = value;
  }
  const distribution =
    count === null || count < 1
      ? null
      : {
          count,
          mean: finite(summary.mean),
          sd: finite(summary.std_dev),
          min: finite(summary.min),
          p50: finite(summary.median),
          p90: values.p90 ?? null,
          p99: values.p99 ?? null,
          max: finite(summary.max),
        };
  return { values, distribution, samples };
}

const MAX_SAMPLES = 10_000;

/** What the requests of a benchmark say one by one. Latencies that the summaries weigh by tokens are not among it. */
class Requests {
  count = 0;
  private readonly values: Readonly<Record<string, number[]>> = { request_latency: [], time_to_first_token_ms: [] };

  add(request: Json): void {
    this.count += 1;
    if (!isObject(request)) return;
    for (const [name, values] of Object.entries(this.values)) {
      const value = finite(request[name]);
      if (value !== null) values.push(value);
    }
  }

  samplesOf(name: string): readonly number[] {
    const values = this.values[name] ?? [];
    const step = Math.max(values.length / MAX_SAMPLES, 1);
    return Array.from(
      { length: Math.min(values.length, MAX_SAMPLES) },
      (_, index) => values[Math.floor(index * step)] ?? 0,
    );
  }
}

function noBenchmark(): ImportProblem {
  return error(
    null,
    'The report holds no benchmark: none was completed',
    '报告中没有任何基准测试结果：没有一项测试完成',
  );
}

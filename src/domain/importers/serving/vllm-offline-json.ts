import { leftOut, badRun, type ImportProblem, type ReadObservation, type Reading } from '../importer.js';
import { distributionOf, meanOf } from '../distribution.js';
import { isObject, objectsOf, readJson, type JsonObject } from '../json.js';
import { contradiction, contradicts, plain, readingOf, type Result } from './requests.js';
import { nothingAround } from './surroundings.js';
import { batchLatency, batchPercentiles, fewIterations, offlineRun } from './vllm-offline-run.js';
import { finite, WorkloadFacts } from './workload.js';

/** Whether the text is what `--output-json` writes. */
export function isOfflineJson(text: string): boolean {
  const has = (...keys: readonly string[]) => keys.every((key) => text.includes(`"${key}"`));
  return (
    has('elapsed_time', 'num_requests', 'total_num_tokens', 'requests_per_second', 'tokens_per_second') ||
    (/"avg_latency"\s{0,10}:\s{0,10}[-\d]/.test(text) && /"latencies"\s{0,10}:\s{0,10}\[/.test(text) && /"percentiles"\s{0,10}:\s{0,10}\{/.test(text))
  );
} // prettier-ignore

/** Copies of the benchmark keep prompts and answers beside the numbers. */
const notRead = new Set(['generated', 'truth', 'outputs', 'prompts', 'generated_texts']);

export function readOfflineJson(text: string): Reading {
  const json = readJson(text, { skip: notRead });
  if (json.problem) return { runs: [], problems: [json.problem] };
  return readingOf(
    objectsOf(json).map(({ object, line }) =>
      object.avg_latency === undefined ? throughputOf(object, line) : latencyOf(object, line),
    ),
  );
}

function throughputOf(found: JsonObject, line: number): Result {
  const [requests, elapsed, rate] = [found.num_requests, found.elapsed_time, found.requests_per_second].map(finite);
  const total = finite(found.tokens_per_second);
  if (!requests || !elapsed || total === null || elapsed < 0 || rate === null || rate === undefined) {
    return { run: null, refusal: notAResult(line), problems: [] };
  }
  const own = requests / elapsed;
  const isDoubtful = contradicts(rate, own, 1e-6);
  const output = finite(found.output_tokens_per_second);
  const observations: readonly ReadObservation[] = [
    ...(isDoubtful ? [] : [plain('serving.request_throughput', rate, 'requests/s')]),
    plain('serving.total_token_throughput', total, 'tokens/s'),
    ...(output === null ? [] : [plain('serving.output_token_throughput', output, 'tokens/s')]),
    plain('serving.total_latency', elapsed, 's'),
  ];
  const workload = new WorkloadFacts().set('num_prompts', requests);
  return {
    run: offlineRun('throughput', 'OK', workload, observations, nothingAround()),
    refusal: null,
    problems: isDoubtful ? [rateDoubt(line, rate, requests, elapsed)] : [],
  };
}

/** Each latency is that of a whole batch, so it counts by itself. */
function latencyOf(found: JsonObject, line: number): Result {
  const given = finite(found.avg_latency);
  const all = Array.isArray(found.latencies) ? found.latencies.map(finite) : [];
  const values = all.filter((latency) => latency !== null).filter((latency) => latency > 0);
  const own = meanOf(values);
  if (given === null || given <= 0) return { run: null, refusal: notAResult(line), problems: [] };
  const isDoubtful = own !== null && Math.abs(own - given) > 0.01 * given;
  const distribution = distributionOf(values);
  const mean = plain(batchLatency(null), isDoubtful && own !== null ? own : given, 's');
  const percentiles = isObject(found.percentiles) ? found.percentiles : {};
  const observations: readonly ReadObservation[] = [
    distribution ? { ...mean, repeats: evenly(values), distribution } : mean,
    ...batchPercentiles.flatMap((percentile) => {
      const value = finite(percentiles[String(percentile)]);
      return value !== null && value > 0 ? [plain(batchLatency(percentile), value, 's')] : [];
    }),
  ];
  return {
    run: offlineRun('latency', 'OK', new WorkloadFacts(), observations, nothingAround()),
    refusal: null,
    problems: [
      ...(isDoubtful && own !== null ? [meanDoubt(line, given, own, values.length)] : []),
      ...fewIterations(values.length > 0 ? values.length : null, line),
    ],
  };
} // prettier-ignore

const MAX_REPEATS = 1_000;

function evenly(values: readonly number[]): readonly number[] {
  const step = Math.max(values.length / MAX_REPEATS, 1);
  return Array.from(
    { length: Math.min(values.length, MAX_REPEATS) },
    (_, index) => values[Math.floor(index * step)] ?? 0,
  );
}

function rateDoubt(line: number, rate: number, requests: number, elapsed: number): ImportProblem {
  const own = Number((requests / elapsed).toPrecision(6));
  return contradiction(
    line,
    [`request throughput of ${rate}`, `${requests} requests in ${elapsed} s are ${own} per second`],
    [`请求吞吐量 ${rate}`, `${elapsed} s 内 ${requests} 个请求，即每秒 ${own} 个`],
  );
}

function meanDoubt(line: number, given: number, own: number, count: number): ImportProblem {
  const [stated, computed] = [given, own].map((seconds) => `${Number(seconds.toPrecision(6))} s`);
  return leftOut(
    line,
    `The mean of ${stated} was left out: the ${count} latencies of the file have a mean of ${computed}`,
    `未采用平均值 ${stated}：文件中 ${count} 个延迟的平均值为 ${computed}`,
  );
}

function notAResult(line: number): ImportProblem {
  return badRun(
    line,
    'Not a result of vllm bench throughput or latency: a number is missing or not above zero',
    '不是 vllm bench throughput 或 latency 的结果：缺少数值，或数值不大于零',
  );
}

import type { Facts } from '../../measurement/environment-diff.js';
import { badRun, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { isObject, objectsOf, readJson, startsLikeJson, type JsonObject } from '../json.js';
import { metricsOf, notRead, requestsOf } from './client-metrics.js';
import { noneCompleted, plain, readingOf, requestProblems, statusOf, type Requests, type Result } from './requests.js';
import { axisOf, clientLength, finite, limitOf, modelName, precisionOf, setDataset, textOf, WorkloadFacts } from './workload.js'; // prettier-ignore

/** What `python -m sglang.bench_serving --output-file` appends: one line for each run. */
export const sglangBenchServing: Importer = {
  tool: 'sglang-bench-serving',
  what: 'sglang.bench_serving --output-file (JSON Lines)',

  recognizes: (text) =>
    startsLikeJson(text) &&
    text.includes('"backend"') &&
    /"output_throughput"\s{0,10}:\s{0,10}[-\dNI]/.test(text) &&
    own.some((key) => text.includes(key)),

  read(text) {
    const json = readJson(text, { skip: notRead });
    // each line is whole by itself: the last one of a run that was stopped may be cut
    const isRest = json.isTruncated && json.documents.length > 0;
    if (json.problem && !isRest) return { runs: [], problems: [json.problem] };
    const reading = readingOf(objectsOf(json).map(({ object, line }) => readResult(object, line)));
    const cut = json.problem ? [{ ...json.problem, severity: 'WARNING' as const }] : [];
    return { runs: reading.runs, problems: [...reading.problems, ...cut] };
  },
};

/** Keys that vLLM's client does not write. */
const own = ['"total_output_tokens_retokenized"', '"median_e2e_latency_ms"', '"mean_e2e_latency_ms"'];

function readResult(found: JsonObject, line: number): Result {
  if (finite(found.output_throughput) === null || finite(found.completed) === null) {
    return { run: null, refusal: notAResult(found, line), problems: [] };
  }
  const requests = requestsOf(found);
  const metrics = metricsOf(found, requests);
  const server = isObject(found.server_info) ? found.server_info : {};
  const run: ReadRun = {
    status: statusOf(requests),
    tool: 'sglang-bench-serving',
    toolVersion: null,
    variant: textOf(found.tag),
    startedAt: null,
    command: null,
    environment: environmentOf(server),
    workload: workloadOf(found, server, requests),
    session: null,
    block: null,
    observations: [...rateOf(found, requests), ...metrics.observations],
  };
  const hasP99 = Object.keys(found).some((key) => key.startsWith('p99_'));
  return {
    run,
    refusal: requests.completed === 0 ? noneCompleted(line) : null,
    problems: [...requestProblems(requests, hasP99, line), ...metrics.problemsAt(line)],
  };
}

/** Old versions do not write the rate of requests: it is what was completed divided by the duration. */
function rateOf(found: JsonObject, { completed }: Requests): readonly ReturnType<typeof plain>[] {
  const duration = finite(found.duration);
  if (found.request_throughput !== undefined || duration === null || duration <= 0 || completed === 0) return [];
  return [plain('serving.request_throughput', completed / duration, 'requests/s')];
}

function environmentOf(server: JsonObject): Facts {
  const version = textOf(server.version) ?? textOf(server.sglang_version);
  return version === null ? {} : { sglang: version };
}

/** Options of the server that change how fast it is. */
const serverSettings = [
  'attention_backend', 'kv_cache_dtype', 'quantization', 'chunked_prefill_size', 'max_running_requests', 'mem_fraction_static',
  'schedule_policy', 'speculative_algorithm', 'speculative_num_steps', 'disable_radix_cache', 'disable_cuda_graph',
  'enable_torch_compile', 'enable_dp_attention', 'disaggregation_mode',
]; // prettier-ignore

function workloadOf(found: JsonObject, server: JsonObject, requests: Requests): Facts {
  const workload = new WorkloadFacts();
  const model =
    textOf(found.model) ?? textOf(found.model_id) ?? textOf(server.served_model_name) ?? textOf(server.model_path);
  workload
    .set('tool', 'sglang-bench-serving')
    .set('model', model === null ? null : modelName(model))
    .set('backend', textOf(found.backend))
    .set('concurrency', limitOf(found.max_concurrency))
    .set('request_rate', limitOf(found.request_rate))
    .set('num_prompts', finite(found.num_prompts))
    .set('input_tokens', clientLength(found, 'input', requests.completed))
    .set('output_tokens', clientLength(found, 'output', requests.completed))
    .set('precision', typeof server.dtype === 'string' ? precisionOf(server.dtype) : null);
  setDataset(workload, found);
  for (const [key, value] of Object.entries(server).slice(0, 1_000)) {
    const axis = axisOf(key);
    if (axis) workload.set(`parallelism.${axis}`, finite(value));
    else if (serverSettings.includes(key) && (typeof value !== 'object' || value === null)) {
      workload.set(`settings.${key}`, typeof value === 'string' ? value.slice(0, 200) : (value ?? null));
    }
  }
  return workload.facts;
}

function notAResult(found: JsonObject, line: number): ImportProblem {
  const wrong = ['output_throughput', 'completed'].filter((key) => finite(found[key]) === null).join(', ');
  return badRun(
    line,
    `Not a result of sglang.bench_serving. Missing or no number: ${wrong}`,
    `不是 sglang.bench_serving 的结果。缺失或不是数字：${wrong}`,
  );
}

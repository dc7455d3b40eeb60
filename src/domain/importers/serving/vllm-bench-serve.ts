import type { Facts } from '../../measurement/environment-diff.js';
import { badRun, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { objectsOf, readJson, startsLikeJson, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { metricsOf, notRead, requestsOf } from './client-metrics.js';
import { noneCompleted, readingOf, requestProblems, statusOf, type Requests, type Result } from './requests.js';
import { clientLength, axisOf, finite, limitOf, modelName, settingOf, textOf, WorkloadFacts } from './workload.js';
import { lineAt } from '../line-at.js';

/** What `vllm bench serve --save-result` writes: one object, an array, or JSON Lines (`--append-result`). */
export const vllmBenchServe: Importer = {
  tool: 'vllm-bench-serve',
  what: 'vllm bench serve --save-result (JSON)',

  recognizes: (text) =>
    startsLikeJson(text) &&
    /"request_throughput"\s{0,10}:\s{0,10}[-\dNI]/.test(text) &&
    /"mean_ttft_ms"\s{0,10}:\s{0,10}[-\dNI]/.test(text) &&
    origins.some((key) => text.includes(`"${key}"`)) &&
    !foreign.some((key) => text.includes(key)),

  nearMiss(text) {
    const present = identifying.filter((key) => text.includes(`"${key}"`)).length;
    if (present < 0.7 * identifying.length || foreign.some((key) => text.includes(key))) return null;
    const json = readJson(text, { skip: notRead });
    if (json.problem) return json.problem;
    const objects = objectsOf(json);
    const bad = objects.find(({ object }) => wrongFields(object).length > 0);
    const [field] = bad ? wrongFields(bad.object) : [];
    if (!bad || !field) return null;
    const at = objects.length === 1 ? text.indexOf(`"${field}"`) : -1;
    return notAResult(bad.object, at === -1 ? bad.line : lineAt(text, at));
  },

  read(text) {
    const json = readJson(text, { skip: notRead });
    if (json.problem) return { runs: [], problems: [json.problem] };
    return readingOf(objectsOf(json).map(({ object, line }) => readResult(object, line)));
  },
};

/** At least one of them names what was measured. */
const origins = ['backend', 'endpoint_type', 'burstiness'];

/** Keys that all versions write. */
const identifying = [
  'request_throughput', 'mean_ttft_ms', 'median_ttft_ms', 'mean_tpot_ms', 'mean_itl_ms', 'output_throughput', 'duration',
  'completed', 'total_input_tokens', 'total_output_tokens',
]; // prettier-ignore

/** Keys that the SGLang client writes beside the same names. */
const foreign = ['"total_output_tokens_retokenized"', '"mean_e2e_latency_ms"', '"median_e2e_latency_ms"'];

function readResult(found: JsonObject, line: number): Result {
  const requests = requestsOf(found);
  if (finite(found.request_throughput) === null || found.mean_ttft_ms === undefined) {
    // a point of a sweep that ended before anything was measured
    const isPoint = requests.completed === 0 && found.model_id !== undefined && origins.some((key) => key in found);
    if (!isPoint) return { run: null, refusal: notAResult(found, line), problems: [] };
  }
  const metrics = metricsOf(found, requests);
  const { startedAt, problems } = startOf(found.date, line);
  const hasP99 = Object.keys(found).some((key) => key.startsWith('p99_'));
  const run: ReadRun = {
    status: statusOf(requests),
    tool: 'vllm-bench-serve',
    toolVersion: null,
    variant: textOf(found.label),
    startedAt,
    command: null,
    environment: {},
    workload: workloadOf(found, requests),
    session: null,
    block: null,
    observations: metrics.observations,
  };
  return {
    run,
    refusal: requests.completed === 0 ? noneCompleted(line) : null,
    problems: [...requestProblems(requests, hasP99, line), ...metrics.problemsAt(line), ...problems],
  };
}

/** The fields without which an object is no result, as far as they are missing or no numbers. */
function wrongFields(found: JsonObject): readonly string[] {
  const wrong = [
    ...(finite(found.request_throughput) === null ? ['request_throughput'] : []),
    ...(typeof found.mean_ttft_ms === 'number' ? [] : ['mean_ttft_ms']),
  ];
  return origins.some((key) => found[key] !== undefined) ? wrong : [...wrong, 'backend'];
}

function notAResult(found: JsonObject, line: number): ImportProblem {
  const wrong = wrongFields(found);
  const [en, zh] = [
    wrong.map((key) => (found[key] === undefined ? `${key} is missing` : `${key} is not a number`)).join(', '),
    wrong.map((key) => (found[key] === undefined ? `缺少 ${key}` : `${key} 不是数字`)).join('，'),
  ];
  return badRun(line, `Not a result of vllm bench serve: ${en}`, `不是 vllm bench serve 的结果：${zh}`);
}

/** Keys that are measured values, arrays, or of no influence; every other single value is a setting of the run. */
const notSettings = new Set([
  'date', 'label', 'tokenizer_id', 'best_of', 'run_number', 'seed', 'backend', 'endpoint_type', 'endpoint', 'base_url', 'host',
  'port', 'model_id', 'num_prompts', 'request_rate', 'burstiness', 'max_concurrency', 'duration', 'completed', 'failed',
  'total_input_tokens', 'total_output_tokens', 'request_throughput', 'request_goodput', 'request_goodput:',
  'output_throughput', 'total_token_throughput', 'max_output_tokens_per_s', 'max_concurrent_requests', 'rtfx',
]); // prettier-ignore

/** Measured values, which newer versions and other clients write under many names. */
const measured = /_ms$|throughput|_per_s$|^(?:spec_decode|steady_state)_/;

function workloadOf(found: JsonObject, requests: Requests): Facts {
  const workload = new WorkloadFacts();
  workload
    .set('tool', 'vllm-bench-serve')
    .set('model', typeof found.model_id === 'string' ? modelName(found.model_id) : null)
    .set('backend', textOf(found.endpoint_type) ?? textOf(found.backend))
    .set('concurrency', limitOf(found.max_concurrency))
    .set('request_rate', limitOf(found.request_rate))
    .set('burstiness', finite(found.burstiness))
    .set('num_prompts', finite(found.num_prompts))
    .set('input_tokens', clientLength(found, 'input', requests.completed))
    .set('output_tokens', clientLength(found, 'output', requests.completed));
  for (const [key, value] of Object.entries(found).slice(0, 300)) {
    const axis = axisOf(key);
    if (axis) workload.set(`parallelism.${axis}`, finite(Number(value ?? NaN)));
    else if (!notSettings.has(key) && !measured.test(key)) {
      workload.set(`settings.${key.replace(/\W/g, '_')}`, settingOf(value));
    }
  }
  return workload.facts;
}

/** `20250419-055018`: a local time without zone, at the end of the run; taken as UTC, for want of better. */
function startOf(date: unknown, line: number): ReturnType<typeof startedAtOf> {
  const found = typeof date === 'string' ? /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/.exec(date) : null;
  if (!found) return { startedAt: null, problems: [] };
  const [given, year, month, day, hour, minute, second] = found;
  return startedAtOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`, given, line);
}

import { cutText } from '../cut-text.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { meanOf } from './distribution.js';
import { error, warning, type Importer, type ImportProblem, type ReadRun } from './importer.js';
import { objectsOf, readJson, startsLikeJson, type JsonObject } from './json.js';
import { startedAtOf } from './started-at.js';
import { finite, metricsOf, requestsOf, type Requests } from './vllm-metrics.js';

/** What `vllm bench serve --save-result` writes: one object, an array, or JSON Lines (`--append-result`). */
export const vllmBenchServe: Importer = {
  tool: 'vllm-bench-serve',

  recognizes: (text) =>
    startsLikeJson(text) &&
    /"request_throughput"\s{0,10}:\s{0,10}[-\dNI]/.test(text) &&
    /"mean_ttft_ms"\s{0,10}:\s{0,10}[-\dNI]/.test(text) &&
    origins.some((key) => text.includes(`"${key}"`)) &&
    !foreign.some((key) => text.includes(key)),

  nearMiss(text) {
    const present = identifying.filter((key) => text.includes(`"${key}"`)).length;
    if (present < 0.7 * identifying.length || foreign.some((key) => text.includes(key))) return null;
    const json = readJson(text);
    if (json.problem) return json.problem;
    const objects = objectsOf(json);
    const bad = objects.find(({ object }) => wrongFields(object).length > 0);
    const [field] = bad ? wrongFields(bad.object) : [];
    if (!bad || !field) return null;
    const at = objects.length === 1 ? text.indexOf(`"${field}"`) : -1;
    return notAResult(bad.object, at === -1 ? bad.line : text.slice(0, at).split('\n').length);
  },

  read(text) {
    const json = readJson(text);
    if (json.problem) return { runs: [], problems: [json.problem] };
    const parts = objectsOf(json).map(({ object, line }) => readResult(object, line));
    return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
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

function readResult(found: JsonObject, line: number): { runs: readonly ReadRun[]; problems: readonly ImportProblem[] } {
  if (finite(found.request_throughput) === null || found.mean_ttft_ms === undefined) {
    return { runs: [], problems: [notAResult(found, line)] };
  }
  const requests = requestsOf(found);
  const metrics = metricsOf(found, requests);
  const status = requests.completed === 0 ? 'FAILED' : requests.failed / requests.sent > 0.01 ? 'PARTIAL' : 'OK';
  const { startedAt, problems } = startOf(found.date, line);
  const run: ReadRun = {
    status,
    tool: 'vllm-bench-serve',
    toolVersion: null,
    variant: typeof found.label === 'string' && found.label !== '' ? found.label : null,
    startedAt,
    command: null,
    environment: {},
    workload: workloadOf(found, requests),
    session: null,
    block: null,
    observations: metrics.observations,
  };
  return {
    runs: [run],
    problems: [...requestProblems(requests, found, line), ...metrics.problemsAt(line), ...problems],
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
  return error(line, `Not a result of vllm bench serve: ${en}`, `不是 vllm bench serve 的结果：${zh}`);
}

function requestProblems(
  { sent, completed, failed }: Requests,
  found: JsonObject,
  line: number,
): readonly ImportProblem[] {
  if (completed === 0) {
    return [error(line, 'No request was completed: there is nothing to compare', '没有任何请求完成，无可比较的数据')];
  }
  const problems: ImportProblem[] = [];
  if (failed > 0) {
    const share = `${((100 * failed) / sent).toFixed(1)} %`;
    problems.push(
      warning(
        line,
        `${failed} of ${sent} requests failed (${share}): latencies are those of the others`,
        `${sent} 个请求中有 ${failed} 个失败（${share}），延迟只统计其余请求`,
      ),
    );
  }
  if (completed < 100 && Object.keys(found).some((key) => key.startsWith('p99_'))) {
    problems.push(
      warning(
        line,
        `Only ${completed} requests were completed: the p99 is close to the maximum`,
        `仅完成 ${completed} 个请求，p99 接近最大值`,
      ),
    );
  }
  return problems;
}

/** Keys that are measured values, arrays, or of no influence; every other single value is a setting of the run. */
const notSettings = new Set([
  'date', 'label', 'tokenizer_id', 'best_of', 'run_number', 'seed', 'backend', 'endpoint_type', 'endpoint', 'base_url', 'host',
  'port', 'model_id', 'num_prompts', 'request_rate', 'burstiness', 'max_concurrency', 'duration', 'completed', 'failed',
  'total_input_tokens', 'total_output_tokens', 'request_throughput', 'request_goodput', 'request_goodput:',
  'output_throughput', 'total_token_throughput', 'max_output_tokens_per_s', 'max_concurrent_requests', 'rtfx',
]); // prettier-ignore

const parallelism: Readonly<Record<string, string>> = {
  tp: 'tp',
  tensor_parallel_size: 'tp',
  pp: 'pp',
  pipeline_parallel_size: 'pp',
  dp: 'dp',
  data_parallel_size: 'dp',
};

function workloadOf(found: JsonObject, requests: Requests): Facts {
  const facts: Record<string, FactValue> = {};
  const set = (key: string, value: FactValue | undefined) => {
    if (value !== undefined && value !== null && value !== '') facts[`workload.${key}`] = value;
  };
  set('tool', 'vllm-bench-serve');
  set('model', typeof found.model_id === 'string' ? modelName(found.model_id) : null);
  set('backend', textOf(found.endpoint_type) ?? textOf(found.backend));
  set('concurrency', limit(found.max_concurrency));
  set('request_rate', limit(found.request_rate));
  set('burstiness', finite(found.burstiness));
  set('num_prompts', finite(found.num_prompts));
  set('input_tokens', meanLength(found.input_lens, found.total_input_tokens, requests.completed));
  set('output_tokens', meanLength(found.output_lens, found.total_output_tokens, requests.completed));
  for (const [key, value] of Object.entries(found).slice(0, 300)) {
    const axis = parallelism[key];
    if (axis) set(`parallelism.${axis}`, finite(Number(value)));
    else if (!notSettings.has(key) && !/_ms$/.test(key)) set(`settings.${key.replace(/\W/g, '_')}`, setting(value));
  }
  return facts;
}

function setting(value: unknown): FactValue {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? cutText(value, 4_000) : finite(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The last part of a local path, since folders name people and machines; the name of a hub as it is. */
function modelName(id: string): string {
  return /^([/~.]|[A-Za-z]:\\)/.test(id) ? (id.split(/[/\\]/).filter(Boolean).at(-1) ?? id) : id;
}

/** No limit is written as null, `inf` or Infinity, depending on the key and the version. */
function limit(value: unknown): FactValue | undefined {
  if (value === null || value === Infinity) return 'unlimited';
  if (typeof value === 'string') return /^\+?inf(inity)?$/i.test(value) ? 'unlimited' : finite(Number(value));
  return finite(value);
}

/** Whole where all requests agree; else to two digits, so that the chance of sampling makes no other workload. */
function meanLength(lengths: unknown, total: unknown, completed: number): number | null {
  const each = Array.isArray(lengths) ? lengths.map(finite).filter((length) => length !== null) : [];
  const sum = finite(total);
  const mean = sum !== null && completed > 0 ? sum / completed : meanOf(each);
  if (mean === null || !Number.isFinite(mean)) return null;
  return Number.isInteger(mean) && new Set(each).size <= 1 ? mean : Number(mean.toPrecision(2));
}

/** `20250419-055018`: a local time without zone, at the end of the run; taken as UTC, for want of better. */
function startOf(date: unknown, line: number): ReturnType<typeof startedAtOf> {
  const found = typeof date === 'string' ? /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/.exec(date) : null;
  if (!found) return { startedAt: null, problems: [] };
  const [given, year, month, day, hour, minute, second] = found;
  return startedAtOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`, given, line);
}

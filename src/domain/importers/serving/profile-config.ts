import { isObject, type Json, type JsonObject } from '../json.js';
import { finite, limitOf, modelName, textOf, type WorkloadFacts } from './workload.js';

/** So many values of a configuration are looked at. */
const MOST = 3_000;

/** What the configuration of GenAI-Perf or AIPerf says of the workload, whose layout changed with every version. */
export function setConfig(workload: WorkloadFacts, config: JsonObject): void {
  const entries = [...entriesOf(config)];
  const values = (...keys: readonly string[]): readonly Json[] =>
    entries.flatMap(([key, value]) => (keys.includes(key) ? [value] : []));
  const text = (...keys: readonly string[]): string | null => values(...keys).map(textOf).find((found) => found !== null) ?? null; // prettier-ignore
  const number = (...keys: readonly string[]): number | null => values(...keys).map(finite).find((found) => found !== null) ?? null; // prettier-ignore
  const flag = (key: string): boolean | null => values(key).find((value) => typeof value === 'boolean') ?? null;
  const [concurrency, rate] = [number('concurrency'), number('request_rate')];
  workload
    .set('model', modelsOf(values('model', 'model_names', 'models')))
    .set('backend', text('endpoint_type') ?? endpointType(values('endpoint')))
    .set('concurrency', concurrency)
    .set('request_rate', rate ?? (concurrency === null ? limitOf(text('request_rate') ?? undefined) : null))
    .set('num_prompts', number('request_count'))
    .set('batch_size', number('batch_size', 'batch_size_text'))
    .set('settings.streaming', flag('streaming'))
    .set('settings.arrival_pattern', text('arrival_pattern', 'request_rate_mode'));
  for (const [name, keys] of Object.entries(lengths)) {
    const object = values(...keys).find(isObject);
    workload
      .set(`settings.${name}_mean`, finite(object?.mean) ?? number(...keys.map((key) => `${key}_mean`)))
      .set(`settings.${name}_stddev`, finite(object?.stddev) ?? number(...keys.map((key) => `${key}_stddev`)));
  }
}

/** What was asked for. */
const lengths: Readonly<Record<string, readonly string[]>> = {
  input_tokens: ['input_tokens', 'synthetic_tokens', 'synthetic_input_tokens'],
  output_tokens: ['output_tokens'],
};

/** Every key and its value, those of the top first; without the phase that warms up. */
function* entriesOf(config: JsonObject): Iterable<readonly [string, Json]> {
  const open: Json[] = [config];
  for (let index = 0; index < open.length && index < MOST; index += 1) {
    const value = open[index];
    if (Array.isArray(value)) open.push(...value.slice(0, 50).filter((each: Json) => isObject(each)));
    if (!isObject(value) || /warm-?up/i.test(textOf(value.name) ?? textOf(value.phase) ?? '')) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      yield [key, inner];
      if (isObject(inner) || Array.isArray(inner)) open.push(inner);
    }
  }
}

/** Options whose values name machines. */
const ofHosts =
  /^(?:-u|--urls?|--gpu-telemetry|--server-metrics[\w-]{0,20}|--artifact-dir|--output-artifact-dir)(?:=|$)/;

/** The command without addresses of servers, which are written without a scheme here. */
export function withoutHosts(command: string): string {
  let isOfHosts = false;
  const words = command
    .slice(0, 8_000)
    .split(/\s+/)
    .flatMap((word) => {
      if (word.startsWith('-')) {
        isOfHosts = ofHosts.test(word);
        return isOfHosts ? [word.split('=')[0] ?? '', '[redacted]'] : [word];
      }
      return isOfHosts ? [] : [word];
    });
  return words.join(' ');
}

function modelsOf(values: readonly Json[]): string | null {
  for (const value of values) {
    const names = (Array.isArray(value) ? value : [value]).flatMap((each: Json) => textOf(isObject(each) ? each.name : each) ?? []); // prettier-ignore
    if (names.length > 0) return [...new Set(names.slice(0, 20).map(modelName))].join(', ');
  }
  return null;
}

function endpointType(values: readonly Json[]): string | null {
  return values.flatMap((value) => (isObject(value) ? [textOf(value.type)] : [])).find((type) => type !== null) ?? null;
}

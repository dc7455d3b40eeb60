import { isObject, readJson, type Json, type JsonObject } from '../json.js';
import { finite, modelName, textOf, type WorkloadFacts } from './workload.js';

/** The object that a cell of JSON holds, or an empty one. */
export function objectIn(text: string): JsonObject {
  const value = readJson(text.slice(0, 100_000)).documents[0]?.value;
  return isObject(value) ? value : {};
}

/** What a report says of the model and of the requests, under names that changed with the versions. */
export function setSource(workload: WorkloadFacts, backend: JsonObject, requests: JsonObject): void {
  const model = textOf(backend.backend_model) ?? textOf(backend.model);
  workload
    .set('model', model === null ? null : modelName(model))
    .set('backend', textOf(backend.backend_type) ?? textOf(backend.kind));
  const data = dataText(requests.data);
  if (data === null || data.length > 1_000) return;
  const lengths = ['prompt_tokens', 'output_tokens'].map((key) => lengthIn(data, key));
  const [prompt = null, output = null] = lengths;
  if (prompt !== null || output !== null) {
    workload
      .set('dataset', 'synthetic')
      .set('settings.input_tokens_mean', prompt)
      .set('settings.output_tokens_mean', output)
      .set('settings.input_tokens_stddev', lengthIn(data, 'prompt_tokens_stdev'))
      .set('settings.output_tokens_stddev', lengthIn(data, 'output_tokens_stdev'));
  } else {
    const name = /^\s*\[?['"]?([^'"\s,[\]{}]{1,200})['"]?\]?\s*$/.exec(data)?.[1];
    // of a file its name is enough; that of a hub has one slash
    if (name !== undefined) workload.set('dataset', /\.\w{2,6}$|\/.*\//.test(name) ? name.split('/').at(-1) : modelName(name));
  }
} // prettier-ignore

function dataText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In `prompt_tokens=256`, `"prompt_tokens": 256` and `'prompt_tokens': 256`. */
function lengthIn(data: string, key: string): number | null {
  const found = new RegExp(`\\b${key}['"]?\\s{0,3}[=:]\\s{0,3}(\\d{1,9})\\b`).exec(data)?.[1];
  return found === undefined ? null : finite(Number(found));
}

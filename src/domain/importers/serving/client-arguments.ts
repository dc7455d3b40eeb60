import type { JsonObject } from '../json.js';
import { axisOf, finite, limitOf, modelName, precisionOf, setDataset, textOf, type WorkloadFacts } from './workload.js';
import { ownValue } from '../../own-value.js';

/** Options of a client, by their names with underscores. Only what tells of the workload is kept. */
export type ClientArguments = JsonObject;

const kept = new Set([
  'model', 'dataset_name', 'num_prompts', 'max_concurrency', 'request_rate', 'burstiness', 'random_input_len',
  'random_output_len', 'random_range_ratio', 'random_prefix_len', 'sharegpt_output_len', 'input_len', 'output_len',
  'batch_size', 'dtype', 'quantization', 'tensor_parallel_size', 'pipeline_parallel_size', 'data_parallel_size', 'tp',
]); // prettier-ignore

/** Shorter names of the same options. */
const aliases: Readonly<Record<string, string>> = {
  num_prompt: 'num_prompts',
  random_input: 'random_input_len',
  random_output: 'random_output_len',
};

/**
 * The options that a line states, as Python prints them (`Namespace(model='x', num_prompts=10)`) or as a command has them
 * (`vllm bench serve --model x`), or null for any other line.
 */
export function argumentsIn(line: string): ClientArguments | null {
  if (line.includes('Namespace(')) return collected(line.slice(line.indexOf('Namespace(')), printed);
  return isClientCommand(line) ? collected(line, given) : null;
}

/** Whether a line starts one of the clients. */
export function isClientCommand(line: string): boolean {
  return /\b(?:vllm bench (?:serve|throughput|latency)|benchmark_(?:serving|throughput|latency)\.py|bench_serving)\s+-/.test(
    line,
  );
}

/** The command of a line without the prompt of the shell before it. */
export function commandIn(line: string): string {
  const start = /(?:\b[A-Z][A-Z0-9_]{1,40}=\S{1,200} ){0,10}\b(?:python3?|vllm) .*/.exec(line);
  return (start?.[0] ?? line).replace(/\s+/g, ' ').trim().slice(0, 4_000);
}

/** Version and options of an engine of vLLM that says how it starts, or null for any other line. */
export function engineIn(line: string): { readonly version: string; readonly options: ClientArguments } | null {
  const [start, version] = /\bLLM engine \(v?([\w.+-]{1,60})\) with config: /.exec(line) ?? [];
  if (start === undefined || version === undefined) return null;
  return { version, options: collected(line.slice(line.indexOf(start)), printed) };
}

const printed = /\b(\w{1,60})=(?:'([^']{0,500})'|"([^"]{0,500})"|([^,()'"\s]{1,100}))/g;
const given = /\s--([a-zA-Z][\w-]{0,60})(?:=|\s{1,4})(?:'([^']{0,500})'|"([^"]{0,500})"|([^\s'"-][^\s]{0,300}))/g;

function collected(text: string, pattern: RegExp): ClientArguments {
  const found: Record<string, string | number> = {};
  for (const [, name = '', single, double, bare] of text.matchAll(pattern)) {
    const plain = name.replaceAll('-', '_');
    const key = ownValue(aliases, plain) ?? plain;
    const value = single ?? double ?? bare ?? '';
    // a variable of the shell is no value
    if (!kept.has(key) || value.includes('$')) continue;
    if (Object.hasOwn(found, key)) continue;
    found[key] = isNumber(value) ? Number(value) : value;
  }
  return found;
}

const isNumber = (text: string): boolean => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text);

/** What the options say of the workload; what was set before stays. */
export function setArguments(workload: WorkloadFacts, found: ClientArguments): void {
  const model = textOf(found.model);
  workload.set('model', model === null || model === 'None' ? null : modelName(model));
  setDataset(workload, { ...found, dataset_name: found.dataset_name === 'None' ? null : found.dataset_name });
  workload
    .set('num_prompts', finite(found.num_prompts))
    .set('burstiness', finite(found.burstiness))
    .set('batch_size', finite(found.batch_size))
    .set('precision', typeof found.dtype === 'string' ? precisionOf(found.dtype) : null)
    .set('settings.quantization', found.quantization === 'None' ? null : textOf(found.quantization));
  if (found.max_concurrency !== undefined) workload.set('concurrency', limitOf(found.max_concurrency));
  if (found.request_rate !== undefined) workload.set('request_rate', limitOf(found.request_rate));
  for (const [key, value] of Object.entries(found)) {
    const axis = axisOf(key);
    if (axis) workload.set(`parallelism.${axis}`, finite(value));
  }
}

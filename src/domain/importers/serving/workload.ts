import type { FactValue } from '../../measurement/environment-diff.js';
import { wholeLength } from '../../measurement/measured-lengths.js';
import { meanOf } from '../distribution.js';
import type { Json, JsonObject } from '../json.js';
import { ownValue } from '../../own-value.js';

/** Facts of a workload by keys without `workload.`; what says nothing is left out. */
export class WorkloadFacts {
  readonly facts: Record<string, FactValue> = {};

  /** The first that says something stays; a number beyond all bounds says nothing. */
  set(key: string, value: FactValue | undefined): this {
    const name = `workload.${key}`;
    if (typeof value === 'number' && !Number.isFinite(value)) return this;
    if (value !== undefined && value !== null && value !== '' && !Object.hasOwn(this.facts, name)) {
      this.facts[name] = value;
    }
    return this;
  }
}

export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Unlike a log whose first line begins with `[`. */
export function isJsonText(text: string): boolean {
  return /^\s{0,1000}(?:\{\s{0,1000}["}]|\[\s{0,1000}\{)/.test(text);
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A single value as a setting; null for lists and objects. */
export function settingOf(value: Json | undefined): FactValue {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? value.slice(0, 4_000) : finite(value);
}

/** The last part of a local path, since folders name people and machines; the name of a hub as it is. */
export function modelName(id: string): string {
  return /^([/~.]|[A-Za-z]:\\)/.test(id) ? (id.split(/[/\\]/).filter(Boolean).at(-1) ?? id) : id;
}

/** No limit is written as null, `inf`, `not set` or Infinity, depending on the tool, the key and the version. */
export function limitOf(value: Json | undefined): FactValue | undefined {
  if (value === null || value === Infinity) return 'unlimited';
  if (typeof value !== 'string') return finite(value);
  const text = value.trim();
  if (/^(?:\+?inf(?:inity)?|not set|none|null|unlimited)$/i.test(text)) return 'unlimited';
  if (text === 'trace') return text;
  return text === '' ? undefined : finite(Number(text));
}

/** The mean over a total, else over the lengths, as `roundedLength` gives it. */
export function meanLength(total: number | null, count: number, lengths?: Json): number | null {
  const each = Array.isArray(lengths) ? lengths.map(finite).filter((length) => length !== null) : [];
  const mean = total !== null && count > 0 ? total / count : meanOf(each);
  return mean === null ? null : roundedLength(mean);
}

/**
 * The mean length of prompts or answers as clients write it. They count totals over the requests that were completed alone;
 * of one that failed the answer has the length 0, and the length of the prompt stands beside the others.
 */
export function clientLength(found: JsonObject, side: 'input' | 'output', completed: number): number | null {
  const [lengths, answers] = [found[`${side}_lens`], found.output_lens];
  const isParallel = Array.isArray(lengths) && Array.isArray(answers) && lengths.length === answers.length;
  const answered = isParallel ? lengths.filter((_, index) => answers[index] !== 0) : lengths;
  return meanLength(finite(found[`total_${side}_tokens`]), completed, answered);
}

/** To the token, below 10 to a tenth: comparing allows for the chance of sampling, not what is stored. */
export function roundedLength(mean: number): number | null {
  if (!Number.isFinite(mean) || mean < 0) return null;
  return wholeLength(mean);
}

/** Names of a number of ranks in options and results. */
const parallelism: Readonly<Record<string, string>> = {
  tp: 'tp',
  tp_size: 'tp',
  tensor_parallel_size: 'tp',
  pp: 'pp',
  pp_size: 'pp',
  pipeline_parallel_size: 'pp',
  dp: 'dp',
  dp_size: 'dp',
  data_parallel_size: 'dp',
  ep_size: 'ep',
};

/** The axis of parallelism that a key names, or undefined. */
export function axisOf(key: string): string | undefined {
  return ownValue(parallelism, key);
}

/** Names of numbers of prompts and lengths that make up a random data set. */
const randomLengths = ['random_input_len', 'random_output_len', 'random_range_ratio', 'random_prefix_len'];

/** The data set with the lengths that were asked for where it is a random one. */
export function setDataset(workload: WorkloadFacts, found: JsonObject): void {
  const name = textOf(found.dataset_name);
  workload.set('dataset', name);
  const keys = name !== null && /random|image/.test(name) ? randomLengths : [];
  for (const key of keys) workload.set(`settings.${key}`, finite(found[key]));
  if (name === 'sharegpt') workload.set('settings.sharegpt_output_len', finite(found.sharegpt_output_len));
}

/** `torch.bfloat16` and `float16` as precisions are called; null for `auto`. */
export function precisionOf(name: string): string | null {
  const plain = name.replace(/^torch\./, '').toLowerCase();
  if (plain === '' || /^(?:auto|none|null|n\/a)$/.test(plain)) return null;
  return ownValue(precisions, plain) ?? plain;
}

const precisions: Readonly<Record<string, string>> = {
  bfloat16: 'bf16',
  float16: 'fp16',
  half: 'fp16',
  float32: 'fp32',
  float: 'fp32',
};

import { parse } from 'csv-parse/sync';
import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { leftOut, error, type ImportProblem } from '../importer.js';
import { isObject, objectsOf, readJson, type JsonObject } from '../json.js';
import { labeledLines } from '../labeled-lines.js';
import { tooFewCells, tooManyCells, widthOf } from '../cells.js';
import { decimalSignOf, numberOf, type DecimalSign } from '../number.js';
import { leadingNumber } from './leading-number.js';
import { ownValue } from '../../own-value.js';

/** What one training gave: values under the keys of the Trainer, in its units. */
export interface HfResult {
  readonly line: number;
  readonly values: Readonly<Record<string, number>>;
  readonly variant: string | null;
  readonly environment: Facts;
  readonly workload: Facts;
}

export interface HfResults {
  readonly results: readonly HfResult[];
  readonly problems: readonly ImportProblem[];
}

const none = { variant: null, environment: {}, workload: {} };

/** `all_results.json`, `train_results.json` and `trainer_state.json`, also several of them. */
export function resultsOfJson(text: string): HfResults {
  const json = readJson(text);
  if (json.problem) return { results: [], problems: [json.problem] };
  const results = objectsOf(json).flatMap(({ object, line }): HfResult[] => {
    if (Array.isArray(object.log_history)) return [stateOf(object, object.log_history.filter(isObject), line)];
    return typeof object.train_runtime === 'number' ? [{ ...none, line, values: numbersOf(object) }] : [];
  });
  return { results, problems: [] };
}

/** The last entry with a speed, and the last loss of an evaluation. */
function stateOf(state: JsonObject, history: readonly JsonObject[], line: number): HfResult {
  const summary = history.filter((entry) => 'train_runtime' in entry).at(-1) ?? {};
  const evaluation = history.filter((entry) => 'eval_loss' in entry).at(-1) ?? {};
  const workload: Record<string, FactValue> = {};
  for (const key of ['max_steps', 'train_batch_size'] as const) {
    const value = state[key];
    if (typeof value === 'number' && Number.isFinite(value)) workload[`workload.settings.${key}`] = value;
  }
  return { ...none, line, workload, values: { ...numbersOf(evaluation), ...numbersOf(summary) } };
}

function numbersOf(object: JsonObject): Readonly<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const [key, value] of Object.entries(object)) {
    const number = typeof value === 'string' ? leadingNumber(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) values[key] = number;
  }
  return values;
}

/**
 * The summaries of a log: the line of a Python dictionary and the block `***** train metrics *****`. Every rank may print
 * its own, and the block repeats the line: what agrees is one result.
 */
export function resultsOfLog(text: string): HfResults {
  const results: HfResult[] = [];
  let block: { line: number; values: Record<string, number> } | null = null;
  let isOfNextTraining = false;
  const take = (line: number, values: Readonly<Record<string, number>>) => {
    if (values.train_runtime === undefined) return;
    const last = results.at(-1);
    if (last && !isOfNextTraining && isSame(last.values, values)) {
      results[results.length - 1] = { ...last, values: { ...values, ...last.values } };
    } else results.push({ ...none, line, values });
    isOfNextTraining = false;
  };
  const close = () => {
    if (block) take(block.line, block.values);
    block = null;
  };
  for (const { number, text: line } of labeledLines(text)) {
    const metric: readonly string[] | null = block ? /^ {0,4}(\w{1,60}) {0,60}= {1,60}(\S{1,60})\s{0,20}$/.exec(line) : null;
    if (block && metric) {
      const value = formattedValue(metric[1] ?? '', metric[2] ?? '');
      if (value !== null) block.values[metric[1] ?? ''] = value;
      continue;
    }
    close();
    if (line.includes('***** train metrics *****')) block = { line: number, values: {} };
    else if (line.includes('***** Running training *****')) isOfNextTraining = true;
    else if (line.includes("'train_samples_per_second'")) {
      for (const [dictionary] of line.matchAll(/\{'[^{}]{1,4000}\}/g)) take(number, dictionaryOf(dictionary));
    }
  }
  close();
  return { results, problems: [] };
} // prettier-ignore

/** To 1 %: the ranks stop within moments of each other. */
function isSame(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
  return ['train_runtime', 'train_samples_per_second'].every((key) => {
    const [one, other] = [a[key], b[key]];
    return one === undefined || other === undefined || Math.abs(one - other) <= 0.01 * Math.max(one, other);
  });
}

/** Newer versions write numbers in quotes. */
function dictionaryOf(text: string): Readonly<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const [, key = '', , value = ''] of text.matchAll(/'(\w{1,60})': ('?)([^,'}]{1,60})/g)) {
    const number = leadingNumber(value);
    if (number !== null) values[key] = number;
  }
  return values;
}

/** Values of the block for people: `0:04:33.01`, `693MB` of 2^20 bytes; `37312GF` is cut too much to be of use. */
function formattedValue(key: string, text: string): number | null {
  const time = /^(?:(\d{1,4}) days?, )?(\d{1,3}):(\d\d):(\d\d\.\d\d)$/.exec(text);
  if (key.endsWith('_runtime')) {
    if (!time) return null;
    const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = time;
    return 86_400 * Number(days) + 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  }
  if (key.includes('_mem_')) return /^-?\d{1,9}MB$/.test(text) ? (leadingNumber(text) ?? 0) * 2 ** 20 : null;
  return /^[-\d.e+]{1,40}$/.test(text) ? leadingNumber(text) : null;
}

const measured = /^(?:train_|mem_|eval_|epoch$|total_flos$)/;
const notFacts = new Set(['num_gpus', 'framework_config', 'model_name_or_path', 'torch_dtype', 'learning_rate']); // prettier-ignore

/** Results that somebody collected: one row for each training. */
export function resultsOfCsv(text: string): HfResults {
  let table: readonly (readonly string[])[];
  try {
    table = parse(text.trimStart(), {
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch {
    const en = 'This is not valid CSV: quotes are not closed';
    return { results: [], problems: [error(1, en, 'CSV 无效：引号未闭合')] };
  }
  const [header = [], ...cells] = table;
  const wide = cells.findIndex((row) => widthOf(row) > header.length);
  if (wide !== -1) {
    return { results: [], problems: [tooManyCells({ line: wide + 2, cells: cells[wide] ?? [] }, header.length)] };
  }
  const problems: ImportProblem[] = cells.flatMap((row, index) => row.length < header.length ? [tooFewCells(index + 2, row.length, header.length)] : []); // prettier-ignore
  const placed = cells.map((row, index) => ({ row, line: index + 2 })).filter(({ row }) => row.length >= header.length);
  const rows = placed.map(({ row, line }) => ({
    record: Object.fromEntries(header.map((name, column) => [name.trim(), row[column] ?? ''])),
    line,
  }));
  const numeric = rows.flatMap(({ record }) => Object.entries(record).filter(([key]) => measured.test(key)).map(([, cell]) => cell)); // prettier-ignore
  const sign = decimalSignOf(numeric);
  if (sign === null) {
    const at = rows.find(({ record }) => Object.values(record).some((cell) => /^\d{1,3},\d{3}$/.test(cell)));
    const cell = Object.values(at?.record ?? {}).find((value) => /^\d{1,3},\d{3}$/.test(value)) ?? '';
    return {
      results: [],
      problems: [
        error(
          at?.line ?? 1,
          `"${cell}" may be a thousand or a decimal: send the file with decimal points`,
          `“${cell}”可能是千位分隔，也可能是小数，请改用小数点后重新上传`,
        ),
      ],
    };
  }
  const results = rows.map(({ record, line }) => rowOf(record, line, sign));
  const empty = results.filter(({ values }) => values.train_samples_per_second === undefined);
  if (empty[0]) {
    problems.push(
      leftOut(
        empty[0].line,
        `Rows without a result (train_samples_per_second) left out: ${empty.length}`,
        `${empty.length} 行没有结果（train_samples_per_second），未采用`,
      ),
    );
  }
  return { results: results.filter((result) => !empty.includes(result)), problems };
}

function rowOf(record: Readonly<Record<string, string>>, line: number, sign: DecimalSign): HfResult {
  const values: Record<string, number> = {};
  const workload: Record<string, FactValue> = {};
  for (const [key, cell] of Object.entries(record)) {
    const number = finiteNumberOf(cell, sign);
    if (measured.test(key)) {
      if (number !== null) values[key] = number;
    } else if (cell.trim() !== '' && !notFacts.has(key) && /^\w{1,60}$/.test(key)) {
      workload[`workload.settings.${key}`] = number ?? (/^true$/i.test(cell.trim()) ? true : cell.trim().slice(0, 200));
    }
  }
  const gpus = finiteNumberOf(record.num_gpus ?? '', sign);
  const model = record.model_name_or_path?.trim() ?? '';
  const precision = (record.torch_dtype ?? '').trim();
  return {
    line,
    values,
    variant: record.framework_config?.trim() || null,
    environment: gpus === null ? {} : { 'gpu.count': gpus },
    workload: {
      ...workload,
      ...(model === '' ? {} : { 'workload.model': modelName(model) }),
      ...(precision === '' ? {} : { 'workload.precision': ownValue(precisions, precision) ?? precision.slice(0, 40) }),
    },
  };
}

function finiteNumberOf(cell: string, sign: DecimalSign): number | null {
  const number = numberOf(cell, sign);
  return number !== null && Number.isFinite(number) ? number : null;
}

const precisions: Readonly<Record<string, string>> = { bfloat16: 'bf16', float16: 'fp16', float32: 'fp32' };

/** The last part of a local path, since folders name people and machines; the name of a hub as it is. */
function modelName(id: string): string {
  return /^([/~.]|[A-Za-z]:\\)/.test(id) ? (id.split(/[/\\]/).filter(Boolean).at(-1) ?? id) : id;
}

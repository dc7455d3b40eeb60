import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { dimensionOf } from '../../measurement/unit.js';
import { leftOut, warning, type Importer, type ReadObservation } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { dllRecordsOf, isBrokenRecord, textLine, type DllRecord, type DllValue } from './dll-records.js';
import { seriesOf, single } from './steady-steps.js';
import { trainingRun } from './training-run.js';

/** What NVIDIA's DeepLearningExamples log with DLLogger, as text or JSON: one run. */
export const dllogger: Importer = {
  tool: 'dllogger',
  what: 'DLLogger of NVIDIA DeepLearningExamples (text or JSON)',

  recognizes: (text) =>
    (textLine.test(text) || /DLLL \{"timestamp": ?"/.test(text)) && !text.includes('train_step_timing in s'),

  read(text) {
    const records: DllRecord[] = [];
    const units = new Map<string, string>();
    const broken: number[] = [];
    for (const { number, text: line } of labeledLines(text)) {
      const found = dllRecordsOf(line, number, units);
      records.push(...found);
      if (found.length === 0 && isBrokenRecord(line)) broken.push(number);
    }
    const observations = observationsOf(records);
    const [first] = records;
    if (!first || observations.length === 0) return { runs: [], problems: [] };
    const written = first.writtenAt.slice(0, 19);
    const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(written);
    // a local time without zone; taken as UTC, for want of better
    const start = isTime ? startedAtOf(`${written.replace(' ', 'T')}Z`, written, first.line) : null;
    const hasSummary = records.some(({ kind, values }) => kind === 'summary' && values.some((value) => kindOf(value)));
    const run = trainingRun({
      tool: 'dllogger',
      status: hasSummary && broken.length === 0 ? 'OK' : 'PARTIAL',
      startedAt: start?.startedAt ?? null,
      workload: workloadOf(records),
      observations,
    });
    return {
      runs: [run],
      problems: [
        ...(start?.problems ?? []),
        ...broken.slice(0, 20).map(brokenRecord),
        ...(hasSummary ? [] : [noSummary(records)]),
      ],
    };
  },
};

/** What values of these names are of; the examples use many names for few things. */
interface Kind {
  readonly metric: string;
  /** The unit that the examples mean where they give none. */
  readonly unit: string;
  readonly dimensions: ReadObservation['dimensions'];
}

const samples = new Set(['', 'img/s', 'imgs/s', 'images/s', 'seq/s', 'sequences/s', 'samples/s', 'samples/sec']);

const kinds: readonly { readonly names: RegExp; readonly kind: Kind }[] = [
  {
    names: /^(?:train\.total_ips|training_sequences_per_second|train_samples_per_second|training_throughput|throughput_train|train_throughput|average_train_throughput|avg_train_throughput)$/,
    kind: { metric: 'training.throughput', unit: 'samples/s', dimensions: {} },
  },
  { names: /^train\.compute_ips$/, kind: { metric: 'training.compute_throughput', unit: 'samples/s', dimensions: {} } },
  { names: /^train\.data_time$/, kind: { metric: 'training.data_load_time', unit: 's', dimensions: {} } },
  { names: /^train\.compute_time$/, kind: { metric: 'training.compute_time', unit: 's', dimensions: {} } },
  {
    names: /^(?:e2e_train_time|total_train_time|total_training_time|train_time)$/,
    kind: { metric: 'training.run_time', unit: 's', dimensions: {} },
  },
  { names: /^(?:epoch_time|train_epoch_time)$/, kind: { metric: 'training.epoch_time', unit: 's', dimensions: {} } },
  {
    names: /^(?:final_loss|train\.loss|train_loss|average_loss)$/,
    kind: { metric: 'quality.loss', unit: '', dimensions: { split: 'train' } },
  },
  {
    names: /^(?:val\.loss|val_loss|validation_loss)$/,
    kind: { metric: 'quality.loss', unit: '', dimensions: { split: 'validation' } },
  },
  { names: /^val\.top1$/, kind: { metric: 'quality.score', unit: '', dimensions: { split: 'validation', score: 'top1' } } },
  { names: /^val\.top5$/, kind: { metric: 'quality.score', unit: '', dimensions: { split: 'validation', score: 'top5' } } },
]; // prettier-ignore

/** The metric and unit of a value, or null for what is of no metric or in a unit of something else. */
function kindOf({ name, number, unit }: DllValue): Kind | null {
  const kind = kinds.find(({ names }) => names.test(name))?.kind;
  if (!kind || number === null || (number <= 0 && !kind.metric.startsWith('quality.'))) return null;
  if (kind.metric.startsWith('quality.') || unit === '') return kind;
  if (kind.unit === 'samples/s') {
    if (samples.has(unit)) return kind;
    const isTokens = dimensionOf(unit) === 'token-rate' && kind.metric === 'training.throughput';
    return isTokens ? { ...kind, metric: 'training.token_throughput', unit } : null;
  }
  return dimensionOf(unit) === dimensionOf(kind.unit) ? { ...kind, unit } : null;
}

interface Series {
  readonly kind: Kind;
  /** Of the finest steps that have the value: an epoch is no more than the mean of its iterations. */
  steps: number[];
  depth: number;
  summary: number | null;
}

/** The summary where there is one, with the steps as samples; else the median of the steps behind the first. */
function observationsOf(records: readonly DllRecord[]): readonly ReadObservation[] {
  const found = new Map<string, Series>();
  for (const { kind: place, depth, values } of records) {
    if (place === 'parameter') continue;
    for (const value of values) {
      const kind = kindOf(value);
      if (!kind || value.number === null) continue;
      const key = `${kind.metric} ${kind.unit} ${Object.values(kind.dimensions).join(' ')}`;
      const series = found.get(key) ?? { kind, steps: [], depth: 0, summary: null };
      found.set(key, series);
      if (place === 'summary') series.summary = value.number;
      else if (depth > series.depth) Object.assign(series, { steps: [value.number], depth });
      else if (depth === series.depth) series.steps.push(value.number);
    }
  }
  return [...found.values()].flatMap(({ kind, steps, summary }) => {
    const { metric, unit, dimensions } = kind;
    // of a loss the last counts
    if (metric.startsWith('quality.')) return single(metric, unit, summary ?? steps.at(-1), dimensions);
    const steady = steps.length > 1 ? steps.slice(1) : steps;
    const [series] = seriesOf(metric, unit, steady, dimensions);
    if (summary === null) return series ? [series] : [];
    return [{ ...(series ?? {}), metric, dimensions, value: summary, unit }];
  });
}

const settings = new Set([
  'batch_size', 'train_batch_size', 'global_batch_size', 'local_batch_size', 'batch_size_per_gpu', 'max_seq_length',
  'seq_len', 'epochs', 'num_train_epochs', 'steps', 'train_steps', 'training_samples', 'training_features',
  'model_weights_num', 'amp', 'fp16', 'tf32', 'precision', 'gradient_accumulation_steps', 'gpus', 'num_gpus', 'world_size',
]); // prettier-ignore

function workloadOf(records: readonly DllRecord[]): Facts {
  const facts: Record<string, FactValue> = {};
  for (const { name, text, number } of records.flatMap(({ kind, values }) => (kind === 'parameter' ? values : []))) {
    if (settings.has(name) && /^[\w.-]{1,60}$/.test(text)) {
      facts[`workload.settings.${name}`] = /^(?:True|true)$/.test(text) || (/^(?:False|false)$/.test(text) ? false : (number ?? text));
    }
  }
  return facts;
} // prettier-ignore

function brokenRecord(line: number): ReturnType<typeof warning> {
  return leftOut(line, 'The record was left out: it is no valid JSON', '未采用该记录：不是有效的 JSON');
}

function noSummary(records: readonly DllRecord[]): ReturnType<typeof warning> {
  return warning(
    records.at(-1)?.line ?? null,
    'The log has no summary: the values are medians of what was logged behind the first',
    '日志没有汇总记录，取值为首条之后各记录的中位数',
    { code: 'INCOMPLETE' },
  );
}

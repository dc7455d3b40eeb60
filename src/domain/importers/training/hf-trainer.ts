import type { FactValue } from '../../measurement/environment-diff.js';
import {
  leftOut,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { startsLikeJson } from '../json.js';
import { resultsOfCsv, resultsOfJson, resultsOfLog, type HfResult, type HfResults } from './hf-results.js';
import { single } from './steady-steps.js';
import { trainingRun } from './training-run.js';
import { lineAt } from '../line-at.js';

/** What the Trainer of Hugging Face says at the end of a training: files of JSON, a log, or a collection as CSV. */
export const hfTrainer: Importer = {
  tool: 'hf-trainer',
  what: 'Hugging Face Trainer (all_results.json, trainer_state.json, log)',

  recognizes: (text) => formOf(text) !== null,

  nearMiss(text) {
    if (startsLikeJson(text) && text.includes('"log_history"') && text.includes('"global_step"')) {
      const en =
        'This trainer_state.json is of a training that is not over: it has no train_runtime. Send the last one';
      return error(1, en, '该 trainer_state.json 来自未结束的训练，没有 train_runtime，请上传训练结束时的文件');
    }
    const at = text.search(/\{'loss': '?[\d.]{1,20}'?, [^\n]{0,200}'learning_rate': /);
    if (at === -1) return null;
    const en =
      'This log of the Trainer has no summary (train_runtime): the training is not over, or the end is missing';
    const line = lineAt(text, at);
    return error(line, en, '该 Trainer 日志没有汇总（train_runtime）：训练未结束，或日志缺少结尾');
  },

  read(text) {
    const { results, problems } = resultsOf(text);
    return {
      runs: results.map(runOf),
      problems: [...problems, ...results.flatMap(problemsOf)],
    };
  },
};

type Form = 'json' | 'csv' | 'log';

function formOf(text: string): Form | null {
  if (!text.includes('train_samples_per_second')) return null;
  if (startsLikeJson(text) && /"train_samples_per_second"\s{0,10}:\s{0,10}"?[\d]/.test(text)) {
    return text.includes('"train_runtime"') ? 'json' : null;
  }
  const [header = ''] = text.slice(0, 5_000).trimStart().split('\n', 1);
  if (/(?:^|,)"?train_samples_per_second"?(?:,|\s{0,5}$)/.test(header)) return header.includes('train_runtime') ? 'csv' : null;
  if (/'train_samples_per_second': '?\d/.test(text)) return text.includes("'train_runtime'") ? 'log' : null;
  return text.includes('***** train metrics *****') && /train_samples_per_second {0,60}= {1,60}\d/.test(text) ? 'log' : null;
} // prettier-ignore

function resultsOf(text: string): HfResults {
  const form = formOf(text) ?? (startsLikeJson(text) ? 'json' : 'log');
  if (form === 'json') return resultsOfJson(text);
  return form === 'csv' ? resultsOfCsv(text) : resultsOfLog(text);
}

/** The rate has three decimals: below this it is one digit, or zero. */
const COARSE = 0.01;

function runOf(result: HfResult): ReadRun {
  const { values, variant, environment } = result;
  const workload: Record<string, FactValue> = { 'workload.framework': 'pytorch', ...result.workload };
  if (values.epoch !== undefined) workload['workload.settings.epochs'] = values.epoch;
  if (values.train_samples !== undefined) workload['workload.settings.train_samples'] = values.train_samples;
  return trainingRun({
    tool: 'hf-trainer',
    status: hasSpeed(result) ? 'OK' : 'PARTIAL',
    variant,
    environment,
    workload,
    observations: observationsOf(values),
  });
}

function observationsOf(values: HfResult['values']): readonly ReadObservation[] {
  const rate = values.train_steps_per_second;
  return [
    ...single('training.throughput', 'samples/s', positive(values.train_samples_per_second)),
    ...single('training.step_rate', 'steps/s', rate !== undefined && rate >= COARSE ? rate : null),
    // the Trainer counts the tokens of its own process
    ...single('training.token_throughput_per_gpu', 'tokens/s', positive(values.train_tokens_per_second)),
    ...single('training.run_time', 's', positive(values.train_runtime)),
    ...single('training.total_flops', 'FLOP', positive(values.total_flos)),
    ...single('quality.loss', '', values.train_loss, { split: 'train' }),
    ...single('quality.loss', '', values.eval_loss, { split: 'validation' }),
    ...single('quality.score', '', values.eval_accuracy, { split: 'validation', score: 'accuracy' }),
    ...single('memory.peak_allocated', 'B', positive(values.mem_peak_torch_mem_alloc_in_bytes)),
    ...single('memory.peak_growth', 'B', peakGrowthOf(values)),
  ];
}

function positive(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null;
}

/** By the manual of the Trainer: what stays and what was freed again, together. */
function peakGrowthOf(values: HfResult['values']): number | null {
  const [kept, freed] = [values.train_mem_gpu_alloc_delta, values.train_mem_gpu_peaked_delta];
  return kept === undefined || freed === undefined ? null : kept + freed;
}

function hasSpeed({ values }: HfResult): boolean {
  return positive(values.train_samples_per_second) !== null;
}

function problemsOf(result: HfResult): readonly ImportProblem[] {
  const { values, line } = result;
  const found: ImportProblem[] = [];
  const rate = values.train_steps_per_second;
  if (rate !== undefined && rate < COARSE) {
    found.push(
      leftOut(
        line,
        `train_steps_per_second of ${rate} was left out: it is rounded to three decimals`,
        `未采用 train_steps_per_second（${rate}）：该值只保留三位小数，精度不足`,
      ),
    );
  }
  if (!hasSpeed(result)) {
    const en = 'The result has no train_samples_per_second, or it is zero';
    found.push(warning(line, en, '结果中没有 train_samples_per_second，或其值为零', { code: 'INCOMPLETE' }));
  }
  return found;
}

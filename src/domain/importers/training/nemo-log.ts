import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { medianOf } from '../distribution.js';
import { error, warning, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { lightningRuns } from './lightning-bars.js';
import { nemoLine, type NemoConfig, type NemoStep } from './nemo-steps.js';
import { seriesOf, single, stepProblems, unfinished, warmUpOf } from './steady-steps.js';
import { trainingRun } from './training-run.js';
import { lineAt } from '../line-at.js';

/** Step times of NeMo 1 and 2; where a log has none, the rates of Lightning's (or any) progress bars. */
export const nemoLog: Importer = {
  tool: 'nemo-log',
  what: 'NeMo 1 and 2, progress bars of Lightning and tqdm (log)',

  recognizes: (text) => stepTiming.test(text) || (epochBar.test(text) && lightning.test(text)),

  nearMiss(text) {
    const at = text.search(anyBar);
    if (at === -1) return null;
    const en =
      'These are progress bars, which do not say what an iteration is: name the format nemo-log to take their rate as the step time';
    const line = lineAt(text, at);
    return error(line, en, '这是进度条，无法得知一次迭代指什么：若要把其速率当作单步时间，请指定格式 nemo-log');
  },

  read(text) {
    const trainings = readTrainings(text);
    const found = trainings.length > 0 ? trainings.map(trainingOf) : lightningRuns(text);
    return { runs: found.map(({ run }) => run), problems: found.flatMap(({ problems }) => problems) };
  },
};

const stepTiming = /train_step_timing in s(?:=|: |": ?)\d/;
const epochBar = /Epoch \d{1,6}:[ :]{1,5}\d{1,3}%\|[^|\n]{0,200}\| {0,4}\d{1,9}\/\d{1,9} \[\d/;
const lightning = /, v_num=|`Trainer\.fit` stopped|LOCAL_RANK: \d{1,4} - CUDA_VISIBLE_DEVICES|pytorch_lightning/;
const anyBar = /\d{1,3}%\|[^|\n]{0,200}\| {0,4}\d{1,9}\/\d{1,9} \[\d[\d:]{3,11}<[^\]\n]{1,30}(?:it\/s|s\/it)/;

interface Training {
  readonly config: NemoConfig | null;
  /** By step: a bar is drawn again and again. */
  readonly steps: Map<number, NemoStep>;
}

function readTrainings(text: string): readonly Training[] {
  const trainings: Training[] = [];
  let config: NemoConfig | null = null;
  let last = -1;
  for (const { number, text: line } of labeledLines(text)) {
    const found = nemoLine(line, number);
    config = found.config ?? config;
    for (const step of found.steps) {
      let current = trainings.at(-1);
      const isAgain = current?.steps.get(step.step)?.time === step.time;
      if (!current || (step.step < last && !isAgain)) {
        current = { config, steps: new Map() };
        trainings.push(current);
      }
      if (isAgain && step.step < last) continue;
      current.steps.set(step.step, step);
      last = step.step;
    }
  }
  return trainings;
}

function trainingOf({ config, steps: byStep }: Training): {
  readonly run: ReadRun;
  readonly problems: readonly ImportProblem[];
} {
  const steps = [...byStep.values()];
  const [first] = steps;
  const last = steps.at(-1);
  const dropped = startsWithWarmUp(steps) ? warmUpOf(steps.map(({ time }) => time)) : 0;
  const steady = steps.slice(dropped);
  const progress = last?.progress ?? null;
  const isUnfinished = progress !== null && progress.done < progress.planned;
  const line = first?.line ?? 1;
  const batchSize = batchSizeOf(config, steps);
  const apart = runningMean(steady);
  const start = startOf(first);
  const run = trainingRun({
    tool: 'nemo-log',
    status: isUnfinished ? 'PARTIAL' : 'OK',
    startedAt: start.startedAt,
    workload: {
      'workload.framework': 'nemo',
      ...(config ? workloadOf(config) : {}),
      ...(batchSize === null ? {} : { 'workload.batch_size': batchSize }),
    },
    observations: [
      ...seriesOf('training.step_time', 's', steady.map(({ time }) => time)),
      ...seriesOf('training.step_time', 's', apart ?? [], { clock: 'time of the records' }),
      ...single('training.first_step_time', 's', dropped > 0 && first?.step === 0 ? first.time : null),
      ...seriesOf('training.flops_per_gpu', 'TFLOP/s', steady.map(({ flopsPerGpu }) => flopsPerGpu)),
      ...single('quality.loss', '', last?.loss, { split: 'train' }),
      ...single('training.effective_batch_size', 'count', batchSize),
    ],
  }); // prettier-ignore
  return {
    run,
    problems: [
      ...start.problems,
      ...stepProblems(line, dropped, steps.length),
      ...(apart ? [meanProblem(line, steady, apart)] : []),
      ...(isUnfinished && last ? [unfinished(last.line, progress.done, progress.planned)] : []),
    ],
  };
}

/** Step 0 is in the first value, or in the average over the steps that it stands for. */
function startsWithWarmUp([first, second]: readonly NemoStep[]): boolean {
  if (!first) return false;
  return first.step === 0 || (second !== undefined && first.step < second.step - first.step);
}

function startOf(first: NemoStep | undefined): ReturnType<typeof startedAtOf> {
  if (!first || first.writtenAt === null || Math.abs(first.writtenAt) > 8e12) return { startedAt: null, problems: [] };
  const iso = new Date(1_000 * first.writtenAt).toISOString();
  return startedAtOf(iso, String(first.writtenAt), first.line);
}

function batchSizeOf(config: NemoConfig | null, steps: readonly NemoStep[]): number | null {
  const configured = config?.['cfg/global_batch_size'];
  if (typeof configured === 'number' && configured > 0) return configured;
  const sizes = new Set(steps.map(({ batchSize }) => batchSize));
  const [size = null] = sizes;
  return sizes.size === 1 ? size : null;
}

/** Time between consecutive records, where most of it is far from what the records say; else null. */
function runningMean(steps: readonly NemoStep[]): readonly number[] | null {
  const apart = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    if (!before || before.writtenAt === null || step.writtenAt === null || step.step !== before.step + 1) return [];
    return step.writtenAt > before.writtenAt ? [{ between: step.writtenAt - before.writtenAt, said: step.time }] : [];
  });
  const far = apart.filter(({ between, said }) => Math.abs(said / between - 1) > 0.1);
  return apart.length >= 5 && far.length > apart.length / 2 ? apart.map(({ between }) => between) : null;
}

function meanProblem(line: number, steps: readonly NemoStep[], apart: readonly number[]): ImportProblem {
  const said = (medianOf(steps.map(({ time }) => time)) ?? 0).toPrecision(4);
  const between = (medianOf(apart) ?? 0).toPrecision(4);
  return warning(
    line,
    `The step times are a running mean with warm-up in it: ${said} s, where the records are ${between} s apart, which is given too`,
    `单步时间是含预热的累计均值：${said} s，而记录之间相隔 ${between} s（已一并给出）`,
    { code: 'WARM_UP_INCLUDED' },
  );
}

const axes = [
  ['cfg/tensor_model_parallel_size', 'tp'],
  ['cfg/pipeline_model_parallel_size', 'pp'],
  ['cfg/context_parallel_size', 'cp'],
  ['cfg/expert_model_parallel_size', 'ep'],
  ['cfg/virtual_pipeline_model_parallel_size', 'vpp'],
] as const;

const settings = [
  'micro_batch_size', 'encoder_seq_length', 'num_layers', 'hidden_size', 'ffn_hidden_size', 'num_attention_heads',
  'num_query_groups', 'activations_checkpoint_granularity', 'activations_checkpoint_method',
  'activations_checkpoint_num_layers', 'sequence_parallel', 'transformer_engine', 'fsdp', 'ub_tp_comm_overlap',
  'overlap_p2p_comm', 'mcore_gpt',
]; // prettier-ignore

function workloadOf(config: NemoConfig): Facts {
  const facts: Record<string, FactValue> = {};
  const set = (key: string, value: unknown) => {
    if (typeof value === 'number' && Number.isFinite(value)) facts[key] = value;
    else if (typeof value === 'boolean' || (typeof value === 'string' && /^[\w.-]{1,60}$/.test(value))) facts[key] = value;
  }; // prettier-ignore
  for (const [key, axis] of axes) set(`workload.parallelism.${axis}`, config[key]);
  for (const key of settings) set(`workload.settings.${key}`, config[`cfg/${key}`]);
  const precision = config['cfg/precision'];
  if (config['cfg/fp8'] === true) facts['workload.precision'] = 'fp8';
  else if (typeof precision === 'string') set('workload.precision', /^(?:bf16|fp16|fp32)/.exec(precision)?.[0] ?? precision);
  return facts;
} // prettier-ignore

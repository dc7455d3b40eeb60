import type { Facts } from '../../measurement/environment-diff.js';
import { incomplete, leftOut, warning, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import { leadingNumber } from './leading-number.js';
import { single } from './steady-steps.js';
import { trainingRun } from './training-run.js';
import { ownValue } from '../../own-value.js';

/** One block of the profiler while it is read: labels in lower case, and what stands behind them. */
export interface Profile {
  readonly line: number;
  readonly step: number | null;
  readonly fields: Map<string, string>;
}

export const profileHead = /-- DeepSpeed Flops Profiler -{10}/;

/** Takes the next line of a block; null where the block is over. */
export function takeProfileLine(profile: Profile, text: string): Profile | null {
  const step = /Profile Summary at step (\d{1,9})/.exec(text)?.[1];
  if (step !== undefined) return { ...profile, step: Number(step) };
  if (text.includes('Aggregated Profile per GPU') || /^-{60,}/.test(text.trim())) return null;
  const found = /^\s{0,20}([\w+ =*/()&.-]{3,120}): {1,80}(\S.{0,60})$/.exec(text);
  const label = (found?.[1] ?? '').trim().toLowerCase().replace('paralel', 'parallel');
  if (found && !profile.fields.has(label)) profile.fields.set(label, (found[2] ?? '').trim());
  return profile;
}

interface Quantity {
  readonly value: number;
  readonly unit: string;
}

const times: Readonly<Record<string, string>> = { s: 's', ms: 'ms', us: 'us', µs: 'us', ns: 'ns' };

export function profileRun(profile: Profile): { readonly run: ReadRun; readonly problems: readonly ImportProblem[] } {
  const { line, step } = profile;
  const problems: ImportProblem[] = [
    warning(
      line,
      'A profile is one step, slowed down by the profiler: compare runs by logs without it',
      'profile 只含一步，且受剖析器拖慢：请用未启用剖析器的日志比较各次运行',
      { code: 'OVERHEAD' },
    ),
  ];
  const forward = timeOf(profile, 'fwd latency');
  const backward = timeOf(profile, 'bwd latency');
  const update = timeOf(profile, 'step latency');
  const iteration = timeOf(profile, 'iter latency');
  const isSum = agrees([forward, backward, update], iteration);
  if (!isSum) {
    problems.push(
      leftOut(
        line,
        'The iter latency was left out: it is not the sum of the fwd, bwd and step latencies',
        '未采用 iter latency：它不等于 fwd、bwd 与 step latency 之和',
      ),
    );
  }
  const size = (name: string) => leadingNumber(profile.fields.get(name) ?? '');
  const modelParallel = size('model parallel size') ?? 1;
  const throughput = size('samples/second');
  if (throughput !== null && modelParallel > 1) {
    problems.push(
      leftOut(
        line,
        `samples/second was left out: DeepSpeed counts each sample once for each of ${modelParallel} model-parallel ranks`,
        `未采用 samples/second：DeepSpeed 对 ${modelParallel} 个模型并行 rank 重复计数每个样本`,
      ),
    );
  }
  if (forward === null) {
    problems.push(
      incomplete(line, 'The profile has no fwd latency: it is not complete', 'profile 中没有 fwd latency，内容不完整'),
    );
  }
  const run = trainingRun({
    tool: 'deepspeed-flops-profiler',
    status: forward === null || !isSum ? 'PARTIAL' : 'OK',
    environment: factsOf({ 'gpu.count': size('world size') }),
    workload: {
      'workload.framework': 'deepspeed',
      ...factsOf({
        'workload.parallelism.dp': size('data parallel size'),
        'workload.parallelism.mp': size('model parallel size'),
        'workload.settings.micro_batch_size': size('batch size per gpu'),
        'workload.settings.parameters_per_gpu': profile.fields.get('params per gpu') ?? null,
        'workload.settings.forward_macs_per_gpu': profile.fields.get('fwd macs per gpu') ?? null,
        'workload.settings.profiled_step': step,
      }),
    },
    observations: [
      ...timed('training.phase_time', forward, { phase: 'forward' }),
      ...timed('training.phase_time', backward, { phase: 'backward' }),
      ...timed('training.phase_time', update, { phase: 'optimizer' }),
      ...timed('training.step_time', isSum ? iteration : null, {}),
      ...rate(profile, 'fwd flops per gpu =', { phase: 'forward' }),
      ...rate(profile, 'bwd flops per gpu =', { phase: 'backward' }),
      ...rate(profile, 'fwd+bwd flops per gpu =', { phase: 'forward and backward' }),
      ...(isSum ? rate(profile, 'flops per gpu =', {}) : []),
      ...(modelParallel > 1 ? [] : single('training.throughput', 'samples/s', throughput)),
    ],
  });
  return { run, problems };
}

function timeOf({ fields }: Profile, label: string): Quantity | null {
  const [, number = '', name = ''] = /^(\S{1,40}) ?([a-zµ]{1,2})$/.exec(fields.get(label) ?? '') ?? [];
  const value = leadingNumber(number);
  const unit = ownValue(times, name);
  return value === null || value <= 0 || unit === undefined ? null : { value, unit };
}

function timed(
  metric: string,
  time: Quantity | null,
  dimensions: ReadObservation['dimensions'],
): readonly ReadObservation[] {
  return single(metric, time?.unit ?? '', time?.value, dimensions);
}

/** Operations per second. `fwd flops per GPU` without a rate has the same label in old versions, and no FLOPS behind it. */
function rate(
  { fields }: Profile,
  start: string,
  dimensions: ReadObservation['dimensions'],
): readonly ReadObservation[] {
  for (const [label, text] of fields) {
    const [, number = '', prefix = ''] = /^(\S{1,40}) ?([KkMGTP]?)FLOPS$/.exec(text) ?? [];
    if (!label.startsWith(start) || number === '') continue;
    return single('training.flops_per_gpu', `${prefix.replace('K', 'k')}FLOPS`, leadingNumber(number), dimensions);
  }
  return [];
}

const seconds: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };

/** Whether the whole is the sum of its parts, as far as both are printed, to 2 %. */
function agrees(parts: readonly (Quantity | null)[], whole: Quantity | null): boolean {
  if (whole === null) return true;
  const inSeconds = ({ value, unit }: Quantity) => value * (seconds[unit] ?? NaN);
  let sum = 0;
  for (const part of parts) {
    if (part === null) return true;
    sum += inSeconds(part);
  }
  return Math.abs(sum / inSeconds(whole) - 1) < 0.02;
}

function factsOf(values: Facts): Facts {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

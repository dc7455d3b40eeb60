import { z } from 'zod';
import { cutText } from '../../cut-text.js';
import type { FactValue } from '../../measurement/environment-diff.js';
import { medianOf, samplesWithDistribution } from '../distribution.js';
import { badRun, warning, type Importer, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import { objectsOf, readJson, startsLikeJson } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { environmentOf } from './tunebook-environment.js';

/** Our own laboratory format, version 1: one metric of one variant per object. */
export const tunebookLab: Importer = {
  tool: 'tunebook-lab',
  what: 'the measurement scripts of Tunebook (JSON)',

  recognizes: (text) =>
    startsLikeJson(text) && /[{,]\s{0,100}"tool"\s{0,100}:\s{0,100}"tunebook-lab"/.test(text.slice(0, 65_536)),

  read(text) {
    const json = readJson(text);
    if (json.problem) return { runs: [], problems: [json.problem] };
    const parts = objectsOf(json).map(({ object, line }) => readResult(object, line));
    return {
      runs: parts.flatMap(({ run }) => (run ? [run] : [])),
      problems: parts.flatMap(({ problems }) => problems),
    };
  },
};

/**
 * The keys by which two runs of one experiment differ as far as they are meant to: `variant`, and every setting that
 * has another value on the other side or is missing there.
 */
export function declaredVariable(before: ReadRun, after: ReadRun): readonly string[] {
  const keys = new Set([...Object.keys(before.workload), ...Object.keys(after.workload)]);
  const differing = [...keys].filter(
    (key) => key.startsWith('workload.settings.') && before.workload[key] !== after.workload[key],
  );
  return ['variant', ...differing.sort()];
}

const scalars = z.union([z.string(), z.number(), z.boolean()]);

const result = z.object({
  format_version: z.literal(1),
  experiment: z.string().min(1),
  variant: z.string().optional(),
  label: z.string().optional(),
  metric: z.string().min(1),
  unit: z.string(),
  direction: z.enum(['lower', 'higher']),
  samples: z.array(z.number()).min(1),
  environment: z.record(z.string(), z.unknown()).default({}),
  settings: z
    .record(z.string(), z.unknown())
    .refine((settings) => Object.keys(settings).length <= 300)
    .default({}),
  measurement: z
    .object({
      rounds: z.int().min(1).optional(),
      samples_per_round: z.int().min(1).optional(),
      processes: z.int().min(1).optional(),
      interleaved: z.boolean().optional(),
    })
    .default({}),
});

type Result = z.infer<typeof result>;

interface Home {
  readonly metric: string;
  /** Null where the number shows a mistake of measuring, so that neither direction is better. */
  readonly direction: 'lower' | 'higher' | null;
  readonly dimensions?: Readonly<Record<string, string | number>>;
}

const lower = (metric: string, dimensions?: Home['dimensions']): Home => ({ metric, direction: 'lower', dimensions });
const higher = (metric: string): Home => ({ metric, direction: 'higher' });

const homes: ReadonlyMap<string, Home> = new Map([
  ['time', lower('time.elapsed')],
  ['time_first_pass', lower('time.first_pass')],
  ['time_in_cuda_graph', lower('kernel.time_in_graph')],
  ['time_per_batch', lower('time.per_batch')],
  ['time_per_token', lower('time.per_token')],
  ['attention_time', lower('kernel.time', { kernel: 'attention' })],
  ['job_time', lower('time.job')],
  ['step_time', lower('training.step_time')],
  ['epoch_time', lower('training.epoch_time')],
  ['latency', lower('time.latency')],
  ['latency_compiled', lower('time.latency', { mode: 'compiled' })],
  ['latency_eager', lower('time.latency', { mode: 'eager' })],
  ['latency_p50', lower('time.latency_p50')],
  ['latency_p95', lower('time.latency_p95')],
  ['steady_latency', lower('time.steady_latency')],
  ['batch_latency', lower('time.batch_latency')],
  ['first_request_latency', lower('time.first_request')],
  ['peak_memory', lower('memory.peak_allocated')],
  ['reserved_memory', lower('memory.peak_reserved')],
  ['weight_memory', lower('memory.weights')],
  ['kv_cache_per_layer', lower('memory.kv_cache', { per: 'layer' })],
  ['reported_time', { metric: 'time.reported', direction: null }],
  ['reported_bandwidth', { metric: 'kernel.reported_bandwidth', direction: null }],
]);

const throughputs: ReadonlyMap<string, Home> = new Map([
  ['sequences/s', higher('throughput.sequences')],
  ['images/s', higher('throughput.images')],
  ['rows/s', higher('throughput.rows')],
  ['requests/s', higher('throughput.requests')],
  ['samples/s', higher('training.throughput')],
]);

const knownNames = [...homes.keys(), 'bandwidth', 'throughput', 'time_<n>_steps'].join(', ');

function homeOf({ metric, unit, experiment }: Result): Home | null {
  if (metric === 'throughput') return throughputs.get(unit) ?? null;
  if (metric === 'bandwidth') {
    const direction = /^(h2d|d2h)_/.exec(experiment)?.[1];
    return higher(direction ? `io.${direction}_bandwidth` : 'kernel.bandwidth');
  }
  const steps = /^time_(\d{1,9})_steps$/.exec(metric)?.[1];
  return steps ? lower('time.elapsed', { steps: Number(steps) }) : (homes.get(metric) ?? null);
}

function readResult(object: unknown, line: number): { run: ReadRun | null; problems: readonly ImportProblem[] } {
  const parsed = result.safeParse(object);
  if (!parsed.success) {
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.')).join(', '); // prettier-ignore
    return {
      run: null,
      problems: [
        badRun(
          line,
          `Not a result of format version 1. Bad or missing: ${places}`,
          `不是版本 1 的结果。字段有误或缺失：${places}`,
        ),
      ],
    };
  }
  const home = homeOf(parsed.data);
  const problems = home ? directionProblem(parsed.data, home, line) : [unknownMetric(parsed.data, line)];
  if (!home || problems.length > 0) return { run: null, problems };
  const start = startOf(parsed.data.environment.date, line);
  return {
    run: { ...runOf(parsed.data, home), startedAt: start.startedAt },
    problems: [...roundsProblem(parsed.data, line), ...start.problems],
  };
}

function unknownMetric({ metric, unit }: Result, line: number): ImportProblem {
  const name = `${cutText(metric, 100)} (${cutText(unit, 30)})`;
  return badRun(
    line,
    `There is no metric for ${name}. Known: ${knownNames}; throughput in ${[...throughputs.keys()].join(', ')}`,
    `没有与 ${name} 对应的指标。支持：${knownNames}；throughput 的单位可为 ${[...throughputs.keys()].join('、')}`,
  );
}

function directionProblem({ metric, direction }: Result, home: Home, line: number): readonly ImportProblem[] {
  if (home.direction === null || home.direction === direction) return [];
  return [
    badRun(
      line,
      `The file says that ${direction} is better for ${metric}, the metric ${home.metric} says the opposite`,
      `文件称 ${metric} ${direction === 'higher' ? '越高越好' : '越低越好'}，而指标 ${home.metric} 的方向相反`,
    ),
  ];
}

function roundsProblem({ samples, measurement }: Result, line: number): readonly ImportProblem[] {
  if (measurement.rounds === undefined || roundSize(samples, measurement) !== null) return [];
  return [
    warning(
      line,
      `${samples.length} samples do not divide into ${measurement.rounds} rounds: each sample counts as one value`,
      `${samples.length} 个样本无法均分为 ${measurement.rounds} 轮：每个样本按一个值计`,
      { code: 'GROUPED' },
    ),
  ];
}

function runOf(found: Result, home: Home): Omit<ReadRun, 'startedAt'> {
  const { environment, experiment, settings } = found;
  return {
    status: 'OK',
    tool: 'tunebook-lab',
    toolVersion: String(found.format_version),
    variant: found.label ?? found.variant ?? null,
    command: typeof environment.command === 'string' ? environment.command : null,
    environment: environmentOf(environment),
    workload: {
      'workload.operation': experiment,
      ...Object.fromEntries(
        Object.entries(settings).map(([key, value]) => [
          `workload.settings.${key.replace(/\W/g, '_')}`,
          settingText(value),
        ]),
      ),
    },
    session: null,
    block: null,
    observations: [observationOf(found, home)],
  };
}

function observationOf({ samples, unit, measurement }: Result, home: Home): ReadObservation {
  const size = roundSize(samples, measurement);
  const inside = size === null || size === 1 ? null : samplesWithDistribution(samples);
  const repeats = size === null ? samples : roundsOf(samples, size).map((round) => medianOf(round) ?? NaN);
  // interleaved processes alternate as a whole: their samples were not taken side by side
  const isPaired = measurement.interleaved === true && (size !== null || measurement.processes === undefined);
  return {
    metric: home.metric,
    dimensions: home.dimensions ?? {},
    value: medianOf(samples) ?? NaN,
    unit,
    repeats,
    ...(isPaired ? { blocks: repeats.map((_, index) => `${size === null ? 'sample' : 'round'}-${index + 1}`) } : {}),
    ...inside,
  };
}

/** Samples of one round, or null where there are no rounds of equal size. */
function roundSize(samples: readonly number[], { rounds, samples_per_round }: Result['measurement']): number | null {
  if (rounds === undefined) return null;
  const size = samples_per_round ?? samples.length / rounds;
  return Number.isInteger(size) && size * rounds === samples.length ? size : null;
}

function roundsOf(samples: readonly number[], size: number): readonly (readonly number[])[] {
  return Array.from({ length: samples.length / size }, (_, round) => samples.slice(round * size, (round + 1) * size));
}

function settingText(value: unknown): FactValue {
  const scalar = scalars.safeParse(value);
  const plain = scalar.success ? scalar.data : JSON.stringify(value);
  return typeof plain === 'string' ? cutText(plain, 4_000) : plain;
}

function startOf(value: unknown, line: number): ReturnType<typeof startedAtOf> {
  const isDate = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value);
  return isDate ? startedAtOf(value, value, line) : { startedAt: null, problems: [] };
}

import { invalidInput } from '../../domain/errors.js';
import type { Facts } from '../../domain/measurement/environment-diff.js';
import { inNormalWords, storedFactsReader, type FactRules } from '../../domain/measurement/normal-facts.js';
import { contextKeyOf, exactContextKeyOf } from '../../domain/measurement/noise-context.js';
import type { NoiseFloor } from '../../domain/measurement/noise.js';
import type { Override } from '../../domain/measurement/override.js';
import { noiseFactsOf, readTrial, type TrialReading, type TrialRun } from '../../domain/measurement/trial.js';
import type { Metric, Trial } from '../../generated/prisma/client.js';
import { toDefinition, type MeasuredRun } from './measurements.queries.js';

export type Metrics = ReadonlyMap<string, Metric>;

/** What a trial says of how its arms are to be compared. */
export interface TrialSettings extends Pick<
  Trial,
  'variable' | 'guardrails' | 'threshold' | 'isSaidControl' | 'plannedRunsPerArm' | 'looks'
> {
  readonly primaryMetric: Metric;
  readonly override: Override | null;
}

/** The runs of both arms in the order of measurement. */
export interface MeasuredArms {
  readonly before: readonly MeasuredRun[];
  readonly after: readonly MeasuredRun[];
}

/** What a reviewer said over the differences of a trial. */
export function overrideOf(
  trial: Pick<Trial, 'overrideReason' | 'overriddenByName' | 'overriddenAt'>,
): Override | null {
  const { overrideReason: reason, overriddenByName: by, overriddenAt: at } = trial;
  return reason === null ? null : { reason, by: by ?? '', at: at?.toISOString() ?? '' };
}

/** The metrics that the arms observed, and the primary one, by key. */
export function metricsOf({ before, after }: MeasuredArms, primary: Metric): Metrics {
  const observed = [...before, ...after].flatMap(({ metrics }) => metrics);
  return new Map([...observed, primary].map((metric) => [metric.key, metric]));
}

/** Compares the arms of a stored trial. INVALID_INPUT where an arm lacks the primary metric. */
export function readArms(
  { primaryMetric, ...settings }: TrialSettings,
  arms: MeasuredArms,
  { tiers, words }: FactRules,
  noiseFloors: ReadonlyMap<string, NoiseFloor>,
): TrialReading {
  const inWords = storedFactsReader(words);
  const runsIn = (arm: readonly MeasuredRun[]) => arm.map(({ run }) => inNormalWords(run, inWords));
  const [before, after] = [runsIn(arms.before), runsIn(arms.after)];
  const metrics = metricsOf(arms, primaryMetric);
  const reading = readTrial({
    ...settings,
    before,
    after,
    primaryMetric: primaryMetric.key,
    metrics: new Map([...metrics].map(([key, metric]) => [key, toDefinition(metric)])),
    tiers,
    noiseFloors,
  });
  if (!reading) throw withoutPrimary(primaryMetric.key, before, after);
  return reading;
}

/** The environment and the workload that a noise floor is of: their facts, and one name for them. */
export interface NoiseContext {
  readonly key: string;
  /** The name that floors of versions which kept no facts have. */
  readonly exactKey: string;
  readonly facts: Facts;
}

/** Those of the runs of one arm. */
export function noiseContext(runs: readonly MeasuredRun[], { tiers, words }: FactRules): NoiseContext {
  const inWords = storedFactsReader(words);
  const own = runs.map(({ run }) => inNormalWords(run, inWords));
  return {
    key: contextKeyOf(own, tiers),
    exactKey: exactContextKeyOf(own, tiers),
    facts: noiseFactsOf(own, tiers),
  };
}

/** What to throw where the arms have no value of the primary metric in common: it says what they do have. */
function withoutPrimary(key: string, before: readonly TrialRun[], after: readonly TrialRun[]) {
  const observed = (runs: readonly TrialRun[]) =>
    [...new Set(runs.flatMap(({ observations }) => observations.map(({ metric }) => metric)))].sort();
  const [inBefore, inAfter] = [observed(before), observed(after)];
  return invalidInput(
    {
      en: `No value of "${key}" is in both arms. Before: ${inBefore.join(', ') || 'none'}. After: ${inAfter.join(', ') || 'none'}`,
      zh: `两组数据中没有共同的“${key}”。优化前：${inBefore.join('、') || '无'}；优化后：${inAfter.join('、') || '无'}`,
    },
    { metric: key, before: inBefore, after: inAfter },
  );
}

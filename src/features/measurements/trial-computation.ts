import { createHash } from 'node:crypto';
import { proofOf } from '../../domain/audit/proof.js';
import { invalidInput } from '../../domain/errors.js';
import type { MeasuredValue } from '../../domain/measurement/compare.js';
import type { DifferenceTier } from '../../domain/measurement/environment-diff.js';
import { noiseFloorOf, tellsNoise } from '../../domain/measurement/noise.js';
import {
  noiseContextOf,
  readTrial,
  type TrialComparison,
  type TrialReading,
  type TrialRun,
} from '../../domain/measurement/trial.js';
import type { Metric, Prisma, Trial } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { toJson } from '../../platform/database/json.js';
import { runsOfArm, toDefinition } from './measurements.queries.js';

/** Most values of an arm that are kept with a comparison. */
const SAMPLE_LIMIT = 1_000;

/**
 * Compares the arms of a trial and writes the result, the verdict and what it proves of the audit item, all in the
 * caller's transaction. INVALID_INPUT where an arm lacks the primary metric.
 */
export async function computeTrial(
  tx: Db,
  trial: Trial & { primaryMetric: Metric },
  tiers: ReadonlyMap<string, DifferenceTier>,
): Promise<TrialReading> {
  const before = await runsOfArm(tx, trial.id, 'BEFORE');
  const after = await runsOfArm(tx, trial.id, 'AFTER');
  const observed = [...before.metrics, ...after.metrics, trial.primaryMetric];
  const metrics = new Map(observed.map((metric) => [metric.key, metric]));
  const context = contextKey(before.runs, tiers);
  const reading = readTrial({
    before: before.runs,
    after: after.runs,
    variable: trial.variable,
    primaryMetric: trial.primaryMetric.key,
    guardrails: trial.guardrails,
    threshold: trial.threshold,
    isSaidControl: trial.isControl,
    metrics: new Map([...metrics].map(([key, metric]) => [key, toDefinition(metric)])),
    tiers,
    noiseFloors: await noiseFloors(tx, trial.projectId, context, metrics),
  });
  if (!reading) throw withoutPrimary(trial.primaryMetric.key, before.runs, after.runs);
  await saveComparisons(tx, { trialId: trial.id }, reading.comparisons, metrics);
  await tx.trial.update({ where: { id: trial.id }, data: { verdict: reading.verdict, isControl: reading.isControl } });
  const floor = floorOf(reading, trial.isControl);
  if (floor !== null) {
    const { projectId, primaryMetricId: metricId } = trial;
    await tx.noiseFloor.create({ data: { projectId, metricId, contextKey: context, ...floor } });
  }
  // An A/A run changed nothing, so it proves nothing of the item.
  if (!reading.isControl) {
    await tx.auditItem.update({
      where: { id: trial.auditItemId },
      data: { measuredProof: proofOf('APPLIED', reading) },
    });
  }
  return reading;
}

/** What to throw where the arms have no value of the primary metric in common: it says what they do have. */
export function withoutPrimary(key: string, before: readonly TrialRun[], after: readonly TrialRun[]) {
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

/** Writes what was compared as the newest computation of a trial, or of a reference note. */
export async function saveComparisons(
  tx: Db,
  of: { readonly trialId: string } | { readonly noteId: string },
  rows: readonly TrialComparison[],
  metrics: ReadonlyMap<string, Metric>,
): Promise<void> {
  const newest = await tx.comparison.aggregate({ where: of, _max: { computation: true } });
  const computation = { computation: (newest._max.computation ?? 0) + 1, computedAt: new Date() };
  await tx.comparison.createMany({ data: comparisonRows({ ...of, ...computation }, rows, metrics) });
}

/** The rows of one computation. */
export function comparisonRows(
  of: Pick<Prisma.ComparisonCreateManyInput, 'trialId' | 'noteId' | 'computation' | 'computedAt'>,
  rows: readonly TrialComparison[],
  metrics: ReadonlyMap<string, Metric>,
): Prisma.ComparisonCreateManyInput[] {
  return rows.flatMap((row, position): Prisma.ComparisonCreateManyInput[] => {
    const metric = metrics.get(row.metric);
    if (!metric) return [];
    const { warnings, differences, ...result } = row.result;
    return [
      {
        ...result,
        ...of,
        metricId: metric.id,
        role: row.role,
        dimensions: row.dimensions,
        seriesKey: row.seriesKey,
        position,
        adjustedP: row.adjustedP,
        warnings: warnings.map(toJson),
        differences: differences.map(toJson),
        samples: [...samplesOf('BEFORE', row.before), ...samplesOf('AFTER', row.after)],
      },
    ];
  });
}

function samplesOf(arm: 'BEFORE' | 'AFTER', values: readonly MeasuredValue[]): Prisma.InputJsonObject[] {
  return values.slice(0, SAMPLE_LIMIT).map((value) => toJson({ arm, ...value }));
}

/** Names the environment and the workload that a noise floor is of. */
export function contextKey(runs: readonly TrialRun[], tiers: ReadonlyMap<string, DifferenceTier>): string {
  return createHash('sha256').update(noiseContextOf(runs, tiers)).digest('hex');
}

/** The newest noise floor of each metric in this environment and workload. */
async function noiseFloors(
  tx: Db,
  projectId: string,
  context: string,
  metrics: ReadonlyMap<string, Metric>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.noiseFloor.findMany({
    where: { projectId, contextKey: context, metricId: { in: [...metrics.values()].map(({ id }) => id) } },
    include: { metric: true },
    orderBy: { id: 'asc' },
  });
  return new Map(rows.map(({ metric, value }) => [metric.key, value]));
}

/**
 * The noise floor that a trial tells of, and of how many values; null for none. It goes by what the caller said, not by
 * what was inferred: a wrong floor would hide changes of all trials to come.
 */
export function floorOf(
  reading: TrialReading,
  isSaidControl: boolean,
): { readonly value: number; readonly runCount: number } | null {
  if (!tellsNoise({ ...reading, isSaidControl })) return null;
  // Points of different dimensions have different values, so only a metric with one series tells the noise.
  const [row, ...others] = reading.comparisons.filter(({ role }) => role === 'PRIMARY');
  if (!row || others.length > 0) return null;
  const values = [...row.before, ...row.after].map(({ value }) => value);
  const value = noiseFloorOf(values);
  return value === null ? null : { value, runCount: values.length };
}

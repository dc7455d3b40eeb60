import { proofOf } from '../../domain/audit/proof.js';
import { digestOf } from '../../domain/content/digest.js';
import type { MeasuredValue } from '../../domain/measurement/compare.js';
import type { TrialComparison, TrialReading } from '../../domain/measurement/trial.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import type { Comparison, Metric, Prisma, Trial } from '../../generated/prisma/client.js';
import type { ComputationCause } from '../../generated/prisma/enums.js';
import type { Db } from '../../platform/database/database.js';
import { toJson } from '../../platform/database/json.js';
import { runsOfArm } from './measurements.queries.js';
import { floorOf, KnownFloors } from './noise-floors.js';
import { metricsOf, noiseContext, overrideOf, readArms, type Metrics } from './trial-reading.js';

/** Most values of an arm that are kept with a comparison. */
const SAMPLE_LIMIT = 1_000;

export type StoredTrial = Trial & { readonly primaryMetric: Metric };

/** What comparing the arms of a trial says, before it is written. */
export interface Computed {
  readonly reading: TrialReading;
  readonly metrics: Metrics;
}

/**
 * Compares the arms of a trial by its runs as they are linked, and writes the result, the verdict, and the noise floor that
 * an A/A run tells, all in the caller's transaction. INVALID_INPUT where an arm lacks the primary metric.
 */
export async function computeTrial(
  tx: Db,
  trial: StoredTrial,
  factRules: FactRules,
  cause: ComputationCause,
): Promise<TrialReading> {
  const arms = { before: await runsOfArm(tx, trial.id, 'BEFORE'), after: await runsOfArm(tx, trial.id, 'AFTER') };
  const metrics = metricsOf(arms, trial.primaryMetric);
  const context = noiseContext(arms.before, factRules);
  const known = await KnownFloors.of(tx, trial.projectId, factRules, metrics);
  const floors = known.in(context, metrics, trial.id);
  const reading = readArms({ ...trial, override: overrideOf(trial) }, arms, factRules, floors);
  await saveComputed(tx, trial, { reading, metrics }, cause);
  const floor = floorOf(reading, trial.isSaidControl);
  if (floor !== null) {
    const { projectId, primaryMetricId: metricId, id: trialId } = trial;
    const { key: contextKey, facts } = context;
    await tx.noiseFloor.create({ data: { projectId, metricId, contextKey, facts: toJson(facts), trialId, ...floor } });
  }
  return reading;
}

/** Writes a computation as the newest of its trial, and the verdict. */
export async function saveComputed(
  tx: Db,
  { id }: Pick<Trial, 'id'>,
  { reading, metrics }: Computed,
  cause: ComputationCause,
): Promise<void> {
  await saveComparisons(tx, { trialId: id }, reading.comparisons, metrics, cause);
  await tx.trial.update({ where: { id }, data: { verdict: reading.verdict, isControl: reading.isControl } });
}

/** What a trial that is the newest of its item proves of it; an A/A run changed nothing, so it proves nothing. */
export async function saveFirstProof(tx: Db, { auditItemId }: Trial, reading: TrialReading): Promise<void> {
  if (reading.isControl) return;
  await tx.auditItem.update({ where: { id: auditItemId }, data: { measuredProof: proofOf('APPLIED', reading) } });
}

/** Writes what was compared as the newest computation of a trial, or of a reference note. */
export async function saveComparisons(
  tx: Db,
  of: { readonly trialId: string } | { readonly noteId: string },
  rows: readonly TrialComparison[],
  metrics: Metrics,
  cause: ComputationCause,
): Promise<void> {
  const newest = await tx.comparison.aggregate({ where: of, _max: { computation: true } });
  const computation = { computation: (newest._max.computation ?? 0) + 1, computedAt: new Date(), cause };
  await tx.comparison.createMany({ data: comparisonRows({ ...of, ...computation }, rows, metrics) });
}

type Row = Prisma.ComparisonCreateManyInput;

/** The rows of one computation. */
export function comparisonRows(
  of: Pick<Row, 'trialId' | 'noteId' | 'computation' | 'computedAt' | 'cause'>,
  rows: readonly TrialComparison[],
  metrics: Metrics,
): Row[] {
  return rows.flatMap((row, position): Row[] => {
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

/** Whether a stored computation says the same by the same version of the method. */
export function isSameComputation(stored: readonly Comparison[], { reading, metrics }: Computed): boolean {
  const at = new Date(0);
  const made = comparisonRows({ trialId: null, computedAt: at }, reading.comparisons, metrics);
  if (made.length !== stored.length) return false;
  const byPosition = new Map(stored.map((row) => [row.position, row]));
  return made.every((row) => {
    const found = byPosition.get(row.position);
    if (!found) return false;
    const { id, trialId, noteId, computation, computedAt, cause, ...kept } = found;
    const { trialId: _, computedAt: __, ...own } = row;
    return digestOf(kept) === digestOf(own);
  });
}

function samplesOf(arm: 'BEFORE' | 'AFTER', values: readonly MeasuredValue[]): Prisma.InputJsonObject[] {
  return values.slice(0, SAMPLE_LIMIT).map((value) => toJson({ arm, ...value }));
}

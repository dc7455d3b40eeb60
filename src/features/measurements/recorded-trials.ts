import { proofOf, type Proof } from '../../domain/audit/proof.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import type { Metric, Prisma } from '../../generated/prisma/client.js';
import { batches } from '../../platform/database/batches.js';
import type { Db } from '../../platform/database/database.js';
import { measuredRuns, type MeasuredRun } from './measurements.queries.js';
import { floorOf, KnownFloors } from './noise-floors.js';
import { comparisonRows } from './trial-computation.js';
import { metricsOf, noiseContext, overrideOf, readArms } from './trial-reading.js';

/** A trial that was measured elsewhere, of runs that are in the project; without runs it is a plan. */
export interface RecordedTrialData extends Pick<
  Prisma.TrialUncheckedCreateInput,
  'auditItemId' | 'hypothesis' | 'isPaired' | 'sampling' | 'originId' | 'createdById' | 'createdAt'
> {
  readonly id: string;
  readonly primaryMetric: Metric;
  readonly threshold: number | null;
  readonly variable: string[];
  readonly guardrails: string[];
  /** Whether somebody said that nothing was changed; not where the arms tell it. */
  readonly isSaidControl: boolean;
  readonly plannedRunsPerArm: number | null;
  readonly looks: number;
  readonly overrideReason: string | null;
  readonly overriddenById: string | null;
  readonly overriddenByName: string | null;
  readonly overriddenAt: Date | null;
  /** Whether it measured all applied items together, so that it proves nothing of its own. */
  readonly isOfAll: boolean;
  readonly beforeRunIds: readonly string[];
  readonly afterRunIds: readonly string[];
  /** When it was computed where it was measured: a noise floor holds for what was computed behind it. */
  readonly computedAt: string | null;
}

/** What trials that were measured elsewhere say here, to be written behind their audit items. */
export interface ReadTrials {
  /** What the newest trial with a verdict proves of an audit item, by its id. */
  readonly proofs: ReadonlyMap<string, Proof | null>;
  readonly trials: readonly Prisma.TrialCreateManyInput[];
  readonly links: readonly Prisma.TrialRunCreateManyInput[];
  readonly comparisons: readonly Prisma.ComparisonCreateManyInput[];
  readonly floors: readonly Prisma.NoiseFloorCreateManyInput[];
}

interface ReadTrial {
  readonly trial: Prisma.TrialCreateManyInput;
  readonly comparisons: readonly Prisma.ComparisonCreateManyInput[];
  /** Null where it proves nothing of its item. */
  readonly proof: { readonly of: Proof | null } | null;
}

/**
 * Computes trials that were measured elsewhere anew, in the order in which they were computed there: verdicts, and what
 * they prove of their items, are our own. A noise floor that the project has stands; one that an A/A run among them tells
 * holds for those behind it. The number of statements does not grow with the trials. INVALID_INPUT where the arms of one
 * have no value in common.
 */
export async function readRecordedTrials(
  tx: Db,
  projectId: string,
  factRules: FactRules,
  given: readonly RecordedTrialData[],
): Promise<ReadTrials> {
  const runIds = new Set(given.flatMap(({ beforeRunIds, afterRunIds }) => [...beforeRunIds, ...afterRunIds]));
  const runs = await measuredRuns(tx, [...runIds]);
  const known = await KnownFloors.of(tx, projectId, factRules);
  const inOrder = [...given].sort((one, other) => inTime(one.computedAt, other.computedAt));
  const read = new Map(inOrder.map((trial) => [trial.id, readOne(projectId, trial, runs, known, factRules)]));
  const ofGiven = given.flatMap(({ id }) => read.get(id) ?? []);
  const proofs = new Map<string, Proof | null>();
  for (const { trial, proof } of ofGiven) if (proof) proofs.set(trial.auditItemId, proof.of);
  return {
    proofs,
    trials: ofGiven.map(({ trial }) => trial),
    links: given.flatMap(({ id: trialId, beforeRunIds, afterRunIds }) => [
      ...beforeRunIds.map((runId, order) => ({ trialId, runId, arm: 'BEFORE' as const, order })),
      ...afterRunIds.map((runId, order) => ({ trialId, runId, arm: 'AFTER' as const, order })),
    ]),
    comparisons: ofGiven.flatMap(({ comparisons }) => comparisons),
    floors: known.learned,
  };
}

/** Plans were never computed. Sorting is stable, so trials of one moment stay in their order. */
function inTime(one: string | null, other: string | null): number {
  return Date.parse(one ?? '1970-01-01') - Date.parse(other ?? '1970-01-01');
}

function readOne(
  projectId: string,
  { beforeRunIds, afterRunIds, isOfAll, primaryMetric, computedAt: _, ...data }: RecordedTrialData,
  runs: ReadonlyMap<string, MeasuredRun>,
  known: KnownFloors,
  factRules: FactRules,
): ReadTrial {
  const armOf = (ids: readonly string[]) => ids.flatMap((id) => runs.get(id) ?? []);
  const arms = { before: armOf(beforeRunIds), after: armOf(afterRunIds) };
  const trial = { ...data, projectId, primaryMetricId: primaryMetric.id, isControl: data.isSaidControl };
  if (arms.before.length === 0 || arms.after.length === 0) return { trial, comparisons: [], proof: null };
  const metrics = metricsOf(arms, primaryMetric);
  const context = noiseContext(arms.before, factRules);
  const override = overrideOf(data);
  const reading = readArms({ ...data, primaryMetric, override }, arms, factRules, known.in(context, metrics, data.id));
  known.learn(context, primaryMetric.id, data.id, floorOf(reading, data.isSaidControl));
  const computation = { trialId: data.id, computation: 1, computedAt: new Date(), cause: 'IMPORTED' as const };
  return {
    trial: { ...trial, verdict: reading.verdict, isControl: reading.isControl },
    comparisons: comparisonRows(computation, reading.comparisons, metrics),
    proof: reading.isControl || isOfAll ? null : { of: proofOf('APPLIED', reading) },
  };
}

/** Writes what was read, once the audit items are there. */
export async function insertRecordedTrials(tx: Db, { trials, links, comparisons, floors }: ReadTrials): Promise<void> {
  for (const data of batches(trials)) await tx.trial.createMany({ data });
  for (const data of batches(links)) await tx.trialRun.createMany({ data });
  for (const data of batches(comparisons)) await tx.comparison.createMany({ data });
  for (const data of batches(floors)) await tx.noiseFloor.createMany({ data });
}

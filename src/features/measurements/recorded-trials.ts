import { proofOf, type Proof } from '../../domain/audit/proof.js';
import type { DifferenceTier } from '../../domain/measurement/environment-diff.js';
import { readTrial, type TrialReading } from '../../domain/measurement/trial.js';
import type { Metric, Prisma } from '../../generated/prisma/client.js';
import { batches } from '../../platform/database/batches.js';
import type { Db } from '../../platform/database/database.js';
import { measuredRuns, toDefinition } from './measurements.queries.js';
import { comparisonRows, contextKey, floorOf, withoutPrimary } from './trial-computation.js';

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
  /** Whether it measured all applied items together, so that it proves nothing of its own. */
  readonly isOfAll: boolean;
  readonly beforeRunIds: readonly string[];
  readonly afterRunIds: readonly string[];
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

/**
 * Computes trials that were measured elsewhere anew, in their order: verdicts, and what they prove of their items, are
 * our own. A noise floor that the project has stands; one that an A/A run among them tells holds for those behind it. The
 * number of statements does not grow with the trials. INVALID_INPUT where the arms of one have no value in common.
 */
export async function readRecordedTrials(
  tx: Db,
  projectId: string,
  tiers: ReadonlyMap<string, DifferenceTier>,
  given: readonly RecordedTrialData[],
): Promise<ReadTrials> {
  const runIds = new Set(given.flatMap(({ beforeRunIds, afterRunIds }) => [...beforeRunIds, ...afterRunIds]));
  const runs = await measuredRuns(tx, [...runIds]);
  const known = await KnownFloors.of(tx, projectId);
  const computedAt = new Date();
  const proofs = new Map<string, Proof | null>();
  const read = given.map(({ beforeRunIds, afterRunIds, isSaidControl, isOfAll, primaryMetric, ...data }) => {
    const [before, after] = [beforeRunIds, afterRunIds].map((ids) => ids.flatMap((id) => runs.get(id) ?? []));
    const trial = { ...data, projectId, primaryMetricId: primaryMetric.id, isControl: isSaidControl };
    if (!before?.length || !after?.length) return { trial, comparisons: [] };
    const observed = [...before, ...after].flatMap(({ metrics }) => metrics);
    const metrics = new Map([...observed, primaryMetric].map((metric) => [metric.key, metric]));
    const arms = { before: before.map(({ run }) => run), after: after.map(({ run }) => run) };
    const context = contextKey(arms.before, tiers);
    const reading = readTrial({
      ...arms,
      variable: data.variable,
      primaryMetric: primaryMetric.key,
      guardrails: data.guardrails,
      threshold: data.threshold,
      isSaidControl,
      metrics: new Map([...metrics].map(([key, metric]) => [key, toDefinition(metric)])),
      tiers,
      noiseFloors: known.in(context, metrics),
    });
    if (!reading) throw withoutPrimary(primaryMetric.key, arms.before, arms.after);
    known.learn(context, primaryMetric.id, reading, isSaidControl);
    // An A/A run changed nothing, so it proves nothing of the item.
    if (!reading.isControl && !isOfAll) proofs.set(data.auditItemId, proofOf('APPLIED', reading));
    return {
      trial: { ...trial, verdict: reading.verdict, isControl: reading.isControl },
      comparisons: comparisonRows({ trialId: data.id, computation: 1, computedAt }, reading.comparisons, metrics),
    };
  });
  return {
    proofs,
    trials: read.map(({ trial }) => trial),
    links: given.flatMap(({ id: trialId, beforeRunIds, afterRunIds }) => [
      ...beforeRunIds.map((runId, order) => ({ trialId, runId, arm: 'BEFORE' as const, order })),
      ...afterRunIds.map((runId, order) => ({ trialId, runId, arm: 'AFTER' as const, order })),
    ]),
    comparisons: read.flatMap(({ comparisons }) => comparisons),
    floors: known.learned,
  };
}

/** Writes what was read, once the audit items are there. */
export async function insertRecordedTrials(tx: Db, { trials, links, comparisons, floors }: ReadTrials): Promise<void> {
  for (const data of batches(trials)) await tx.trial.createMany({ data });
  for (const data of batches(links)) await tx.trialRun.createMany({ data });
  for (const data of batches(comparisons)) await tx.comparison.createMany({ data });
  for (const data of batches(floors)) await tx.noiseFloor.createMany({ data });
}

/** The newest noise floors of a project, and what trials add to them. */
class KnownFloors {
  readonly learned: Prisma.NoiseFloorCreateManyInput[] = [];

  private constructor(
    private readonly projectId: string,
    private readonly values: Map<string, number>,
  ) {}

  static async of(tx: Db, projectId: string): Promise<KnownFloors> {
    const rows = await tx.noiseFloor.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
    return new KnownFloors(
      projectId,
      new Map(rows.map(({ contextKey: context, metricId, value }) => [`${context} ${metricId}`, value])),
    );
  }

  /** Those of one environment and workload, by the key of the metric. */
  in(context: string, metrics: ReadonlyMap<string, Metric>): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { id, key } of metrics.values()) {
      const value = this.values.get(`${context} ${id}`);
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  /** Keeps what an A/A run tells where nothing is known yet. */
  learn(context: string, metricId: string, reading: TrialReading, isSaidControl: boolean): void {
    const floor = floorOf(reading, isSaidControl);
    if (floor === null || this.values.has(`${context} ${metricId}`)) return;
    this.values.set(`${context} ${metricId}`, floor.value);
    this.learned.push({ projectId: this.projectId, metricId, contextKey: context, ...floor });
  }
}

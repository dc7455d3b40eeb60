import type { DifferenceTier } from '../../domain/measurement/environment-diff.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { computeTrial } from './trial-computation.js';

/** A trial that was measured elsewhere, of runs that are in the project; without runs it is a plan. */
export interface RecordedTrialData extends Pick<
  Prisma.TrialUncheckedCreateInput,
  | 'projectId'
  | 'auditItemId'
  | 'hypothesis'
  | 'primaryMetricId'
  | 'threshold'
  | 'isPaired'
  | 'sampling'
  | 'originId'
  | 'createdById'
  | 'createdAt'
> {
  readonly variable: string[];
  readonly guardrails: string[];
  /** Whether somebody said that nothing was changed; not where the arms tell it. */
  readonly isSaidControl: boolean;
  readonly beforeRunIds: readonly string[];
  readonly afterRunIds: readonly string[];
}

/**
 * Writes a trial that was measured elsewhere and computes it anew: its verdict, and what it proves of the item, are our
 * own. Its id. A noise floor that the project has stands.
 */
export async function insertRecordedTrial(
  tx: Db,
  tiers: ReadonlyMap<string, DifferenceTier>,
  { beforeRunIds, afterRunIds, isSaidControl, ...data }: RecordedTrialData,
): Promise<string> {
  const trial = await tx.trial.create({
    data: { ...data, isControl: isSaidControl },
    include: { primaryMetric: true },
  });
  const link = (arm: 'BEFORE' | 'AFTER') => (runId: string, order: number) => ({
    trialId: trial.id,
    runId,
    arm,
    order,
  });
  await tx.trialRun.createMany({ data: [...beforeRunIds.map(link('BEFORE')), ...afterRunIds.map(link('AFTER'))] });
  if (beforeRunIds.length + afterRunIds.length > 0) await computeTrial(tx, trial, tiers, 'FIRST');
  return trial.id;
}

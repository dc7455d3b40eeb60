import { z } from 'zod';
import type { Db } from '../../platform/database/database.js';
import type { ArmIds } from './trial-arms.js';
import type { NewTrial } from './trials.service.js';

/**
 * The oldest trial of an item that has the same runs in the same arms, or was made of them before it got more, and judges
 * them in the same way; null where there is none, and for a plan.
 */
export async function equalTrial(tx: Db, auditItemId: string, wanted: NewTrial): Promise<string | null> {
  const { beforeRunIds, afterRunIds, guardrails, variable, ...settings } = wanted;
  const [firstRun] = beforeRunIds;
  if (firstRun === undefined) return null;
  const found = await tx.trial.findMany({
    where: { auditItemId, ...settings, runs: { some: { runId: firstRun, arm: 'BEFORE' } } },
    include: { runs: { orderBy: { order: 'asc' } } },
    orderBy: { id: 'asc' },
  });
  for (const trial of found) {
    if (!isSameSet(trial.guardrails, guardrails) || !isSameSet(trial.variable, variable)) continue;
    const inArm = (arm: 'BEFORE' | 'AFTER') => trial.runs.filter((run) => run.arm === arm).map(({ runId }) => runId);
    const arms: ArmIds = { beforeRunIds: inArm('BEFORE'), afterRunIds: inArm('AFTER') };
    if (isSameArms(arms, wanted) || isSameArms(await firstArms(tx, trial.id, arms), wanted)) return trial.id;
  }
  return null;
}

const countsShape = z.object({ before: z.number(), after: z.number() });

/** The runs that a trial had before it was extended for the first time. */
async function firstArms(tx: Db, trialId: string, arms: ArmIds): Promise<ArmIds> {
  const extension = await tx.historyEntry.findFirst({
    where: { subject: 'trial', subjectId: trialId, field: 'extended' },
    orderBy: { id: 'asc' },
  });
  const counts = countsShape.safeParse(extension?.before).data;
  if (!counts) return arms;
  return {
    beforeRunIds: arms.beforeRunIds.slice(0, counts.before),
    afterRunIds: arms.afterRunIds.slice(0, counts.after),
  };
}

function isSameArms(one: ArmIds, other: ArmIds): boolean {
  return isSameSet(one.beforeRunIds, other.beforeRunIds) && isSameSet(one.afterRunIds, other.afterRunIds);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((entry) => second.has(entry));
}

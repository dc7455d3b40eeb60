import { proofOf } from '../../domain/audit/proof.js';
import { warningsShape } from '../../domain/measurement/stored.js';
import { weightOver } from '../../domain/measurement/trial.js';
import type { Db } from '../../platform/database/database.js';
import { tellsOfItem } from '../audits/audits.service.js';

/** Writes what the newest trial that tells of each item proves of it, by its newest computation; nothing where none does. */
export async function saveProofs(tx: Db, auditItemIds: readonly string[]): Promise<void> {
  const trials = await tx.trial.findMany({
    where: { auditItemId: { in: [...auditItemIds] }, ...tellsOfItem },
    orderBy: { id: 'asc' },
    select: { id: true, auditItemId: true, verdict: true },
  });
  const newest = new Map(trials.map((trial) => [trial.auditItemId, trial]));
  const comparisons = await tx.comparison.findMany({
    where: { trialId: { in: [...newest.values()].map(({ id }) => id) }, role: 'PRIMARY' },
    select: {
      trialId: true,
      computation: true,
      evidence: true,
      isConfounded: true,
      nBefore: true,
      nAfter: true,
      warnings: true,
    },
  });
  for (const id of auditItemIds) {
    const trial = newest.get(id);
    const ofTrial = comparisons.filter(({ trialId }) => trialId === trial?.id);
    const computation = Math.max(...ofTrial.map((one) => one.computation));
    const primary = ofTrial
      .filter((one) => one.computation === computation)
      .map((one) => ({ ...one, warnings: warningsShape.parse(one.warnings) }));
    const verdict = trial?.verdict ?? null;
    const isProven = verdict !== null && primary.length > 0;
    const measuredProof = isProven ? proofOf('APPLIED', { verdict, ...weightOver(primary) }) : null;
    await tx.auditItem.update({ where: { id }, data: { measuredProof } });
  }
}

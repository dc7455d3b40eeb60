import { proofOf } from '../../domain/audit/proof.js';
import { warningsShape } from '../../domain/measurement/stored.js';
import { weightOver } from '../../domain/measurement/trial.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { itemSubject, tellsOfItem } from '../audits/audits.service.js';

/**
 * Writes what the newest trial that tells of each item proves of it, by its newest computation; nothing where none does.
 * The history of an item says where that is another proof than before.
 */
export async function saveProofs(tx: Db, viewer: Viewer, auditItemIds: readonly string[]): Promise<void> {
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
    const item = await tx.auditItem.findUniqueOrThrow({ where: { id } });
    if (item.measuredProof === measuredProof) continue;
    await tx.auditItem.update({ where: { id }, data: { measuredProof } });
    await record(tx, viewer, [
      { ...itemSubject(item), field: 'proof', before: item.measuredProof, after: measuredProof },
    ]);
  }
}

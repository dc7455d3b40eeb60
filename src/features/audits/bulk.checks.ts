import { checkAssessment, checkTransition, type Assessment } from '../../domain/audit/transitions.js';
import { invalidInput } from '../../domain/errors.js';
import { optionalText } from '../../domain/text-limits.js';
import type { AuditItemPatch } from './audits.types.js';
import { inThePast } from './item-changes.js';

/**
 * Refuses a patch that no item can take, whatever is said of it: with the error that each item would be left out for. What
 * depends on the item is left to it.
 */
export function checkPatch(
  patch: AuditItemPatch,
  { requiresReview, auditId, now }: { readonly requiresReview: boolean; readonly auditId: string; readonly now: Date },
): void {
  const { addRemark, expiresAt, work } = patch;
  const added = optionalText(addRemark, 'addRemark');
  const given = Object.entries({ ...patch, addRemark: added ?? undefined }).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw nothingToChange();
  if (expiresAt && expiresAt <= now) throw inThePast(expiresAt);
  const best = mostFavorable(patch);
  checkAssessment(best);
  // With other fields an item that is DONE may take it, and a reviewer confirms
  if (work !== 'DONE' || given.length > 1) return;
  checkTransition({ ...best, work: 'TODO' }, best, {
    requiresReview,
    recheck: 'NONE',
    now,
    current: { auditId, requiresReview },
  });
}

/** The item that can take most: what the patch leaves alone is there already, as the patch needs it. */
function mostFavorable({ work, outcome, reasonCode, reason, expiresAt }: AuditItemPatch): Assessment {
  return {
    work: work ?? 'TODO',
    outcome: outcome === undefined ? 'DEFERRED' : (outcome ?? 'NOT_ASSESSED'),
    reasonCode: reasonCode === undefined ? 'OTHER' : reasonCode,
    reason: reason === undefined ? 'As before' : optionalText(reason, 'reason'),
    expiresAt: expiresAt ?? null,
  };
}

function nothingToChange() {
  return invalidInput(
    { en: 'patch is empty: name at least one field to change', zh: 'patch 为空：请至少给出一个要修改的字段' },
    { place: 'patch' },
  );
}

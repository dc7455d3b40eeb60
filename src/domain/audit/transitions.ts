import { conflict, invalidInput } from '../errors.js';

export type Work = 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE';
export type Outcome = 'NOT_ASSESSED' | 'ALREADY_IN_PLACE' | 'APPLIED' | 'REJECTED' | 'DEFERRED' | 'NOT_APPLICABLE';
export type ReasonCode =
  'OUT_OF_SCOPE' | 'CONSTRAINT' | 'TRIED_WITHOUT_GAIN' | 'TOO_RISKY' | 'TOO_COSTLY' | 'LATER' | 'OTHER';

/** What an audit says about an item, on both axes, with the reason for it and the date until which it holds. */
export interface Assessment {
  readonly work: Work;
  readonly outcome: Outcome;
  readonly reasonCode: ReasonCode | null;
  readonly reason: string | null;
  readonly expiresAt: Date | null;
}

/** Outcomes that nobody understands later without a reason. */
const needReason: ReadonlySet<Outcome> = new Set(['NOT_APPLICABLE', 'REJECTED']);

/** Outcomes that may hold until a date only. */
const mayExpire: ReadonlySet<Outcome> = new Set(['DEFERRED', 'REJECTED']);

/**
 * Checks an assessment as a whole. NOT_APPLICABLE and REJECTED need a reason, code and text; work is in review or done
 * only once there is an outcome; only DEFERRED and REJECTED can expire. INVALID_INPUT names what is missing.
 */
export function checkAssessment({ work, outcome, reasonCode, reason, expiresAt }: Assessment): void {
  if (needReason.has(outcome) && (reasonCode === null || reason === null)) {
    const missing = [reasonCode === null ? 'reasonCode' : null, reason === null ? 'reason' : null].filter(
      (name) => name !== null,
    );
    throw invalidInput(
      {
        en: `The outcome ${outcome} needs a reason: ${missing.join(' and ')} missing`,
        zh: `结论 ${outcome} 必须说明理由，缺少 ${missing.join(' 和 ')}`,
      },
      { outcome, missing },
    );
  }
  if ((work === 'DONE' || work === 'IN_REVIEW') && outcome === 'NOT_ASSESSED') {
    throw invalidInput(
      {
        en: `An item is ${work} only with an outcome other than NOT_ASSESSED`,
        zh: `条目须先有 NOT_ASSESSED 以外的结论才能标为 ${work}`,
      },
      { work, outcome },
    );
  }
  if (expiresAt !== null && !mayExpire.has(outcome)) {
    throw invalidInput(
      {
        en: `Only DEFERRED and REJECTED can expire, and the outcome is ${outcome}`,
        zh: `只有 DEFERRED 和 REJECTED 可以设到期日，而当前结论是 ${outcome}`,
      },
      { outcome, place: 'expiresAt' },
    );
  }
}

/** The date until which an outcome holds, once it is another one: a date of the old outcome says nothing of the new. */
export function expiryAfter(before: Assessment, outcome: Outcome): Date | null {
  return mayExpire.has(outcome) && outcome === before.outcome ? before.expiresAt : null;
}

/** Whether what was said of the item is another thing now, so that who accepted it has not seen it. */
export function isReassessed(before: Assessment, after: Assessment): boolean {
  return before.outcome !== after.outcome || before.reasonCode !== after.reasonCode || before.reason !== after.reason;
}

/**
 * What a change does with the re-check mark of an item: nothing, or it answers the mark, which is to assess again. A
 * reviewer who is not an author of what was accepted confirms it, so that it stays accepted.
 */
export type RecheckAnswer = 'NONE' | 'ASSESSED' | 'CONFIRMED';

export interface TransitionRules {
  readonly requiresReview: boolean;
  readonly recheck: RecheckAnswer;
  readonly now: Date;
  /** For the details of a CONFLICT. */
  readonly current: unknown;
}

/** Whether an accepted item would be another one than its reviewer saw. */
function isOtherThanAccepted(before: Assessment, after: Assessment, { recheck, now }: TransitionRules): boolean {
  if (recheck === 'ASSESSED' || isReassessed(before, after)) return true;
  if (before.expiresAt?.getTime() === after.expiresAt?.getTime()) return false;
  // Whoever confirms an outcome after its date means it without that date
  const isPast = before.expiresAt !== null && before.expiresAt <= now;
  return !(recheck === 'CONFIRMED' && isPast && after.expiresAt === null);
}

/**
 * Checks the way from one state to the next. What waits for a reviewer is DONE only by acceptance; where the audit
 * requires reviews nothing is DONE in another way, and what was accepted is not changed and left DONE. CONFLICT says how
 * to go on.
 */
export function checkTransition(before: Assessment, after: Assessment, rules: TransitionRules): void {
  const { requiresReview, current } = rules;
  if (after.work !== 'DONE') return;
  if (before.work === 'IN_REVIEW') {
    throw conflict(
      {
        en: 'This item waits for a review: acceptAuditItem makes it DONE, and IN_PROGRESS takes it back',
        zh: '该条目正在等待评审：由 acceptAuditItem 通过后才为 DONE，或改为 IN_PROGRESS 撤回',
      },
      { current },
    );
  }
  if (!requiresReview) return;
  if (before.work !== 'DONE') {
    throw conflict(
      {
        en: 'This audit requires a review: submit the item with IN_REVIEW, and another person accepts it',
        zh: '该审计要求评审：请以 IN_REVIEW 提交条目，由另一人通过',
      },
      { current },
    );
  }
  if (isOtherThanAccepted(before, after, rules)) {
    throw conflict(
      {
        en: 'Reviews are required here, so what is DONE stays as it is: take it back to IN_PROGRESS with the change, and submit it again',
        zh: '此处须经评审，DONE 的条目保持现状：请在修改的同时改为 IN_PROGRESS，再重新提交',
      },
      { current },
    );
  }
}

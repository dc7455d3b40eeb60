import { invalidInput } from '../errors.js';

export type Work = 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE';
export type Outcome = 'NOT_ASSESSED' | 'ALREADY_IN_PLACE' | 'APPLIED' | 'REJECTED' | 'DEFERRED' | 'NOT_APPLICABLE';
export type ReasonCode =
  'OUT_OF_SCOPE' | 'CONSTRAINT' | 'TRIED_WITHOUT_GAIN' | 'TOO_RISKY' | 'TOO_COSTLY' | 'LATER' | 'OTHER';

/** What an audit says about an item, on both axes, with the reason for it. */
export interface Assessment {
  readonly work: Work;
  readonly outcome: Outcome;
  readonly reasonCode: ReasonCode | null;
  readonly reason: string | null;
}

/** Outcomes that nobody understands later without a reason. */
const needReason: ReadonlySet<Outcome> = new Set(['NOT_APPLICABLE', 'REJECTED']);

/**
 * Checks an assessment as a whole. NOT_APPLICABLE and REJECTED need a reason, code and text; work is DONE only once
 * there is an outcome. INVALID_INPUT names what is missing.
 */
export function checkAssessment({ work, outcome, reasonCode, reason }: Assessment): void {
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
  if (work === 'DONE' && outcome === 'NOT_ASSESSED') {
    throw invalidInput(
      {
        en: 'An item is DONE only with an outcome other than NOT_ASSESSED',
        zh: '条目须先有 NOT_ASSESSED 以外的结论才能标为 DONE',
      },
      { work, outcome },
    );
  }
}

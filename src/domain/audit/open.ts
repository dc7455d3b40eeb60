import type { Applies } from '../applicability/evaluate.js';
import type { Outcome, Work } from './transitions.js';

/** What decides whether something is left to do for an item. */
export interface OpenWork {
  /** After a person's overruling. */
  readonly applies: Applies;
  readonly work: Work;
  readonly outcome: Outcome;
  readonly hasRecheck: boolean;
  /** Deferred to a date that is still to come. */
  readonly isPutOff: boolean;
}

/**
 * Whether something is left to do, for the plan and the portfolio alike: the result is to be looked at again, or the work
 * is not done and nothing is said yet, or it was deferred to no date or to one that is past. Never for what does not apply.
 */
export function isOpen({ applies, work, outcome, hasRecheck, isPutOff }: OpenWork): boolean {
  if (applies === 'NO') return false;
  if (hasRecheck) return true;
  if (work === 'DONE') return false;
  return outcome === 'NOT_ASSESSED' || (outcome === 'DEFERRED' && !isPutOff);
}

/** Whether it is deferred to a date after `now`. The portfolio asks the database the same. */
export function isPutOff(item: { readonly outcome: Outcome; readonly expiresAt: Date | null }, now: Date): boolean {
  return item.outcome === 'DEFERRED' && item.expiresAt !== null && item.expiresAt > now;
}

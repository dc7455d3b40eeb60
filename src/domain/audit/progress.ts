import type { Applies } from '../applicability/evaluate.js';
import type { Proof } from './proof.js';
import type { Outcome, Work } from './transitions.js';

/** How many items of an audit are alike in what progress looks at. */
export interface ItemCount {
  readonly applies: Applies;
  readonly overruled: Applies | null;
  readonly work: Work;
  readonly outcome: Outcome;
  readonly measuredProof: Proof | null;
  readonly hasRecheck: 'YES' | 'NO';
  readonly count: number;
}

/** What measurements say of an item: nothing unless it was applied, UNVERIFIED where no trial has a verdict. */
export const shownProof = (item: { outcome: Outcome; measuredProof: Proof | null }): Proof | null =>
  item.outcome === 'APPLIED' ? (item.measuredProof ?? 'UNVERIFIED') : null;

export interface Progress {
  readonly total: number;
  readonly applicable: number;
  readonly assessed: number;
  readonly done: number;
  readonly verified: number;
}

/** What counts: a person's word over the rule's. */
export const effectiveApplies = (item: { applies: Applies; overruled: Applies | null }): Applies =>
  item.overruled ?? item.applies;

/** Counts over all items: UNKNOWN counts as applicable, a re-check mark is not assessed. */
export function progressOf(counts: readonly ItemCount[]): Progress {
  const sum = (condition: (item: ItemCount) => boolean) =>
    counts.reduce((total, item) => total + (condition(item) ? item.count : 0), 0);
  const isApplicable = (item: ItemCount) => effectiveApplies(item) !== 'NO' && item.outcome !== 'NOT_APPLICABLE';
  return {
    total: sum(() => true),
    applicable: sum(isApplicable),
    assessed: sum((item) => isApplicable(item) && item.outcome !== 'NOT_ASSESSED' && item.hasRecheck === 'NO'),
    done: sum((item) => isApplicable(item) && item.work === 'DONE'),
    verified: sum((item) => isApplicable(item) && shownProof(item) === 'VERIFIED'),
  };
}

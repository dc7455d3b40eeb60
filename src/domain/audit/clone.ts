import type { Work } from './transitions.js';

/** What of an audit goes into its clone. */
export type CarriedPart = 'STATES' | 'REMARKS' | 'ASSIGNMENTS' | 'CUSTOM_ITEMS' | 'COMMENTS' | 'BREAKDOWN';

/**
 * How far the work on an item of a clone is. Nobody submitted or accepted anything there: what waited for a review is in
 * progress again, and where the audit requires reviews so is what was done.
 */
export function carriedWork(work: Work, { requiresReview }: { readonly requiresReview: boolean }): Work {
  if (work === 'IN_REVIEW') return 'IN_PROGRESS';
  return work === 'DONE' && requiresReview ? 'IN_PROGRESS' : work;
}

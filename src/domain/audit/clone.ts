import { cutToLength } from '../cut-text.js';
import { freeName } from '../free-name.js';
import { textIn, type Locale } from '../locale.js';
import { TEXT_LIMITS } from '../text-limits.js';
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

/**
 * What a clone is called where nobody says so: the title of the audit that it begins from, marked as a copy, with a number
 * where an audit of the project is called that. A long title is cut, so that the mark fits.
 */
export function cloneTitle(title: string, locale: Locale, taken: readonly string[]): string {
  return freeName((count) => {
    const mark = count === 1 ? { en: ' (copy)', zh: '（副本）' } : { en: ` (copy ${count})`, zh: `（副本 ${count}）` };
    const suffix = textIn(mark, locale);
    return `${cutToLength(title, TEXT_LIMITS.name - suffix.length).trimEnd()}${suffix}`;
  }, taken);
}

import { largestOf, medianOf, smallestOf } from '../measurement/order-statistics.js';
import { isOpen } from './open.js';
import { effectiveApplies, progressOf, shownProof, type ItemCount, type Progress } from './progress.js';

/** How many items are alike in what a portfolio looks at. */
export interface PortfolioItemCount extends ItemCount {
  /** Whether the date that it is due at has passed; of an item that is DONE it says nothing. */
  readonly isPastDue: 'YES' | 'NO';
  /** Whether it is deferred to a date that is still to come. */
  readonly isPutOff: 'YES' | 'NO';
}

/** What lies beside the progress in a portfolio. All of it but `open` counts applicable items only. */
export interface PortfolioCounts extends Progress {
  /** By outcome. */
  readonly applied: number;
  readonly rejected: number;
  readonly deferred: number;
  /** Of the applied ones, by what measurements say; with `verified` they add up to `applied`. */
  readonly indicated: number;
  readonly unverified: number;
  readonly regressed: number;
  /** With a re-check mark. */
  readonly stale: number;
  /** Those that a plan lists: `isOpen`. One that a person called not applicable is open once it has a re-check mark. */
  readonly open: number;
  /** In review, and not DONE though the date has passed. */
  readonly inReview: number;
  readonly overdue: number;
}

/** Counts for a portfolio. What is applicable is asked of `progressOf` alone, so that the two never disagree. */
export function portfolioCountsOf(counts: readonly PortfolioItemCount[]): PortfolioCounts {
  const applicable = (condition: (item: PortfolioItemCount) => boolean): number =>
    progressOf(counts.filter(condition)).applicable;
  const isLeft = (item: PortfolioItemCount): boolean =>
    isOpen({
      ...item,
      applies: effectiveApplies(item),
      hasRecheck: item.hasRecheck === 'YES',
      isPutOff: item.isPutOff === 'YES',
    });
  return {
    ...progressOf(counts),
    applied: applicable(({ outcome }) => outcome === 'APPLIED'),
    rejected: applicable(({ outcome }) => outcome === 'REJECTED'),
    deferred: applicable(({ outcome }) => outcome === 'DEFERRED'),
    indicated: applicable((item) => shownProof(item) === 'INDICATED'),
    unverified: applicable((item) => shownProof(item) === 'UNVERIFIED'),
    regressed: applicable((item) => shownProof(item) === 'REGRESSED'),
    stale: applicable(({ hasRecheck }) => hasRecheck === 'YES'),
    open: progressOf(counts.filter(isLeft)).total,
    inReview: applicable(({ work }) => work === 'IN_REVIEW'),
    overdue: applicable(({ work, isPastDue }) => work !== 'DONE' && isPastDue === 'YES'),
  };
}

/** The gain of one verified item on one metric, as a fraction: 0.07 is 7 % better. */
export interface VerifiedGain {
  readonly metricId: string;
  readonly gain: number;
}

export interface GainSummary {
  readonly metricId: string;
  readonly count: number;
  readonly medianGain: number;
  readonly minGain: number;
  readonly maxGain: number;
}

/** The gains metric by metric, those with the most items first; metrics with as many keep the order in which they come. */
export function gainSummariesOf(gains: readonly VerifiedGain[]): GainSummary[] {
  const byMetric = new Map<string, number[]>();
  for (const { metricId, gain } of gains) {
    const known = byMetric.get(metricId);
    if (known) known.push(gain);
    else byMetric.set(metricId, [gain]);
  }
  return [...byMetric]
    .map(([metricId, values]) => ({
      metricId,
      count: values.length,
      medianGain: medianOf(values),
      minGain: smallestOf(values),
      maxGain: largestOf(values),
    }))
    .sort((one, other) => other.count - one.count);
}

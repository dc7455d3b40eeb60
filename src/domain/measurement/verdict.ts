import type { Interval } from './order-statistics.js';

/** What a comparison says; `verdictOf` holds the rule. */
export type Verdict =
  'IMPROVED' | 'REGRESSED' | 'NO_MEANINGFUL_CHANGE' | 'INCONCLUSIVE' | 'NOT_COMPARABLE' | 'BLOCKED_BY_GUARDRAIL';

export type EvidenceLevel = 'EXACT' | 'PAIRED' | 'STATISTICAL' | 'SUMMARY' | 'INDICATIVE' | 'SINGLE_RUN' | 'NONE';

const strongestFirst: readonly EvidenceLevel[] = [
  'EXACT', 'PAIRED', 'STATISTICAL', 'SUMMARY', 'INDICATIVE', 'SINGLE_RUN', 'NONE',
]; // prettier-ignore

/** The weaker of the two levels: a cap never makes evidence stronger. */
export function cappedAt(evidence: EvidenceLevel, ceiling: EvidenceLevel): EvidenceLevel {
  return strongestFirst.indexOf(evidence) > strongestFirst.indexOf(ceiling) ? evidence : ceiling;
}

/** Logarithms of a change of exactly the threshold may round to either side of it. */
const ROUNDING = 1e-12;

/** True where a change is at least the limit. A limit of zero still asks for some change. */
export function reaches(shift: number, limit: number): boolean {
  return shift !== 0 && Math.abs(shift) >= limit - ROUNDING;
}

/** The verdict for a change that is known to be real: plus is better. */
export function directionOf(shift: number): 'IMPROVED' | 'REGRESSED' {
  return shift > 0 ? 'IMPROVED' : 'REGRESSED';
}

/** What an estimate with intervals shows, all on the scale of the test and with plus as better. */
export interface Shown {
  readonly shift: number;
  readonly interval95: Interval | null;
  readonly interval90: Interval | null;
  readonly limit: number;
}

/** "Not significant" alone is not "same": that takes a 90 % interval within the limits (two one-sided tests at 5 %). */
export function verdictOf({ shift, interval95, interval90, limit }: Shown): Verdict {
  if (interval95 && (interval95.low > 0 || interval95.high < 0) && reaches(shift, limit)) return directionOf(shift);
  if (interval90 && Math.max(-interval90.low, interval90.high) <= limit + ROUNDING) return 'NO_MEANINGFUL_CHANGE';
  return 'INCONCLUSIVE';
}

/** True where the whole 95 % interval lies beyond the limit, on the side of the verdict. */
export function isBeyond(verdict: Verdict, interval95: Interval | null, limit: number): boolean {
  if (!interval95) return false;
  if (verdict === 'IMPROVED') return interval95.low >= limit - ROUNDING;
  return verdict === 'REGRESSED' && interval95.high <= -limit + ROUNDING;
}

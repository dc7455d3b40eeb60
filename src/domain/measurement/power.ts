import { Z_800, normalUpperTail } from './distributions.js';
import { quantilesOfLook } from './looks.js';

/** Rank methods need 3/π of the values of a t test on normal noise (Hodges and Lehmann 1956). */
const RANK_EFFICIENCY = 3 / Math.PI;

/** More is said as "a thousand or more": the design, not the number of runs, has to change then. */
export const MOST_RUNS_TOLD = 1000;

/** Which test decides: of two arms of n runs, or of n pairs, at the first or a further look at the data. */
export interface TestDesign {
  readonly design: 'TWO_ARMS' | 'PAIRS';
  readonly look: number;
}

/** A change is told from zero; sameness is shown to lie within limits. */
export type Claim = 'change' | 'sameness';

/**
 * The smallest shift that the exact test of n = 4 … 12 runs an arm, or pairs, shows in 80 % of trials, in standard
 * deviations of one run, or of the difference of a pair; null where n is too small for the level of the look. It is the
 * 80 % quantile, over 200,000 seeded trials of normal noise each, of the shift beyond which the interval of the trial lies
 * above zero. `npm run bench:power` draws them again, power.spec.ts fewer. The normal formula alone is too small by up to
 * half: with 4 runs an arm it says 2.03 where the test needs 2.88.
 */
const shifts: Readonly<Record<string, readonly (number | null)[]>> = {
  'TWO_ARMS first change': [2.882, 2.315, 1.927, 1.774, 1.552, 1.508, 1.397, 1.304, 1.252],
  'TWO_ARMS first sameness': [2.396, 1.809, 1.624, 1.470, 1.405, 1.284, 1.220, 1.162, 1.105],
  'TWO_ARMS further change': [null, null, 3.291, 2.737, 2.507, 2.278, 2.081, 1.914, 1.818],
  'TWO_ARMS further sameness': [null, null, 2.871, 2.522, 2.222, 2.079, 1.942, 1.811, 1.695],
  'PAIRS first change': [null, null, 1.791, 1.332, 1.250, 1.148, 1.019, 0.991, 0.936],
  'PAIRS first sameness': [null, 1.710, 1.236, 1.162, 1.063, 0.933, 0.908, 0.862, 0.798],
  'PAIRS further change': [null, null, null, null, null, null, 2.011, 1.712, 1.492],
  'PAIRS further sameness': [null, null, null, null, null, 1.966, 1.663, 1.443, 1.339],
}; // prettier-ignore

/** All further looks have one level. */
const [firstLook, furtherLook] = [quantilesOfLook(1), quantilesOfLook(2)];

const FIRST_KEPT = 4;
const LAST_KEPT = 12;

/**
 * The shift that n runs an arm, or pairs, show with 80 % power. Beyond the counted sizes it is the normal formula
 * (z + 0.84) · √(f / n / (3/π)), f = 2 for two arms and 1 for pairs, and what that lacks at the last of them, which falls
 * as 1/n.
 */
export function shiftShown({ design, look }: TestDesign, claim: Claim, n: number): number | null {
  const kept = shifts[`${design} ${look <= 1 ? 'first' : 'further'} ${claim}`] ?? [];
  if (n <= LAST_KEPT) return kept[n - FIRST_KEPT] ?? null;
  const quantile = (look <= 1 ? firstLook : furtherLook)[claim];
  const byFormula = (size: number): number => (quantile + Z_800) * errorOf(design, size);
  const lacking = (kept[LAST_KEPT - FIRST_KEPT] ?? 0) / byFormula(LAST_KEPT) - 1;
  return byFormula(n) * (1 + (lacking * LAST_KEPT) / n);
}

/** The standard error of the estimate from n runs an arm, or pairs, of spread 1. */
function errorOf(design: TestDesign['design'], n: number): number {
  return Math.sqrt((design === 'PAIRS' ? 1 : 2) / n / RANK_EFFICIENCY);
}

/** The share of trials that do not show a shift; it is 20 % at `shiftShown`. */
function missedByTest(test: TestDesign, claim: Claim, n: number, shift: number): number {
  const shown = shiftShown(test, claim, n);
  return shown === null ? 1 : normalUpperTail(Z_800 + (shift - shown) / errorOf(test.design, n));
}

/** The share of trials whose estimate stays below the limit: half of them where the shift is the limit. */
export function missedByEstimate({ design }: TestDesign, n: number, shift: number, limit: number): number {
  return normalUpperTail((shift - limit) / errorOf(design, n));
}

/** The share of trials that may miss a change, for 80 % power; one of exactly that may round to either side of it. */
export const MOST_MISSED = 0.2 + 1e-9;

/**
 * Whether n runs an arm, or pairs, get a verdict on this shift in 80 % of trials: the test has to find it, and the estimate
 * to reach the limit. Trials that fail in one are likelier to fail in the other, so half of the rarer failure counts.
 */
export function showsChange(test: TestDesign, n: number, shift: number, limit: number): boolean {
  const missed = [missedByTest(test, 'change', n, shift), missedByEstimate(test, n, shift, limit)];
  return Math.max(...missed) + Math.min(...missed) / 2 <= MOST_MISSED;
}

/** Whether n runs an arm, or pairs, show in 80 % of trials that this shift lies within the limit, on both sides. */
export function showsSameness(test: TestDesign, n: number, shift: number, limit: number): boolean {
  const missed = [limit - shift, limit + shift].map((room) => missedByTest(test, 'sameness', n, room));
  return missed.reduce((sum, one) => sum + one, 0) <= MOST_MISSED;
}

/** The fewest runs an arm, or pairs, that are enough, as all more of them are; null where as many as are told are not. */
export function fewestThat(isEnough: (n: number) => boolean, fewest: number): number | null {
  if (!isEnough(MOST_RUNS_TOLD)) return null;
  let [low, high] = [fewest, MOST_RUNS_TOLD];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

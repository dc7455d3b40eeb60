import { invalidInput } from '../errors.js';
import { normalQuantile, normalUpperTail } from './distributions.js';
import { levelsOfLook } from './looks.js';
import { type Interval, at, intervalAt, middleOf, walshAverages } from './order-statistics.js';
import { LARGEST_EXACT, tailOf } from './rank-test.js';

export interface SignedRankTest {
  /** The smaller of the two rank sums. */
  readonly w: number;
  /** Two-sided. */
  readonly p: number;
  readonly isExact: boolean;
  /** One-sample Hodges–Lehmann: the median of the Walsh averages. */
  readonly shift: number;
  readonly interval95: Interval | null;
  readonly interval90: Interval | null;
}

/**
 * Wilcoxon signed-rank on paired differences, with the interval from order statistics of the Walsh averages (Hollander,
 * Wolfe and Chicken, 3.1 to 3.3). Zeros are left out of the test and kept in the estimate; equal sizes share their rank
 * and the distribution is counted for the ranks as they are. Throws INVALID_INPUT for an empty list.
 */
export function signedRankTest(differences: readonly number[], look = 1): SignedRankTest {
  if (differences.length === 0) {
    throw invalidInput({ en: 'A paired test needs at least one pair.', zh: '配对检验至少需要一对数据。' });
  }
  const { doubledRanks, doubledUp } = doubledRanksOf(differences);
  const doubledAll = doubledRanks.reduce((sum, rank) => sum + rank, 0);
  const doubledW = Math.min(doubledUp, doubledAll - doubledUp);
  const isExact = doubledRanks.length <= LARGEST_EXACT;
  const averages = walshAverages(differences);
  const { change, sameness } = levelsOfLook(look);
  return {
    w: doubledW / 2,
    p: isExact ? exactP(doubledW, doubledRanks) : approximateP(doubledW / 2, doubledRanks),
    isExact,
    shift: middleOf(averages),
    interval95: intervalAt(averages, signedCriticalRank(differences.length, change)),
    interval90: intervalAt(averages, signedCriticalRank(differences.length, sameness)),
  };
}

/** The rank from either end of the n(n + 1)/2 Walsh averages: the largest k with P(W ≤ k − 1) ≤ (1 − level) / 2. */
export function signedCriticalRank(n: number, level: number): number {
  const tail = tailOf(level);
  if (n > LARGEST_EXACT) {
    const z = normalQuantile(tail);
    return Math.max(0, Math.floor((n * (n + 1)) / 4 - z * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24) + 0.5));
  }
  const counts = subsetSums(Array.from({ length: n }, (_, index) => index + 1));
  let below = 0;
  let rank = 0;
  while (rank < counts.length) {
    below += at(counts, rank);
    if (below / 2 ** n > tail + 1e-12) break;
    rank += 1;
  }
  return rank;
}

/** The smallest two-sided p that n pairs can give: five cannot go below 0.0625. */
export function smallestSignedP(n: number): number {
  return Math.min(1, 2 / 2 ** n);
}

function exactP(doubledW: number, doubledRanks: readonly number[]): number {
  const counts = subsetSums(doubledRanks);
  let below = 0;
  for (let sum = 0; sum <= doubledW; sum += 1) below += at(counts, sum);
  return Math.min(1, (2 * below) / 2 ** doubledRanks.length);
}

/** With tie correction (shared ranks have smaller squares) and continuity correction. */
function approximateP(w: number, doubledRanks: readonly number[]): number {
  const mean = doubledRanks.reduce((sum, rank) => sum + rank, 0) / 4;
  const variance = doubledRanks.reduce((sum, rank) => sum + rank * rank, 0) / 16;
  return Math.min(1, 2 * normalUpperTail((mean - w - 0.5) / Math.sqrt(variance)));
}

/** Twice the ranks of the sizes, so that shared ranks are whole, and twice the sum of those that went up. */
function doubledRanksOf(differences: readonly number[]) {
  const sorted = differences.filter((value) => value !== 0).sort((a, b) => Math.abs(a) - Math.abs(b));
  const sizes = sorted.map(Math.abs);
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  sizes.forEach((size, index) => {
    if (!first.has(size)) first.set(size, index);
    last.set(size, index);
  });
  const doubledRanks = sizes.map((size) => (first.get(size) ?? 0) + (last.get(size) ?? 0) + 2);
  const doubledUp = doubledRanks.reduce((sum, rank, index) => sum + (at(sorted, index) > 0 ? rank : 0), 0);
  return { doubledRanks, doubledUp };
}

/** How many subsets of the ranks have each sum. */
function subsetSums(ranks: readonly number[]): Float64Array {
  const counts = new Float64Array(ranks.reduce((sum, rank) => sum + rank, 0) + 1);
  counts[0] = 1;
  for (const rank of ranks) {
    for (let sum = counts.length - 1; sum >= rank; sum -= 1) counts[sum] = at(counts, sum) + at(counts, sum - rank);
  }
  return counts;
}

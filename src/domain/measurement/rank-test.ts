import { invalidInput } from '../errors.js';
import { normalQuantile, normalUpperTail } from './distributions.js';
import { levelsOfLook } from './looks.js';
import { type Interval, at, intervalAt, middleOf, pairwiseDifferences } from './order-statistics.js';

/** Arms up to this size get the exact distribution, larger ones the normal approximation. */
export const LARGEST_EXACT = 50;

export interface RankTest {
  /** Pairs in which the after value is larger, ties counted half. */
  readonly u: number;
  /** Two-sided. */
  readonly p: number;
  readonly isExact: boolean;
  /** Hodges–Lehmann: the median of all differences after − before. */
  readonly shift: number;
  /** Of 95 % and 90 %; of a further look those that keep these levels over all looks. */
  readonly interval95: Interval | null;
  readonly interval90: Interval | null;
}

/**
 * Mann–Whitney with the Hodges–Lehmann shift and its interval from order statistics of the pairwise differences
 * (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 4.1 to 4.3). Throws INVALID_INPUT for an empty arm.
 */
export function rankTest(before: readonly number[], after: readonly number[], look = 1): RankTest {
  if (before.length === 0 || after.length === 0) {
    throw invalidInput(
      { en: 'A rank test needs at least one value in each arm.', zh: '秩检验要求每组至少有一个值。' },
      { before: before.length, after: after.length },
    );
  }
  const { ranks, tieTerm } = ranksOf([...before, ...after]);
  const [m, n] = [before.length, after.length];
  const sumBefore = ranks.slice(0, m).reduce((sum, rank) => sum + rank, 0);
  const differences = pairwiseDifferences(before, after);
  const { change, sameness } = levelsOfLook(look);
  return {
    u: m * n + (m * (m + 1)) / 2 - sumBefore,
    p: rankP(sumBefore, m, n, tieTerm),
    isExact: isExact(m, n, tieTerm),
    shift: middleOf(differences),
    interval95: intervalAt(differences, criticalRank(m, n, change)),
    interval90: intervalAt(differences, criticalRank(m, n, sameness)),
  };
}

/**
 * The rank k from either end of the m·n differences that bounds the interval: the largest k with
 * P(U ≤ k − 1) ≤ (1 − level) / 2. 0 where even the whole range does not reach the level.
 */
export function criticalRank(m: number, n: number, level: number): number {
  const tail = tailOf(level);
  if (Math.max(m, n) > LARGEST_EXACT) {
    const z = normalQuantile(tail);
    return Math.max(0, Math.floor((m * n) / 2 - z * Math.sqrt((m * n * (m + n + 1)) / 12) + 0.5));
  }
  const tails = lowerTails(m, n);
  let rank = 0;
  while (rank < tails.length && at(tails, rank) <= tail + 1e-12) rank += 1;
  return rank;
}

/** What an interval of this level leaves on either side, without the noise of floating point. */
export function tailOf(level: number): number {
  return Number(((1 - level) / 2).toPrecision(12));
}

/** The smallest two-sided p that arms of this size can give: 2 / C(m + n, m). */
export function smallestP(m: number, n: number): number {
  return Math.min(1, 2 / combinations(m + n, m));
}

function exactP(u: number, m: number, n: number): number {
  return Math.min(1, 2 * at(lowerTails(m, n), Math.min(u, m * n - u)));
}

/** With tie correction and continuity correction; never below what arms of this size can give at all. */
function approximateP(u: number, m: number, n: number, tieTerm: number): number {
  const total = m + n;
  const variance = ((m * n) / 12) * (total + 1 - tieTerm / (total * (total - 1)));
  if (variance <= 0) return 1;
  const distance = Math.max(u, m * n - u) - (m * n) / 2 - 0.5;
  return Math.min(1, Math.max(smallestP(m, n), 2 * normalUpperTail(distance / Math.sqrt(variance))));
}

/** The places of values among all of both arms, from 1; equal values share the middle of theirs. */
export interface Ranks {
  readonly ranks: readonly number[];
  /** Σ(t³ − t) over the groups of equal values. */
  readonly tieTerm: number;
}

export function ranksOf(values: readonly number[]): Ranks {
  const order = [...values.keys()].sort((a, b) => at(values, a) - at(values, b));
  const ranks = new Array<number>(values.length).fill(0);
  let tieTerm = 0;
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end < order.length && at(values, order[end] ?? 0) === at(values, order[start] ?? 0)) end += 1;
    for (const index of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    tieTerm += (end - start) ** 3 - (end - start);
    start = end;
  }
  return { ranks, tieTerm };
}

/** The two-sided p of Mann–Whitney, where the ranks of the first m of m + n values have this sum. */
export function rankP(sumOfFirst: number, m: number, n: number, tieTerm: number): number {
  const u = m * n + (m * (m + 1)) / 2 - sumOfFirst;
  return isExact(m, n, tieTerm) ? exactP(u, m, n) : approximateP(u, m, n, tieTerm);
}

function isExact(m: number, n: number, tieTerm: number): boolean {
  return tieTerm === 0 && Math.max(m, n) <= LARGEST_EXACT;
}

const tailsByArms = new Map<string, Float64Array>();

/** P(U ≤ u) without ties for u = 0 … ⌊mn/2⌋. The same arms give the same numbers, so they are counted once. */
function lowerTails(m: number, n: number): Float64Array {
  const key = `${Math.min(m, n)}:${Math.max(m, n)}`;
  let tails = tailsByArms.get(key);
  if (!tails) tailsByArms.set(key, (tails = countTails(Math.min(m, n), Math.max(m, n))));
  return tails;
}

/** The arrangements with U = u are the partitions of u into at most m parts, none above n: dynamic programming. */
function countTails(m: number, n: number): Float64Array {
  const half = Math.floor((m * n) / 2);
  const ways = Array.from({ length: m + 1 }, () => new Float64Array(half + 1));
  const none = ways[0];
  if (none) none[0] = 1;
  for (let part = 1; part <= n; part += 1) {
    for (let parts = 1; parts <= m; parts += 1) {
      const fewer = ways[parts - 1] ?? new Float64Array(half + 1);
      const these = ways[parts] ?? new Float64Array(half + 1);
      for (let sum = part; sum <= half; sum += 1) these[sum] = at(these, sum) + at(fewer, sum - part);
    }
  }
  const all = combinations(m + n, m);
  const tails = new Float64Array(half + 1);
  let count = 0;
  for (let sum = 0; sum <= half; sum += 1) {
    for (const row of ways) count += at(row, sum);
    tails[sum] = count / all;
  }
  return tails;
}

/** In how many ways `chosen` of `total` can be chosen. */
export function combinations(total: number, chosen: number): number {
  let result = 1;
  for (let index = 1; index <= chosen; index += 1) result = (result * (total - chosen + index)) / index;
  return result;
}

import { invalidInput } from '../errors.js';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const LOWEST = Number.NEGATIVE_INFINITY;
const HIGHEST = Number.POSITIVE_INFINITY;

export function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

/** Reads a place that is known to exist. */
export function at(values: ArrayLike<number>, index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`No value at ${index} of ${values.length}`);
  return value;
}

/** The smallest value, infinite for none. Math.min would take a large list as arguments, which overflow the stack. */
export function smallestOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), HIGHEST);
}

/** The largest value, minus infinite for none. */
export function largestOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), LOWEST);
}

/** The middle value, or the mean of the middle two. Throws INVALID_INPUT when there is none. */
export function medianOf(values: readonly number[]): number {
  if (values.length === 0) {
    throw invalidInput({ en: 'A median needs at least one value.', zh: '计算中位数至少需要一个值。' });
  }
  const sorted = ascending(values);
  return (at(sorted, (sorted.length - 1) >> 1) + at(sorted, sorted.length >> 1)) / 2;
}

/**
 * A list of no more than `limit` items (two or more): those at places of even distance, the first and the last among
 * them. Of a sorted list it keeps the distribution.
 */
export function evenlyThinned<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  const step = (items.length - 1) / (limit - 1);
  return Array.from({ length: limit }, (_, index) => items[Math.round(index * step)]).filter(
    (item) => item !== undefined,
  );
}

/** Mean and standard deviation with n − 1; the deviation is null for a single value. */
export function momentsOf(values: readonly number[]): { readonly mean: number; readonly sd: number | null } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, sd: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}

/** A sorted list that is never written down: all pairwise differences, or all Walsh averages. */
export interface PairwiseList {
  readonly length: number;
  /** The value at a rank, from 1. */
  nth(rank: number): number;
}

/** All after − before. */
export function pairwiseDifferences(before: readonly number[], after: readonly number[]): PairwiseList {
  const low = ascending(before);
  const high = ascending(after);
  const smallest = at(high, 0) - at(low, low.length - 1);
  const largest = at(high, high.length - 1) - at(low, 0);
  return {
    length: low.length * high.length,
    nth: (rank) => select(rank, smallest, largest, (pivot) => splitDifferences(low, high, pivot)),
  };
}

/** All (d[i] + d[j]) / 2 with i ≤ j. */
export function walshAverages(values: readonly number[]): PairwiseList {
  const sorted = ascending(values);
  const count = sorted.length;
  return {
    length: (count * (count + 1)) / 2,
    nth: (rank) => select(rank, at(sorted, 0), at(sorted, count - 1), (pivot) => splitAverages(sorted, pivot)),
  };
}

/** The median of a pairwise list: the Hodges–Lehmann estimate. */
export function middleOf(list: PairwiseList): number {
  const lower = list.nth((list.length + 1) >> 1);
  return list.length % 2 === 1 ? lower : (lower + list.nth(list.length / 2 + 1)) / 2;
}

/** The values `rank` places from either end; null for rank 0, where the level cannot be reached. */
export function intervalAt(list: PairwiseList, rank: number): Interval | null {
  if (rank < 1) return null;
  return { low: list.nth(rank), high: list.nth(list.length + 1 - rank) };
}

interface Split {
  readonly atMost: number;
  /** The largest value not above the pivot. */
  readonly below: number;
  /** The smallest value above the pivot. */
  readonly above: number;
}

/** Bisection that snaps to values of the list: exact, and 10,000 values an arm need no list of 100 million. */
function select(rank: number, smallest: number, largest: number, split: (pivot: number) => Split): number {
  let low = smallest;
  let high = largest;
  while (low < high) {
    const middle = low + (high - low) / 2;
    const { atMost, below, above } = split(middle < high ? middle : low);
    if (atMost >= rank) high = below;
    else low = above;
  }
  return low;
}

// The loops below run some hundred times per comparison: plain comparisons are much cheaper here than Math.max.

function splitDifferences(before: Float64Array, after: Float64Array, pivot: number): Split {
  let atMost = 0;
  let below = LOWEST;
  let above = HIGHEST;
  let first = 0;
  for (const value of after) {
    while (first < before.length && value - at(before, first) > pivot) first += 1;
    atMost += before.length - first;
    if (first < before.length) {
      const fitting = value - at(before, first);
      if (fitting > below) below = fitting;
    }
    if (first > 0) {
      const exceeding = value - at(before, first - 1);
      if (exceeding < above) above = exceeding;
    }
  }
  return { atMost, below, above };
}

function splitAverages(sorted: Float64Array, pivot: number): Split {
  let atMost = 0;
  let below = LOWEST;
  let above = HIGHEST;
  let last = sorted.length - 1;
  for (let index = 0; index < sorted.length; index += 1) {
    const value = at(sorted, index);
    while (last >= index && (value + at(sorted, last)) / 2 > pivot) last -= 1;
    if (last + 1 < sorted.length) {
      const exceeding = (value + at(sorted, last < index ? index : last + 1)) / 2;
      if (exceeding < above) above = exceeding;
    }
    if (last < index) break;
    atMost += last - index + 1;
    const fitting = (value + at(sorted, last)) / 2;
    if (fitting > below) below = fitting;
  }
  return { atMost, below, above };
}

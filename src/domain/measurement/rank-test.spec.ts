import { describe, expect, it } from '@jest/globals';
import { ascending, middleOf, pairwiseDifferences, walshAverages } from './order-statistics.js';
import { criticalRank, rankTest } from './rank-test.js';
import { signedCriticalRank, signedRankTest } from './signed-rank.js';

/** A small linear congruence: the same numbers in every run. */
function numbersFrom(seed: number, count: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state % 1000) / 100;
  });
}

describe('pairwise lists', () => {
  it.each([1, 2, 7, 30])('gives each rank of the sorted differences without writing them down: seed %i', (seed) => {
    const [before, after] = [numbersFrom(seed, 7), numbersFrom(seed + 100, 5)];
    const written = ascending(after.flatMap((value) => before.map((other) => value - other)));
    const list = pairwiseDifferences(before, after);
    expect(list.length).toBe(35);
    expect(Array.from(written, (_, index) => list.nth(index + 1))).toEqual([...written]);
  });

  it.each([1, 2, 7, 30])('gives each rank of the sorted Walsh averages: seed %i', (seed) => {
    const values = numbersFrom(seed, 8).map((value) => value - 5);
    const written = ascending(
      values.flatMap((value, index) => values.slice(index).map((other) => (value + other) / 2)),
    );
    const list = walshAverages(values);
    expect(list.length).toBe(36);
    expect(Array.from(written, (_, index) => list.nth(index + 1))).toEqual([...written]);
  });

  it('takes 10,000 values an arm', () => {
    const before = Array.from({ length: 10_000 }, (_, index) => index);
    expect(
      middleOf(
        pairwiseDifferences(
          before,
          before.map((value) => value + 3),
        ),
      ),
    ).toBe(3);
  });
});

describe('rank test', () => {
  it('calls equal values no evidence at all', () => {
    const test = rankTest([5, 5, 5, 5], [5, 5, 5, 5]);
    expect(test).toMatchObject({ p: 1, shift: 0, interval95: { low: 0, high: 0 }, isExact: false });
  });

  it('answers null where the level cannot be reached', () => {
    expect(rankTest([1, 2, 3], [4, 5, 6]).interval95).toBeNull();
    expect(rankTest([1, 2, 3], [4, 5, 6]).interval90).toEqual({ low: 1, high: 5 });
  });

  it('refuses an empty arm', () => {
    expect(() => rankTest([], [1])).toThrow('at least one value');
  });

  it('mirrors when the arms are swapped', () => {
    const [before, after] = [numbersFrom(3, 9), numbersFrom(4, 6)];
    const one = rankTest(before, after);
    const other = rankTest(after, before);
    expect(other.p).toBe(one.p);
    expect(other.shift).toBe(-one.shift);
    expect(other.interval95).toEqual({ low: -(one.interval95?.high ?? NaN), high: -(one.interval95?.low ?? NaN) });
  });

  it('passes from the exact rank to the approximate one without a jump', () => {
    expect(criticalRank(50, 50, 0.95)).toBe(966);
    expect(criticalRank(51, 51, 0.95)).toBe(1008);
  });
});

describe('signed-rank test', () => {
  it('leaves zeros out of the test and shares ranks between equal sizes', () => {
    const test = signedRankTest([0, 1, 1, 1, -1]);
    expect(test.w).toBe(2.5);
    // of the 16 ways to sign four equal ranks, 5 have at most one minus
    expect(test.p).toBe(0.625);
  });

  it('calls no difference at all p = 1', () => {
    expect(signedRankTest([0, 0, 0, 0, 0, 0])).toMatchObject({ p: 1, w: 0, shift: 0 });
  });

  it('passes from the exact rank to the approximate one without a jump', () => {
    expect(signedCriticalRank(50, 0.95)).toBe(435);
    expect(signedCriticalRank(51, 0.95)).toBe(454);
  });

  it('refuses an empty list', () => {
    expect(() => signedRankTest([])).toThrow('at least one pair');
  });
});

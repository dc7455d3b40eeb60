import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { studentTwoSidedP } from './distributions.js';
import { holm } from './holm.js';
import { medianOf } from './order-statistics.js';
import { criticalRank, rankTest, smallestP } from './rank-test.js';
import { signedCriticalRank, signedRankTest, smallestSignedP } from './signed-rank.js';
import { welchOnLogs } from './welch.js';

// Numbers of an independent implementation (SciPy, NumPy); intervals are on after minus before, in logarithms.

type Bounds = readonly [number, number] | null;
interface TwoArms {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly p: number;
  readonly hodgesLehmannLog: number;
  readonly interval95Log: Bounds;
  readonly interval90Log: Bounds;
}
interface Summary {
  readonly mean: number;
  readonly sd: number;
  readonly n: number;
}
interface Reference {
  readonly twoSample: readonly (TwoArms & {
    readonly ties: boolean;
    readonly u: number;
    readonly ratio: number;
    readonly medianBefore: number;
    readonly medianAfter: number;
  })[];
  readonly paired: readonly (TwoArms & { readonly w: number })[];
  readonly holm: readonly { readonly p: readonly number[]; readonly adjusted: readonly number[] }[];
  readonly welchLog: readonly {
    readonly before: Summary;
    readonly after: Summary;
    readonly shiftLog: number;
    readonly df: number;
    readonly interval95Log: readonly [number, number];
    readonly p: number;
  }[];
  readonly mannWhitneyRanks: readonly { m: number; n: number; k95: number; k90: number; minP: number }[];
  readonly signedRankRanks: readonly { n: number; k95: number; k90: number; minP: number }[];
}

const file = new URL('../../../test/fixtures/comparison/reference.json', import.meta.url);
const reference: Reference = JSON.parse(readFileSync(file, 'utf8'));

const logs = (values: readonly number[]): number[] => values.map(Math.log);

function expectClose(actual: number | null, expected: number, relative = 1e-9): void {
  expect(actual).not.toBeNull();
  expect(Math.abs((actual ?? NaN) - expected)).toBeLessThanOrEqual(Math.max(relative * Math.abs(expected), 1e-15));
}

function expectInterval(actual: { low: number; high: number } | null, expected: Bounds): void {
  if (expected === null) {
    expect(actual).toBeNull();
    return;
  }
  expectClose(actual?.low ?? null, expected[0]);
  expectClose(actual?.high ?? null, expected[1]);
}

describe('reference numbers', () => {
  it.each(reference.twoSample.map((example) => [example.before.length, example.after.length, example] as const))(
    'agrees on two arms of %i and %i values',
    (m, n, example) => {
      const test = rankTest(logs(example.before), logs(example.after));
      expect(test.u).toBe(example.u);
      expectClose(test.shift, example.hodgesLehmannLog);
      expectClose(Math.exp(test.shift), example.ratio);
      expectInterval(test.interval95, example.interval95Log);
      expectInterval(test.interval90, example.interval90Log);
      expectClose(medianOf(example.before), example.medianBefore);
      expectClose(medianOf(example.after), example.medianAfter);
      expect(test.isExact).toBe(!example.ties && Math.max(m, n) <= 50);
      // beyond 50 values the reference is still exact, and ours is the normal approximation
      if (Math.max(m, n) > 50) expect(Math.abs(test.p - example.p)).toBeLessThan(1e-5);
      else expectClose(test.p, example.p);
    },
  );

  it.each(reference.paired.map((example) => [example.before.length, example] as const))(
    'agrees on %i pairs',
    (_, example) => {
      const after = logs(example.after);
      const test = signedRankTest(logs(example.before).map((value, index) => (after[index] ?? NaN) - value));
      expect(test.w).toBe(example.w);
      expectClose(test.p, example.p);
      expectClose(test.shift, example.hodgesLehmannLog);
      expectInterval(test.interval95, example.interval95Log);
      expectInterval(test.interval90, example.interval90Log);
    },
  );

  it.each(reference.holm)('agrees on the Holm correction of $p', ({ p, adjusted }) => {
    const ours = holm(p);
    expect(ours).toHaveLength(adjusted.length);
    adjusted.forEach((value, index) => expectClose(ours[index] ?? null, value));
  });

  it.each(reference.welchLog)('agrees on Welch for $before and $after', (example) => {
    const test = welchOnLogs(example.before, example.after);
    expectClose(test.shift, example.shiftLog);
    expectClose(test.df, example.df);
    expectClose(test.p, example.p);
    expectInterval(test.interval95, example.interval95Log);
  });

  it.each(reference.mannWhitneyRanks)('agrees on the ranks of the interval for arms of $m and $n', (example) => {
    expect(criticalRank(example.m, example.n, 0.95)).toBe(example.k95);
    expect(criticalRank(example.n, example.m, 0.9)).toBe(example.k90);
    expectClose(smallestP(example.m, example.n), example.minP);
  });

  it.each(reference.signedRankRanks)('agrees on the ranks of the interval for $n pairs', (example) => {
    expect(signedCriticalRank(example.n, 0.95)).toBe(example.k95);
    expect(signedCriticalRank(example.n, 0.9)).toBe(example.k90);
    expectClose(smallestSignedP(example.n), example.minP);
  });
});

describe('check values of the specification', () => {
  it('gives p = 2 / C(8, 4) for four and four separated values', () => {
    expect(rankTest([1, 2, 3, 4], [5, 6, 7, 8]).p).toBeCloseTo(2 / 70, 15);
  });

  it('gives p = 0.0079 for five and five separated values', () => {
    expect(rankTest([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]).p).toBeCloseTo(2 / 252, 15);
  });

  it('cannot go below 0.0625 with five pairs', () => {
    expect(signedRankTest([1, 2, 3, 4, 5]).p).toBe(0.0625);
    expect(signedRankTest([1, 2, 3, 4, 5]).interval95).toBeNull();
  });

  it('gives the tabulated t of 2.776 at 5 % for 4 degrees of freedom', () => {
    expect(studentTwoSidedP(2.7764451051977987, 4)).toBeCloseTo(0.05, 12);
  });
});

import { describe, expect, it } from '@jest/globals';
import { cells, samplingError, verdictShares, type Truth } from '../../../test/support/simulated-trials.js';

// Simulated runs with a known truth. The seeds are fixed, so each rate is a number that does not change. The same cells
// with many more trials: npm run bench:verdicts.

const REPETITIONS = 300;

/** Large arms take long, and the long simulation has them. */
const short = cells.filter(({ truth: { looks } }) => looks.every((arms) => Math.max(...arms) <= 20));

const truth = {
  design: 'RANK',
  looks: [[8, 8]],
  noise: 0.02,
  dips: 0.05,
  change: 0,
  smallestEffect: 0.02,
  floorOf: null,
  sessions: 'SEPARATE',
} as const satisfies Truth;

describe('simulated runs without a change', () => {
  const rates: number[] = [];

  it.each(short.map(({ kind, name, truth: of }, index) => [of.noise, kind, name, of, index] as const))(
    'get a false verdict in at most 5 %% of trials: noise %p, %s, %s',
    (_noise, _kind, _name, of, index) => {
      const { improved, regressed } = verdictShares(of, 2_000 + index, REPETITIONS);
      rates.push(improved + regressed);
      expect(improved + regressed).toBeLessThanOrEqual(0.05 + samplingError(REPETITIONS));
    },
  );

  it('get a false verdict in at most 5 % of trials over all cells', () => {
    expect(rates).toHaveLength(short.length);
    expect(rates.reduce((sum, rate) => sum + rate, 0) / rates.length).toBeLessThanOrEqual(0.05);
  });

  it.each([0.02, 0.05])('are not called equal when the truth is a change of 4 %%: noise %p', (noise) => {
    const of: Truth = { ...truth, looks: [[12, 12]], noise, change: 0.04 };
    expect(verdictShares(of, 7, 1_500).same).toBeLessThanOrEqual(0.05);
  });
});

describe('one session an arm', () => {
  it.each([
    ['without a change', 0],
    ['with a change of 10 %', 0.1],
  ])('never shows more than INDICATIVE: %s', (_, change) => {
    for (const runs of [1, 3, 4, 8]) {
      const of: Truth = { ...truth, looks: [[runs, runs]], sessions: 'ONE', floorOf: 8, change };
      expect(verdictShares(of, runs, 200).strongEvidence).toBe(0);
    }
    const paired: Truth = { ...truth, design: 'PAIRED', sessions: 'ONE', change };
    expect(verdictShares(paired, 5, 200).strongEvidence).toBe(0);
  });
});

describe('simulated runs with a true change of 5 % and noise of 1 %', () => {
  const quiet: Truth = { ...truth, noise: 0.01, dips: 0 };

  it.each(['RANK', 'PAIRED'] as const)(
    'are found nearly always with 8 runs an arm, never with the wrong sign: %s',
    (design) => {
      const better = verdictShares({ ...quiet, design, change: 0.05 }, 8, 1_500);
      expect(better.improved).toBeGreaterThan(0.99);
      expect(better.regressed).toBe(0);
      const worse = verdictShares({ ...quiet, design, change: -0.05 }, 9, 1_500);
      expect(worse.regressed).toBeGreaterThan(0.99);
      expect(worse.improved).toBe(0);
    },
  );

  it('are found by an extended trial too', () => {
    const extended: Truth = { ...quiet, noise: 0.03, looks: [[4, 4], [8, 8], [12, 12], [16, 16]], change: 0.06 }; // prettier-ignore
    expect(verdictShares(extended, 10, 500).improved).toBeGreaterThan(0.85);
  });
});

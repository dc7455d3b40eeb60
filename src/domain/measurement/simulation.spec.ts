import { describe, expect, it } from '@jest/globals';
import { type ArmData, compare, type ComparisonInput, type ComparisonResult } from './compare.js';
import type { MetricDefinition } from './metric.js';

// Simulated runs with a known truth. The seeds are fixed, so each rate is a number that does not change.

// Jest looks every global up anew, and these are called some million times
const { cos, exp, imul, log, PI, sqrt } = Math;

const REPETITIONS = 1500;
/** Twice the standard error of a rate of 5 % over so many trials. */
const SAMPLING_ERROR = 2 * sqrt((0.05 * 0.95) / REPETITIONS);

/** Mulberry32: small, and good enough to draw noise from. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box and Muller. */
function normal(random: () => number): number {
  return sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
}

/** A throughput with noise, and in some runs a dip of 10 to 20 %. */
function throughput(random: () => number, level: number, { noise, dips }: Truth): number {
  const dip = random() < dips ? 0.1 + 0.1 * random() : 0;
  return level * exp(noise * normal(random)) * (1 - dip);
}

interface Truth {
  readonly design: 'rank' | 'paired';
  readonly runs: number;
  readonly noise: number;
  /** Share of runs that are disturbed. */
  readonly dips: number;
  readonly change: number;
  readonly smallestEffect: number;
}

function metricWith(smallestEffect: number): MetricDefinition {
  return {
    key: 'training.throughput',
    unit: 'samples/s',
    dimension: 'sample-rate',
    direction: 'HIGHER_IS_BETTER',
    target: null,
    isExact: false,
    smallestEffect,
    role: 'PRIMARY',
  };
}

function simulate(truth: Truth, random: () => number): ComparisonResult {
  const blocks = Array.from({ length: truth.runs }, () => (truth.design === 'paired' ? normal(random) * 0.05 : 0));
  const arm = (level: number): ArmData => ({
    kind: 'values',
    values: blocks.map((shared, index) => ({
      value: throughput(random, level * exp(shared), truth),
      session: `session ${index}`,
      block: truth.design === 'paired' ? `block ${index}` : null,
      runId: null,
    })),
  });
  const input: ComparisonInput = {
    metric: metricWith(truth.smallestEffect),
    before: arm(1000),
    after: arm(1000 * (1 + truth.change)),
    noiseFloor: null,
    userThreshold: null,
    differences: [],
  };
  return compare(input);
}

/** Shares of the verdicts over many trials of one truth. */
function verdictShares(truth: Truth, seed: number): Readonly<Record<'improved' | 'regressed' | 'same', number>> {
  const random = randomFrom(seed);
  const count = { improved: 0, regressed: 0, same: 0 };
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const { verdict } = simulate(truth, random);
    if (verdict === 'IMPROVED') count.improved += 1;
    if (verdict === 'REGRESSED') count.regressed += 1;
    if (verdict === 'NO_MEANINGFUL_CHANGE') count.same += 1;
  }
  return {
    improved: count.improved / REPETITIONS,
    regressed: count.regressed / REPETITIONS,
    same: count.same / REPETITIONS,
  };
}

const cells = [0.02, 0.05].flatMap((noise) =>
  (['rank', 'paired'] as const).flatMap((design) =>
    [design === 'rank' ? 5 : 6, 8, 12, 20].map((runs) => ({ noise, design, runs })),
  ),
);

describe('simulated runs without a change', () => {
  const rates: number[] = [];

  it.each(cells)('get a false verdict in at most 5 % of trials: noise $noise, $design, $runs runs', (cell) => {
    const shares = verdictShares({ ...cell, dips: 0.05, change: 0, smallestEffect: 0.02 }, 20_000 + cell.runs);
    rates.push(shares.improved + shares.regressed);
    expect(shares.improved + shares.regressed).toBeLessThanOrEqual(0.05 + SAMPLING_ERROR);
  });

  it('get a false verdict in at most 5 % of trials over all cells', () => {
    expect(rates).toHaveLength(cells.length);
    expect(rates.reduce((sum, rate) => sum + rate, 0) / rates.length).toBeLessThanOrEqual(0.05);
  });

  it.each([0.02, 0.05])('are not called equal when the truth is a change of 4 %%: noise %p', (noise) => {
    const truth: Truth = { design: 'rank', runs: 12, noise, dips: 0.05, change: 0.04, smallestEffect: 0.02 };
    expect(verdictShares(truth, 7).same).toBeLessThanOrEqual(0.05);
  });
});

describe('simulated runs with a true change of 5 % and noise of 1 %', () => {
  const truth = { noise: 0.01, dips: 0, runs: 8, smallestEffect: 0.02 } as const;

  it.each(['rank', 'paired'] as const)(
    'are found nearly always with 8 runs an arm, never with the wrong sign: %s',
    (design) => {
      const better = verdictShares({ ...truth, design, change: 0.05 }, 8);
      expect(better.improved).toBeGreaterThan(0.99);
      expect(better.regressed).toBe(0);
      const worse = verdictShares({ ...truth, design, change: -0.05 }, 9);
      expect(worse.regressed).toBeGreaterThan(0.99);
      expect(worse.improved).toBe(0);
    },
  );
});

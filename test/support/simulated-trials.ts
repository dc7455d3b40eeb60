import {
  type ArmData,
  compare,
  type ComparisonResult,
  type MeasuredValue,
} from '../../src/domain/measurement/compare.js';
import type { MetricDefinition } from '../../src/domain/measurement/metric.js';
import { noiseFloorOf } from '../../src/domain/measurement/noise.js';
import { wasLook } from '../../src/domain/measurement/planned-runs.js';

// Simulated runs with a known truth, judged by the whole rule. Every draw comes from a seed.

// Jest looks every global up anew, and these are called some million times
const { cos, exp, imul, log, PI, sqrt } = Math;

/** Mulberry32: small, and good enough to draw noise from. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box and Muller. */
export function normal(random: () => number): number {
  return sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
}

/** What the arms are, and how noisy. */
export interface Truth {
  readonly design: 'RANK' | 'PAIRED';
  /** Runs of both arms at each look; more than one look is a trial that was extended while nothing was found. */
  readonly looks: readonly (readonly [before: number, after: number])[];
  readonly noise: number;
  /** Share of runs that are disturbed by 10 to 20 %. */
  readonly dips: number;
  readonly change: number;
  readonly smallestEffect: number;
  /** Values of the A/A run that told the noise floor; null where none is known. */
  readonly floorOf: number | null;
  readonly sessions: 'SEPARATE' | 'ONE';
}

/** A throughput with noise, and in some runs a dip of 10 to 20 %. */
function throughput(random: () => number, level: number, { noise, dips }: Truth): number {
  const dip = random() < dips ? 0.1 + 0.1 * random() : 0;
  return level * exp(noise * normal(random)) * (1 - dip);
}

const metricOf = ({ smallestEffect }: Truth): MetricDefinition => ({
  key: 'training.throughput',
  unit: 'samples/s',
  dimension: 'sample-rate',
  direction: 'HIGHER_IS_BETTER',
  target: null,
  isExact: false,
  smallestEffect,
  role: 'PRIMARY',
});

/** What the last look at one trial says: it goes on while nothing is settled. */
export function simulate(truth: Truth, random: () => number): ComparisonResult {
  const most = truth.looks.at(-1) ?? [0, 0];
  const blocks = Array.from({ length: Math.max(...most) }, () =>
    truth.design === 'PAIRED' ? normal(random) * 0.05 : 0,
  );
  const arm = (level: number, runs: number): readonly MeasuredValue[] =>
    blocks.slice(0, runs).map((shared, index) => ({
      value: throughput(random, level * exp(shared), truth),
      session: truth.sessions === 'ONE' ? 'session' : `session ${index}`,
      block: truth.design === 'PAIRED' ? `block ${index}` : null,
      runId: null,
    }));
  const floorValues = Array.from({ length: truth.floorOf ?? 0 }, () => throughput(random, 1000, truth));
  const [before, after] = [arm(1000, most[0]), arm(1000 * (1 + truth.change), most[1])];
  const first = (values: readonly MeasuredValue[], runs: number): ArmData => ({
    kind: 'values',
    values: values.slice(0, runs),
  });
  let look = 1;
  let result: ComparisonResult | null = null;
  for (const [runsBefore, runsAfter] of truth.looks) {
    if (result && wasLook([result])) look += 1;
    result = compare({
      metric: metricOf(truth),
      before: first(before, runsBefore),
      after: first(after, runsAfter),
      noiseFloor: noiseFloorOf(floorValues),
      noiseFloorCount: truth.floorOf,
      userThreshold: null,
      differences: [],
      look,
    });
    if (result.verdict !== 'INCONCLUSIVE') break;
  }
  if (!result) throw new RangeError('A trial needs a look');
  return result;
}

export type Shares = Readonly<Record<'improved' | 'regressed' | 'same' | 'strongEvidence', number>>;

/** Shares of the verdicts over many trials of one truth, and of evidence above INDICATIVE. */
export function verdictShares(truth: Truth, seed: number, repetitions: number): Shares {
  const random = randomFrom(seed);
  const count = { improved: 0, regressed: 0, same: 0, strongEvidence: 0 };
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const { verdict, evidence } = simulate(truth, random);
    if (verdict === 'IMPROVED') count.improved += 1;
    if (verdict === 'REGRESSED') count.regressed += 1;
    if (verdict === 'NO_MEANINGFUL_CHANGE') count.same += 1;
    if (!['INDICATIVE', 'SINGLE_RUN', 'NONE'].includes(evidence)) count.strongEvidence += 1;
  }
  return {
    improved: count.improved / repetitions,
    regressed: count.regressed / repetitions,
    same: count.same / repetitions,
    strongEvidence: count.strongEvidence / repetitions,
  };
}

/** Twice the standard error of a rate of 5 % over so many trials. */
export function samplingError(repetitions: number): number {
  return 2 * sqrt((0.05 * 0.95) / repetitions);
}

/** Trials without a change, in which every verdict of a change is false. */
export interface Cell {
  readonly kind: 'fixed' | 'paired' | 'one session' | 'single run' | 'extended';
  readonly name: string;
  readonly truth: Truth;
}

const same = { dips: 0.05, change: 0, smallestEffect: 0.02, floorOf: null, sessions: 'SEPARATE' } as const;

function cell(kind: Cell['kind'], noise: number, looks: Truth['looks'], change: Partial<Truth> = {}): Cell {
  const arms = looks.map(([before, after]) => (before === after ? String(before) : `${before}+${after}`)).join(' → ');
  const floor = change.floorOf ? `, floor of ${change.floorOf}` : '';
  return { kind, name: `${arms}${floor}`, truth: { ...same, design: 'RANK', noise, looks, ...change } };
}

const equal = (...runs: readonly number[]): Truth['looks'] => runs.map((one) => [one, one] as const);

const arms: readonly (readonly [number, number])[] = [
  [2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [8, 8], [10, 10], [12, 12], [16, 16], [20, 20],
  [2, 20], [3, 8], [4, 12], [5, 20], [8, 20], [20, 4],
]; // prettier-ignore

const extensions: readonly Truth['looks'][] = [
  equal(2, 3, 4, 5),
  equal(2, 4, 8, 16),
  equal(3, 6, 9, 12),
  equal(4, 6, 8, 10),
  equal(4, 8, 12, 16),
  equal(5, 10, 15, 20),
  equal(6, 8, 10, 12),
  equal(7, 14, 21, 28),
  equal(8, 16, 24, 32),
  equal(12, 24, 36, 48),
  [[4, 12], [6, 14], [8, 16], [12, 20]],
  [[2, 20], [4, 20], [6, 20], [8, 20]],
]; // prettier-ignore

/** All cells in which the false verdicts are counted: noise of 2 % and 5 %, with a dip in one run of twenty. */
export const cells: readonly Cell[] = [0.02, 0.05].flatMap((noise) => [
  ...arms.map((pair) => cell('fixed', noise, [pair])),
  ...[6, 8, 12, 20].map((runs) => cell('paired', noise, equal(runs), { design: 'PAIRED' })),
  ...[4, 8, 20].map((runs) => cell('one session', noise, equal(runs), { sessions: 'ONE' })),
  ...[5, 6, 8, 10, 20, 50].map((floorOf) => cell('single run', noise, equal(1), { floorOf })),
  cell('single run', noise, [[1, 20]], { floorOf: 8 }),
  ...extensions.map((looks) => cell('extended', noise, looks)),
  ...[equal(1, 2, 3, 4), equal(1, 4, 8, 12)].map((looks) => cell('extended', noise, looks, { floorOf: 8 })),
  ...[equal(6, 8, 10, 12), equal(8, 16, 24, 32)].map((looks) => cell('extended', noise, looks, { design: 'PAIRED' })),
]);

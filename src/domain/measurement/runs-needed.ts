import { FEWEST_BLOCKS } from './arms.js';
import type { MetricDefinition } from './metric.js';
import { FEWEST_FOR_RANKS } from './methods.js';
import { spreadOfFloor } from './noise.js';
import { fewestThat, missedByEstimate, MOST_MISSED, MOST_RUNS_TOLD, showsChange, type TestDesign } from './power.js';

/** What is known of the noise: a floor, or no more than the spread of repetitions inside one run. */
export type KnownNoise =
  | { readonly kind: 'NOISE_FLOOR'; readonly floor: number }
  | { readonly kind: 'REPETITIONS'; readonly sd: number; readonly count: number }
  | { readonly kind: 'UNKNOWN' };

export interface RunsNeeded {
  /** Runs in each arm; null where no number of runs does, or nothing is known of the noise. */
  readonly perArm: number | null;
  /** Blocks of one run of each arm, if what varies between blocks is not shared; fewer if it is. */
  readonly pairs: number | null;
  /** The standard deviation of one run, as a fraction; with TARGET in the metric's unit. */
  readonly spread: number | null;
  /** The smallest change that gets a verdict at all: τ. */
  readonly threshold: number;
  readonly answer: 'ENOUGH' | 'BELOW_THRESHOLD' | 'AT_THRESHOLD' | 'NO_SPREAD' | 'NOISE_UNKNOWN' | 'EXACT';
}

/**
 * About how many runs get a verdict on a true change of this size with 80 % power, two-sided at 5 %, by the exact tests: they
 * have to find it, and the estimate has to reach τ (power.ts). Of a change of exactly τ half of the trials reach it, however
 * many runs they have, so of one that hardly passes τ no number is told.
 */
export function runsNeeded(metric: MetricDefinition, effect: number, noise: KnownNoise): RunsNeeded {
  const isTarget = metric.direction === 'TARGET';
  const scale = isTarget ? Math.abs(metric.target ?? 0) : 1;
  const floor = noise.kind === 'NOISE_FLOOR' ? noise.floor * scale : 0;
  const threshold = Math.max(metric.smallestEffect, floor);
  const nothing = { perArm: null, pairs: null, spread: null, threshold };
  if (metric.isExact) return { ...nothing, perArm: 1, pairs: 1, spread: 0, answer: 'EXACT' };
  if (noise.kind === 'UNKNOWN' || scale === 0) return { ...nothing, answer: 'NOISE_UNKNOWN' };
  const spread = (noise.kind === 'NOISE_FLOOR' ? spreadOfFloor(noise.floor) : noise.sd) * scale;
  if (effect < threshold) return { ...nothing, spread, answer: 'BELOW_THRESHOLD' };
  const least = { perArm: FEWEST_FOR_RANKS, pairs: FEWEST_BLOCKS };
  if (spread === 0) return { ...least, spread, threshold, answer: 'NO_SPREAD' };
  const place = (change: number): number => (isTarget ? change : Math.log1p(change));
  // The difference of two runs that share nothing varies more than one, by √2
  const number = (design: TestDesign['design'], fewest: number, sd: number): number | null => {
    const [test, shift, limit] = [{ design, look: 1 }, place(effect) / sd, place(threshold) / sd];
    if (missedByEstimate(test, MOST_RUNS_TOLD, shift, limit) > MOST_MISSED) return null;
    return fewestThat((n) => showsChange(test, n, shift, limit), fewest) ?? MOST_RUNS_TOLD;
  };
  const perArm = number('TWO_ARMS', FEWEST_FOR_RANKS, spread);
  const pairs = number('PAIRS', FEWEST_BLOCKS, spread * Math.SQRT2);
  return { perArm, pairs, spread, threshold, answer: perArm === null || pairs === null ? 'AT_THRESHOLD' : 'ENOUGH' };
}

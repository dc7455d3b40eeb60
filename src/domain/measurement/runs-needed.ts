import { Z_800, Z_975 } from './distributions.js';
import { FEWEST_BLOCKS } from './arms.js';
import type { MetricDefinition } from './metric.js';
import { FEWEST_FOR_RANKS } from './methods.js';
import { spreadOfFloor } from './noise.js';
import { MOST_RUNS_TOLD, RANK_EFFICIENCY } from './planning.js';

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
  readonly answer: 'ENOUGH' | 'BELOW_THRESHOLD' | 'NO_SPREAD' | 'NOISE_UNKNOWN' | 'EXACT';
}

/**
 * About how many runs tell a true change of this size with 80 % power, two-sided at 5 %, by the formula of
 * `moreRunsPerArm`. The estimate has to reach τ as well: with a change of more than τ that needs
 * f · (spread · 0.84 / (ln(1 + effect) − ln(1 + τ)))² / (3/π) runs; of a change of exactly τ half the trials reach it,
 * however many runs they have.
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
  const place = (change: number): number => (isTarget ? change : Math.log1p(change));
  const beyond = place(effect) - place(threshold);
  const steps = [(Z_975 + Z_800) / place(effect), beyond > 0 ? Z_800 / beyond : 0];
  const needed = Math.ceil((2 * (spread * Math.max(...steps)) ** 2) / RANK_EFFICIENCY);
  const atLeast = (fewest: number): number => Math.min(MOST_RUNS_TOLD, Math.max(fewest, needed));
  // The difference of two runs that share nothing varies twice as much as one, so a pair is worth a run an arm
  const runs = { perArm: atLeast(FEWEST_FOR_RANKS), pairs: atLeast(FEWEST_BLOCKS) };
  return { ...runs, spread, threshold, answer: spread === 0 ? 'NO_SPREAD' : 'ENOUGH' };
}

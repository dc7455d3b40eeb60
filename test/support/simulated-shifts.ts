import {
  intervalAt,
  middleOf,
  pairwiseDifferences,
  walshAverages,
} from '../../src/domain/measurement/order-statistics.js';
import { criticalRank } from '../../src/domain/measurement/rank-test.js';
import { signedCriticalRank } from '../../src/domain/measurement/signed-rank.js';
import { normal, randomFrom } from './simulated-trials.js';

// How large a shift the exact tests find, on normal noise with a standard deviation of 1. Every draw comes from a seed.

export type Design = 'TWO_ARMS' | 'PAIRS';

interface Drawn {
  /** The shift beyond which the test of this trial finds it: its interval then lies above zero. */
  readonly found: number;
  /** By how much the estimate of this trial misses the shift. */
  readonly error: number;
}

/** Trials of n runs an arm, or n pairs, judged by an interval of this level; nothing where n is too small for it. */
export function drawn(design: Design, n: number, level: number, trials: number, seed: number): readonly Drawn[] {
  const rank = design === 'PAIRS' ? signedCriticalRank(n, level) : criticalRank(n, n, level);
  if (rank === 0) return [];
  const random = randomFrom(seed);
  const noise = () => Array.from({ length: n }, () => normal(random));
  return Array.from({ length: trials }, () => {
    const list = design === 'PAIRS' ? walshAverages(noise()) : pairwiseDifferences(noise(), noise());
    return { found: -(intervalAt(list, rank)?.low ?? -Infinity), error: middleOf(list) };
  });
}

/** The smallest shift that the test finds in 80 % of trials; null where n is too small for the level. */
export function shiftFound(design: Design, n: number, level: number, trials: number, seed: number): number | null {
  const all = drawn(design, n, level, trials, seed).map(({ found }) => found);
  if (all.length === 0) return null;
  return Float64Array.from(all).sort()[Math.ceil(0.8 * all.length) - 1] ?? null;
}

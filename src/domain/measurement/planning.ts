import { Z_800 } from './distributions.js';
import { quantilesOfLook } from './looks.js';

/** More is said as "a thousand or more": the design, not the number of runs, has to change then. */
export const MOST_RUNS_TOLD = 1000;

/** Rank methods need 3/π of the values of a t test on normal noise (Hodges and Lehmann 1956). */
export const RANK_EFFICIENCY = 3 / Math.PI;

export interface Plan {
  readonly design: 'TWO_ARMS' | 'PAIRS';
  /** Values of the smaller arm, or pairs, so far. */
  readonly n: number;
  /** The fewest that the method takes. */
  readonly fewest: number;
  /** Standard deviation of one value (of one pair's difference) on the scale of the test. */
  readonly spread: number;
  readonly shift: number;
  readonly limit: number;
  /** The look at which those runs would be judged; the first where absent. */
  readonly look?: number;
}

/**
 * About how many more runs per arm would settle it with 80 % power, if estimate and spread stay as they are. An estimate
 * beyond the limit must be told from zero: distance |shift|, z = 1.96. One within it must be shown to be within: distance
 * limit − |shift|, z = 1.645; both z are larger for a further look. Needed = f · (spread · (z + 0.84) / distance)² / (3/π), f = 2 for two arms and 1 for pairs.
 */
export function moreRunsPerArm({ design, n, fewest, spread, shift, limit, look = 1 }: Plan): number {
  const size = Math.abs(shift);
  const quantile = quantilesOfLook(look);
  const [distance, z] = size >= limit ? [size, quantile.change] : [limit - size, quantile.sameness];
  const factor = design === 'PAIRS' ? 1 : 2;
  const needed = spread === 0 ? 0 : (factor * ((spread * (z + Z_800)) / distance) ** 2) / RANK_EFFICIENCY;
  return Math.min(MOST_RUNS_TOLD, Math.max(1, Math.max(fewest, Math.ceil(needed)) - n));
}

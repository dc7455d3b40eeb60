import { Z_975 } from './distributions.js';
import { medianOf } from './order-statistics.js';
import type { Verdict } from './verdict.js';

/** Fewer A/A values say nothing about the noise. */
export const FEWEST_FOR_NOISE_FLOOR = 5;

const MAD_TO_SD = 1.4826;

/**
 * The noise floor of a metric, environment and workload as a fraction: 1.96 × 1.4826 × the median absolute deviation of
 * the logarithms of A/A values. Null below five values, or where a value is not positive.
 */
export function noiseFloorOf(values: readonly number[]): number | null {
  if (values.length < FEWEST_FOR_NOISE_FLOOR || !values.every((value) => value > 0 && Number.isFinite(value)))
    return null;
  const logs = values.map(Math.log);
  const middle = medianOf(logs);
  return 1.96 * MAD_TO_SD * medianOf(logs.map((value) => Math.abs(value - middle)));
}

/**
 * Whether an A/A run tells the noise: only one that somebody said is a control, and whose arms are comparable, equal
 * but for the noise, and not set apart by anything else. An A/A run by inference is never taken for it.
 */
export function tellsNoise(run: {
  readonly isSaidControl: boolean;
  readonly verdict: Verdict;
  readonly isConfounded: boolean;
}): boolean {
  const isSame = run.verdict === 'NO_MEANINGFUL_CHANGE' || run.verdict === 'INCONCLUSIVE';
  return run.isSaidControl && isSame && !run.isConfounded;
}

/** A floor that is used: a fraction, and how many values told it; null where somebody states it. */
export interface UsedFloor {
  readonly value: number;
  readonly runCount: number | null;
}

/** A floor as the database keeps it. */
export interface NoiseFloor extends UsedFloor {
  readonly runCount: number;
}

/**
 * How many floors a single run must differ by: three of an exact one. One of five values is often far too small (a tenth
 * of them by a factor of 3.8), and the median absolute deviation does not see that a run is disturbed now and then. By
 * simulation (`npm run bench:verdicts`: noise of 2 % and 5 %, dips of 10 to 20 % in one run of twenty) this many keep false
 * verdicts at 5 % for any number of values from five on.
 */
export function floorFactor(count: number | null): number {
  if (count === null) return 3;
  return 3 * (1.4 + 1.5 / (Math.max(FEWEST_FOR_NOISE_FLOOR, count) - 3));
}

/** The standard deviation of one value that a noise floor stands for. */
export function spreadOfFloor(noiseFloor: number): number {
  return noiseFloor / Z_975;
}

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

/** The standard deviation of one value that a noise floor stands for. */
export function spreadOfFloor(noiseFloor: number): number {
  return noiseFloor / Z_975;
}

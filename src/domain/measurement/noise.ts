import { Z_975 } from './distributions.js';
import { medianOf } from './order-statistics.js';

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

/** The standard deviation of one value that a noise floor stands for. */
export function spreadOfFloor(noiseFloor: number): number {
  return noiseFloor / Z_975;
}

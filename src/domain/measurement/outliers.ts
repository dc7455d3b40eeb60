import { at, medianOf } from './order-statistics.js';

/** Fewer values cannot tell an outlier from the spread. */
const FEWEST_FOR_OUTLIERS = 5;

/**
 * The places of values far from the median: modified z-score above 3.5 (Iglewicz and Hoaglin 1993), and further away than
 * a change that matters, so that tight data raise no alarm over nothing. They are named and kept.
 */
export function outlierPlaces(values: readonly number[], limit: number): readonly number[] {
  if (values.length < FEWEST_FOR_OUTLIERS) return [];
  const middle = medianOf(values);
  const distances = values.map((value) => Math.abs(value - middle));
  const reach = Math.max((3.5 / 0.6745) * medianOf(distances), limit);
  return [...distances.keys()].filter((index) => at(distances, index) > reach);
}

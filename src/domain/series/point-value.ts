import { medianOf } from '../measurement/order-statistics.js';

/** What a run adds to a series, in the unit of the metric. */
export interface PointValue {
  /** The median of what was repeated, else the one value. */
  readonly value: number;
  /** How many values it is the median of. */
  readonly n: number;
  /** Standard deviation of the repetitions, the smallest and the largest of them; null below two. */
  readonly spread: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The point of one observation. What happened inside the run is none of its repetitions. */
export function pointValue(value: number, repeats: readonly number[]): PointValue {
  if (repeats.length === 0) return { value, n: 1, spread: null, low: null, high: null };
  const middle = medianOf(repeats);
  if (repeats.length === 1) return { value: middle, n: 1, spread: null, low: null, high: null };
  const mean = repeats.reduce((sum, one) => sum + one, 0) / repeats.length;
  const squares = repeats.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return {
    value: middle,
    n: repeats.length,
    spread: Math.sqrt(squares / (repeats.length - 1)),
    low: Math.min(...repeats),
    high: Math.max(...repeats),
  };
}

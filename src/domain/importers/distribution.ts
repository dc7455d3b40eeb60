import type { Distribution } from './importer.js';

const MAX_SAMPLES = 10_000;

/** For millions of values a typed array, which is put in order where it is: none of its size is needed beside it. */
type Numbers = readonly number[] | Float64Array;

/** What to keep of the finite values inside a run: all of them up to 10,000, and their distribution. Null for none. */
export function samplesWithDistribution(
  values: Numbers,
): { readonly samples: readonly number[]; readonly distribution: Distribution } | null {
  // Files hold millions of values: no copy without need
  const finite = values.every(Number.isFinite) ? values : values.filter(Number.isFinite);
  const samples = takenEvenly(finite);
  const distribution = distributionOf(finite);
  return distribution && { samples, distribution };
}

/** Percentiles interpolate linearly between order statistics (type 7, the default of NumPy); sd divides by n - 1. */
export function distributionOf(values: Numbers): Distribution | null {
  if (values.length === 0) return null;
  const mean = meanOf(values);
  const sd = values.length < 2 || mean === null ? null : deviation(values, mean);
  const sorted = (values instanceof Float64Array ? values : new Float64Array(values)).sort();
  return {
    count: values.length,
    mean,
    sd,
    min: quantile(sorted, 0),
    p50: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
  };
}

export function meanOf(values: Numbers): number | null {
  if (values.length === 0) return null;
  let sum = 0;
  for (const value of values) sum += value / values.length;
  return sum;
}

export function medianOf(values: readonly number[]): number | null {
  return quantile(new Float64Array(values).sort(), 0.5);
}

function deviation(values: Numbers, mean: number): number | null {
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return Number.isFinite(sum) ? Math.sqrt(sum / (values.length - 1)) : null;
}

function quantile(sorted: Float64Array, share: number): number | null {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return null;
  const weight = place - Math.floor(place);
  const value = below + (above - below) * weight;
  // the difference of two very large numbers may be infinite
  return Number.isFinite(value) ? value : below * (1 - weight) + above * weight;
}

function takenEvenly(values: Numbers): readonly number[] {
  if (values.length <= MAX_SAMPLES) return values instanceof Float64Array ? [...values] : values;
  const step = values.length / MAX_SAMPLES;
  return Array.from({ length: MAX_SAMPLES }, (_, index) => values[Math.floor(index * step)] ?? 0);
}

import type { Distribution } from './importer.js';

const MAX_SAMPLES = 10_000;

/** What to keep of the finite values inside a run: all of them up to 10,000, and their distribution. Null for none. */
export function samplesWithDistribution(
  values: readonly number[],
): { readonly samples: readonly number[]; readonly distribution: Distribution } | null {
  // Files hold millions of values: no copy without need
  const finite = values.every(Number.isFinite) ? values : values.filter(Number.isFinite);
  const distribution = distributionOf(finite);
  return distribution && { samples: takenEvenly(finite), distribution };
}

/** Percentiles interpolate linearly between order statistics (type 7, the default of NumPy); sd divides by n - 1. */
export function distributionOf(values: readonly number[]): Distribution | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const mean = meanOf(values);
  return {
    count: values.length,
    mean,
    sd: values.length < 2 || mean === null ? null : deviation(values, mean),
    min: quantile(sorted, 0),
    p50: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
  };
}

export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value / values.length, 0);
}

export function medianOf(values: readonly number[]): number | null {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

function deviation(values: readonly number[], mean: number): number | null {
  const sum = values.reduce((total, value) => total + (value - mean) ** 2, 0);
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

function takenEvenly(values: readonly number[]): readonly number[] {
  if (values.length <= MAX_SAMPLES) return values;
  const step = values.length / MAX_SAMPLES;
  return Array.from({ length: MAX_SAMPLES }, (_, index) => values[Math.floor(index * step)] ?? 0);
}

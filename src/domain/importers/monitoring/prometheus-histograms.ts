import type { ReadObservation } from '../importer.js';
import type { Series, SeriesSet } from './prometheus-set.js';

interface Histogram {
  readonly dimensions: ReadObservation['dimensions'];
  sum: number | null;
  count: number;
}

/**
 * The mean time of each histogram: its sum over its count. Percentiles are left out, since a bucket tells no more than
 * its bounds: the lowest one of waiting times ends at 300 ms.
 */
export function histogramsOf(set: SeriesSet, metrics: Readonly<Record<string, string>>): readonly ReadObservation[] {
  const seen = new Set<string>();
  return Object.entries(metrics).flatMap(([name, metric]) =>
    [...histogramsNamed(set, name).values()].flatMap(({ dimensions, sum, count }) => {
      const key = JSON.stringify([metric, dimensions]);
      // versions that rename a histogram give both for a while
      if (sum === null || !Number.isFinite(sum) || sum < 0 || !(count > 0) || seen.has(key)) return [];
      seen.add(key);
      const none = { sd: null, min: null, p50: null, p90: null, p99: null, max: null };
      const mean = sum / count;
      return [
        { metric, dimensions, value: mean, unit: 's', distribution: { count: Math.round(count), mean, ...none } },
      ];
    }),
  );
}

function histogramsNamed(set: SeriesSet, name: string): ReadonlyMap<string, Histogram> {
  const found = new Map<string, Histogram>();
  const of = (series: Series): Histogram => {
    const dimensions = set.dimensionsOf(series.labels);
    const key = JSON.stringify(dimensions);
    const histogram = found.get(key) ?? { dimensions, sum: null, count: 0 };
    found.set(key, histogram);
    return histogram;
  };
  const valueOf = ({ values }: Series) => (set.hasSeveralScrapes ? set.growthOf(values) : (values[0] ?? 0));
  for (const series of set.named(`${name}_sum`)) of(series).sum = (of(series).sum ?? 0) + valueOf(series);
  for (const series of set.named(`${name}_count`)) of(series).count += valueOf(series);
  return found;
}

import { invalidInput } from '../errors.js';
import { convert, LARGEST_VALUE } from '../measurement/unit.js';
import type { ReadObservation } from './importer.js';

/** An observation with the metric that it is of, in the unit of that metric. */
export type ObservationIn<M> = Omit<ReadObservation, 'metric' | 'unit'> & { readonly metric: M };

/** The observation in the unit of its metric. INVALID_INPUT for a unit of another dimension, or a value too large. */
export function inUnitOf<M extends { readonly unit: string }>(
  metric: M,
  { unit, ...observation }: ReadObservation,
): ObservationIn<M> {
  const to = (value: number): number => {
    const converted = convert(value, unit, metric.unit);
    if (Math.abs(converted) <= LARGEST_VALUE) return converted;
    throw invalidInput({
      en: `The value ${value} ${unit} is too large in ${metric.unit}`,
      zh: `值 ${value} ${unit} 换算为 ${metric.unit} 后过大`,
    });
  };
  const all = (values: readonly number[] | undefined) => (values ? values.map(to) : undefined);
  const { distribution, summary } = observation;
  const converted = (value: number | null): number | null => (value === null ? null : to(value));
  return {
    ...observation,
    metric,
    value: to(observation.value),
    ...(observation.repeats ? { repeats: all(observation.repeats) ?? [] } : {}),
    ...(observation.samples ? { samples: all(observation.samples) ?? [] } : {}),
    ...(summary ? { summary: { mean: to(summary.mean), sd: to(summary.sd), n: summary.n } } : {}),
    ...(distribution
      ? {
          distribution: {
            count: distribution.count,
            mean: converted(distribution.mean),
            sd: converted(distribution.sd),
            min: converted(distribution.min),
            p50: converted(distribution.p50),
            p90: converted(distribution.p90),
            p99: converted(distribution.p99),
            max: converted(distribution.max),
          },
        }
      : {}),
  };
}

/** Dimensions as one text, in the order of their names: equal points of two runs have equal texts. */
export function seriesKeyOf(dimensions: ReadObservation['dimensions']): string {
  const entries = Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, value]) => `${name}=${value}`).join(' ');
}

import { convert, dimensionOf } from '../measurement/unit.js';
import { medianOf, samplesWithDistribution } from './distribution.js';
import type { ReadObservation } from './importer.js';

type Point = Pick<ReadObservation, 'metric' | 'dimensions' | 'unit'>;

const MAX_REPEATS = 1_000;

/** What was measured several times: the median, and each of the values counts. Nothing for no finite value. */
export function measured(point: Point, values: readonly number[]): readonly ReadObservation[] {
  const finite = values.filter(Number.isFinite);
  const value = medianOf(finite);
  if (value === null) return [];
  const { metric, dimensions, unit } = point;
  const plain = { metric, dimensions, value, unit };
  const inside = finite.length > 1 ? samplesWithDistribution(finite) : null;
  return [inside ? { ...plain, repeats: evenly(finite), distribution: inside.distribution } : plain];
}

/**
 * What is known of repetitions that are not listed. Nothing where it tells no spread: one repetition, or a deviation of zero,
 * which is that of one or was rounded away.
 */
export function summarized(
  mean: number,
  sd: number | null | undefined,
  n: number | null,
): Pick<ReadObservation, 'summary'> {
  const isKnown = Number.isFinite(mean) && typeof sd === 'number' && Number.isFinite(sd) && sd > 0;
  return isKnown && (n === null || n >= 2) ? { summary: { mean, sd, n } } : {};
}

/** At most 1,000 of the values, taken evenly. */
export function evenly(values: readonly number[]): readonly number[] {
  if (values.length <= MAX_REPEATS) return values;
  const step = values.length / MAX_REPEATS;
  return Array.from({ length: MAX_REPEATS }, (_, index) => values[Math.floor(index * step)] ?? 0);
}

/** Values of points in the order in which they came up; what is measured again joins the first, in its unit. */
export class Points {
  private readonly values = new Map<string, { readonly point: Point; readonly values: number[] }>();
  /** Where the last value was: a line of a file gives several metrics there. */
  private place: { readonly dimensions: Point['dimensions']; readonly key: string } | null = null;

  add(point: Point, value: number): void {
    const { metric, dimensions, unit } = point;
    if (this.place?.dimensions !== dimensions) this.place = { dimensions, key: JSON.stringify(dimensions) };
    const key = `${metric} ${dimensionOf(unit) ?? ''} ${this.place.key}`;
    const found = this.values.get(key);
    if (found) found.values.push(convert(value, unit, found.point.unit));
    else this.values.set(key, { point, values: [value] });
  }

  observations(): readonly ReadObservation[] {
    return [...this.values.values()].flatMap(({ point, values }) => measured(point, values));
  }
}

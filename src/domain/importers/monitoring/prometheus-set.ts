import type { ReadObservation } from '../importer.js';
import { Points } from './prometheus-points.js';
import type { Labels, Sample } from './prometheus-text.js';
import { growthOf } from './ticks.js';

/** One series with its values in the order of the file. */
export interface Series {
  readonly name: string;
  readonly labels: Labels;
  readonly values: readonly number[];
  readonly line: number;
}

/** All series of an exposition, or of several one after another. */
export class SeriesSet {
  readonly points = new Points();
  private readonly series = new Map<string, Series & { readonly values: number[] }>();
  private readonly byName = new Map<string, Series[]>();
  firstLine = 1;
  private scrapes = 1;

  add({ name, labels, value, line }: Sample): void {
    const key = `${name} ${JSON.stringify([...labels].sort(([a], [b]) => (a < b ? -1 : 1)))}`;
    const found = this.series.get(key);
    if (found) {
      found.values.push(value);
      this.scrapes = Math.max(this.scrapes, found.values.length);
      return;
    }
    if (this.series.size === 0) this.firstLine = line;
    const added = { name, labels, values: [value], line };
    this.series.set(key, added);
    const named = this.byName.get(name) ?? [];
    named.push(added);
    this.byName.set(name, named);
    this.points.keep(labels);
  }

  get names(): Iterable<string> {
    return this.byName.keys();
  }

  named(...names: readonly string[]): readonly Series[] {
    return names.flatMap((name) => this.byName.get(name) ?? []);
  }

  get hasSeveralScrapes(): boolean {
    return this.scrapes > 1;
  }

  /** How much a counter grew between the scrapes; one that was not in the first began at zero. */
  growthOf(values: readonly number[]): number {
    return growthOf(values.length < this.scrapes ? [0, ...values] : values);
  }

  dimensionsOf(labels: Labels): ReadObservation['dimensions'] {
    return this.points.dimensionsOf(labels);
  }
}

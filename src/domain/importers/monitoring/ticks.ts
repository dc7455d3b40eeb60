import { meanOf, samplesWithDistribution } from '../distribution.js';
import type { ReadObservation } from '../importer.js';
import { seriesKeyOf } from '../in-unit.js';

/** What a column of a monitor measures. */
export interface Column {
  readonly metric: string;
  readonly unit: string;
  /**
   * What is said about all ticks together: their mean where nothing stands here, the highest value of a counter that
   * should stay zero, or by how much a counter grew.
   */
  readonly over?: 'HIGHEST' | 'GROWTH';
  /** What a value of the column is multiplied by. */
  readonly scale?: number;
}

type Dimensions = ReadObservation['dimensions'];

/** Metrics whose highest tick is told as well. */
const peaks: Readonly<Record<string, string>> = {
  'gpu.power_draw': 'gpu.power_draw_peak',
  'gpu.memory_used': 'gpu.memory_used_peak',
};

/** One GPU, disk, process or machine with the values that it had at each tick. */
export class Device {
  private readonly series = new Map<string, { readonly column: Column; readonly values: number[] }>();

  constructor(readonly dimensions: Dimensions) {}

  add(column: Column, value: number): void {
    if (!Number.isFinite(value)) return;
    const series = this.series.get(column.metric) ?? { column, values: [] };
    if (series.values.length === 0) this.series.set(column.metric, series);
    series.values.push(value * (column.scale ?? 1));
  }

  observations(): readonly ReadObservation[] {
    return [...this.series.values()].flatMap(({ column, values }) => observed(column, this.dimensions, values));
  }
}

/** The devices that a monitor watches, in the order of their appearance. */
export class Monitor {
  private readonly devices = new Map<string, Device>();

  device(dimensions: Dimensions): Device {
    const key = seriesKeyOf(dimensions);
    const found = this.devices.get(key) ?? new Device(dimensions);
    this.devices.set(key, found);
    return found;
  }

  observations(): readonly ReadObservation[] {
    return [...this.devices.values()].flatMap((device) => device.observations());
  }
}

/** What all values together say, with the highest where it is told; nothing of a counter that was read once. */
export function observed(
  { metric, unit, over }: Column,
  dimensions: Dimensions,
  values: readonly number[],
): readonly ReadObservation[] {
  if (over === 'GROWTH') {
    return values.length < 2 ? [] : [{ metric, dimensions, value: growthOf(values), unit }];
  }
  const value = over === 'HIGHEST' ? highestOf(values) : meanOf(values);
  if (value === null || !Number.isFinite(value)) return [];
  const inside = values.length < 2 ? null : samplesWithDistribution(values);
  const peak = values.length < 2 ? undefined : peaks[metric];
  return [
    { metric, dimensions, value, unit, ...(inside ?? {}) },
    ...(peak === undefined ? [] : [{ metric: peak, dimensions, value: highestOf(values) ?? value, unit }]),
  ];
}

function highestOf(values: readonly number[]): number | null {
  return values.reduce<number | null>((high, value) => (high === null || value > high ? value : high), null);
}

/** How much a counter grew; one that falls began anew at zero. */
export function growthOf(values: readonly number[]): number {
  let grown = 0;
  for (const [index, value] of values.entries()) {
    const before = values[index - 1];
    if (before !== undefined) grown += value >= before ? value - before : value;
  }
  return grown;
}

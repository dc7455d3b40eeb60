import type { MetricDefinition } from '../measurement/metric.js';
import type { MetricEntry } from './schema.js';

/** A metric of metrics.yaml as the statistics know it. */
export function definitionOf({ exact, target, ...metric }: MetricEntry): MetricDefinition {
  const { key, unit, dimension, direction, smallestEffect, role } = metric;
  return { key, unit, dimension, direction, smallestEffect, role, isExact: exact, target: target ?? null };
}

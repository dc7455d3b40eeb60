import type { Facts } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import type { ReadObservation } from '../importer.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { statisticsIn } from './profile-json.js';
import { finite, textOf } from './workload.js';
import { ownValue } from '../../own-value.js';

/** The means that are compared here. Counters since boot, such as the energy, say nothing about a run. */
const metrics: Readonly<Record<string, readonly [string, string]>> = {
  gpu_power_usage: ['gpu.power_draw', 'W'],
  gpu_utilization: ['gpu.utilization', 'percent'],
  gpu_temperature: ['gpu.temperature', '°C'],
};

/** A mean of one GPU, or null for a metric that is not kept. `gpu` counts from 0. */
export function ofGpu(name: string, gpu: number, statistics: Readonly<Record<string, number>>): ReadObservation | null {
  const known = ownValue(metrics, name);
  const { avg } = statistics;
  // a sensor that is not there gives zero; an idle GPU too, but only of its utilization
  if (!known || avg === undefined || !(avg > 0 || (avg === 0 && name === 'gpu_utilization'))) return null;
  return { metric: known[0], dimensions: { gpu }, value: avg, unit: known[1] };
}

/** `telemetry_stats` of GenAI-Perf: for each metric the GPUs as `gpu0`. */
export function telemetryIn(found: JsonObject): readonly ReadObservation[] {
  return Object.entries(found).flatMap(([name, gpus]) => {
    if (!isObject(gpus)) return [];
    return Object.entries(gpus).flatMap(([gpu, statistics]) => {
      const index = /^(?:gpu)?(\d{1,4})$/.exec(gpu)?.[1];
      if (index === undefined || !isObject(statistics)) return [];
      return ofGpu(name, Number(index), statisticsIn(statistics)) ?? [];
    });
  });
}

export interface Telemetry {
  readonly observations: readonly ReadObservation[];
  readonly environment: Facts;
}

/**
 * `telemetry_data` of AIPerf: exporters with their GPUs. Several exporters may show the same GPU, which counts once. The
 * names of GPUs are facts where all have the same.
 */
export function telemetryData(found: Json | undefined): Telemetry {
  const endpoints = isObject(found) && isObject(found.endpoints) ? Object.values(found.endpoints) : [];
  const seen = new Set<string>();
  const names = new Set<string>();
  const observations: ReadObservation[] = [];
  for (const endpoint of endpoints) {
    const gpus = isObject(endpoint) && isObject(endpoint.gpus) ? Object.values(endpoint.gpus) : [];
    for (const gpu of gpus.filter(isObject)) {
      const id = textOf(gpu.gpu_uuid) ?? `no id ${seen.size}`;
      if (seen.has(id)) continue;
      seen.add(id);
      const name = textOf(gpu.gpu_name);
      if (name) names.add(name);
      const index = endpoints.length === 1 ? (finite(gpu.gpu_index) ?? seen.size - 1) : seen.size - 1;
      for (const [key, statistics] of Object.entries(isObject(gpu.metrics) ? gpu.metrics : {})) {
        const observation = isObject(statistics) ? ofGpu(key, index, statisticsIn(statistics)) : null;
        if (observation) observations.push(observation);
      }
    }
  }
  const [name] = names;
  return { observations, environment: names.size === 1 && name ? gpuFacts(name) : {} };
}

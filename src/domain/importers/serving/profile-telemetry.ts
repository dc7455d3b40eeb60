import type { Facts } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import type { ReadObservation } from '../importer.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { statisticsIn } from './profile-json.js';
import { finite, textOf } from './workload.js';
import { ownValue } from '../../own-value.js';

type Statistics = Readonly<Record<string, number>>;

/** What is kept of a metric of these tools: which metric it is, in which unit, and what of its statistics. */
interface Kept {
  readonly metric: string;
  readonly unit: string;
  readonly of: (statistics: Statistics) => number | undefined;
}

const mean = (metric: string, unit: string): Kept => ({ metric, unit, of: ({ avg }) => avg });
const peak = (metric: string, unit: string): Kept => ({ metric, unit, of: ({ max }) => max });
/** DCGM counts MiB; the tools print them as decimal gigabytes. */
const inMiB = (kept: Kept): Kept => ({
  ...kept,
  unit: 'MiB',
  of: (statistics) => {
    const gigabytes = kept.of(statistics);
    return gigabytes === undefined ? undefined : Number(((gigabytes * 1e9) / 2 ** 20).toFixed(3));
  },
});

/** Megajoules: a mean alone is what the run used; with a range it is the counter of the driver, and the range is. */
const energy: Kept = {
  metric: 'gpu.energy',
  unit: 'J',
  of: ({ avg, min, max }) => {
    const used = min === undefined || max === undefined ? avg : max - min;
    return used === undefined ? undefined : Number((used * 1e6).toFixed(3));
  },
};

const metrics: Readonly<Record<string, readonly Kept[]>> = {
  gpu_power_usage: [mean('gpu.power_draw', 'W'), peak('gpu.power_draw_peak', 'W')],
  gpu_utilization: [mean('gpu.utilization', 'percent')],
  memory_copy_utilization: [mean('gpu.memory_utilization', 'percent')],
  mem_utilization: [mean('gpu.memory_utilization', 'percent')],
  gpu_temperature: [mean('gpu.temperature', '°C')],
  memory_temperature: [mean('gpu.memory_temperature', '°C')],
  sm_clock_frequency: [mean('gpu.sm_clock_mean', 'MHz')],
  memory_clock_frequency: [mean('gpu.memory_clock', 'MHz')],
  gpu_memory_used: [inMiB(mean('gpu.memory_used', 'GB')), inMiB(peak('gpu.memory_used_peak', 'GB'))],
  energy_consumption: [energy],
};

/** How the tools write the unit of what is kept; in another one it is not taken. */
const written: Readonly<Record<string, readonly string[]>> = {
  W: ['W'], J: ['MJ'], percent: ['%'], '°C': ['°C', 'C'], MHz: ['MHz'], MiB: ['GB'],
}; // prettier-ignore

/** The share of a time may be none; a sensor that is not there gives zero too. */
const mayBeZero = new Set(['gpu.utilization', 'gpu.memory_utilization']);

/** A metric of one GPU, which counts from 0; `unit` as the tool writes it, or empty. */
export interface GpuMetric {
  readonly name: string;
  readonly unit: string;
  readonly gpu: number;
}

/** What a metric says of one GPU; nothing of one that is not kept. */
export function ofGpu({ name, unit: said, gpu }: GpuMetric, statistics: Statistics): readonly ReadObservation[] {
  return (ownValue(metrics, name) ?? []).flatMap(({ metric, unit, of }) => {
    if (said !== '' && !written[unit]?.includes(said)) return [];
    const value = of(statistics);
    if (value === undefined || !(value > 0 || (value === 0 && mayBeZero.has(metric)))) return [];
    return [{ metric, dimensions: { gpu }, value, unit }];
  });
}

/** `telemetry_stats` of GenAI-Perf: for each metric the GPUs as `gpu0`. */
export function telemetryIn(found: JsonObject): readonly ReadObservation[] {
  return Object.entries(found).flatMap(([name, gpus]) => {
    if (!isObject(gpus)) return [];
    return Object.entries(gpus).flatMap(([gpu, statistics]) => {
      const index = /^(?:gpu)?(\d{1,4})$/.exec(gpu)?.[1];
      if (index === undefined || !isObject(statistics)) return [];
      return ofGpu(
        { name, unit: textOf(statistics.unit) ?? textOf(gpus.unit) ?? '', gpu: Number(index) },
        statisticsIn(statistics),
      );
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
        if (!isObject(statistics)) continue;
        const unit = textOf(statistics.unit) ?? '';
        observations.push(...ofGpu({ name: key, unit, gpu: index }, statisticsIn(statistics)));
      }
    }
  }
  const [name] = names;
  return { observations, environment: names.size === 1 && name ? gpuFacts(name) : {} };
}

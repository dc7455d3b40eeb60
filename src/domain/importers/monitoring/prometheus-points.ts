import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import type { ReadObservation } from '../importer.js';
import type { Labels } from './prometheus-text.js';

/** Labels that tell apart what is measured, and their names here. Names of machines and people are not among them. */
const dimensionLabels: Readonly<Record<string, string>> = {
  engine: 'engine',
  engine_type: 'engine_type',
  tp_rank: 'tp_rank',
  pp_rank: 'pp_rank',
  dp_rank: 'dp_rank',
  moe_ep_rank: 'ep_rank',
  gpu: 'gpu',
  GPU_I_ID: 'gpu_instance',
};

/** Labels that name machines: they are compared and counted, and never kept. */
const originLabels = ['instance', 'Hostname', 'hostname', 'node', 'pod_ip'];

/** What the labels of all series of a file make of one series: its dimensions, and the model that is served. */
export class Points {
  private readonly distinct = new Map<string, Set<string>>();
  private readonly origins = new Map<string, number>();
  /** One object for what is the same point. */
  private readonly known = new Map<string, ReadObservation['dimensions']>();

  keep(labels: Labels): void {
    for (const name of ['model_name', ...Object.keys(dimensionLabels)]) {
      const value = labels.get(name);
      if (value === undefined || value === '') continue;
      const values = this.distinct.get(name) ?? new Set();
      this.distinct.set(name, values.add(value));
    }
    const origin = originOf(labels);
    if (origin.trim() !== '' && !this.origins.has(origin)) this.origins.set(origin, this.origins.size + 1);
  }

  /** GPUs keep their number always, other labels where there are several values; machines are numbered. */
  dimensionsOf(labels: Labels): ReadObservation['dimensions'] {
    const dimensions: Record<string, string | number> = {};
    for (const [label, name] of Object.entries(dimensionLabels)) {
      const value = labels.get(label);
      const isTold = name.startsWith('gpu') || (this.distinct.get(label)?.size ?? 0) > 1;
      if (value !== undefined && value !== '' && isTold) dimensions[name] = dimensionOf(value);
    }
    const model = labels.get('model_name');
    if (model !== undefined && this.models.length > 1) dimensions.model = modelOf(model);
    const origin = this.origins.get(originOf(labels));
    if (origin !== undefined && this.origins.size > 1) dimensions.node = origin;
    const key = JSON.stringify(dimensions);
    const point = this.known.get(key) ?? dimensions;
    this.known.set(key, point);
    return point;
  }

  /** The model and the engine where there is one of each. */
  workload(names: Iterable<string>): Facts {
    const facts: Record<string, FactValue> = {};
    const [model, otherModel] = this.models;
    if (model !== undefined && otherModel === undefined) facts['workload.model'] = model;
    const engines = new Set<string>();
    for (const name of names) if (/^(?:vllm|sglang):/.test(name)) engines.add(name.slice(0, name.indexOf(':')));
    const [engine, otherEngine] = engines;
    if (engine !== undefined && otherEngine === undefined) facts['workload.backend'] = engine;
    return facts;
  }

  private get models(): readonly string[] {
    return [...new Set(Array.from(this.distinct.get('model_name') ?? [], modelOf))];
  }
}

function originOf(labels: Labels): string {
  return originLabels.map((name) => labels.get(name) ?? '').join(' ');
}

export function dimensionOf(value: string): string | number {
  return /^\d{1,9}$/.test(value) ? Number(value) : value.slice(0, 100);
}

/** The last part of a local path, since folders name people and machines; the name of a hub as it is. */
function modelOf(name: string): string {
  const local = /^([/~.]|[A-Za-z]:\\)/.test(name) ? (name.split(/[/\\]/).filter(Boolean).at(-1) ?? name) : name;
  return local.slice(0, 200);
}

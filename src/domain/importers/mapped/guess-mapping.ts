import { nearestNames } from '../../search/nearest-names.js';
import { dimensionOf } from '../../measurement/unit.js';
import { isNoValue, numberOf } from '../number.js';
import type { ColumnMapping, ColumnRole } from './mapping.js';
import { normalized, type Table } from './table.js';

/** A metric that a column may hold. */
export interface KnownMetric {
  readonly key: string;
  readonly unit: string;
}

const ROWS_LOOKED_AT = 200;

/**
 * What the columns of a table may mean, by their names and by what stands in them: to be looked at by a person. Units are
 * taken from the names alone, and a column of numbers without a unit or a metric is IGNORED.
 */
export function guessMapping(table: Table, metrics: readonly KnownMetric[]): ColumnMapping {
  const long = longColumns(table);
  const columns = table.columns.map((column, at) => long?.get(column) ?? roleOf(table, column, at, metrics));
  const isGrouped = !columns.some(({ role }) => role === 'SESSION' || role === 'STARTED_AT');
  return {
    layout: long ? 'LONG' : 'WIDE',
    rows: isGrouped ? 'GROUPED' : 'EACH_ROW',
    columns: withoutDoubles(long ? columns.map(withoutMetric) : columns),
    fixed: { environment: {}, workload: {}, dimensions: {} },
    metrics: long ? namedMetrics(table, long, metrics) : [],
  };
}

function withoutMetric(role: ColumnRole): ColumnRole {
  return role.role === 'METRIC' ? { column: role.column, role: 'IGNORED' } : role;
}

/** Two columns that seem to say the same thing are for a person to tell apart. */
function withoutDoubles(columns: readonly ColumnRole[]): ColumnRole[] {
  const seen = new Set<string>();
  return columns.map((role) => {
    const { column, ...said } = role;
    const key = JSON.stringify(said);
    if (role.role === 'IGNORED' || !seen.has(key)) {
      seen.add(key);
      return role;
    }
    return { column, role: 'IGNORED' };
  });
}

const plainNames = {
  METRIC_NAME: ['metric', 'metric name', 'metric_name', 'measure', 'measurement', 'name', '指标'],
  VALUE: ['value', 'result', 'mean', '值', '数值'],
  UNIT: ['unit', 'units', '单位'],
} as const;

/** A column of names beside one of values: each row says what it measured. */
function longColumns({ columns }: Table): ReadonlyMap<string, ColumnRole> | null {
  const found = new Map<string, ColumnRole>();
  for (const role of ['METRIC_NAME', 'VALUE', 'UNIT'] as const) {
    const names: readonly string[] = plainNames[role];
    const column = columns.find((each) => names.includes(normalized(each)));
    if (column !== undefined) found.set(column, { column, role });
  }
  const roles = [...found.values()].map(({ role }) => role);
  return roles.includes('METRIC_NAME') && roles.includes('VALUE') ? found : null;
}

function namedMetrics(table: Table, long: ReadonlyMap<string, ColumnRole>, metrics: readonly KnownMetric[]) {
  const placeOf = (role: string): number => table.columns.findIndex((column) => long.get(column)?.role === role);
  const [nameAt, unitAt] = [placeOf('METRIC_NAME'), placeOf('UNIT')];
  const named = new Map<string, string>();
  for (const { cells } of table.rows.slice(0, ROWS_LOOKED_AT)) {
    const name = String(cells[nameAt] ?? '').trim();
    if (name !== '' && !named.has(name)) named.set(name, unitAt === -1 ? '' : String(cells[unitAt] ?? '').trim());
  }
  return [...named].flatMap(([name, cell]) => {
    const { words, unit } = partsOf(name);
    const metric = metricOf(words, cell || unit, metrics);
    if (metric === null) return [];
    return [{ name, metric: metric.key, ...(unitAt === -1 ? { unit: unit ?? metric.unit } : {}), dimensions: {} }];
  });
}

const roles: readonly (readonly [ColumnRole['role'], readonly string[]])[] = [
  ['VARIANT', ['variant', 'arm', 'label', 'config', 'version tested', '变体', '方案']],
  ['SESSION', ['session', 'run id', 'run_id', 'job id', 'job_id', '会话']],
  ['BLOCK', ['block', 'pair', 'round', '区组']],
  ['STARTED_AT', ['time', 'date', 'timestamp', 'started', 'started at', 'started_at', 'start time', 'start_time', '时间', '日期']],
]; // prettier-ignore

const facts: readonly (readonly ['WORKLOAD' | 'ENVIRONMENT', string, readonly string[]])[] = [
  ['WORKLOAD', 'workload.model', ['model', 'model id', 'model_id', 'model name', 'model_name', '模型']],
  ['WORKLOAD', 'workload.precision', ['precision', 'dtype', '精度']],
  ['WORKLOAD', 'workload.batch_size', ['batch', 'batch size', 'batch_size', 'bs', '批大小']],
  ['WORKLOAD', 'workload.concurrency', ['concurrency', 'max_concurrency', 'clients', '并发', '并发数']],
  ['WORKLOAD', 'workload.input_tokens', ['input tokens', 'input_tokens', 'input_len', 'isl']],
  ['WORKLOAD', 'workload.output_tokens', ['output tokens', 'output_tokens', 'output_len', 'osl']],
  ['WORKLOAD', 'workload.dataset', ['dataset', 'data set', '数据集']],
  ['WORKLOAD', 'workload.parallelism.tp', ['tp', 'tp_size', 'tensor_parallel_size']],
  ['WORKLOAD', 'workload.parallelism.pp', ['pp', 'pp_size', 'pipeline_parallel_size']],
  ['ENVIRONMENT', 'gpu.sku', ['gpu', 'gpu name', 'gpu_name', 'accelerator', '显卡']],
  ['ENVIRONMENT', 'gpu.count', ['gpus', 'gpu count', 'gpu_count', 'num_gpus', 'world_size']],
  ['ENVIRONMENT', 'nodes.count', ['nodes', 'num_nodes', '节点数']],
  ['ENVIRONMENT', 'driver', ['driver', 'driver version', 'driver_version', '驱动']],
  ['ENVIRONMENT', 'cuda', ['cuda', 'cuda version', 'cuda_version']],
  ['ENVIRONMENT', 'nccl', ['nccl', 'nccl version', 'nccl_version']],
  ['ENVIRONMENT', 'torch', ['torch', 'pytorch', 'torch version', 'torch_version']],
];

const points: readonly string[] = ['size', 'bytes', 'message size', 'rank', 'layer', 'kernel', 'operator', 'op', 'step', 'gpu id', 'gpu_id']; // prettier-ignore

function roleOf(table: Table, column: string, at: number, metrics: readonly KnownMetric[]): ColumnRole {
  const name = normalized(column);
  const said = roles.find(([, names]) => names.includes(name))?.[0];
  if (said === 'VARIANT' || said === 'SESSION' || said === 'BLOCK' || said === 'STARTED_AT') return { column, role: said };
  const fact = facts.find(([, , names]) => names.includes(name));
  if (fact) return { column, role: fact[0], key: fact[1] };
  const isNumbers = holdsNumbers(table, at);
  if (points.includes(name)) return { column, role: 'DIMENSION', name: plainWord(name) || 'point' };
  if (!isNumbers) return { column, role: 'IGNORED' };
  const { words, unit } = partsOf(column);
  const metric = unit === null ? null : metricOf(words, unit, metrics);
  return metric === null || unit === null
    ? { column, role: 'IGNORED' }
    : { column, role: 'METRIC', metric: metric.key, unit, dimensions: {} };
} // prettier-ignore

function plainWord(name: string): string {
  return name.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '');
}

function holdsNumbers({ rows }: Table, at: number): boolean {
  let isAny = false;
  for (const { cells } of rows.slice(0, ROWS_LOOKED_AT)) {
    const cell = cells[at] ?? null;
    if (cell === null || (typeof cell === 'string' && isNoValue(cell))) continue;
    if (typeof cell === 'boolean') return false;
    if (typeof cell === 'string' && numberOf(cell) === null && numberOf(cell, ',') === null) return false;
    isAny = true;
  }
  return isAny;
}

/** `TTFT p99 (ms)`, `ttft_p99_ms` and `Throughput [tok/s]` as words and the unit that stands behind them. */
function partsOf(column: string): { readonly words: readonly string[]; readonly unit: string | null } {
  const [, before = column, bracket] = /^([^([]{1,200})[([]([^)\]]{1,40})[)\]]\s*$/.exec(column) ?? [];
  const words = before.toLowerCase().split(/[^a-z0-9.]+/).filter((word) => word !== ''); // prettier-ignore
  if (bracket !== undefined) return { words, unit: dimensionOf(bracket.trim()) === null ? null : bracket.trim() };
  const last = /[_\s]([A-Za-z%/]{1,20})$/.exec(column.trim())?.[1] ?? '';
  const unit = dimensionOf(last) === null ? null : last;
  return { words: unit === null ? words : words.slice(0, -1), unit };
}

const sameWords: Readonly<Record<string, string>> = {
  avg: 'mean', average: 'mean', latency: 'latency', throughput: 'throughput', tps: 'throughput', mem: 'memory', util: 'utilization', bw: 'bandwidth',
}; // prettier-ignore

/** The metric of the unit's dimension whose key has most of the words. */
function metricOf(words: readonly string[], unit: string | null, metrics: readonly KnownMetric[]): KnownMetric | null {
  const dimension = unit === null ? null : dimensionOf(unit);
  const asked = words.map((word) => sameWords[word] ?? word);
  const scored = metrics
    .filter((metric) => dimension === null || dimensionOf(metric.unit) === dimension)
    .map((metric) => ({ metric, score: scoreOf(asked, metric.key) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.metric.key.length - b.metric.key.length);
  const [best] = scored;
  if (best) return best.metric;
  const [near] = nearestNames(asked.join('-'), metrics.map(({ key }) => key), 1); // prettier-ignore
  return metrics.find(({ key, unit: own }) => key === near && dimensionOf(own) === dimension) ?? null;
}

function scoreOf(words: readonly string[], key: string): number {
  const parts = key.split(/[._]/);
  const hits = words.filter((word) => parts.includes(word)).length;
  return hits === 0 ? 0 : hits / Math.max(words.length, 1) + hits / parts.length;
}

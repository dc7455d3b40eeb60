import { nearestNames } from '../../search/nearest-names.js';
import { dimensionOf } from '../../measurement/unit.js';
import { isNoValue, numberOf } from '../number.js';
import { factNames, namedMetric, pointNames, roleNames, tellsServing } from './column-names.js';
import { columnWords, plainWords } from './column-words.js';
import type { ColumnMapping, ColumnRole } from './mapping.js';
import { unitProblem } from './mapping-problems.js';
import { pooledColumns } from './pooled-rows.js';
import { normalized, type Table } from './table.js';
import { ownValue } from '../../own-value.js';

/** A metric that a column may hold. */
export interface KnownMetric {
  readonly key: string;
  readonly unit: string;
}

const ROWS_LOOKED_AT = 200;

/**
 * What the columns of a table may mean, by their names and by what stands in them: to be looked at by a person. Units are
 * taken from the names alone; one that can be read in several ways is left out, so that it is asked for. Rows are no
 * repetitions of each other where they differ in a column that is IGNORED.
 */
export function guessMapping(table: Table, metrics: readonly KnownMetric[]): ColumnMapping {
  const long = longColumns(table);
  const context = contextOf(table, metrics);
  const found = table.columns.map((column, at) => long?.get(column) ?? roleOf(table, column, at, context));
  const columns = withoutDoubles(long ? found.map(withoutMetric) : found);
  const isEachRow =
    columns.some(({ role }) => role === 'SESSION' || role === 'STARTED_AT') ||
    pooledColumns({ columns }, table).length > 0;
  return {
    layout: long ? 'LONG' : 'WIDE',
    rows: isEachRow ? 'EACH_ROW' : 'GROUPED',
    columns,
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
  const isServing = [...named.keys()].some((name) => tellsServing(columnWords(name), undefined));
  return [...named].flatMap(([name, cell]) => {
    const words = columnWords(name);
    const unit = cell || words.unit;
    const said = namedMetric({ ...words, unit }, isServing)?.key;
    const metric = metrics.find(({ key }) => key === said) ?? metricOf(words.words, unit, metrics);
    if (metric === null) return [];
    return [
      { name, metric: metric.key, ...(unitAt === -1 ? { unit: words.unit ?? metric.unit } : {}), dimensions: {} },
    ];
  });
}

interface Context {
  readonly metrics: readonly KnownMetric[];
  readonly isServing: boolean;
  /** Whether another column than one of requests tells how much was done. */
  readonly hasThroughput: boolean;
}

function contextOf(table: Table, metrics: readonly KnownMetric[]): Context {
  const columns = table.columns.map((column, at) => ({ words: columnWords(column), fact: factOf(table, column, at) }));
  const isServing = columns.some(({ words, fact }) => tellsServing(words, fact?.key));
  const named = columns.map(({ words }) => namedMetric(words, isServing)?.key ?? '');
  return { metrics, isServing, hasThroughput: named.some((key) => key.endsWith('_token_throughput')) };
}

function nameOf(column: string): string {
  return columnWords(column).text.trim();
}

function factOf(table: Table, column: string, at: number) {
  const names = [nameOf(column), plainWords(column).join(' ')];
  const found = factNames.find((one) => names.some((name) => one.names.includes(name)));
  if (!found) return undefined;
  return found.holds === 'ANY' || (found.holds === 'NUMBERS') === holdsNumbers(table, at) ? found : undefined;
}

function roleOf(table: Table, column: string, at: number, context: Context): ColumnRole {
  const name = plainWords(column).join(' ');
  const said = roleNames.find(([, names]) => names.includes(name))?.[0];
  if (said !== undefined) return { column, role: said };
  const fact = factOf(table, column, at);
  if (fact) return { column, role: fact.role, key: fact.key };
  if (pointNames.includes(name)) return { column, role: 'DIMENSION', name: plainWord(name) || 'point' };
  if (!holdsNumbers(table, at)) return { column, role: 'IGNORED' };
  const words = columnWords(column);
  const named = namedMetric(words, context.isServing);
  if (named?.key === 'serving.request_throughput' && context.hasThroughput && isSweep(table, at)) {
    return { column, role: 'WORKLOAD', key: 'workload.request_rate' };
  }
  const known = context.metrics.find(({ key }) => key === named?.key);
  if (known && named) return metricRole(column, known, named.unit);
  const { unit } = words;
  const metric = unit === null ? null : metricOf(words.words, unit, context.metrics);
  return metric === null ? { column, role: 'IGNORED' } : metricRole(column, metric, unit);
}

/** A unit that an import refuses, such as `GB` of memory, is asked for instead of suggested. */
function metricRole(column: string, { key, unit: own }: KnownMetric, unit: string | null): ColumnRole {
  const units = new Map([[key, own]]);
  if (unit === null) return { column, role: 'METRIC', metric: key, dimensions: {} };
  const problem = unitProblem(key, unit, null, units);
  if (problem === null) return { column, role: 'METRIC', metric: key, unit, dimensions: {} };
  return problem.code === 'AMBIGUOUS_UNIT'
    ? { column, role: 'METRIC', metric: key, dimensions: {} }
    : { column, role: 'IGNORED' };
}

/** Whole numbers that differ are what was asked for; measured ones have fractions. */
function isSweep(table: Table, at: number): boolean {
  const numbers = table.rows.slice(0, ROWS_LOOKED_AT).flatMap(({ cells }) => {
    const cell = cells[at] ?? null;
    return cell === null ? [] : [typeof cell === 'number' ? cell : (numberOf(String(cell)) ?? NaN)];
  });
  return new Set(numbers).size > 1 && numbers.every(Number.isInteger);
}

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

const sameWords: Readonly<Record<string, string>> = {
  avg: 'mean', average: 'mean', latency: 'latency', throughput: 'throughput', tps: 'throughput', mem: 'memory', util: 'utilization', bw: 'bandwidth',
}; // prettier-ignore

/** The metric of the unit's dimension whose key has most of the words. */
function metricOf(words: readonly string[], unit: string | null, metrics: readonly KnownMetric[]): KnownMetric | null {
  const dimension = unit === null ? null : dimensionOf(unit);
  const asked = words.map((word) => ownValue(sameWords, word) ?? word);
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

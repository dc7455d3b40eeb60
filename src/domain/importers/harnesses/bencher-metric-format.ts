import { error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { isObject, readJson, type Json, type JsonObject } from '../json.js';
import { Points } from '../repeated.js';
import { benchmarkName, benchmarkRun, listed } from './benchmark-run.js';

/**
 * The JSON that Bencher takes: benchmark, measure, value. Neither unit nor direction is in the file: only of the two
 * measures that every project has are they known, `latency` in nanoseconds and `throughput` in operations per second.
 */
export const bencherMetricFormat: Importer = {
  tool: 'bencher-metric-format',
  what: 'Bencher Metric Format (JSON)',

  recognizes: (text) => {
    if (!start.test(text)) return false;
    const json = readJson(text);
    // what is cut is still of this format: reading it says where it ends
    return (
      json.isTruncated || (json.problem === null && json.documents.every(({ value }) => bencherMetrics(value) !== null))
    );
  },

  read(text) {
    const json = readJson(text);
    if (json.problem) return { runs: [], problems: [json.problem] };
    const parts = json.documents.map(({ value, line }) => readReport(value, line));
    return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
  },
};

const quoted = String.raw`"(?:[^"\\\n]|\\.){1,1024}"`;
const start = new RegExp(
  String.raw`^\s{0,1000}\{\s{0,100}${quoted}\s{0,100}:\s{0,100}\{\s{0,100}${quoted}\s{0,100}:\s{0,100}\{\s{0,100}"(?:value|lower_value|upper_value)"\s{0,100}:\s{0,100}-?\d`,
);

export interface BencherMetric {
  readonly benchmark: string;
  readonly measure: string;
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Every metric of a report, or null where anything is none. */
export function bencherMetrics(value: Json): readonly BencherMetric[] | null {
  if (!isObject(value)) return null;
  const metrics: BencherMetric[] = [];
  for (const [benchmark, measures] of Object.entries(value)) {
    if (!isObject(measures)) return null;
    for (const [measure, metric] of Object.entries(measures)) {
      const found = isObject(metric) ? metricOf(benchmark, measure, metric) : null;
      if (found === null) return null;
      metrics.push(found);
    }
  }
  return metrics.length > 0 ? metrics : null;
}

function metricOf(benchmark: string, measure: string, metric: JsonObject): BencherMetric | null {
  const { value, lower_value: lower = null, upper_value: upper = null, ...others } = metric;
  const isBound = (bound: Json): bound is number | null => bound === null || typeof bound === 'number';
  if (typeof value !== 'number' || !isBound(lower) || !isBound(upper) || Object.keys(others).length > 0) return null;
  return { benchmark, measure, value, lower, upper };
}

const measures: Readonly<Record<string, { readonly metric: string; readonly unit: string }>> = {
  latency: { metric: 'time.latency', unit: 'ns' },
  throughput: { metric: 'throughput.operations', unit: 'operations/s' },
};

function readReport(value: Json, line: number): Reading {
  const metrics = bencherMetrics(value);
  if (metrics === null) return { runs: [], problems: [notOne(line)] };
  const isKnown = ({ measure }: BencherMetric) => Object.hasOwn(measures, measure.toLowerCase());
  const unknown = metrics.filter((metric) => !isKnown(metric)).map(({ measure }) => measure);
  if (unknown.length > 0) return { runs: [], problems: [untold(unknown, line)] };
  const points = new Points();
  for (const { benchmark, measure, value: found } of metrics) {
    const home = measures[measure.toLowerCase()];
    if (home) points.add({ ...home, dimensions: { benchmark: benchmarkName(benchmark) } }, found);
  }
  const observations = points.observations();
  return { runs: observations.length > 0 ? [benchmarkRun('bencher-metric-format', observations)] : [], problems: [] };
}

function notOne(line: number): ImportProblem {
  return error(
    line,
    'Not a report in Bencher Metric Format: each measure of each benchmark needs a number as its value',
    '不是 Bencher Metric Format：每个基准测试的每项度量都应有数值 value',
  );
}

function untold(unknown: readonly string[], line: number): ImportProblem {
  const names = listed(unknown);
  return error(
    line,
    `The file says neither unit nor direction of these measures: ${names}. Read it by a mapping that gives each of them a metric, or a metric of your own`,
    `文件没有给出这些度量的单位和方向：${names}。请用列映射为每项度量指定指标，或先添加自定义指标`,
  );
}

import {
  incomplete,
  leftOut,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type Reading,
  type ReadObservation,
} from '../importer.js';
import { isObject, readJson, type Json } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { monitorReading } from './monitor-run.js';
import { Points, dimensionOf } from './prometheus-points.js';
import { counters, failedRequests, gauges, isFailed, isValue } from './prometheus-series.js';
import { numberOfText, type Labels } from './prometheus-text.js';
import { growthOf, observed, type Column } from './ticks.js';
import { ownValue } from '../../own-value.js';

/** The JSON of `/api/v1/query_range` (and of `/api/v1/query`, which gives one point for each series). */
export const prometheusQueryRange: Importer = {
  tool: 'prometheus-query-range',
  what: '/api/v1/query_range (Prometheus)',

  recognizes: (text) => isAnswer.test(text) && resultType('matrix|vector').test(text) && status('success').test(text),

  nearMiss(text) {
    if (!isAnswer.test(text)) return null;
    if (status('error').test(text) && text.includes('"errorType"')) {
      return error(1, 'Prometheus answered with an error: there is no result', 'Prometheus 返回了错误，没有结果');
    }
    if (resultType('streams').test(text)) {
      return error(1, 'This is an answer of Loki with log lines: send one of Prometheus', '这是 Loki 返回的日志，请上传 Prometheus 的结果'); // prettier-ignore
    }
    if (resultType('scalar|string').test(text)) {
      return error(1, 'The query gives a single number without a name: query a series', '该查询只返回一个没有名称的数值，请查询时间序列'); // prettier-ignore
    }
    return null;
  },

  read(text): Reading {
    const found: Series[] = [];
    let unreadable = 0;
    const json = readJson(withoutFence(text), {
      each: {
        result: (element) => {
          const series = seriesOf(element);
          if (series) found.push(series);
          else unreadable += 1;
        },
      },
    });
    if (json.problem) return { runs: [], problems: [json.problem] };
    return readingOf(found, unreadable);
  },
};

const isAnswer = /^\s{0,100}(?:`{3,4}\w{0,10}[ \t]{0,10}\n)?\s{0,100}\{/;
const resultType = (kinds: string) => new RegExp(`"resultType"\\s{0,20}:\\s{0,20}"(?:${kinds})"`);
const status = (state: string) => new RegExp(`"status"\\s{0,20}:\\s{0,20}"${state}"`);

/** The answer without the marks of a block of Markdown, on the same lines. */
function withoutFence(text: string): string {
  const body = text.replace(/^\s{0,100}`{3,4}\w{0,10}[ \t]{0,10}\n/, '\n');
  const end = body.lastIndexOf('}') + 1;
  return /^\s{0,20}`{3,4}\s{0,20}$/.test(body.slice(end, end + 60)) ? body.slice(0, end) : body;
}

interface Series {
  /** Empty where the query is an expression. */
  readonly name: string;
  readonly labels: Labels;
  /** Of the first and the last point with a number; NaN without one. */
  readonly first: number;
  readonly last: number;
  readonly values: readonly number[];
  /** Points that are NaN or infinite. */
  readonly empty: number;
  /** Points that are missing between others. */
  readonly missing: number;
}

/** Null where the element has no points, such as a native histogram. */
function seriesOf(element: Json): Series | null {
  if (!isObject(element) || !isObject(element.metric)) return null;
  const points = Array.isArray(element.values) ? element.values : element.value === undefined ? null : [element.value];
  if (points === null) return null;
  const labels = new Map<string, string>();
  for (const [name, value] of Object.entries(element.metric)) if (typeof value === 'string') labels.set(name, value);
  const name = labels.get('__name__') ?? '';
  const values: number[] = [];
  const gaps = new Gaps();
  let [first, last, empty] = [NaN, NaN, 0];
  for (const point of points) {
    const pair: readonly Json[] = Array.isArray(point) ? point : [];
    const [time, text] = pair;
    const value = typeof text === 'string' ? numberOfText(text) : NaN;
    const isTimed = typeof time === 'number' && Number.isFinite(time);
    if (isTimed) gaps.note(time);
    if (isTimed && isValue(name, value)) {
      if (values.length === 0) first = time;
      last = time;
      values.push(value);
    } else empty += 1;
  }
  return { name, labels, first, last, values, empty, missing: gaps.missing };
}

function readingOf(found: readonly Series[], unreadable: number): Reading {
  const named = found.filter(({ name }) => name !== '');
  const nameless = found.length - named.length;
  if (nameless > 0 && named.length === 0) return { runs: [], problems: [withoutName()] };
  const points = new Points();
  for (const { labels } of named) points.keep(labels);
  const isPart = ({ name }: Series) => /^(?:vllm|sglang):\w{1,200}_(?:bucket|sum|count|created)$/.test(name);
  const isKnown = ({ name }: Series) => Object.hasOwn(gauges, name) || Object.hasOwn(counters, name);
  const whole = named.filter((series) => !isPart(series));
  const known = whole.filter(isKnown);
  const others = whole.filter((series) => !isKnown(series));
  const first = named.reduce((least, series) => (series.first < least ? series.first : least), Infinity);
  const started = Math.abs(first) < 1e11 ? startedAtOf(new Date(first * 1000).toISOString(), String(first), 1) : null;
  return monitorReading({
    tool: 'prometheus-query-range',
    startedAt: started?.startedAt ?? null,
    workload: points.workload(named.map(({ name }) => name)),
    observations: [
      ...known.flatMap((series) => gaugeOf(series, points)),
      ...countedOf(known, points),
      ...others.flatMap((series) => otherOf(series, points)),
    ],
    isPartial: false,
    problems: [
      ...(nameless > 0 ? [someWithoutName(nameless)] : []),
      ...notKept(namesOf(named.filter(isPart)), unreadable),
      ...pointsLost(named),
      ...(others.length > 0 ? [withoutMetric(namesOf(others))] : []),
      ...(started?.problems ?? []),
    ],
    line: 1,
  });
}

const namesOf = (all: readonly Series[]) => [...new Set(all.map(({ name }) => name))];

function gaugeOf({ name, labels, values }: Series, points: Points): readonly ReadObservation[] {
  const column = ownValue(gauges, name);
  return column ? observed(column, points.dimensionsOf(labels), values) : [];
}

/** A series that no metric means, with its labels as dimensions. */
const otherValue: Column = { metric: 'monitor.value', unit: '' };
/** Labels that name a thing, not a machine or a person. */
const keptLabels = ['job', 'device', 'cpu', 'mode', 'state', 'quantile', 'le', 'rank', 'finished_reason', 'source'];

function otherOf({ name, labels, values }: Series, points: Points): readonly ReadObservation[] {
  const kept = keptLabels.flatMap((label) => {
    const value = labels.get(label);
    return value === undefined || value === '' ? [] : [[label, dimensionOf(value)] as const];
  });
  const dimensions = { series: name.slice(0, 200), ...Object.fromEntries(kept), ...points.dimensionsOf(labels) };
  return observed(otherValue, dimensions, values);
}

/** How much counters grew over the range, and how much in a second; labels that do not matter are added up. */
function countedOf(all: readonly Series[], points: Points): readonly ReadObservation[] {
  const sums = new Map<string, ReadObservation & { value: number }>();
  const add = ({ metric, unit }: Column, dimensions: ReadObservation['dimensions'], value: number) => {
    const key = JSON.stringify([metric, dimensions]);
    const sum = sums.get(key) ?? { metric, dimensions, value: 0, unit };
    sum.value += value;
    sums.set(key, sum);
  };
  for (const { name, labels, first, last, values } of all) {
    const counter = ownValue(counters, name);
    const seconds = last - first;
    if (!counter || values.length < 2 || !(seconds > 0)) continue;
    const { total, rate } = counter;
    const dimensions = points.dimensionsOf(labels);
    const grown = growthOf(values);
    add(isFailed(labels) ? failedRequests : total, dimensions, grown);
    // millijoules in a second are milliwatts
    if (rate && !isFailed(labels)) add(rate, dimensions, (total.unit === 'mJ' ? grown / 1000 : grown) / seconds);
  }
  return [...sums.values()];
}

function withoutName(): ImportProblem {
  return error(
    null,
    'The series have no name, since the query is an expression: query the series itself, or name the result with label_replace(<query>, "__name__", "<name>", "", "")',
    '查询是表达式，结果序列没有名称：请直接查询原始序列，或用 label_replace(<查询>, "__name__", "<名称>", "", "") 为结果命名',
  );
}

function someWithoutName(count: number): ImportProblem {
  return leftOut(null, `${count} series have no name and were left out`, `有 ${count} 个序列没有名称，未采用`);
}

function withoutMetric(names: readonly string[]): ImportProblem {
  const shown = names.slice(0, 10).join(', ').slice(0, 500);
  return warning(
    null,
    `No metric is known for these series, they are kept as numbers without a unit: ${shown}`,
    `以下序列没有对应指标，按无单位数值保存：${shown}`,
    { scope: 'VALUE', code: 'NO_UNIT' },
  );
}

function notKept(parts: readonly string[], unreadable: number): readonly ImportProblem[] {
  const shown = parts.slice(0, 10).join(', ').slice(0, 500);
  return [
    ...(parts.length === 0
      ? []
      : [
          leftOut(
            null,
            `Parts of histograms were left out: ${shown}. Send the exposition (/metrics) instead`,
            `未采用直方图的组成部分：${shown}。请改为上传 /metrics 的内容`,
          ),
        ]),
    ...(unreadable === 0
      ? []
      : [
          leftOut(
            null,
            `${unreadable} series without points were left out`,
            `有 ${unreadable} 个序列没有数据点，未采用`,
          ),
        ]),
  ];
}

/** Points that are no numbers, and gaps in which a target was not scraped. */
function pointsLost(all: readonly Series[]): readonly ImportProblem[] {
  const empty = all.reduce((sum, each) => sum + each.empty, 0);
  const missing = all.reduce((sum, each) => sum + each.missing, 0);
  return [
    ...(empty === 0
      ? []
      : [leftOut(null, `${empty} points are no numbers and were left out`, `有 ${empty} 个数据点不是数值，未采用`)]),
    ...(missing === 0
      ? []
      : [
          incomplete(
            null,
            `${missing} points are missing: the series have gaps`,
            `缺少 ${missing} 个数据点：序列存在断档`,
          ),
        ]),
  ];
}

/** The points that are missing between the first and the last, at the smallest step that occurs. */
class Gaps {
  private first = NaN;
  private last = NaN;
  private step = Infinity;
  private count = 0;

  note(time: number): void {
    if (this.count === 0) this.first = time;
    else if (time > this.last) this.step = Math.min(this.step, time - this.last);
    this.last = time;
    this.count += 1;
  }

  get missing(): number {
    if (!Number.isFinite(this.step)) return 0;
    return Math.max(0, Math.round((this.last - this.first) / this.step) + 1 - this.count);
  }
}

import { convert } from '../../measurement/unit.js';
import { partFailed, warning, type ImportProblem, type ReadObservation } from '../importer.js';
import { Points, summarized } from '../repeated.js';
import { benchmarkName, listed } from './benchmark-run.js';

/** A rate with the unit that the registry knows. */
export interface Rate {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
}

/** A line of results, or an entry of the JSON. */
export interface Row {
  readonly name: string;
  /** `mean`, `stddev`, …; null for one execution, undefined where only the name can tell. */
  readonly aggregate: string | null | undefined;
  readonly real: number;
  readonly cpu: number;
  /** Null where the row is no time, such as a coefficient of variation. */
  readonly unit: string | null;
  /** Of an aggregate how many repetitions it is of; null where the file does not say it. */
  readonly repetitions: number | null;
  readonly rates: readonly Rate[];
}

/**
 * Executions as values that count one by one. Of a benchmark that reports only aggregates: the mean of its repetitions,
 * to which the deviation belongs, or without a deviation their median, with what is known of their distribution.
 */
export function observationsOf(rows: readonly Row[]): readonly ReadObservation[] {
  const names = new Set(rows.map(({ name }) => name));
  const points = new Points();
  const executed = new Set<string>();
  const aggregates = new Map<string, Map<string, Row>>();
  for (const row of rows) {
    const [base, aggregate] = splitName(row, names);
    if (aggregate === null) {
      executed.add(base);
      addExecution(points, base, row);
    } else {
      const of = aggregates.get(base) ?? new Map<string, Row>();
      aggregates.set(base, of.set(aggregate, row));
    }
  }
  const summarized = [...aggregates].filter(([base]) => !executed.has(base));
  return [...points.observations(), ...summarized.flatMap(([base, of]) => summaryOf(base, of))];
}

/** Without `run_type`, a row is an aggregate where the mean and the deviation of the same benchmark are there. */
function splitName({ name, aggregate }: Row, names: ReadonlySet<string>): readonly [string, string | null] {
  const at = name.lastIndexOf('_');
  const base = name.slice(0, Math.max(at, 0));
  const last = name.slice(at + 1);
  if (aggregate === null) return [name, null];
  if (aggregate !== undefined) return [last === aggregate ? base : name, aggregate];
  return names.has(`${base}_mean`) && names.has(`${base}_stddev`) ? [base, last] : [name, null];
}

function addExecution(points: Points, base: string, { real, cpu, unit, rates }: Row): void {
  const dimensions = { benchmark: benchmarkName(base) };
  if (unit !== null) {
    points.add({ metric: 'time.per_operation', dimensions, unit }, real);
    points.add({ metric: 'time.cpu_per_operation', dimensions, unit }, cpu);
  }
  for (const { metric, value, unit: rateUnit } of rates) points.add({ metric, dimensions, unit: rateUnit }, value);
}

function summaryOf(base: string, of: ReadonlyMap<string, Row>): readonly ReadObservation[] {
  const [mean, median, deviation] = ['mean', 'median', 'stddev'].map((name) => of.get(name));
  const typical = (deviation ? mean : undefined) ?? median ?? mean;
  const unit = typical?.unit;
  if (!typical || !unit) return [];
  const { repetitions } = typical;
  const dimensions = { benchmark: benchmarkName(base) };
  const spread = (value: number, sd: number | null) => (typical === mean ? summarized(value, sd, repetitions) : {});
  const time = (metric: string, pick: (row: Row) => number): readonly ReadObservation[] => {
    const of = (row: Row | undefined): number | null => (row?.unit === unit && Number.isFinite(pick(row)) ? pick(row) : null);
    const value = of(typical);
    if (value === null) return [];
    const distribution = { mean: of(mean), sd: of(deviation), min: null, p50: of(median), p90: null, p99: null, max: null };
    return [
      {
        metric, dimensions, value, unit, ...spread(value, of(deviation)),
        ...(repetitions === null ? {} : { distribution: { count: repetitions, ...distribution } }),
      },
    ];
  }; // prettier-ignore
  return [
    ...time('time.per_operation', ({ real }) => real),
    ...time('time.cpu_per_operation', ({ cpu }) => cpu),
    ...typical.rates
      .filter(({ value }) => Number.isFinite(value))
      .map((rate) => ({ ...rate, dimensions, ...spread(rate.value, rateIn(deviation, rate)) })),
  ];
}

/** The rate of another row of the same benchmark, in the unit of `rate`: the console chooses one for each number. */
function rateIn(row: Row | undefined, { metric, unit }: Rate): number | null {
  const found = row?.rates.find((rate) => rate.metric === metric);
  return found && Number.isFinite(found.value) ? convert(found.value, found.unit, unit) : null;
}

/** What of a file makes its times doubtful. */
export interface Doubts {
  readonly isDebug: boolean;
  readonly isScaling: boolean;
  readonly failed: ReadonlySet<string>;
  readonly skipped: ReadonlySet<string>;
}

export function doubtsOf(
  { isDebug, isScaling, failed, skipped }: Doubts,
  line: number | null,
): readonly ImportProblem[] {
  const [failedNames, skippedNames] = [listed(failed), listed(skipped)];
  return [
    ...(isDebug
      ? [
          warning(
            line,
            'The benchmark library was built as debug: times are too long',
            '基准测试库是 debug 构建，耗时偏长',
            { code: 'DEBUG_BUILD' },
          ),
        ]
      : []),
    ...(isScaling
      ? [
          warning(
            line,
            'CPU frequency scaling was on: real times vary with the clock',
            'CPU 调频处于开启状态，实际耗时会随频率波动',
            { code: 'CLOCKS_VARY' },
          ),
        ]
      : []),
    ...(failed.size > 0 ? [partFailed(line, `Failed: ${failedNames}`, `执行失败：${failedNames}`)] : []),
    ...(skipped.size > 0
      ? [warning(line, `Skipped: ${skippedNames}`, `已跳过：${skippedNames}`, { code: 'PART_FAILED' })]
      : []),
  ];
}

/** `1.13369Mi` per second of `bytes_per_second`. Its k and M count 1024 in every version, with or without the i. */
export function bytesRate(mantissa: number, prefix: string): Rate {
  const letter = prefix.replace(/i$/, '').toUpperCase();
  return { metric: 'throughput.bytes', value: mantissa, unit: letter === '' ? 'B/s' : `${letter}iB/s` };
}

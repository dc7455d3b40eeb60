import { badRun, type ImportProblem } from '../importer.js';
import { isObject, type JsonObject } from '../json.js';
import type { ProfileMetric } from './profile-statistics.js';
import { finite, textOf } from './workload.js';

/** The request throughput of both tools is an object, unlike that of any other client. */
export function hasStatistics(text: string): boolean {
  return /"request_throughput"\s{0,10}:\s{0,10}\{/.test(text);
}

/** Only AIPerf writes one of these. */
export const aiperfKeys =
  /"(?:cli_command|aiperf_version|was_cancelled|error_summary|benchmark_duration|time_to_first_output_token)"/;

/** Large, or about nothing that is measured here. */
export const notRead: ReadonlySet<string> = new Set(['sessions', 'timeslices', 'inputs', 'headers', 'extra_inputs']);

/** Everything in the object that has a unit and numbers. All of them share the line of the object. */
export function metricsIn(object: JsonObject, line: number): readonly ProfileMetric[] {
  return Object.entries(object)
    .slice(0, 1_000)
    .flatMap(([key, value]) => {
      if (!isObject(value) || typeof value.unit !== 'string') return [];
      const statistics = statisticsIn(value);
      return Object.keys(statistics).length > 0 ? [{ key, unit: value.unit, statistics, line }] : [];
    });
}

export function statisticsIn(value: JsonObject): Readonly<Record<string, number>> {
  const numbers = Object.entries(value).flatMap(([name, number]) => {
    const found = finite(number);
    return found === null ? [] : [[name, found] as const];
  });
  return Object.fromEntries(numbers);
}

/** A local time without zone is taken as UTC, for want of better. */
export function isoOf(value: unknown): string | null {
  const text = textOf(value)?.trim() ?? '';
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)) return null;
  const iso = text.replace(' ', 'T').slice(0, 40);
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`;
}

export function withoutStatistics(line: number, what: string): ImportProblem {
  return badRun(
    line,
    `Not a result of ${what}: request_throughput with unit and avg is missing`,
    `不是 ${what} 的结果：缺少含 unit 和 avg 的 request_throughput`,
  );
}

import { z } from 'zod';
import { error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { isObject, readJson, startsLikeJson, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { benchmarkRun, notKept, lineOf, listed } from './benchmark-run.js';
import { doubtsOf, observationsOf, type Rate, type Row } from './google-benchmark-rows.js';

/** What `--benchmark_format=json` or `--benchmark_out` of Google Benchmark writes; times in the unit of each entry. */
export const googleBenchmarkJson: Importer = {
  tool: 'google-benchmark-json',
  what: 'Google Benchmark --benchmark_out (JSON)',

  recognizes: (text) =>
    startsLikeJson(text) &&
    ['"context"', '"benchmarks"', '"real_time"', '"cpu_time"', '"time_unit"', '"num_cpus"'].every((part) =>
      text.includes(part),
    ),

  nearMiss: (text) =>
    /^name,iterations,real_time,cpu_time,time_unit,/m.test(text)
      ? error(
          null,
          'This is the CSV of Google Benchmark: repeat with --benchmark_out_format=json, or read it by a mapping of its columns',
          '这是 Google Benchmark 的 CSV：请用 --benchmark_out_format=json 重新生成，或用列映射读取',
        )
      : null,

  read(text) {
    const json = readJson(text);
    if (json.problem) return { runs: [], problems: [json.problem] };
    const parts = json.documents.flatMap(({ value, line }) =>
      isObject(value) && Array.isArray(value.benchmarks) ? [readFile(value, line, text)] : [],
    );
    return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
  },
};

const entry = z.object({
  name: z.string(),
  run_name: z.string().optional(),
  run_type: z.string().optional(),
  aggregate_name: z.string().optional(),
  aggregate_unit: z.string().optional(),
  repetitions: z.number().optional(),
  iterations: z.number(),
  real_time: z.number(),
  cpu_time: z.number(),
  time_unit: z.enum(['ns', 'us', 'ms', 's']),
});

type Entry = z.infer<typeof entry>;

const contextShape = z.object({
  date: z.string().catch(''),
  executable: z.string().nullable().catch(null),
  num_cpus: z.int().min(1).nullable().catch(null),
  cpu_scaling_enabled: z.boolean().catch(false),
  library_build_type: z.string().catch(''),
  library_version: z.string().nullable().catch(null),
});

/** Fields that are no counters. */
const fields = new Set([
  'name', 'family_index', 'per_family_instance_index', 'run_name', 'run_type', 'repetitions', 'repetition_index', 'threads',
  'aggregate_name', 'aggregate_unit', 'iterations', 'real_time', 'cpu_time', 'time_unit', 'label', 'error_occurred',
  'error_message', 'skipped', 'skip_message', 'bytes_per_second', 'items_per_second', 'allocs_per_iter',
]); // prettier-ignore

function readFile(file: JsonObject, line: number, text: string): Reading {
  const entries = (Array.isArray(file.benchmarks) ? file.benchmarks : []).filter(isObject);
  const [failed, skipped, counters] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const rows: Row[] = [];
  const bad: ImportProblem[] = [];
  for (const found of entries) {
    const name = nameOf(found);
    if (found.error_occurred === true) failed.add(name);
    else if (found.skipped === true) skipped.add(name);
    // what a fit of the complexity writes is no time
    else if (found.big_o === undefined && found.rms === undefined) {
      const parsed = entry.safeParse(found);
      if (!parsed.success) {
        bad.push(badEntry(found, parsed.error, line, text));
        continue;
      }
      rows.push(rowOf(parsed.data, found));
      for (const key of Object.keys(found)) if (!fields.has(key) && typeof found[key] === 'number') counters.add(key);
    }
  }
  const context = contextShape.parse(isObject(file.context) ? file.context : {});
  const doubts = doubtsOf(
    { isDebug: context.library_build_type === 'debug', isScaling: context.cpu_scaling_enabled, failed, skipped },
    line,
  );
  const observations = observationsOf(rows);
  if (observations.length === 0) return { runs: [], problems: [...bad, ...doubts, nothing(line)] };
  // older versions write the local time without saying where that is
  const hasZone = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}(?:Z|[+-]\d{2}:\d{2})$/.test(context.date);
  const start = hasZone ? startedAtOf(context.date, context.date, line) : { startedAt: null, problems: [] };
  const run = benchmarkRun('google-benchmark-json', observations, {
    status: failed.size > 0 ? 'PARTIAL' : 'OK',
    toolVersion: context.library_version?.slice(0, 100) ?? null,
    startedAt: start.startedAt,
    command: context.executable,
    environment: context.num_cpus === null ? {} : { 'cpu.logical': context.num_cpus },
  });
  return {
    runs: [bad.length > 0 ? { ...run, leftOut: bad.length } : run],
    problems: [...bad, ...doubts, ...start.problems, ...notKept(counters)],
  };
}

function nameOf(found: JsonObject): string {
  return typeof found.run_name === 'string' ? found.run_name : typeof found.name === 'string' ? found.name : '?';
}

function badEntry(found: JsonObject, fault: z.ZodError, line: number, text: string): ImportProblem {
  const name = typeof found.name === 'string' ? found.name : '';
  const places = fault.issues.slice(0, 5).map(({ path }) => path.join('.')).join(', '); // prettier-ignore
  const shown = listed([name || '?']);
  return error(
    name === '' ? line : lineOf(text, JSON.stringify(name), line),
    `Not a result of Google Benchmark: ${shown}. Bad or missing: ${places}`,
    `不是 Google Benchmark 的结果：${shown}。字段有误或缺失：${places}`,
    { scope: 'VALUE', code: 'UNREADABLE_VALUE' },
  );
}

function nothing(line: number): ImportProblem {
  return error(line, 'The file holds no benchmark that ran', '文件中没有成功执行的基准测试');
}

function rowOf(found: Entry, object: JsonObject): Row {
  const isAggregate = found.run_type === 'aggregate';
  return {
    name: isAggregate ? found.name : (found.run_name ?? found.name),
    aggregate: found.run_type === undefined ? undefined : isAggregate ? (found.aggregate_name ?? '') : null,
    real: found.real_time,
    cpu: found.cpu_time,
    unit: found.aggregate_unit === 'percentage' || found.aggregate_name === 'cv' ? null : found.time_unit,
    repetitions: isAggregate ? repetitionsOf(found) : null,
    rates: ratesOf(object),
  };
}

/** `iterations` of an aggregate are the repetitions that succeeded, in versions that write `repetitions`: 1.5 and newer. */
function repetitionsOf({ repetitions, iterations }: Entry): number | null {
  return repetitions === undefined ? null : Math.min(repetitions, iterations);
}

const rateFields: readonly (readonly [string, string, string])[] = [
  ['bytes_per_second', 'throughput.bytes', 'B/s'],
  ['items_per_second', 'throughput.items', 'items/s'],
  ['allocs_per_iter', 'memory.allocations_per_operation', 'allocs/op'],
];

function ratesOf(object: JsonObject): readonly Rate[] {
  return rateFields.flatMap(([field, metric, unit]) => {
    const value = object[field];
    return typeof value === 'number' ? [{ metric, value, unit }] : [];
  });
}

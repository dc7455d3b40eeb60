import { z } from 'zod';
import type { Facts } from '../../measurement/environment-diff.js';
import { distributionOf } from '../distribution.js';
import {
  incomplete,
  error,
  warning,
  type Distribution,
  type Importer,
  type ImportProblem,
  type Reading,
  type ReadObservation,
} from '../importer.js';
import { isObject, readJson, startsLikeJson, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { evenly, summarized } from '../repeated.js';
import { benchmarkName, benchmarkRun, cpuArchitecture, lineOf, listed } from './benchmark-run.js';

/** What `pytest --benchmark-json` or `--benchmark-save` writes: seconds per call, one result for each test. */
export const pytestBenchmark: Importer = {
  tool: 'pytest-benchmark',
  what: 'pytest --benchmark-json',

  recognizes: (text) =>
    startsLikeJson(text) &&
    ['"machine_info"', '"benchmarks"', '"fullname"', '"stats"', '"rounds"'].every((part) => text.includes(part)),

  nearMiss: (text) =>
    /^-{3,200} benchmark(?: '[^'\n]{1,200}')?: \d{1,9} tests? -{3,200}$|^Name \(time in (?:ns|us|ms|s)\)\s/m.test(text)
      ? error(
          null,
          'This is the table that pytest-benchmark prints: send the file of --benchmark-json=FILE',
          '这是 pytest-benchmark 打印的表格，请上传 --benchmark-json=FILE 写出的文件',
        )
      : null,

  read(text) {
    const json = readJson(text, { skip: new Set(['cprofile', 'flags']) });
    if (json.problem) return { runs: [], problems: [json.problem] };
    const parts = json.documents.flatMap(({ value, line }) =>
      isObject(value) && Array.isArray(value.benchmarks) ? [readFile(value, line, text)] : [],
    );
    return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
  },
};

const stats = z.object({
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  median: z.number(),
  stddev: z.number().nullish(),
  rounds: z.int().min(1),
  // absent before version 3
  ops: z.number().nullish(),
  data: z.array(z.unknown()).nullish(),
});

const benchmark = z.object({
  name: z.string(),
  fullname: z.string().nullish(),
  options: z.record(z.string(), z.unknown()).catch({}),
  stats,
});

type Benchmark = z.infer<typeof benchmark>;

function readFile(file: JsonObject, line: number, text: string): Reading {
  const entries: readonly unknown[] = Array.isArray(file.benchmarks) ? file.benchmarks : [];
  const parsed = entries.map((entry) => benchmark.safeParse(entry));
  const bad = parsed.flatMap(({ error: fault }, index) => (fault ? [badEntry(entries[index], fault, line, text)] : []));
  const found = parsed.flatMap(({ data }) => (data ? [data] : []));
  const observations = found.flatMap(observationsOf);
  const start = startOf(file.datetime, line);
  if (observations.length === 0) return { runs: [], problems: [...bad, noBenchmark(line)] };
  const run = benchmarkRun('pytest-benchmark', observations, {
    toolVersion: typeof file.version === 'string' ? file.version.slice(0, 100) : null,
    startedAt: start.startedAt,
    environment: environmentOf(file.machine_info),
    workload: sameOptions(found),
  });
  return {
    runs: [bad.length > 0 ? { ...run, leftOut: bad.length } : run],
    problems: [...bad, ...start.problems, ...doubts(found, line)],
  };
}

function badEntry(entry: unknown, fault: z.ZodError, line: number, text: string): ImportProblem {
  const name = isObject(entry) && typeof entry.name === 'string' ? entry.name : '';
  const at = name === '' ? line : lineOf(text, JSON.stringify(name), line);
  const places = fault.issues.slice(0, 5).map(({ path }) => path.join('.')).join(', '); // prettier-ignore
  const shown = listed([name || '?']);
  return error(
    at,
    `Not a result of pytest-benchmark: ${shown}. Bad or missing: ${places}`,
    `不是 pytest-benchmark 的结果：${shown}。字段有误或缺失：${places}`,
    { scope: 'VALUE', code: 'UNREADABLE_VALUE' },
  );
}

function noBenchmark(line: number): ImportProblem {
  return error(line, 'The file holds no benchmark', '文件中没有基准测试结果');
}

function observationsOf({ name, fullname, stats: found }: Benchmark): readonly ReadObservation[] {
  const dimensions = { benchmark: benchmarkName(fullname ?? name) };
  const rounds = allRounds(found);
  const spread = rounds === null ? summarized(found.mean, found.stddev, found.rounds) : {};
  return [
    {
      metric: 'time.median',
      dimensions,
      value: found.median,
      unit: 's',
      ...(rounds && rounds.length > 1 ? { repeats: evenly(rounds) } : {}),
      distribution: (rounds && distributionOf(rounds)) ?? statedDistribution(found),
    },
    { metric: 'time.mean', dimensions, value: found.mean, unit: 's', ...spread },
    ...(found.ops ? [{ metric: 'throughput.operations', dimensions, value: found.ops, unit: 'operations/s' }] : []),
  ].filter(({ value }) => Number.isFinite(value));
}

/** The times of the rounds, where all of them are there: `--benchmark-save` leaves them out, editors shorten them. */
function allRounds({ data, rounds }: Benchmark['stats']): readonly number[] | null {
  const numbers = (data ?? []).filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  return data?.length === rounds && numbers.length === rounds ? numbers : null;
}

function statedDistribution({ rounds, mean, stddev, min, median, max }: Benchmark['stats']): Distribution {
  const finite = (value: number | null | undefined) => (Number.isFinite(value) ? (value ?? null) : null);
  // the deviation of one round is written as 0
  const sd = rounds > 1 ? finite(stddev) : null;
  return {
    count: rounds,
    mean: finite(mean),
    sd,
    min: finite(min),
    p50: finite(median),
    p90: null,
    p99: null,
    max: finite(max),
  };
}

function doubts(found: readonly Benchmark[], line: number): readonly ImportProblem[] {
  const shortened = found.filter(({ stats: each }) => (each.data?.length ?? 0) > 0 && allRounds(each) === null);
  const single = found.filter(({ stats: each }) => each.rounds === 1);
  const names = (list: readonly Benchmark[]) => listed(list.map(({ name }) => name));
  return [
    ...(shortened.length === 0
      ? []
      : [
          incomplete(
            line,
            `The times of the rounds are incomplete, so only the stated statistics were taken: ${names(shortened)}`,
            `各轮次的耗时不完整，仅采用文件给出的统计值：${names(shortened)}`,
          ),
        ]),
    ...(single.length === 0
      ? []
      : [
          warning(line, `Only one round was measured: ${names(single)}`, `只测量了一轮：${names(single)}`, {
            scope: 'RUN',
            code: 'FEW_SAMPLES',
          }),
        ]),
  ];
}

const text = z.string().trim().min(1).max(300).optional().catch(undefined);
const machine = z.object({
  python_version: text,
  python_implementation: text,
  machine: text,
  system: text,
  release: text,
  cpu: z
    .object({ brand_raw: text, brand: text, count: z.int().min(1).optional().catch(undefined) })
    .partial()
    .catch({}),
});

/** Without `node`, which is the name of the machine. */
function environmentOf(info: unknown): Facts {
  const parsed = machine.safeParse(isObject(info) ? { ...info, cpu: info.cpu ?? {} } : {});
  if (!parsed.success) return {};
  const {
    python_version,
    python_implementation = 'CPython',
    machine: architecture,
    system,
    release,
    cpu,
  } = parsed.data;
  const name = cpu.brand_raw ?? cpu.brand;
  const python =
    python_implementation === 'CPython' ? python_version : `${python_implementation} ${python_version ?? ''}`.trim();
  return {
    ...(python ? { python } : {}),
    ...(system ? { os: system } : {}),
    ...(release ? { kernel: release } : {}),
    ...(architecture ? { 'cpu.architecture': cpuArchitecture(architecture) } : {}),
    ...(name ? { 'cpu.name': name } : {}),
    ...(cpu.count ? { 'cpu.logical': cpu.count } : {}),
  };
}

/** Options that change what is measured, where all benchmarks have the same. */
function sameOptions(found: readonly Benchmark[]): Facts {
  return Object.fromEntries(
    ['timer', 'disable_gc', 'warmup'].flatMap((name) => {
      const values = new Set(found.map(({ options }) => options[name]));
      const [value] = values;
      const isPlain = typeof value === 'boolean' || (typeof value === 'string' && value.length < 100);
      return values.size === 1 && isPlain ? [[`workload.settings.${name}`, value] as const] : [];
    }),
  );
}

/** Versions before 5 write UTC without saying so. */
function startOf(given: unknown, line: number): ReturnType<typeof startedAtOf> {
  if (typeof given !== 'string' || !/^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}/.test(given))
    return { startedAt: null, problems: [] };
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(given);
  return startedAtOf(hasZone ? given : `${given}Z`, given, line);
}

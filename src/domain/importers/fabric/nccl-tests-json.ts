import type { FactValue } from '../../measurement/environment-diff.js';
import { samplesWithDistribution } from '../distribution.js';
import { embeddedJson, holdsObject } from '../embedded-json.js';
import { partFailed, type Importer, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import { isObject, objectsOf, readJson, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { Launch } from './nccl-launch.js';
import type { Half, Row } from './nccl-rows.js';
import { runOf, tableProblems, timeOfCpu, withoutContradictions, type Table } from './nccl-runs.js';

/** The file that `-J` of nccl-tests writes: the table with all digits, and the times of single iterations. */
export const ncclTestsJson: Importer = {
  tool: 'nccl-tests-json',
  what: 'nccl-tests -J (JSON)',

  recognizes: (text) =>
    text.includes('"bus_bw"') &&
    holdsObject(text) &&
    /"results"\s{0,10}:/.test(text) &&
    /"(?:out_of_place|in_place)"\s{0,10}:/.test(text) &&
    /"bus_bw"\s{0,10}:/.test(text) &&
    /"nwrong"\s{0,10}:/.test(text),

  read(text) {
    const json = readJson(embeddedJson(text), { skip: passedOver });
    if (json.problem) return { runs: [], problems: [json.problem] };
    const parts = objectsOf(json)
      .filter(({ object }) => Array.isArray(object.results))
      .map(({ object, line }) => readReport(object, line));
    return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
  },
};

const passedOver = new Set(['per_process_max_times_us']);

const partOf = (object: JsonObject, key: string): JsonObject => (isObject(object[key]) ? object[key] : {});
const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textsIn = (value: unknown): readonly string[] => listIn(value).filter((each) => typeof each === 'string');

function readReport(
  report: JsonObject,
  line: number,
): { runs: readonly ReadRun[]; problems: readonly ImportProblem[] } {
  const results = listIn(report.results).filter(isObject);
  if (results.some((result) => partOf(result, 'out_of_place').cpu_time !== undefined)) {
    return { runs: [], problems: [timeOfCpu(line)] };
  }
  const table = tableOf(report, results, line);
  if (table.rows.length === 0 && table.average === null) return { runs: [], problems: [] };
  const { startedAt, problems } = startOf(report.start_time, line);
  const run = runOf(table);
  return {
    runs: [{ ...run, startedAt, observations: withIterations(run.observations, results) }],
    problems: [...tableProblems(table), ...problems, ...errorsIn(report, line)],
  };
}

function tableOf(report: JsonObject, results: readonly JsonObject[], line: number): Table {
  const launch = launchOf(report);
  const rows = results.map((result) => rowOf(result, line));
  const bounds = partOf(report, 'out_of_bounds');
  const wrong = finite(bounds.count);
  return withoutContradictions({
    line,
    launch,
    collective: launch.collective,
    countsWrong: true,
    rows: rows.filter((row) => row !== null && row !== 'empty'),
    broken: rows.filter((row) => row === null).map(() => line),
    contradictions: [],
    empty: rows.filter((row) => row === 'empty').length,
    elided: 0,
    average: finite(partOf(report, 'average_bus_bandwidth').bandwidth),
    check: wrong === null ? null : { wrong, hasFailed: bounds.okay === 'false' || bounds.okay === false },
  });
}

function rowOf(result: JsonObject, line: number): Row | 'empty' | null {
  const bytes = finite(result.size);
  const [outOfPlace, inPlace] = [halfOf(result.out_of_place), halfOf(result.in_place)];
  if (bytes === 0) return 'empty';
  if (bytes === null || !outOfPlace || !inPlace) return null;
  const type = typeof result.type === 'string' ? result.type.trim().slice(0, 40) : '';
  const redop = typeof result.redop === 'string' ? result.redop.trim().slice(0, 40) : null;
  return { line, bytes, type, redop, outOfPlace, inPlace };
}

function halfOf(found: unknown): Half | null {
  if (!isObject(found)) return null;
  const [time, algbw, busbw] = [finite(found.time), finite(found.alg_bw), finite(found.bus_bw)];
  return time === null || algbw === null || busbw === null ? null : { time, algbw, busbw, wrong: finite(found.nwrong) };
}

/** Of the environment of the process only what NCCL reads; places of files and addresses are left out. */
const variable = /^((?:NCCL|RCCL)_[A-Z0-9_]{1,60})=(.{1,200})$/s;
const privateVariable = /_(?:COMM_ID|FILE|PATH|HOST|ADDR|DIR|HOSTID)$|_FILE_/;

function launchOf(report: JsonObject): Launch {
  const launch = new Launch({});
  const [config, args] = [partOf(report, 'config'), textsIn(report.args)];
  launch.take((args[0] ?? '').split('/').at(-1) ?? '');
  launch.command = args.length > 0 ? args.join(' ').slice(0, 4_000) : null;
  for (const entry of textsIn(report.env)) {
    const found = variable.exec(entry);
    if (found?.[1] && found[2] && !privateVariable.test(found[1])) launch.environment[`env.${found[1]}`] = found[2];
  }
  const version = finite(report.nccl_version);
  if (version !== null && version >= 20_000 && version < 100_000) {
    launch.environment.nccl = [version / 10_000, (version % 10_000) / 100, version % 100].map(Math.floor).join('.');
  }
  takeDevices(launch, config);
  Object.assign(launch.settings, settingsOf(config));
  return launch;
}

/** One entry for each process, the first of its GPUs. Hosts are only counted. */
function takeDevices(launch: Launch, config: JsonObject): void {
  const devices = listIn(config.devices).filter(isObject);
  for (const device of devices) {
    const info = typeof device.device_info === 'string' ? device.device_info : '';
    launch.take(`# Rank ${finite(device.rank) ?? 0} Pid 0 on host device 0 [0] ${info.trim().slice(0, 200)}`);
  }
  const perProcess = (finite(config.nthreads) ?? 1) * (finite(config.ngpus) ?? 1);
  if (devices.length === 0) return;
  launch.environment['gpu.count'] = devices.length * perProcess;
  launch.environment['nodes.count'] = new Set(devices.map(({ hostname }) => hostname)).size;
}

const settings: readonly (readonly [string, string])[] = [
  ['minimum_bytes', 'workload.min_bytes'],
  ['maximum_bytes', 'workload.max_bytes'],
  ['warmup_iters', 'workload.warmup_iterations'],
  ['iterations', 'workload.iterations'],
  ['aggregated_iterations', 'workload.aggregated_iterations'],
  ['graph', 'workload.cuda_graph_launches'],
];

function settingsOf(config: JsonObject): Record<string, FactValue> {
  const facts: Record<string, FactValue> = {};
  for (const [key, name] of settings) {
    const value = finite(config[key]);
    if (value !== null) facts[name] = value;
  }
  // as the table writes it
  const [factor, bytes] = [finite(config.step_factor), finite(config.step_bytes)];
  if (factor !== null) facts['workload.size_step'] = `${factor}(factor)`;
  else if (bytes !== null) facts['workload.size_step'] = `${bytes}(bytes)`;
  if (config.blocking_collectives === 'true') facts['workload.settings.blocking'] = true;
  return facts;
}

/** What happened inside a run: the times of the iterations of each size, where they were asked for. */
function withIterations(
  observations: readonly ReadObservation[],
  results: readonly JsonObject[],
): readonly ReadObservation[] {
  const times = new Map<string, number[]>();
  for (const result of results) {
    for (const place of ['out_of_place', 'in_place']) {
      const own = listIn(partOf(result, `${place}_per_iter`).times_us).map(finite).filter((time) => time !== null); // prettier-ignore
      const key = `fabric.time.${place} ${finite(result.size) ?? ''}`;
      if (own.length > 0) times.set(key, [...(times.get(key) ?? []), ...own]);
    }
  }
  return observations.map((observation) => {
    const own = times.get(`${observation.metric} ${observation.dimensions.bytes ?? ''}`);
    return own ? { ...observation, ...samplesWithDistribution(own) } : observation;
  });
}

/** `2026-02-03 04:05:06`: a local time without zone; taken as UTC, for want of better. */
function startOf(given: unknown, line: number): ReturnType<typeof startedAtOf> {
  const found = typeof given === 'string' ? /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(given) : null;
  return found ? startedAtOf(`${found[1]}T${found[2]}Z`, found[0], line) : { startedAt: null, problems: [] };
}

function errorsIn(report: JsonObject, line: number): readonly ImportProblem[] {
  return textsIn(report.errors)
    .filter((text) => text.trim() !== '')
    .slice(0, 5)
    .map((text) =>
      partFailed(line, `NCCL reports an error: ${text.slice(0, 200)}`, `NCCL 报告错误：${text.slice(0, 200)}`),
    );
}

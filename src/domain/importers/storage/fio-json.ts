import { leftOut, failedRun, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { embeddedJson, holdsObject } from '../embedded-json.js';
import { isObject, objectsOf, readJson, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { jobProblems, settled } from './fio-problems.js';
import {
  directions,
  runsOf,
  type Direction,
  type Execution,
  type Job,
  type Latency,
  type Transfer,
} from './fio-results.js';
import { settingsOf } from './fio-settings.js';

/** What `fio --output-format=json` and `json+` write, alone or behind messages, of one machine or of several clients. */
export const fioJson: Importer = {
  tool: 'fio-json',
  what: 'fio --output-format=json, json+',

  recognizes: (text) =>
    /"fio version"\s{0,10}:/.test(text) && /"(?:jobs|client_stats)"\s{0,10}:\s{0,10}\[/.test(text) && holdsObject(text),

  read(text) {
    const json = readJson(embeddedJson(text), { skip: passedOver });
    if (json.problem) return { runs: [], problems: [json.problem] };
    const objects = objectsOf(json).filter(({ object }) => object['fio version'] !== undefined);
    const last = objects.filter(({ object }, index) => !isContinued(object, objects[index + 1]?.object));
    const isCut = /^fio: terminating on signal/m.test(text);
    const parts = last.map(({ object, line }) => readExecution(object, line, isCut));
    const problems = [...dropped(objects.length - last.length), ...parts.flatMap((part) => part.problems)];
    const runs = parts.flatMap((part) => part.runs);
    return runs.length > 0
      ? { runs, problems: settled(runs, problems) }
      : { runs, problems: [...problems, nothing(objects[0]?.line ?? null)] };
  },
};

/** Histograms of json+, and latencies by priority: long, and not read. */
const passedOver = new Set(['bins', 'prios', 'disk_util']);

function nothing(line: number | null): ImportProblem {
  return failedRun(line, 'No job transferred anything: there is no result', '没有任何作业传输数据，没有结果');
}

/** `--status-interval` writes the state so far again and again: the same jobs, begun at the same time, went on. */
function isContinued(object: JsonObject, next: JsonObject | undefined): boolean {
  if (!next) return false;
  const isSame = namesIn(object) === namesIn(next);
  const [begin, laterBegin] = [object, next].map(beginOf);
  if (!isSame || begin === undefined || laterBegin === undefined || begin === null || laterBegin === null) return false;
  return Math.abs(begin - laterBegin) <= 2 && (finite(object.timestamp) ?? 0) < (finite(next.timestamp) ?? 0);
}

const namesIn = (object: JsonObject): string => JSON.stringify(jobsIn(object).map(({ jobname }) => jobname));

/** Seconds since 1970. */
function beginOf(object: JsonObject): number | null {
  const [elapsed, timestamp] = [finite(jobsIn(object)[0]?.elapsed), finite(object.timestamp)];
  return elapsed === null || timestamp === null ? null : timestamp - elapsed;
}

function dropped(count: number): readonly ImportProblem[] {
  return count > 0
    ? [
        leftOut(
          null,
          `Intermediate states of a run that went on were left out: ${count}`,
          `未采用运行过程中的中间状态：${count} 个`,
        ),
      ]
    : [];
}

function jobsIn(object: JsonObject): readonly JsonObject[] {
  return [object.jobs, object.client_stats].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
}

function readExecution(
  object: JsonObject,
  line: number,
  isCut: boolean,
): { runs: readonly ReadRun[]; problems: readonly ImportProblem[] } {
  const found = jobsIn(object);
  const clients = [...new Set(found.filter((job) => !isTotal(job)).map(clientOf))].filter((client) => client !== null);
  const shared = optionsIn(object['global options']);
  const jobs = found.map((job) => jobOf(job, shared, clients, line));
  const { startedAt, problems } = startOf(object, line);
  const execution: Execution = {
    toolVersion: versionOf(object['fio version']),
    startedAt,
    command: null,
    // only counted, never stored
    environment: clients.length > 0 ? { 'nodes.count': new Set(clients).size } : {},
    jobs,
    isCut,
  };
  return { runs: runsOf(execution), problems: [...problems, ...jobProblems(execution, line)] };
}

function isTotal(job: JsonObject): boolean {
  return job.jobname === 'All clients';
}

function clientOf(job: JsonObject): string | null {
  return typeof job.hostname === 'string' ? `${job.hostname} ${finite(job.port) ?? ''}` : null;
}

function versionOf(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/^fio-/, '').slice(0, 50) : null;
}

/** The begin of the first job where it is stated, else the time of the report. */
function startOf(object: JsonObject, line: number): ReturnType<typeof startedAtOf> {
  const begins = jobsIn(object).map((job) => finite(job.job_start) ?? 0).filter((begin) => begin > 0); // prettier-ignore
  const timestamp = finite(object.timestamp);
  const time =
    begins.length > 0 ? begins.reduce((a, b) => Math.min(a, b)) : timestamp === null ? null : timestamp * 1000;
  if (time === null || Math.abs(time) > 8e15) return { startedAt: null, problems: [] };
  return startedAtOf(new Date(time).toISOString(), String(time), line);
}

function optionsIn(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  const options: Record<string, string> = {};
  for (const [key, each] of Object.entries(value).slice(0, 300)) {
    if (each === null) options[key] = '';
    else if (each !== undefined && typeof each !== 'object') options[key] = String(each);
  }
  return options;
}

function jobOf(
  job: JsonObject,
  shared: Readonly<Record<string, string>>,
  clients: readonly string[],
  line: number,
): Job {
  const client = clientOf(job);
  const isSum = isTotal(job);
  return {
    name: typeof job.jobname === 'string' ? job.jobname : '',
    group: finite(job.groupid) ?? 0,
    client: client === null || isSum ? null : clients.indexOf(client) + 1,
    line,
    isTotal: isSum,
    error: finite(job.error) ?? 0,
    transfers: directions.flatMap((direction) => transferOf(direction, job[direction])),
    syncs: isObject(job.sync) ? latencyOf('lat', job.sync) : [],
    settings: settingsOf({ ...shared, ...optionsIn(job['job options']) }),
  };
}

function transferOf(direction: Direction, found: unknown): readonly Transfer[] {
  if (!isObject(found)) return [];
  const requests = finite(found.total_ios);
  const iops = finite(found.iops);
  // bw counts KiB/s, cut to a whole number
  const bandwidth = finite(found.bw_bytes) ?? finite(found.bw);
  const hasMoved = (requests ?? 0) > 0 || (iops ?? 0) > 0 || (bandwidth ?? 0) > 0;
  if (!hasMoved) return [];
  const unit = finite(found.bw_bytes) === null ? 'KiB/s' : 'B/s';
  return [
    {
      direction,
      bandwidth: bandwidth === null ? null : { value: bandwidth, unit },
      iops,
      requests,
      latencies: [...latencyOf('clat', found), ...latencyOf('lat', found)],
    },
  ];
}

/** Version 3 counts nanoseconds and says so in the name, version 2 microseconds. */
function latencyOf(kind: 'clat' | 'lat', owner: JsonObject): Latency[] {
  const isNew = isObject(owner[`${kind}_ns`]);
  const found = isNew ? owner[`${kind}_ns`] : owner[kind];
  if (!isObject(found)) return [];
  const [mean, min, max] = [finite(found.mean), finite(found.min), finite(found.max)];
  if (mean === null || (mean === 0 && max === 0)) return [];
  const percentiles = new Map<number, number>();
  if (isObject(found.percentile)) {
    for (const [key, value] of Object.entries(found.percentile).slice(0, 100)) {
      const [percentile, at] = [Number(key.replace(',', '.')), finite(value)];
      if (at !== null && percentile > 0 && percentile <= 100) percentiles.set(percentile, at);
    }
  }
  const unit = isNew ? 'ns' : 'us';
  return [{ kind, unit, mean, sd: finite(found.stddev), min, max, percentiles: { unit, values: percentiles } }];
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

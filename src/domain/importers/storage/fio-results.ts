import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { redactText } from '../../measurement/redact.js';
import { convert, dimensionOf } from '../../measurement/unit.js';
import type { Distribution, ReadObservation, ReadRun } from '../importer.js';

export type Direction = 'read' | 'write' | 'trim' | 'mixed';
export const directions: readonly Direction[] = ['read', 'write', 'trim', 'mixed'];

/** `clat` counts from submission to completion, `lat` from the moment in which the job made the request. */
export interface Latency {
  readonly kind: 'clat' | 'lat';
  readonly unit: 'ns' | 'us' | 'ms';
  readonly mean: number;
  readonly sd: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly percentiles: Percentiles;
}

/** Reports print them in a unit of their own. */
export interface Percentiles {
  unit: Latency['unit'];
  readonly values: Map<number, number>;
}

/** What one job, or a group of jobs that reports as one, did in one direction. */
export interface Transfer {
  readonly direction: Direction;
  readonly bandwidth: { readonly value: number; readonly unit: string } | null;
  readonly iops: number | null;
  /** How many requests; null where the text does not say. */
  requests: number | null;
  readonly latencies: Latency[];
}

export interface Job {
  readonly name: string;
  readonly group: number;
  /** Number of the machine in client/server mode, where there are several. */
  readonly client: number | null;
  readonly line: number;
  /** Where fio wrote the sum of all clients itself. */
  readonly isTotal: boolean;
  readonly error: number;
  readonly transfers: Transfer[];
  /** Latency of fsync and its kin. */
  readonly syncs: Latency[];
  readonly settings: Facts;
}

/** What holds for all jobs of an execution. */
export interface Execution {
  readonly toolVersion: string | null;
  readonly startedAt: string | null;
  readonly command: string | null;
  readonly environment: Facts;
  readonly jobs: readonly Job[];
  readonly isCut: boolean;
}

/** One run for each reporting group: groups run one after another, the jobs of a group together. */
export function runsOf(execution: Execution): readonly ReadRun[] {
  return [...grouped(execution.jobs, ({ group }) => String(group)).values()]
    .map((jobs) => runOf(execution, jobs))
    .filter(({ observations }) => observations.length > 0);
}

function grouped(jobs: readonly Job[], keyOf: (job: Job) => string): ReadonlyMap<string, readonly Job[]> {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const key = keyOf(job);
    const group = groups.get(key);
    if (group) group.push(job);
    else groups.set(key, [job]);
  }
  return groups;
}

function runOf(execution: Execution, all: readonly Job[]): ReadRun {
  const jobs = all.filter(({ isTotal }) => !isTotal);
  const used = jobs.length > 0 ? jobs : all;
  const total = jobs.length > 0 ? all.find(({ isTotal }) => isTotal) : undefined;
  const names = [...new Set(used.map(({ name }) => name))];
  const hasFailed = used.some(({ error }) => error !== 0);
  return {
    status: hasFailed ? 'FAILED' : execution.isCut ? 'PARTIAL' : 'OK',
    tool: 'fio',
    toolVersion: execution.toolVersion,
    variant: names.length === 1 && names[0] !== 'All clients' ? (names[0] ?? null) : null,
    startedAt: execution.startedAt,
    command: execution.command,
    environment: execution.environment,
    workload: { 'workload.tool': 'fio', ...commonSettings(used) },
    session: null,
    block: null,
    observations: observationsOf(used, total, hasFailed),
  };
}

/** The settings that all jobs share; the others are told apart by their names. */
function commonSettings(jobs: readonly Job[]): Facts {
  const [first, ...rest] = jobs;
  const common: Record<string, FactValue> = {};
  for (const [key, value] of Object.entries(first?.settings ?? {})) {
    if (rest.every((job) => job.settings[key] === value)) common[key] = value;
    else common[key] = [...new Set(jobs.map((job) => String(job.settings[key] ?? '')))].join(' | ').slice(0, 200);
  }
  return common;
}

type Dimensions = Record<string, string | number>;

function observationsOf(jobs: readonly Job[], total: Job | undefined, hasFailed: boolean): readonly ReadObservation[] {
  const [only, second] = jobs;
  if (!only) return [];
  if (!second && !total) return jobObservations(only, {});
  const sums = hasFailed ? [] : total ? jobObservations(total, {}) : directions.flatMap((way) => sumsOf(jobs, way));
  const dimensions = dimensionsOf(jobs);
  return [...sums, ...jobs.flatMap((job) => jobObservations(job, dimensions.get(job) ?? {}))];
}

/** What tells each of several jobs from the others. Names of jobs may be paths. */
function dimensionsOf(jobs: readonly Job[]): ReadonlyMap<Job, Dimensions> {
  const hasClients = new Set(jobs.map(({ client }) => client)).size > 1;
  const hasNames = new Set(jobs.map(({ name }) => name)).size > 1;
  const found = new Map<Job, Dimensions>();
  for (const alike of grouped(jobs, ({ name, client }) => `${client ?? ''} ${name}`).values()) {
    for (const [index, job] of alike.entries()) {
      found.set(job, {
        ...(hasClients && job.client !== null ? { client: job.client } : {}),
        ...(hasNames ? { job: redactText(job.name).slice(0, 100) } : {}),
        ...(alike.length > 1 ? { process: index + 1 } : {}),
      });
    }
  }
  return found;
}

/** Jobs of a group run together: rates add up, latencies do not. None where one job does not say its rate. */
function sumsOf(jobs: readonly Job[], direction: Direction): readonly ReadObservation[] {
  const transfers = jobs.flatMap((job) => job.transfers.filter((each) => each.direction === direction));
  const found: ReadObservation[] = [];
  const bandwidths = transfers.map(({ bandwidth }) => bandwidth).filter((bandwidth) => bandwidth !== null);
  const [first] = bandwidths;
  if (first && bandwidths.length === transfers.length) {
    const sum = sumOf(bandwidths.map(({ value, unit }) => convert(value, unit, first.unit)));
    found.push({ metric: `io.${direction}_bandwidth`, dimensions: {}, value: sum, unit: first.unit });
  }
  const rates = transfers.map(({ iops }) => iops).filter((iops) => iops !== null);
  if (rates.length > 0 && rates.length === transfers.length) {
    found.push({ metric: `io.${direction}_iops`, dimensions: {}, value: sumOf(rates), unit: 'IOPS' });
  }
  return found;
}

/** Without the noise of the last digits. */
function sumOf(values: readonly number[]): number {
  return Number(values.reduce((sum, value) => sum + value, 0).toPrecision(14));
}

function jobObservations(job: Job, dimensions: Dimensions): readonly ReadObservation[] {
  return [
    ...job.transfers.flatMap((transfer) => transferObservations(transfer, dimensions)),
    ...job.syncs.map((latency) => ({
      metric: 'io.sync_latency',
      dimensions,
      value: latency.mean,
      unit: latency.unit,
    })),
  ];
}

function transferObservations(transfer: Transfer, dimensions: Dimensions): readonly ReadObservation[] {
  const { direction, bandwidth, iops, requests, latencies } = transfer;
  const found: ReadObservation[] = [];
  if (bandwidth && dimensionOf(bandwidth.unit) === 'data-rate') {
    found.push({ metric: `io.${direction}_bandwidth`, dimensions, ...bandwidth });
  }
  if (iops !== null) found.push({ metric: `io.${direction}_iops`, dimensions, value: iops, unit: 'IOPS' });
  if (direction === 'trim') return found;
  for (const latency of latencies) {
    const { kind, unit, mean, percentiles } = latency;
    const at: Dimensions = { ...dimensions, latency: kind };
    const distribution = distributionOf(latency, requests);
    found.push({ metric: `io.${direction}_latency`, dimensions: at, value: mean, unit, ...distribution });
    for (const percentile of [99, 99.9]) {
      const value = percentiles.values.get(percentile);
      if (value === undefined) continue;
      found.push({
        metric: `io.tail_${direction}_latency`,
        dimensions: { ...at, percentile },
        value,
        unit: percentiles.unit,
      });
    }
  }
  return found;
}

/** None where the text does not say of how many requests. */
function distributionOf(
  { unit, mean, sd, min, max, percentiles }: Latency,
  count: number | null,
): { readonly distribution?: Distribution } {
  if (count === null) return {};
  const at = (percentile: number) => {
    const value = percentiles.values.get(percentile);
    return value === undefined ? null : convert(value, percentiles.unit, unit);
  };
  return { distribution: { count, mean, sd, min, p50: at(50), p90: at(90), p99: at(99), max } };
}

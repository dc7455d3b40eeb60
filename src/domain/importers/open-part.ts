import type { Facts } from '../measurement/environment-diff.js';
import type { Reading, ReadObservation, ReadRun } from './importer.js';
import { seriesKeyOf } from './in-unit.js';

/** A reading without what the end of its text leaves open. */
export interface OpenPart {
  readonly kept: Reading;
  /** Numbers, facts and runs that are left out. */
  readonly count: number;
}

/**
 * MISSING_IS_OPEN: what the other reading does not say too is left out. OTHER_IS_OPEN: only that of which it says something
 * else.
 */
export type Doubt = 'MISSING_IS_OPEN' | 'OTHER_IS_OPEN';

/**
 * What of a reading stands in another reading of the same text too, which goes on or ends earlier. What `ended` says, which
 * ends before the open line, stands as well. A run whose workload is open is left out: nobody could compare it.
 */
export function withoutOther(all: Reading, other: Reading, doubt: Doubt, ended?: Reading): OpenPart {
  const parts = all.runs.map((run, index) =>
    withoutOtherOfRun(run, other.runs[index] ?? null, doubt, ended?.runs[index] ?? null),
  );
  return {
    kept: { ...all, runs: parts.flatMap(({ run }) => (run ? [run] : [])) },
    count: parts.reduce((sum, part) => sum + part.count, 0),
  };
}

interface RunPart {
  readonly run: ReadRun | null;
  readonly count: number;
}

function withoutOtherOfRun(run: ReadRun, twin: ReadRun | null, doubt: Doubt, ended: ReadRun | null): RunPart {
  if (!twin) return doubt === 'OTHER_IS_OPEN' ? { run, count: 0 } : { run: null, count: 1 };
  if (doubt === 'MISSING_IS_OPEN' && placeOf(twin) !== placeOf(run)) return { run: null, count: 1 };
  const said = new Set(twin.observations.map((one) => JSON.stringify(one)));
  const points = new Set(twin.observations.map(pointOf));
  const before = new Map(ended?.observations.map((one) => [pointOf(one), one]));
  const isOpen = (one: ReadObservation): boolean =>
    !said.has(JSON.stringify(one)) && (doubt === 'MISSING_IS_OPEN' || points.has(pointOf(one)));
  const open = run.observations.filter(isOpen).length;
  const observations = run.observations.flatMap((one): ReadObservation[] => {
    if (!isOpen(one)) return [one];
    // the same value, without what the open line adds to it
    const known = before.get(pointOf(one));
    return known?.value === one.value ? [known] : [];
  });
  const lost = run.observations.length - observations.length;
  if (lost > 0 && observations.length === 0) return { run: null, count: open };
  const environment = withoutOtherFacts(run.environment, twin.environment, doubt);
  const workload = withoutOtherFacts(run.workload, twin.workload, doubt);
  const lostWorkload = sizeOf(run.workload) - sizeOf(workload);
  if (lostWorkload > 0) return { run: null, count: open + lostWorkload };
  const lostFacts = sizeOf(run.environment) - sizeOf(environment);
  if (open + lostFacts === 0) return { run, count: 0 };
  const kept = {
    ...run,
    observations,
    environment,
    command: twin.command === run.command ? run.command : null,
    startedAt: twin.startedAt === run.startedAt ? run.startedAt : null,
    toolVersion: twin.toolVersion === run.toolVersion ? run.toolVersion : null,
    ...(lost > 0 ? { leftOut: (run.leftOut ?? 0) + lost } : {}),
  };
  return { run: kept, count: open + lostFacts };
}

function withoutOtherFacts(facts: Facts, others: Facts, doubt: Doubt): Facts {
  const isKept = (key: string): boolean =>
    Object.hasOwn(others, key) ? JSON.stringify(others[key]) === JSON.stringify(facts[key]) : doubt === 'OTHER_IS_OPEN';
  return Object.fromEntries(Object.entries(facts).filter(([key]) => isKept(key)));
}

function sizeOf(facts: Facts): number {
  return Object.keys(facts).length;
}

function placeOf({ session, block, variant }: ReadRun): string {
  return JSON.stringify([session, block, variant]);
}

/** The metric and the point of an observation. */
export function pointOf({ metric, dimensions }: ReadObservation): string {
  return `${metric} ${seriesKeyOf(dimensions)}`;
}

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

/** What of a reading stands in another reading of the same text too, which goes on or ends earlier. */
export function withoutOther(all: Reading, other: Reading, doubt: Doubt): OpenPart {
  const parts = all.runs.map((run, index) => withoutOtherOfRun(run, other.runs[index] ?? null, doubt));
  return {
    kept: { ...all, runs: parts.flatMap(({ run }) => (run ? [run] : [])) },
    count: parts.reduce((sum, part) => sum + part.count, 0),
  };
}

interface RunPart {
  readonly run: ReadRun | null;
  readonly count: number;
}

function withoutOtherOfRun(run: ReadRun, twin: ReadRun | null, doubt: Doubt): RunPart {
  if (!twin) return doubt === 'OTHER_IS_OPEN' ? { run, count: 0 } : { run: null, count: 1 };
  if (doubt === 'MISSING_IS_OPEN' && placeOf(twin) !== placeOf(run)) return { run: null, count: 1 };
  const said = new Set(twin.observations.map((one) => JSON.stringify(one)));
  const points = new Set(twin.observations.map(pointOf));
  const observations = run.observations.filter(
    (one) => said.has(JSON.stringify(one)) || (doubt === 'OTHER_IS_OPEN' && !points.has(pointOf(one))),
  );
  const lost = run.observations.length - observations.length;
  if (lost > 0 && observations.length === 0) return { run: null, count: lost };
  const environment = withoutOtherFacts(run.environment, twin.environment, doubt);
  const workload = withoutOtherFacts(run.workload, twin.workload, doubt);
  const lostFacts = sizeOf(run.environment) + sizeOf(run.workload) - sizeOf(environment) - sizeOf(workload);
  if (lost + lostFacts === 0) return { run, count: 0 };
  const kept = {
    ...run,
    observations,
    environment,
    workload,
    command: twin.command === run.command ? run.command : null,
    startedAt: twin.startedAt === run.startedAt ? run.startedAt : null,
    toolVersion: twin.toolVersion === run.toolVersion ? run.toolVersion : null,
    ...(lost > 0 ? { leftOut: (run.leftOut ?? 0) + lost } : {}),
  };
  return { run: kept, count: lost + lostFacts };
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

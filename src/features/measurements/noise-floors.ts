import type { Facts } from '../../domain/measurement/environment-diff.js';
import { noiseFloorOf, tellsNoise, type NoiseFloor } from '../../domain/measurement/noise.js';
import { contextReader } from '../../domain/measurement/noise-context.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import type { TrialReading } from '../../domain/measurement/trial.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { factsOf, toJson } from '../../platform/database/json.js';
import type { Metrics, NoiseContext } from './trial-reading.js';

/** The facts that a floor keeps; one of an older version keeps none. */
export function storedFacts(facts: unknown): Facts | null {
  return facts === null ? null : factsOf(facts);
}

/**
 * The noise floor that a trial tells of, and of how many values; null for none. It goes by what the caller said, not by
 * what was inferred: a wrong floor would hide changes of all trials to come.
 */
export function floorOf(reading: TrialReading, isSaidControl: boolean): NoiseFloor | null {
  if (!tellsNoise({ ...reading, isSaidControl })) return null;
  // Points of different dimensions have different values, so only a metric with one series tells the noise.
  const [row, ...others] = reading.comparisons.filter(({ role }) => role === 'PRIMARY');
  if (!row || others.length > 0) return null;
  const values = [...row.before, ...row.after].map(({ value }) => value);
  const value = noiseFloorOf(values);
  return value === null ? null : { value, runCount: values.length };
}

/** The newest noise floors of a project, and what trials add to them. */
export class KnownFloors {
  readonly learned: Prisma.NoiseFloorCreateManyInput[] = [];

  private constructor(
    private readonly projectId: string,
    private readonly floors: Map<string, NoiseFloor & { readonly trialId: string | null }>,
  ) {}

  /** All, or those of some metrics. */
  static async of(tx: Db, projectId: string, factRules: FactRules, metrics?: Metrics): Promise<KnownFloors> {
    const ids = metrics && [...metrics.values()].map(({ id }) => id);
    const where = { projectId, ...(ids === undefined ? {} : { metricId: { in: ids } }) };
    const contextOf = contextReader(factRules);
    const rows = await tx.noiseFloor.findMany({ where, orderBy: { id: 'asc' } });
    const known = new Map(
      rows.map(({ metricId, value, runCount, trialId, contextKey, facts }) => [
        `${contextOf({ contextKey, facts: storedFacts(facts) })} ${metricId}`,
        { value, runCount, trialId },
      ]),
    );
    return new KnownFloors(projectId, known);
  }

  /** Those that hold for a trial, by the key of the metric: not its own, which would make it its own measure. */
  in({ key: context, exactKey }: NoiseContext, metrics: Metrics, trialId: string): ReadonlyMap<string, NoiseFloor> {
    const found = new Map<string, NoiseFloor>();
    for (const { id, key } of metrics.values()) {
      const floor = this.floors.get(`${context} ${id}`) ?? this.floors.get(`${exactKey} ${id}`);
      if (floor && floor.trialId !== trialId) found.set(key, floor);
    }
    return found;
  }

  /** Keeps what an A/A run tells, unless the project itself measured the same. */
  learn(
    { key: contextKey, exactKey, facts }: NoiseContext,
    metricId: string,
    trialId: string,
    floor: NoiseFloor | null,
  ): void {
    const place = `${contextKey} ${metricId}`;
    const known = this.floors.get(place) ?? this.floors.get(`${exactKey} ${metricId}`);
    const isOwn = known && !this.learned.some((one) => one.trialId === known.trialId);
    if (floor === null || isOwn) return;
    this.floors.set(place, { ...floor, trialId });
    this.learned.push({ projectId: this.projectId, metricId, contextKey, facts: toJson(facts), trialId, ...floor });
  }
}

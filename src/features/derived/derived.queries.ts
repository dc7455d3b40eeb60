import { quantities } from '../../domain/derived/quantities.js';
import { POWER_METRICS, type DerivableRun } from '../../domain/derived/run-inputs.js';
import { inBoth, type BothLanguages } from '../../domain/locale.js';
import { dimensionsShape } from '../../domain/measurement/stored.js';
import type { Db } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';

/** A run with the observations that values are derived from, and the names of their metrics. */
export interface RunForDerived extends DerivableRun {
  readonly metricName: (key: string) => BothLanguages;
}

const used = [...new Set([...quantities.flatMap(({ metrics }) => metrics), ...POWER_METRICS])];

/** Most observations of one run that are looked at. */
const OBSERVATION_LIMIT = 2_000;

/** Runs by their ids, in three statements. */
export async function derivableRuns(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, RunForDerived>> {
  const metrics = await db.metric.findMany({ where: { key: { in: used }, scope: '' } });
  const runs = await db.run.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, status: true, environment: true, workload: true },
  });
  const observations = await db.observation.findMany({
    where: { runId: { in: [...ids] }, metricId: { in: metrics.map(({ id }) => id) } },
    orderBy: { position: 'asc' },
    select: { runId: true, metricId: true, dimensions: true, value: true, repeats: true },
  });
  const metricOf = new Map(metrics.map((metric) => [metric.id, metric]));
  const names = new Map(metrics.map(({ key, name }) => [key, inBoth(toLocalizedText(name))]));
  const ofRun = new Map<string, DerivableRun['observations'][number][]>(runs.map(({ id }) => [id, []]));
  for (const { runId, metricId, dimensions, value, repeats } of observations) {
    const metric = metricOf.get(metricId);
    const found = ofRun.get(runId);
    if (!metric || !found || found.length >= OBSERVATION_LIMIT) continue;
    const { key, unit } = metric;
    found.push({ metric: key, unit, dimensions: dimensionsShape.parse(dimensions), value, repeats });
  }
  return new Map(
    runs.map(({ id, status, environment, workload }) => [
      id,
      {
        environment: factsOf(environment),
        workload: factsOf(workload),
        // The numbers of a failed run are no measurement
        observations: status === 'FAILED' ? [] : (ofRun.get(id) ?? []),
        metricName: (key) => names.get(key) ?? { en: key, zh: key },
      },
    ]),
  );
}

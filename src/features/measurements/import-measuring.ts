import { DomainError } from '../../domain/errors.js';
import { error, type ImportProblem, type ReadRun } from '../../domain/importers/importer.js';
import { inUnitOf, type ObservationIn } from '../../domain/importers/in-unit.js';
import type { Metric } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';

export type MeasuredObservation = ObservationIn<Metric>;

/** A run of a file whose observations are in the units of their metrics. */
export interface MeasuredRun extends Omit<ReadRun, 'observations' | 'leftOut'> {
  readonly observations: readonly MeasuredObservation[];
  readonly leftOut: number;
}

/** Finds the metric of each observation and converts it to that metric's unit; what does not fit is left out, as a problem. */
export async function measure(
  db: Db,
  projectId: string,
  runs: readonly ReadRun[],
): Promise<{ runs: MeasuredRun[]; problems: ImportProblem[] }> {
  const keys = [...new Set(runs.flatMap(({ observations }) => observations.map(({ metric }) => metric)))];
  const rows = await db.metric.findMany({
    where: { key: { in: keys }, scope: { in: ['', projectId] } },
    orderBy: { scope: 'desc' },
  });
  const metrics = new Map(rows.map((metric) => [metric.key, metric]));
  const problems = new Map<string, ImportProblem>();
  const measured = runs.map((run): MeasuredRun => {
    const observations = run.observations.flatMap((observation): MeasuredObservation[] => {
      const metric = metrics.get(observation.metric);
      if (!metric) {
        problems.set(observation.metric, unknownMetric(observation.metric));
        return [];
      }
      try {
        return [inUnitOf(metric, observation)];
      } catch (fault) {
        if (!(fault instanceof DomainError)) throw fault;
        const { unit, value } = observation;
        problems.set(`${metric.key} ${unit}`, wrongUnit(fault, `${value} ${unit}`));
        return [];
      }
    });
    return {
      ...run,
      observations,
      leftOut: (run.leftOut ?? 0) + run.observations.length - observations.length,
    };
  });
  return { runs: measured, problems: [...problems.values()] };
}

function unknownMetric(key: string): ImportProblem {
  return error(null, `There is no metric "${key}"`, `没有指标“${key}”`, {
    scope: 'VALUE',
    code: 'UNKNOWN_METRIC',
    value: key,
  });
}

function wrongUnit({ text, details }: DomainError, value: string): ImportProblem {
  const code = details['isAmbiguous'] === true ? 'AMBIGUOUS_UNIT' : 'WRONG_UNIT';
  return error(null, text.en, text.zh, { scope: 'VALUE', code, value });
}

import { cutText } from '../../domain/cut-text.js';
import { DomainError } from '../../domain/errors.js';
import { error, type ImportProblem, type ReadObservation, type ReadRun } from '../../domain/importers/importer.js';
import { inUnitOf, seriesKeyOf, type ObservationIn } from '../../domain/importers/in-unit.js';
import { redactText } from '../../domain/measurement/redact.js';
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
  const unfit = new Map<string, UnfitValues>();
  const measured = runs.map((run, index): MeasuredRun => {
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
        const id = `${metric.key} ${observation.unit} ${fault.code}`;
        const known = unfit.get(id);
        unfit.set(
          id,
          known
            ? { ...known, more: known.more + 1 }
            : { fault, observation, place: runs.length > 1 ? index + 1 : null, more: 0 },
        );
        return [];
      }
    });
    return {
      ...run,
      observations,
      leftOut: (run.leftOut ?? 0) + run.observations.length - observations.length,
    };
  });
  return { runs: measured, problems: [...problems.values(), ...[...unfit.values()].map(wrongUnit)] };
}

/** Values of one metric in one unit that do not become values of the metric: the first, and how many more there are. */
interface UnfitValues {
  readonly fault: DomainError;
  readonly observation: ReadObservation;
  /** Of the result in the file, from 1; null where it is the only one. */
  readonly place: number | null;
  readonly more: number;
}

function unknownMetric(key: string): ImportProblem {
  return error(null, `There is no metric "${key}"`, `没有指标“${key}”`, {
    scope: 'VALUE',
    code: 'UNKNOWN_METRIC',
    value: key,
  });
}

/** Importers do not say in which line a value stood, so that its result, its metric and its point tell which one is meant. */
function wrongUnit({ fault, observation, place, more }: UnfitValues): ImportProblem {
  const { metric, dimensions, value, unit } = observation;
  const code = fault.details['isAmbiguous'] === true ? 'AMBIGUOUS_UNIT' : 'WRONG_UNIT';
  const point = `${metric} ${redactText(cutText(seriesKeyOf(dimensions), 200))}`.trim();
  const { en, zh } = fault.text;
  const [placeEn, placeZh] = place === null ? ['', ''] : [`result ${place}, `, `第 ${place} 个结果，`];
  const [moreEn, moreZh] = more === 0 ? ['', ''] : [`, and ${more} more`, `，另有 ${more} 个值`];
  return error(
    null,
    `${en.replace(/\.$/, '')} (${placeEn}${point}${moreEn})`,
    `${zh.replace(/。$/, '')}（${placeZh}${point}${moreZh}）`,
    { scope: 'VALUE', code, value: `${value} ${unit}` },
  );
}

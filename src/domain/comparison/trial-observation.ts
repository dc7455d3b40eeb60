import { DomainError } from '../errors.js';
import { inUnitOf, seriesKeyOf } from '../importers/in-unit.js';
import type { ReadObservation } from '../importers/importer.js';
import type { BothLanguages } from '../locale.js';
import type { MetricDefinition } from '../measurement/metric.js';
import type { TrialObservation } from '../measurement/trial.js';

/** Told of what is wrong with an observation: ERROR where nothing may be concluded from its arm. */
export type ReportObservation = (severity: 'ERROR' | 'WARNING', message: BothLanguages) => void;

/**
 * What a file says of a metric, in the unit of that metric; null where the metric is unknown, or its value cannot be had
 * in its unit. Repetitions that the file does not list are known by their summary alone, and are of one session.
 */
export function toTrialObservation(
  observation: ReadObservation,
  metrics: ReadonlyMap<string, MetricDefinition>,
  report: ReportObservation,
): TrialObservation | null {
  const metric = metrics.get(observation.metric);
  if (!metric) {
    report('WARNING', unknownMetric(observation));
    return null;
  }
  try {
    const { dimensions, value, repeats = [], blocks = [], summary } = inUnitOf(metric, observation);
    return {
      metric: metric.key,
      dimensions,
      seriesKey: seriesKeyOf(dimensions),
      value,
      repeats,
      blocks,
      summary: summary ? { ...summary, sampling: 'ONE_SESSION' } : null,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    report('ERROR', error.text);
    return null;
  }
}

function unknownMetric({ metric: key, unit }: ReadObservation): BothLanguages {
  return {
    en: `The metric "${key}" is not in the catalog, so it is left out: describe it by --metric ${key} --unit ${unit || '…'} --direction …`,
    zh: `指标“${key}”不在目录中，未采用：请用 --metric ${key} --unit ${unit || '…'} --direction … 说明`,
  };
}

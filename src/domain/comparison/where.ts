import { isMeasuredMean, isSameLength } from '../measurement/measured-lengths.js';
import { factsOfRun, type TrialRun } from '../measurement/trial.js';
import { shortName } from './points.js';

/** What of the files is compared: a dimension of observations, or a key of runs, with its value. */
export interface Condition {
  readonly name: string;
  readonly value: string;
}

/**
 * Keeps the observations to which all conditions apply: by a dimension of theirs, else by a fact of their run, which may
 * be named without `workload.`. An observation that knows neither is left out. A measured length is met by one near it.
 */
export function where(runs: readonly TrialRun[], conditions: readonly Condition[]): readonly TrialRun[] {
  if (conditions.length === 0) return runs;
  return runs
    .map((run) => {
      const facts = Object.entries(factsOfRun(run)).flatMap(([key, value]) =>
        [key, shortName(key)].map((name) => [name, { key, value }] as const),
      );
      const ofRun = new Map(facts);
      const applies = (dimensions: Readonly<Record<string, string | number>>) =>
        conditions.every(({ name, value }) => {
          if (Object.hasOwn(dimensions, name)) return String(dimensions[name]) === value;
          const own = ofRun.get(name);
          if (own === undefined) return false;
          return String(own.value) === value || (isMeasuredMean(own.key) && isSameLength(own.value, value));
        });
      return { ...run, observations: run.observations.filter(({ dimensions }) => applies(dimensions)) };
    })
    .filter(({ observations }) => observations.length > 0);
}

import { dimensionOf } from '../measurement/unit.js';
import { leftOut, type Distribution, type Reading, type ReadObservation } from './importer.js';

/** Nobody measures more, in whatever unit: beyond it sums and conversions become infinite. */
const LARGEST_NUMBER = 1e30;

/** What is never below zero. Of sizes and counts a profiler gives what was freed as less than nothing. */
const neverNegative = /^(?:time|power|energy|frequency|[a-z-]+-rate)$/;

/** Without the observations, and the distributions of others, that hold a number which no measurement gives. */
export function withinBounds(reading: Reading): Reading {
  let [count, first] = [0, NaN];
  const isWithin = (numbers: readonly (number | null)[], least: number): boolean => {
    const beyond = numbers.find((number) => number !== null && !(number >= least && number <= LARGEST_NUMBER));
    if (beyond === undefined || beyond === null) return true;
    if (count === 0) first = beyond;
    count += 1;
    return false;
  };
  const bounded = (observation: ReadObservation): readonly ReadObservation[] => {
    const { value, repeats = [], samples = [], distribution, summary, ...rest } = observation;
    const least = neverNegative.test(dimensionOf(observation.unit) ?? '') ? 0 : -LARGEST_NUMBER;
    if (!isWithin([value, ...repeats], least)) return [];
    if (isWithin([...samples, ...numbersOf(distribution), ...spreadOf(summary)], least)) return [observation];
    return [{ ...rest, value, ...(observation.repeats ? { repeats } : {}) }];
  };
  const runs = reading.runs.map((run) => ({ ...run, observations: run.observations.flatMap(bounded) }));
  // a result of which nothing was left says nothing, unless that it failed
  const kept = runs.filter(({ observations, status }) => observations.length > 0 || status !== 'OK');
  if (count === 0) return kept.length === reading.runs.length ? reading : { ...reading, runs: kept };
  const shown = Number.isFinite(first) ? String(first) : '';
  const problem = leftOut(
    null,
    `Values that no measurement gives were left out: ${count}${shown === '' ? '' : `, such as ${shown}`}`,
    `不可能是测量结果的值未采用，共 ${count} 个${shown === '' ? '' : `，例如 ${shown}`}`,
  );
  return { runs: kept, problems: [...reading.problems, problem] };
}

function spreadOf(summary: ReadObservation['summary']): readonly number[] {
  return summary ? [summary.mean, summary.sd < 0 ? NaN : summary.sd] : [];
}

/** By more than what rounding explains. */
function isBeyond(lower: number | null, upper: number | null): boolean {
  return lower !== null && upper !== null && lower - upper > 0.01 * Math.abs(upper);
}

function numbersOf(distribution: Distribution | undefined): readonly (number | null)[] {
  if (!distribution) return [];
  const { count, mean, sd, min, p50, p90, p99, max } = distribution;
  const isContradiction = (sd ?? 0) < 0 || isBeyond(min, p50) || isBeyond(p50, max);
  return [count, isContradiction ? NaN : mean, sd, min, p50, p90, p99, max];
}

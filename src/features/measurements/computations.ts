import { verdictOver } from '../../domain/measurement/trial.js';
import type { Comparison as ComparisonRow } from '../../generated/prisma/client.js';
import type { Verdict } from '../../generated/prisma/enums.js';
import { toComparison } from './measurements.queries.js';
import type { TrialComputation } from './trial-changes.types.js';

/** What all points of the primary metric of one stored computation say together. */
export function storedVerdict(rows: readonly Pick<ComparisonRow, 'role' | 'verdict' | 'adjustedP'>[]): Verdict {
  const primary = rows.filter(({ role }) => role === 'PRIMARY');
  return verdictOver(primary.map(({ verdict, adjustedP }) => ({ result: { verdict }, adjustedP })));
}

/** The comparisons of one trial in their order as its computations, the newest first. */
export function toComputations(rows: readonly ComparisonRow[]): TrialComputation[] {
  const numbers = [...new Set(rows.map(({ computation }) => computation))].sort((a, b) => b - a);
  return numbers.flatMap((number) => {
    const own = rows.filter(({ computation }) => computation === number);
    const [first] = own;
    if (!first) return [];
    const { computedAt, methodVersion, cause } = first;
    return [
      { number, computedAt, methodVersion, cause, verdict: storedVerdict(own), comparisons: own.map(toComparison) },
    ];
  });
}

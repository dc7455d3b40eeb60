import type { ComparisonResult, ComparisonWarning } from './compare.js';
import type { Direction } from './metric.js';
import { largestOf, smallestOf } from './order-statistics.js';

/** A guardrail of the trial; `result` is null where it was named and not measured. */
export interface Guardrail {
  readonly key: string;
  readonly result: ComparisonResult | null;
  /** What the values say where no ratio can be formed, as with failures that begin at zero; null where they do not. */
  readonly raw?: RawOutcome | null;
}

export type RawOutcome = 'HELD' | 'WORSE';

/**
 * What two arms say without ratios: WORSE where every value after is worse than every value before, HELD where all are
 * the same or every value after is better; null where the arms overlap.
 */
export function rawOutcome(
  direction: Direction | null,
  before: readonly number[],
  after: readonly number[],
): RawOutcome | null {
  if (direction === null || direction === 'TARGET' || before.length === 0 || after.length === 0) return null;
  if (new Set([...before, ...after]).size === 1) return 'HELD';
  const sign = direction === 'LOWER_IS_BETTER' ? 1 : -1;
  const [badBefore, badAfter] = [before, after].map((values) => values.map((value) => sign * value));
  if (badBefore === undefined || badAfter === undefined) return null;
  if (smallestOf(badAfter) > largestOf(badBefore)) return 'WORSE';
  return largestOf(badAfter) < smallestOf(badBefore) ? 'HELD' : null;
}

/**
 * The primary result in the light of its guardrails: one that regressed turns IMPROVED into BLOCKED_BY_GUARDRAIL, one
 * that shows nothing is told and keeps the proof from VERIFIED.
 */
export function withGuardrails(primary: ComparisonResult, guardrails: readonly Guardrail[]): ComparisonResult {
  const warnings = guardrails.flatMap(guardrailWarning);
  const isBlocked = primary.verdict === 'IMPROVED' && warnings.some(({ code }) => code === 'GUARDRAIL_FAILED');
  return {
    ...primary,
    verdict: isBlocked ? 'BLOCKED_BY_GUARDRAIL' : primary.verdict,
    isStrong: primary.isStrong && !isBlocked,
    warnings: [...primary.warnings, ...warnings],
  };
}

/** True where no guardrail failed and each one showed that it held: also for a stored comparison. */
export function guardrailsPassed({ warnings }: Pick<ComparisonResult, 'warnings'>): boolean {
  return !warnings.some(({ code }) => code === 'GUARDRAIL_FAILED' || code === 'GUARDRAIL_NOT_SHOWN');
}

function guardrailWarning({ key, result, raw }: Guardrail): readonly ComparisonWarning[] {
  if (result === null) return [{ code: 'GUARDRAIL_NOT_SHOWN', details: { key, verdict: null } }];
  const { verdict, gain } = result;
  if (verdict === 'REGRESSED' || (verdict === 'INCONCLUSIVE' && raw === 'WORSE'))
    return [{ code: 'GUARDRAIL_FAILED', details: { key, gain } }];
  if (verdict === 'IMPROVED' || verdict === 'NO_MEANINGFUL_CHANGE') return [];
  if (verdict === 'INCONCLUSIVE' && raw === 'HELD') return [];
  return [{ code: 'GUARDRAIL_NOT_SHOWN', details: { key, verdict } }];
}

import type { ComparisonResult, ComparisonWarning } from './compare.js';

/** A guardrail of the trial; `result` is null where it was named and not measured. */
export interface Guardrail {
  readonly key: string;
  readonly result: ComparisonResult | null;
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

function guardrailWarning({ key, result }: Guardrail): readonly ComparisonWarning[] {
  if (result === null) return [{ code: 'GUARDRAIL_NOT_SHOWN', details: { key, verdict: null } }];
  const { verdict, gain } = result;
  if (verdict === 'REGRESSED') return [{ code: 'GUARDRAIL_FAILED', details: { key, gain } }];
  if (verdict === 'IMPROVED' || verdict === 'NO_MEANINGFUL_CHANGE') return [];
  return [{ code: 'GUARDRAIL_NOT_SHOWN', details: { key, verdict } }];
}

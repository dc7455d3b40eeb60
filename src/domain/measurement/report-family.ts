import { holmOverKnown } from './holm.js';
import { pOfLook } from './looks.js';
import type { MetricRole } from './metric.js';
import type { Verdict } from './verdict.js';

/** One comparison of a report, with what of its trial decides whether it claims something. */
export interface ReportedRow {
  readonly role: MetricRole;
  readonly verdict: Verdict;
  readonly pValue: number | null;
  readonly isControl: boolean;
  readonly looks: number;
}

/** What a comparison is worth among all that a report claims. */
export interface InReport {
  /** Holm over the primary comparisons of the report; null for what is no part of the family. */
  readonly reportAdjustedP: number | null;
  /** Whether a claim of a change stands in the report as a whole; null where there is none, or no p value to go by. */
  readonly survivesReport: boolean | null;
}

/**
 * Holm's correction over the primary comparisons of a report, of those that have a p value and are of no A/A run. A report
 * of twenty trials has one false claim among them by chance; of those that survive the chance of any is 5 %.
 */
export function inReport(rows: readonly ReportedRow[]): readonly InReport[] {
  const p = rows.map(({ role, isControl, pValue, looks }) =>
    role === 'PRIMARY' && !isControl ? pOfLook(pValue, looks) : null,
  );
  return holmOverKnown(p).map((reportAdjustedP, index) => ({
    reportAdjustedP,
    survivesReport: reportAdjustedP !== null && claims(rows[index]?.verdict) ? reportAdjustedP < 0.05 : null,
  }));
}

function claims(verdict: Verdict | undefined): boolean {
  return verdict === 'IMPROVED' || verdict === 'REGRESSED' || verdict === 'BLOCKED_BY_GUARDRAIL';
}

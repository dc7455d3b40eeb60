import type { ComparisonResult, ComparisonWarning } from './compare.js';
import type { Verdict } from './verdict.js';

/** Runs per arm that were planned before anything was measured, and those that there are. */
export interface PlannedArms {
  readonly plannedRunsPerArm?: number | null;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** How many runs the smaller arm lacks of those that were planned; 0 without a plan. */
export function missingRuns({ plannedRunsPerArm, before, after }: PlannedArms): number {
  return Math.max(0, (plannedRunsPerArm ?? 0) - Math.min(before.length, after.length));
}

/** Who plans and then looks once at all of it needs no correction, so nothing is claimed before. */
export function withoutClaim(result: ComparisonResult, missing: number): ComparisonResult {
  if (missing === 0 || result.verdict === 'NOT_COMPARABLE') return result;
  return { ...result, verdict: 'INCONCLUSIVE', isStrong: false, moreRunsPerArm: missing };
}

/** Says how far the plan is. */
export function planWarning(arms: PlannedArms): readonly ComparisonWarning[] {
  if (missingRuns(arms) === 0) return [];
  const [before, after] = [arms.before.length, arms.after.length];
  return [{ code: 'PLAN_NOT_REACHED', details: { before, after, planned: arms.plannedRunsPerArm ?? null } }];
}

/**
 * Whether a stored computation was a look at the data: it could have claimed something. A plan that was not reached, arms
 * that were not compared, and one value without a noise floor could not.
 */
export function wasLook(
  primary: readonly {
    readonly method: string;
    readonly verdict: Verdict;
    readonly warnings: readonly { readonly code: string }[];
  }[],
): boolean {
  return primary.some(
    ({ method, verdict, warnings }) =>
      verdict !== 'NOT_COMPARABLE' &&
      method !== 'NONE' &&
      !warnings.some(({ code }) => code === 'PLAN_NOT_REACHED' || code === 'NO_NOISE_FLOOR'),
  );
}

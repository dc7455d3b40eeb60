import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';

export type Proof = 'VERIFIED' | 'INDICATED' | 'UNVERIFIED' | 'REGRESSED';

type Outcome = 'NOT_ASSESSED' | 'ALREADY_IN_PLACE' | 'APPLIED' | 'REJECTED' | 'DEFERRED' | 'NOT_APPLICABLE';

/** The newest trial of the item that has a verdict, on its primary metric. */
export interface ProvenTrial {
  readonly verdict: Verdict;
  readonly evidence: EvidenceLevel;
  readonly isConfounded: boolean;
  readonly nBefore: number;
  readonly nAfter: number;
  readonly guardrailsPassed: boolean;
}

/** A summary of fewer values is at most an indication. */
const FEWEST_IN_SUMMARY = 4;

/** What the trials say about an applied item on its primary metric. Null unless the outcome is APPLIED. */
export function proofOf(outcome: Outcome, newest: ProvenTrial | null): Proof | null {
  if (outcome !== 'APPLIED') return null;
  switch (newest?.verdict) {
    case 'IMPROVED':
      return isVerified(newest) ? 'VERIFIED' : 'INDICATED';
    case 'REGRESSED':
    case 'BLOCKED_BY_GUARDRAIL':
      return 'REGRESSED';
    default:
      return 'UNVERIFIED';
  }
}

function isVerified({ evidence, isConfounded, nBefore, nAfter, guardrailsPassed }: ProvenTrial): boolean {
  if (isConfounded || !guardrailsPassed) return false;
  if (evidence === 'SUMMARY') return Math.min(nBefore, nAfter) >= FEWEST_IN_SUMMARY;
  return evidence === 'EXACT' || evidence === 'PAIRED' || evidence === 'STATISTICAL';
}

import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';

export type Proof = 'VERIFIED' | 'INDICATED' | 'UNVERIFIED' | 'REGRESSED';

type Outcome = 'NOT_ASSESSED' | 'ALREADY_IN_PLACE' | 'APPLIED' | 'REJECTED' | 'DEFERRED' | 'NOT_APPLICABLE';

/** What of a trial says whether it tells of its item. */
export interface MeasuredTrial {
  readonly id: string;
  readonly verdict: Verdict | null;
  readonly isControl: boolean;
}

/**
 * Whether a trial says something of the item that it was recorded on. A plan measured nothing, an A/A run changed nothing,
 * and the end-to-end trial of the audit changed all that was applied. telling-trials.ts has the same rule in SQL.
 */
export function tellsOfItem({ id, verdict, isControl }: MeasuredTrial, endToEndTrial: string | null): boolean {
  return verdict !== null && !isControl && id !== endToEndTrial;
}

/** The trial that the proof of an item comes from: of its trials, oldest first, the newest one that tells of it. */
export function tellingTrial<T extends MeasuredTrial>(trials: readonly T[], endToEndTrial: string | null): T | null {
  return trials.findLast((trial) => tellsOfItem(trial, endToEndTrial)) ?? null;
}

/** The newest trial that tells of the item, on its primary metric. */
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

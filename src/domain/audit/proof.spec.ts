import { describe, expect, it } from '@jest/globals';
import { proofOf, type ProvenTrial } from './proof.js';

const improved: ProvenTrial = {
  verdict: 'IMPROVED',
  evidence: 'STATISTICAL',
  isConfounded: false,
  nBefore: 8,
  nAfter: 8,
  guardrailsPassed: true,
};

describe('proof of an applied item', () => {
  it.each([
    [{}, 'VERIFIED'],
    [{ evidence: 'EXACT' }, 'VERIFIED'],
    [{ evidence: 'PAIRED' }, 'VERIFIED'],
    [{ evidence: 'SUMMARY', nBefore: 4, nAfter: 4 }, 'VERIFIED'],
    [{ evidence: 'SUMMARY', nBefore: 4, nAfter: 3 }, 'INDICATED'],
    [{ evidence: 'SUMMARY', nBefore: 0, nAfter: 8 }, 'INDICATED'],
    [{ evidence: 'INDICATIVE' }, 'INDICATED'],
    [{ evidence: 'SINGLE_RUN' }, 'INDICATED'],
    [{ isConfounded: true }, 'INDICATED'],
    [{ guardrailsPassed: false }, 'INDICATED'],
    [{ verdict: 'REGRESSED' }, 'REGRESSED'],
    [{ verdict: 'REGRESSED', evidence: 'SINGLE_RUN' }, 'REGRESSED'],
    [{ verdict: 'BLOCKED_BY_GUARDRAIL' }, 'REGRESSED'],
    [{ verdict: 'NO_MEANINGFUL_CHANGE' }, 'UNVERIFIED'],
    [{ verdict: 'INCONCLUSIVE' }, 'UNVERIFIED'],
    [{ verdict: 'NOT_COMPARABLE' }, 'UNVERIFIED'],
  ] as const)('with %p is %s', (change, expected) => {
    expect(proofOf('APPLIED', { ...improved, ...change })).toBe(expected);
  });

  it('is missing without a trial, and the item is applied all the same', () => {
    expect(proofOf('APPLIED', null)).toBe('UNVERIFIED');
  });

  it.each(['NOT_ASSESSED', 'ALREADY_IN_PLACE', 'REJECTED', 'DEFERRED', 'NOT_APPLICABLE'] as const)(
    'is not asked for where the outcome is %s',
    (outcome) => {
      expect(proofOf(outcome, improved)).toBeNull();
    },
  );
});

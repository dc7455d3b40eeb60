import { describe, expect, it } from '@jest/globals';
import { proofOf, tellingTrial, tellsOfItem, type MeasuredTrial, type ProvenTrial } from './proof.js';

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

describe('the trial that tells of an item', () => {
  const trial = (id: string, said: Partial<MeasuredTrial> = {}): MeasuredTrial => ({
    id,
    verdict: 'IMPROVED',
    isControl: false,
    ...said,
  });

  it.each([
    [{}, null, true],
    [{}, 'another', true],
    [{ verdict: 'NOT_COMPARABLE' }, null, true],
    [{ verdict: null }, null, false],
    [{ isControl: true }, null, false],
    [{}, 'it', false],
  ] as const)('with %p beside the end-to-end trial %p: %p', (said, endToEnd, expected) => {
    expect(tellsOfItem(trial('it', said), endToEnd)).toBe(expected);
  });

  it('is the newest one: neither a plan, an A/A run nor the end-to-end trial', () => {
    const trials = [
      trial('first'),
      trial('second', { verdict: 'REGRESSED' }),
      trial('whole'),
      trial('control', { isControl: true }),
      trial('plan', { verdict: null }),
    ];
    expect(tellingTrial(trials, 'whole')?.id).toBe('second');
    expect(tellingTrial(trials, null)?.id).toBe('whole');
    expect(tellingTrial(trials.slice(2), 'whole')).toBeNull();
    expect(tellingTrial([], null)).toBeNull();
  });
});

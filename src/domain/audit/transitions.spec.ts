import { describe, expect, it } from '@jest/globals';
import { checkAssessment, checkTransition, expiryAfter, type Assessment } from './transitions.js';

const assessed: Assessment = { work: 'DONE', outcome: 'APPLIED', reasonCode: null, reason: null, expiresAt: null };

describe('checkAssessment', () => {
  it.each(['REJECTED', 'NOT_APPLICABLE'] as const)('asks for code and text of the reason of %s', (outcome) => {
    expect(() => checkAssessment({ ...assessed, outcome })).toThrow('reasonCode and reason missing');
    expect(() => checkAssessment({ ...assessed, outcome, reason: 'no InfiniBand' })).toThrow(': reasonCode missing');
    expect(() => checkAssessment({ ...assessed, outcome, reasonCode: 'OTHER' })).toThrow(': reason missing');
    expect(() => checkAssessment({ ...assessed, outcome, reasonCode: 'OTHER', reason: 'x' })).not.toThrow();
  });

  it.each(['ALREADY_IN_PLACE', 'APPLIED', 'DEFERRED'] as const)('takes %s without a reason', (outcome) => {
    expect(() => checkAssessment({ ...assessed, outcome })).not.toThrow();
  });

  it('refuses work that is done without an outcome', () => {
    expect(() => checkAssessment({ ...assessed, outcome: 'NOT_ASSESSED' })).toThrow('DONE only with an outcome');
  });
});

describe('checkAssessment of a review or a date', () => {
  it('refuses a review of what nobody has assessed', () => {
    expect(() => checkAssessment({ ...assessed, work: 'IN_REVIEW', outcome: 'NOT_ASSESSED' })).toThrow(
      'An item is IN_REVIEW only with an outcome other than NOT_ASSESSED',
    );
  });

  it.each(['ALREADY_IN_PLACE', 'APPLIED', 'NOT_ASSESSED'] as const)('lets %s have no date', (outcome) => {
    const expiresAt = new Date('2027-01-01');
    expect(() => checkAssessment({ ...assessed, work: 'TODO', outcome, expiresAt })).toThrow(
      `Only DEFERRED and REJECTED can expire, and the outcome is ${outcome}`,
    );
  });
});

describe('checkTransition', () => {
  const free = { requiresReview: false, current: null };
  const strict = { requiresReview: true, current: null };
  const of = (work: Assessment['work'], more: Partial<Assessment> = {}): Assessment => ({ ...assessed, work, ...more });

  it.each(['TODO', 'IN_PROGRESS', 'DONE'] as const)('goes from %s to DONE where no review is required', (work) => {
    expect(() => checkTransition(of(work), of('DONE'), free)).not.toThrow();
  });

  it('makes nothing DONE that waits for a review', () => {
    expect(() => checkTransition(of('IN_REVIEW'), of('DONE'), free)).toThrow('acceptAuditItem makes it DONE');
    expect(() => checkTransition(of('IN_REVIEW'), of('IN_PROGRESS'), strict)).not.toThrow();
    expect(() => checkTransition(of('IN_REVIEW'), of('IN_REVIEW', { reason: 'more' }), strict)).not.toThrow();
  });

  it.each(['TODO', 'IN_PROGRESS'] as const)(
    'takes the way from %s through the review where one is required',
    (work) => {
      expect(() => checkTransition(of(work), of('DONE'), strict)).toThrow('This audit requires a review');
    },
  );

  it('keeps what was accepted as it is while it is DONE', () => {
    expect(() => checkTransition(of('DONE'), of('DONE'), strict)).not.toThrow();
    expect(() => checkTransition(of('DONE'), of('DONE', { reason: 'better' }), strict)).toThrow(
      'accepted as it is: take it back to IN_PROGRESS',
    );
    expect(() => checkTransition(of('DONE'), of('IN_PROGRESS', { reason: 'better' }), strict)).not.toThrow();
  });
});

describe('expiryAfter', () => {
  const expiresAt = new Date('2027-01-01');

  it('keeps the date of the same outcome, and forgets it with another one', () => {
    expect(expiryAfter({ ...assessed, outcome: 'DEFERRED', expiresAt }, 'DEFERRED')).toBe(expiresAt);
    expect(expiryAfter({ ...assessed, outcome: 'DEFERRED', expiresAt }, 'REJECTED')).toBeNull();
    expect(expiryAfter({ ...assessed, outcome: 'REJECTED', expiresAt }, 'APPLIED')).toBeNull();
  });
});

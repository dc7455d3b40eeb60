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
  const now = new Date('2026-06-01T00:00:00Z');
  const free = { requiresReview: false, recheck: 'NONE', now, current: null } as const;
  const strict = { ...free, requiresReview: true };
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
      'stays as it is: take it back to IN_PROGRESS',
    );
    expect(() => checkTransition(of('DONE'), of('IN_PROGRESS', { reason: 'better' }), strict)).not.toThrow();
  });

  it('keeps the date of what was accepted', () => {
    const dated = (day: string | null): Assessment =>
      of('DONE', { outcome: 'DEFERRED', expiresAt: day === null ? null : new Date(day) });
    for (const day of ['2026-12-02', '2026-05-31', null]) {
      expect(() => checkTransition(dated('2026-12-01'), dated(day), strict)).toThrow('stays as it is');
      expect(() => checkTransition(dated('2026-12-01'), dated(day), free)).not.toThrow();
    }
    expect(() => checkTransition(dated('2026-12-01'), dated('2026-12-01'), strict)).not.toThrow();
  });

  it('lets its author answer no re-check mark of what was accepted, and another reviewer confirm it', () => {
    const assess = { ...strict, recheck: 'ASSESSED' } as const;
    const confirm = { ...strict, recheck: 'CONFIRMED' } as const;
    expect(() => checkTransition(of('DONE'), of('DONE'), assess)).toThrow('stays as it is');
    expect(() => checkTransition(of('DONE'), of('IN_REVIEW'), assess)).not.toThrow();
    expect(() => checkTransition(of('DONE'), of('DONE'), { ...assess, requiresReview: false })).not.toThrow();
    expect(() => checkTransition(of('DONE'), of('DONE'), confirm)).not.toThrow();
    expect(() => checkTransition(of('DONE'), of('DONE', { reason: 'better' }), confirm)).toThrow('stays as it is');
  });

  it('lets a date that is reached go where another reviewer confirms the outcome, and no other date', () => {
    const confirm = { ...strict, recheck: 'CONFIRMED' } as const;
    const dated = (expiresAt: Date | null): Assessment => of('DONE', { outcome: 'DEFERRED', expiresAt });
    const [past, coming] = [new Date('2026-05-31'), new Date('2026-06-02')];
    expect(() => checkTransition(dated(past), dated(null), confirm)).not.toThrow();
    expect(() => checkTransition(dated(now), dated(null), confirm)).not.toThrow();
    expect(() => checkTransition(dated(past), dated(null), strict)).toThrow('stays as it is');
    expect(() => checkTransition(dated(past), dated(coming), confirm)).toThrow('stays as it is');
    expect(() => checkTransition(dated(coming), dated(null), confirm)).toThrow('stays as it is');
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

import { describe, expect, it } from '@jest/globals';
import { checkAssessment, type Assessment } from './transitions.js';

const assessed: Assessment = { work: 'DONE', outcome: 'APPLIED', reasonCode: null, reason: null };

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

import { describe, expect, it } from '@jest/globals';
import { isOpen, isPutOff, type OpenWork } from './open.js';

const now = new Date('2026-11-30T12:00:00Z');
const todo: OpenWork = {
  applies: 'YES',
  work: 'TODO',
  outcome: 'NOT_ASSESSED',
  hasRecheck: false,
  isPutOff: false,
};

describe('what is open', () => {
  it.each([
    [{}, true],
    [{ work: 'IN_PROGRESS' }, true],
    [{ applies: 'UNKNOWN' }, true],
    [{ applies: 'NO' }, false],
    [{ outcome: 'APPLIED' }, false],
    [{ outcome: 'APPLIED', work: 'DONE' }, false],
    [{ outcome: 'APPLIED', work: 'DONE', hasRecheck: true }, true],
    [{ outcome: 'NOT_APPLICABLE', work: 'DONE', hasRecheck: true }, true],
    [{ applies: 'NO', hasRecheck: true }, false],
    [{ outcome: 'REJECTED' }, false],
    [{ outcome: 'DEFERRED' }, true],
    [{ outcome: 'DEFERRED', work: 'DONE' }, false],
    [{ outcome: 'DEFERRED', isPutOff: true }, false],
    [{ outcome: 'DEFERRED', isPutOff: true, hasRecheck: true }, true],
  ] as const)('%o: %s', (state, open) => {
    expect(isOpen({ ...todo, ...state })).toBe(open);
  });

  it.each([
    ['DEFERRED', '2026-12-01T00:00:00Z', true],
    ['DEFERRED', '2026-11-30T12:00:00Z', false],
    ['DEFERRED', null, false],
    ['REJECTED', '2026-12-01T00:00:00Z', false],
  ] as const)('%s until %s is put off: %s', (outcome, date, expected) => {
    expect(isPutOff({ outcome, expiresAt: date === null ? null : new Date(date) }, now)).toBe(expected);
  });
});

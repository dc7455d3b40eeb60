import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors.js';
import { ceilingOf, checkedShares, isUnknown, otherShare, timeBreakdownOf } from './time-breakdown.js';

describe('the shares of a time breakdown', () => {
  it('takes what is absent for unknown, not for zero', () => {
    const shares = checkedShares({ compute: 0.6, communication: 0 });
    expect(shares).toEqual({ compute: 0.6, communication: 0, input: null, host: null });
    expect(isUnknown(shares)).toBe(false);
    expect(isUnknown(checkedShares({}))).toBe(true);
  });

  it.each([
    [{ compute: 0.6, communication: 0.2, input: 0.05, host: 0.1 }, 0.05],
    [{ compute: 0.6 }, 0.4],
    [{ compute: 0.5, communication: 0.5 }, 0],
    [{ compute: 0.7, communication: 0.2, input: 0.1, host: 1e-6 }, 0],
    [{ compute: 0 }, 1],
  ])('leaves of %o the rest %d to other time', (given, other) => {
    expect(otherShare(checkedShares(given))).toBe(other);
  });

  it.each([
    [{ compute: 62 }, 'compute must be a share from 0 to 1, and is 62; 62 % is 0.62', { place: 'compute', value: 62 }],
    [{ host: -0.1 }, 'host must be a share from 0 to 1, and is -0.1', { place: 'host', value: -0.1 }],
    [{ input: 101 }, 'input must be a share from 0 to 1, and is 101', { place: 'input', value: 101 }],
    [{ compute: NaN }, 'compute must be a share from 0 to 1, and is NaN', { place: 'compute', value: NaN }],
    [
      { compute: 0.8, communication: 0.3 },
      'The shares add up to 1.1; together they are at most 1, the rest is other time',
      { sum: 1.1 },
    ],
    [
      { compute: 1, host: 2e-6 },
      'The shares add up to 1; together they are at most 1, the rest is other time',
      { sum: 1 },
    ],
  ])('refuses %o', (given, message, details) => {
    const refusal = (): unknown => {
      try {
        return checkedShares(given);
      } catch (error) {
        return error;
      }
    };
    expect(refusal()).toBeInstanceOf(DomainError);
    expect(refusal()).toMatchObject({ code: 'INVALID_INPUT', message, details });
  });
});

it.each([
  [0, 0],
  [0.2, 0.25],
  [0.5, 1],
  [0.75, 3],
])('lets a part that takes the share %d bring at most %d', (share, ceiling) => {
  expect(ceilingOf(share)).toBeCloseTo(ceiling, 12);
});

it('knows no ceiling for what takes all of the time', () => {
  expect(ceilingOf(1)).toBeNull();
});

it('reads a stored breakdown, and none where there is none', () => {
  expect(timeBreakdownOf(null)).toBeNull();
  expect(timeBreakdownOf({ compute: 0.5, source: 'TYPED', at: '2026-11-30T00:00:00.000Z' })).toEqual({
    compute: 0.5,
    communication: null,
    input: null,
    host: null,
    source: 'TYPED',
    of: 'STEP',
    note: null,
    at: '2026-11-30T00:00:00.000Z',
    byId: null,
  });
});

it.each(['', 'yesterday', '2026-13-45', '0000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'])(
  'takes no stored breakdown of the time "%s"',
  (at) => {
    expect(() => timeBreakdownOf({ compute: 0.5, source: 'TYPED', at })).toThrow('a time from year 0001 to 9999');
  },
);

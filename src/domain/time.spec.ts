import { describe, expect, it } from '@jest/globals';
import { isWritableTime, timeOf } from './time.js';

describe('isWritableTime', () => {
  it.each([
    ['0001-01-01T00:00:00.000Z', true],
    ['2026-12-01T08:00:00.000Z', true],
    ['9999-12-31T23:59:59.999Z', true],
    ['0000-12-31T23:59:59.999Z', false],
    ['0001-01-01T00:00:00+00:01', false],
    ['9999-12-31T23:59:59.999-00:01', false],
    ['+010000-01-01T00:00:00.000Z', false],
    ['-271821-04-20T00:00:00.000Z', false],
    ['2026-13-01T00:00:00.000Z', false],
  ])('says of %s: %s', (text, expected) => {
    expect(isWritableTime(new Date(text))).toBe(expected);
  });
});

describe('timeOf', () => {
  it('reads what toISOString wrote', () => {
    expect(timeOf('2026-12-01T08:00:00.123Z')).toEqual(new Date(Date.UTC(2026, 11, 1, 8, 0, 0, 123)));
    expect(timeOf('0001-01-01T00:00:00.000Z')?.toISOString()).toBe('0001-01-01T00:00:00.000Z');
  });

  it.each([
    '',
    '2026',
    '2026-12-01',
    '2026-12-01T08:00:00Z',
    '2026-12-01T08:00:00.000+00:00',
    '2026-02-30T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '+010000-01-01T00:00:00.000Z',
    'now',
  ])('takes "%s" for no time', (text) => {
    expect(timeOf(text)).toBeNull();
  });
});

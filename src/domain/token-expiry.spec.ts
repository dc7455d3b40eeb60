import { describe, expect, it } from '@jest/globals';
import { expiryOf, tokenExpiry } from './token-expiry.js';

const now = new Date('2026-12-01T08:00:00.000Z');

describe('the end of a service token', () => {
  it('is 90 days from now where nobody says it', () => {
    expect(tokenExpiry(null, now).toISOString()).toBe('2027-03-01T08:00:00.000Z');
  });

  it.each(['2026-12-01T08:00:00.001Z', '2028-12-01T08:00:00.000Z'])('is taken as %s', (text) => {
    expect(tokenExpiry(new Date(text), now).toISOString()).toBe(text);
  });

  it.each(['2026-12-01T08:00:00.000Z', '2020-01-01T00:00:00.000Z', '2028-12-01T08:00:00.001Z'])(
    'is refused as %s',
    (text) => {
      expect(() => tokenExpiry(new Date(text), now)).toThrow(
        `expiresAt must be in the future and at most 2 years away (2028-12-01T08:00:00.000Z), and is ${text}`,
      );
    },
  );

  it('is two years after the last of February the first of March where there is none', () => {
    const leap = new Date('2028-02-29T00:00:00.000Z');
    expect(tokenExpiry(new Date('2030-03-01T00:00:00.000Z'), leap).toISOString()).toBe('2030-03-01T00:00:00.000Z');
  });
});

describe('what a person says of it', () => {
  it.each([
    ['1h', '2026-12-01T09:00:00.000Z'],
    ['90d', '2027-03-01T08:00:00.000Z'],
    ['4w', '2026-12-29T08:00:00.000Z'],
    ['2027-01-31', '2027-02-01T00:00:00.000Z'],
    ['2028-02-29', '2028-03-01T00:00:00.000Z'],
  ])('is read: %s', (text, at) => {
    expect(expiryOf(text, now).toISOString()).toBe(at);
  });

  it.each([
    '',
    '0d',
    '-1d',
    '1.5d',
    '90',
    '90 d',
    '3m',
    '1y',
    '999999d',
    '2027-02-30',
    '2027-13-01',
    '31.01.2027',
    'never',
  ])('is refused: "%s"', (text) => {
    expect(() => expiryOf(text, now)).toThrow(
      `"${text}" is neither a time from now as 12h, 90d or 4w, nor a date as 2027-01-31`,
    );
  });
});

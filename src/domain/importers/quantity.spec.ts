import { expect, it } from '@jest/globals';
import { amountIn, decimalMarkIn, quantityIn, timeIn } from './quantity.js';

it.each([
  [['1', '20', 'x'], 'UNKNOWN'],
  [['1,234', '2.345'], 'UNKNOWN'],
  [['1,234', '2.5 ms'], 'POINT'],
  [['12,5 ms', '1.234'], 'COMMA'],
  [['62,5%'], 'COMMA'],
  [['1.234.567'], 'COMMA'],
  [['1,234,567'], 'POINT'],
  [['12,5', '3.75'], 'BOTH'],
  [['gemm_1.5', '1.2.3', '2026-01-01'], 'UNKNOWN'],
])('the cells %p tell the decimal mark %s', (cells, mark) => {
  expect(decimalMarkIn(cells)).toBe(mark);
});

it.each([
  ['12.3ms', 0.0123],
  ['12,3 ms', 0.0123],
  ['2 min', 120],
  ['500 µs', 0.0005],
  ['5', 'NO_NUMBER'],
  ['5 GB', 'NO_NUMBER'],
  ['5 constructor', 'NO_NUMBER'],
  ['1,234 ms', 'AMBIGUOUS'],
  ['1e999 s', 'TOO_LARGE'],
])('the time of %p is %p', (cell, expected) => {
  const seconds = timeIn(cell, 'UNKNOWN');
  if (typeof expected === 'number') expect(seconds).toBeCloseTo(expected, 12);
  else expect(seconds).toBe(expected);
});

it('an amount is not negative', () => {
  expect([amountIn('-1', 'POINT'), amountIn('0', 'POINT'), amountIn('', 'POINT')]).toEqual(['NO_NUMBER', 0, 'NO_NUMBER']); // prettier-ignore
});

it('a quantity has a number of at most 100 characters', () => {
  expect(quantityIn(`${'1'.repeat(95)} ms`)).toEqual({ digits: '1'.repeat(95), unit: 'ms' });
  expect(quantityIn('1'.repeat(101))).toBeNull();
});

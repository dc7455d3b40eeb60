import { describe, expect, it } from '@jest/globals';
import { amountIn, decimalMarkOf, numberIn, quantityIn, timeIn } from './numbers.js';

describe('numberIn', () => {
  it.each([
    ['12', 12, 12, 12, 12],
    ['12.5', 12.5, 12.5, 12.5, 12.5],
    ['12,5', 12.5, 12.5, 12.5, 12.5],
    ['.5', 0.5, 0.5, 0.5, 0.5],
    [',5', 0.5, 0.5, 0.5, 0.5],
    ['-3,25', -3.25, -3.25, -3.25, -3.25],
    ['1,234.5', 1234.5, 1234.5, 1234.5, 1234.5],
    ['1.234,5', 1234.5, 1234.5, 1234.5, 1234.5],
    ['1,234,567', 1234567, 1234567, 1234567, 1234567],
    ['1.234.567', 1234567, 1234567, 1234567, 1234567],
    ['0,125', 0.125, 0.125, 0.125, 0.125],
    ['0.125', 0.125, 0.125, 0.125, 0.125],
    ['1234,567', 1234.567, 1234.567, 1234.567, 1234.567],
    ['1.5e3', 1500, 1500, 1500, 1500],
    ['1.234e3', 1234, 1234, 1234, 1234],
    ['1,234e3', 1234, 1234, 1234, 1234],
    ['1,234', 1234, 1.234, 'AMBIGUOUS', 'AMBIGUOUS'],
    ['1.234', 1.234, 1234, 1.234, 'AMBIGUOUS'],
    ['-12,345', -12345, -12.345, 'AMBIGUOUS', 'AMBIGUOUS'],
    ['1e30', 1e30, 1e30, 1e30, 1e30],
    ['1e31', 'TOO_LARGE', 'TOO_LARGE', 'TOO_LARGE', 'TOO_LARGE'],
    ['1e999', 'TOO_LARGE', 'TOO_LARGE', 'TOO_LARGE', 'TOO_LARGE'],
  ])('reads %s by the mark of the file: point %p, comma %p, unknown %p, both %p', (digits, ...expected) => {
    const marks = ['POINT', 'COMMA', 'UNKNOWN', 'BOTH'] as const;
    expect(marks.map((mark) => numberIn(digits, mark))).toEqual(expected);
  });

  it.each(['', '-', '.', ',', '1,2,3', '1,23,456', '12,3456,789', '1.2.3', '1,234.567,8', '1..5', 'x', '1e', 'Infinity', '１２'])(
    'takes %p for no number',
    (digits) => {
      expect(numberIn(digits, 'POINT')).toBe('NO_NUMBER');
    },
  ); // prettier-ignore
});

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
  expect(decimalMarkOf(cells)).toBe(mark);
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

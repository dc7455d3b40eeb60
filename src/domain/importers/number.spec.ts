import { describe, expect, it } from '@jest/globals';
import { decimalSignOf, isNoValue, numberIn, numberOf } from './number.js';

describe('a number that a tool printed', () => {
  it.each([
    ['12', 12],
    [' -0.5 ', -0.5],
    ['.5', 0.5],
    ['7.', 7],
    ['2.1e+02', 210],
    ['1e-7', 1e-7],
    ['2,016.96', 2016.96],
    ['3,481,709', 3_481_709],
    ["1'000'000.5", 1_000_000.5],
    ['17_179_869_184', 17_179_869_184],
    ['1 234 567', 1_234_567],
  ])('%s is %d with a decimal point', (cell, value) => {
    expect(numberOf(cell)).toBe(value);
  });

  it.each([
    ['12,5', 12.5],
    ['1.234,5', 1234.5],
    ['1 234,5', 1234.5],
    ['-3,25e-3', -0.00325],
  ])('%s is %d with a decimal comma', (cell, value) => {
    expect(numberOf(cell, ',')).toBe(value);
  });

  it.each([
    '',
    '.',
    '-',
    'N/A',
    '1.2.3',
    '12,5',
    '1,23,456',
    '1,234_567',
    '0x10',
    '1e',
    '5 ms',
    'e5',
    '--1',
    'Infinity',
  ])('%j is none with a decimal point', (cell) => {
    expect(numberOf(cell)).toBeNull();
  });

  it.each(['', ' - ', '--', '...', 'N/A', '[N/A]', '[Not Supported]', '[Unknown Error]', 'nan', 'xxx'])(
    '%j says that there is no value',
    (cell) => {
      expect(isNoValue(cell)).toBe(true);
    },
  );

  it.each(['0', '-1', 'x', 'none of them'])('%j does not say that there is no value', (cell) => {
    expect(isNoValue(cell)).toBe(false);
  });
});

describe('the decimal sign of numbers', () => {
  it.each<[readonly string[], '.' | ',' | null]>([
    [['1', '2'], '.'],
    [['1.5', '1,234'], '.'],
    [['1,234.5'], '.'],
    [['1.234,5'], ','],
    [['1,234', '12,5'], ','],
    [['1,234', '1,234,567'], '.'],
    [['1,234', '5,678'], null],
    [['1.234', '5,6'], ','],
    [['0,125'], ','],
    [["1'000.5"], '.'],
    [['N/A', 'a,b'], '.'],
    [[], '.'],
  ])('of %j is %j', (cells, sign) => {
    expect(decimalSignOf(cells)).toBe(sign);
  });
});

describe('a number in a file of some mark', () => {
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

import { describe, expect, it } from '@jest/globals';
import { freeName, isSameName } from './free-name.js';

const numbered = (count: number) => (count === 1 ? 'Closed' : `Closed (${count})`);

describe('freeName', () => {
  it.each<[readonly string[], string]>([
    [[], 'Closed'],
    [['Opened', 'Closed (2)'], 'Closed'],
    [[' closed '], 'Closed (2)'],
    [['CLOSED', 'closed (2)', 'Closed (4)'], 'Closed (3)'],
  ])('beside %j is "%s"', (taken, name) => {
    expect(freeName(numbered, taken)).toBe(name);
  });
});

describe('isSameName', () => {
  it.each([
    ['Before', ' BEFORE\n', true],
    ['升级前', '升级前 ', true],
    ['Caf\u00e9', 'cafe\u0301', true],
    ['Before', 'Before 2', false],
    ['升级前', '升级後', false],
  ])('of "%s" and "%s" is %s', (one, other, same) => {
    expect(isSameName(one, other)).toBe(same);
  });
});

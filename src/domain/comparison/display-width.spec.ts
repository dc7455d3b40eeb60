import { describe, expect, it } from '@jest/globals';
import { displayWidth, padded } from './display-width.js';

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['改善', 4],
    ['（护栏）', 8],
    ['−9.1 %', 6],
    ['e\u0301', 1],
    ['\u200b', 0],
    ['🚀', 2],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('padded', () => {
  it('fills up by width, and cuts nothing', () => {
    expect(padded('证据', 6, 'START')).toBe('证据  ');
    expect(padded('证据', 6, 'END')).toBe('  证据');
    expect(padded('证据', 2, 'END')).toBe('证据');
  });
});

import { describe, expect, it } from '@jest/globals';
import { cutText } from './cut-text.js';

describe('cutText', () => {
  it.each([
    ['', 3, ''],
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀d', 3, 'ab😀'],
    ['ab😀d', 2, 'ab'],
    ['😀😀😀', 2, '😀😀'],
    ['😀', 1, '😀'],
    ['😀', 0, ''],
    ['显存占用', 2, '显存'],
  ])('keeps of %p at most %p characters', (text, most, kept) => {
    expect(cutText(text, most)).toBe(kept);
  });
});

import { describe, expect, it } from '@jest/globals';
import { similarWords } from './spelling.js';

const vocabulary = ['pinned', 'memory', 'mined', 'kernel', 'bandwidth', 'nccl_buffsize', 'fp8', 'warp', 'wrap'];

describe('similarWords', () => {
  it.each([
    ['pined', ['pinned', 'mined']],
    ['memroy', ['memory']],
    ['kernl', ['kernel']],
    ['bandwith', ['bandwidth']],
    ['badnwith', ['bandwidth']],
    ['nccl_bufsize', ['nccl_buffsize']],
    ['wrap', ['warp']],
    ['kernel', []],
    ['krnl', []],
    ['fp4', []],
    ['mem', []],
  ])('finds for %s', (word, expected) => {
    expect(similarWords(word, vocabulary)).toEqual(expected);
  });
});

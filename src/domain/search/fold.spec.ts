import { describe, expect, it } from '@jest/globals';
import { fold } from './fold.js';

describe('fold', () => {
  it.each([
    ['ＮＣＣＬ＿ＩＢ', 'NCCL_IB'],
    ['顯存與鎖頁記憶', '显存与锁页记忆'],
    ['ﬁle ①', 'file 1'],
    ['a\u0000b\ue000c\ud800d', 'a b c d'],
    ['keeps Case\nand lines', 'keeps Case\nand lines'],
    ['𠮷🚀', '𠮷🚀'],
  ])('makes %j to %j', (source, text) => {
    expect(fold(source).text).toBe(text);
  });

  it('knows where each character came from', () => {
    const { text, at } = fold('🚀ﬁx');
    expect(text).toBe('🚀fix');
    expect([...at]).toEqual([0, 0, 2, 2, 3, 4]);
  });
});

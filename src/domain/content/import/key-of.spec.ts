import { describe, expect, it } from '@jest/globals';
import { keyOf, uniqueKeys } from './key-of.js';

describe('keys made of titles', () => {
  it.each([
    ['Label the cables for I/O', 'label-the-cables-for-i-o'],
    ['torch.compile', 'torch-compile'],
    ['Don’t oversubscribe', 'dont-oversubscribe'],
    ['Café — 2× faster', 'cafe-2-faster'],
    ['锁页内存', ''],
  ])('makes of "%s" the key "%s"', (title, key) => {
    expect(keyOf(title)).toBe(key);
  });

  it('cuts a long title at a word, within 60 characters', () => {
    const key = keyOf('Write down which switch ports the storage and management networks share');
    expect(key).toBe('write-down-which-switch-ports-the-storage-and-management');
  });

  it('cuts one long word in its middle', () => {
    expect(keyOf('a'.repeat(80))).toHaveLength(60);
  });

  it('numbers equal titles, also where a title ends with such a number', () => {
    expect(uniqueKeys(['Cache', 'Cache 2', 'Cache', 'cache'], 'item')).toEqual([
      'cache', 'cache-2', 'cache-3', 'cache-4',
    ]); // prettier-ignore
  });

  it('names titles without Latin words by their position', () => {
    expect(uniqueKeys(['缓存', 'Cache', '预取'], 'section')).toEqual(['section-1', 'cache', 'section-3']);
  });
});

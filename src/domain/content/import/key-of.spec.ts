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
    expect(uniqueKeys(['Cache', 'Cache 2', 'Cache', 'cache'].map((en) => ({ en })), 'item')).toEqual([
      'cache', 'cache-2', 'cache-3', 'cache-4',
    ]); // prettier-ignore
  });

  it('gives no section the key that audits give to items of their own', () => {
    expect(uniqueKeys([{ en: 'Custom' }, { en: 'Custom 2' }, { en: 'custom' }], 'section')).toEqual([
      'custom-2', 'custom-2-2', 'custom-3',
    ]); // prettier-ignore
    expect(uniqueKeys([{ en: 'Custom' }], 'item')).toEqual(['custom']);
  });

  it('names a Chinese title by its digest, whatever stands before it', () => {
    const [cache, prefetch, gpu] = [{ zh: '缓存' }, { zh: '预取' }, { zh: '检查 GPU 温度', en: '' }];
    const keys = uniqueKeys([cache, { en: 'Cache' }, prefetch, gpu], 'section');
    expect(keys).toEqual([
      expect.stringMatching(/^section-[0-9a-f]{8}$/),
      'cache',
      expect.stringMatching(/^section-[0-9a-f]{8}$/),
      expect.stringMatching(/^gpu-[0-9a-f]{8}$/),
    ]);
    expect(uniqueKeys([gpu, { zh: '新的' }, cache], 'section')).toEqual([keys[3], expect.any(String), keys[0]]);
    expect(uniqueKeys([cache, cache], 'section')).toEqual([keys[0], `${keys[0]}-2`]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { releaseDifference, type ItemState } from './release-difference.js';

const item = (key: string, changes: Partial<ItemState> = {}): ItemState => ({
  key,
  section: 'oven',
  order: 1,
  checkDigest: 'a',
  texts: { title: { en: 'Steam', zh: '蒸汽' }, why: { en: 'It rises.', zh: '会膨胀。' } },
  fields: { tags: ['heat'], effort: 'S' },
  ...changes,
});
const same = { isCheckChanged: false, isMoved: false, changedTexts: [], changedTranslations: [], changedFields: [] };

describe('releaseDifference', () => {
  it('finds nothing between equal releases', () => {
    expect(releaseDifference([item('oven/steam')], [item('oven/steam')])).toEqual([]);
  });

  it('lists what was added and changed in the new order, and then what was removed', () => {
    const before = [item('oven/old'), item('oven/steam'), item('oven/stone')];
    const after = [item('oven/new'), item('oven/stone', { order: 2 }), item('oven/steam')];
    expect(releaseDifference(before, after)).toEqual([
      { ...same, kind: 'ADDED', key: 'oven/new' },
      { ...same, kind: 'CHANGED', key: 'oven/stone', isMoved: true },
      { ...same, kind: 'REMOVED', key: 'oven/old' },
    ]);
  });

  it('tells apart the meaning of the check, its wording, its translation and the rest', () => {
    const changed = item('oven/steam', {
      checkDigest: 'b',
      texts: { title: { en: 'Steam', zh: '水汽' }, why: { en: 'It rises well.', zh: '会膨胀。' }, body: { en: 'x', zh: null } },
      fields: { tags: ['heat', 'rest'], effort: 'S', risk: { stability: 'LOW' } },
    });
    expect(releaseDifference([item('oven/steam')], [changed])).toEqual([
      {
        kind: 'CHANGED',
        key: 'oven/steam',
        isCheckChanged: true,
        isMoved: false,
        changedTexts: ['why', 'body'],
        changedTranslations: ['title'],
        changedFields: ['tags', 'risk'],
      },
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { claimOf, verdictText } from './words.js';

describe('claimOf', () => {
  it.each([
    ['EXACT', 1, 1, 'FULL'],
    ['PAIRED', 6, 6, 'FULL'],
    ['STATISTICAL', 4, 4, 'FULL'],
    ['SUMMARY', 4, 4, 'FULL'],
    ['SUMMARY', 4, 3, 'SIGNS'],
    ['INDICATIVE', 20, 20, 'LIKELY'],
    ['SINGLE_RUN', 1, 1, 'SIGNS'],
    ['NONE', 0, 0, 'SIGNS'],
  ] as const)('of %s with %i and %i values is %s', (evidence, nBefore, nAfter, claim) => {
    expect(claimOf({ evidence, nBefore, nAfter })).toBe(claim);
  });
});

describe('verdictText', () => {
  it('says no more than the evidence carries', () => {
    expect(verdictText('IMPROVED', 'FULL')).toEqual({ en: 'improved', zh: '改善' });
    expect(verdictText('IMPROVED', 'LIKELY')).toEqual({ en: 'likely improved', zh: '很可能改善' });
    expect(verdictText('REGRESSED', 'SIGNS')).toEqual({ en: 'signs of a regression', zh: '有退化迹象' });
    expect(verdictText('INCONCLUSIVE', 'LIKELY')).toEqual({ en: 'inconclusive', zh: '尚无定论' });
  });
});

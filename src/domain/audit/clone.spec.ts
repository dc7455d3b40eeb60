import { describe, expect, it } from '@jest/globals';
import { carriedWork, cloneTitle } from './clone.js';

describe('carriedWork', () => {
  it.each([
    ['TODO', 'TODO', 'TODO'],
    ['IN_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS'],
    ['IN_REVIEW', 'IN_PROGRESS', 'IN_PROGRESS'],
    ['DONE', 'DONE', 'IN_PROGRESS'],
  ] as const)('makes of %s %s, and %s where reviews are required', (work, free, reviewed) => {
    expect(carriedWork(work, { requiresReview: false })).toBe(free);
    expect(carriedWork(work, { requiresReview: true })).toBe(reviewed);
  });
});

describe('cloneTitle', () => {
  it.each([
    ['EN', [], 'Q3 (copy)'],
    ['EN', ['Q3', 'Q3 (copy 2)'], 'Q3 (copy)'],
    ['EN', ['Q3', 'q3 (Copy)', 'Q3 (copy 2)'], 'Q3 (copy 3)'],
    ['ZH', ['Q3 (copy)'], 'Q3（副本）'],
    ['ZH', ['Q3（副本）'], 'Q3（副本 2）'],
  ] as const)('in %s beside %j is "%s"', (locale, taken, title) => {
    expect(cloneTitle('Q3', locale, taken)).toBe(title);
  });

  it('marks the copy of a copy once more', () => {
    expect(cloneTitle('Q3 (copy)', 'EN', ['Q3 (copy)'])).toBe('Q3 (copy) (copy)');
  });

  it('cuts a title that leaves no room for the mark, through no character', () => {
    expect(cloneTitle('x'.repeat(200), 'EN', [])).toBe(`${'x'.repeat(193)} (copy)`);
    expect(cloneTitle(`${'x'.repeat(192)}😀${'y'.repeat(6)}`, 'EN', [])).toBe(`${'x'.repeat(192)} (copy)`);
    expect(cloneTitle('长'.repeat(200), 'ZH', [`${'长'.repeat(196)}（副本）`])).toBe(`${'长'.repeat(194)}（副本 2）`);
  });
});

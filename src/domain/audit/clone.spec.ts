import { describe, expect, it } from '@jest/globals';
import { carriedWork } from './clone.js';

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

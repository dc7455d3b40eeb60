import { describe, expect, it } from '@jest/globals';
import { progressOf, type ItemCount } from './progress.js';

const open: ItemCount = {
  applies: 'YES',
  overruled: null,
  work: 'TODO',
  outcome: 'NOT_ASSESSED',
  measuredProof: null,
  hasRecheck: 'NO',
  count: 1,
};

describe('progressOf', () => {
  it('is all zero for no items', () => {
    expect(progressOf([])).toEqual({ total: 0, applicable: 0, assessed: 0, done: 0, verified: 0 });
  });

  it('counts an unknown answer as applicable and a NO as not', () => {
    const counts = [
      open,
      { ...open, applies: 'UNKNOWN', count: 2 } as const,
      { ...open, applies: 'NO', count: 4 } as const,
    ];
    expect(progressOf(counts)).toMatchObject({ total: 7, applicable: 3 });
  });

  it('lets a person overrule the answer either way', () => {
    const counts = [
      { ...open, applies: 'NO', overruled: 'YES', count: 1 } as const,
      { ...open, applies: 'YES', overruled: 'NO', count: 10 } as const,
    ];
    expect(progressOf(counts)).toMatchObject({ total: 11, applicable: 1 });
  });

  it('takes an item out that a person called not applicable, however done it is', () => {
    const counts = [{ ...open, outcome: 'NOT_APPLICABLE', work: 'DONE' } as const];
    expect(progressOf(counts)).toEqual({ total: 1, applicable: 0, assessed: 0, done: 0, verified: 0 });
  });

  it('does not count an item with a re-check mark as assessed', () => {
    const counts = [
      { ...open, outcome: 'APPLIED', work: 'DONE', measuredProof: 'VERIFIED', hasRecheck: 'YES', count: 3 } as const,
      { ...open, outcome: 'REJECTED', work: 'DONE', count: 2 } as const,
    ];
    expect(progressOf(counts)).toEqual({ total: 5, applicable: 5, assessed: 2, done: 5, verified: 3 });
  });
});

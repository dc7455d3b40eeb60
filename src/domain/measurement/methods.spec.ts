import { describe, expect, it } from '@jest/globals';
import { compare, type ArmData } from './compare.js';
import { rawOutcome } from './guardrails.js';
import { findingByCount, pairedFinding, type Question } from './methods.js';
import { evenlyThinned, largestOf, smallestOf } from './order-statistics.js';
import { signedRankTest } from './signed-rank.js';

const question = (change: Partial<Question>): Question => ({
  before: [],
  after: [],
  sign: 1,
  threshold: 0.02,
  noiseFloor: null,
  limitOf: Math.log1p,
  ...change,
});
const wave = (count: number, shift: number) =>
  Array.from({ length: count }, (_, index) => shift + ((index * 37) % 101) / 1000);

describe('large arms', () => {
  it('have a smallest and a largest value', () => {
    const values = wave(200_000, 0);
    expect([smallestOf(values), largestOf(values)]).toEqual([0, 0.1]);
    const finding = findingByCount(question({ before: values, after: [1, 1.001] }));
    expect(finding).toMatchObject({ method: 'RANGE_GAP', verdict: 'IMPROVED' });
  });

  it('are thinned evenly, with a warning', () => {
    const finding = findingByCount(question({ before: wave(200_000, 0), after: wave(150_000, 0.5) }));
    expect(finding).toMatchObject({ method: 'MANN_WHITNEY', verdict: 'IMPROVED' });
    expect(finding.shift).toBeCloseTo(0.5, 3);
    expect(finding.warnings).toEqual([
      { code: 'VALUES_THINNED', details: { before: 200_000, after: 150_000, kept: 2000 } },
    ]);
    expect(findingByCount(question({ before: wave(2000, 0), after: wave(2000, 0.5) })).warnings).toEqual([]);
  });

  it('are thinned as pairs by their differences', () => {
    const before = wave(60_000, 0);
    const after = before.map((value, index) => value + 0.3 + (index % 2) / 10);
    const finding = pairedFinding(question({ before, after }));
    expect(finding).toMatchObject({ method: 'SIGNED_RANK', verdict: 'IMPROVED' });
    expect(finding.shift).toBeCloseTo(0.35, 6);
    expect(finding.warnings.map(({ code }) => code)).toEqual(['VALUES_THINNED']);
  });

  it.each([
    ['in blocks', 'SIGNED_RANK', (index: number) => `b${index}`],
    ['without blocks', 'MANN_WHITNEY', () => null],
  ])('are compared as a whole: %s', (_, method, blockOf) => {
    const arm = (shift: number): ArmData => ({
      kind: 'values',
      values: wave(150_000, shift).map((value, index) => ({ value, session: 'x', block: blockOf(index), runId: null })),
    });
    const result = compare({
      metric: {
        key: 'time',
        unit: 'ms',
        dimension: 'time',
        direction: 'LOWER_IS_BETTER',
        target: null,
        isExact: false,
        smallestEffect: 0.02,
        role: 'PRIMARY',
      },
      before: arm(2),
      after: arm(1),
      noiseFloor: null,
      userThreshold: null,
      differences: [],
    });
    expect(result).toMatchObject({ method, verdict: 'IMPROVED', nBefore: 150_000, nAfter: 150_000 });
    expect(rawOutcome('LOWER_IS_BETTER', wave(150_000, 0), wave(150_000, 1))).toBe('WORSE');
  });

  it('keep both ends when thinned', () => {
    expect(evenlyThinned([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6]);
    expect(evenlyThinned([0, 1], 3)).toEqual([0, 1]);
  });

  it('are ranked in a moment, with shared ranks', () => {
    const { w, isExact } = signedRankTest(Array.from({ length: 60_000 }, (_, index) => (index % 2 === 0 ? 1 : -1)));
    expect({ w, isExact }).toEqual({ w: 30_000 * 30_000.5, isExact: false });
  });
});

describe('the required gain', () => {
  it.each([
    ['one value', [1]],
    ['two values', [1, 1]],
  ])('stays finite for %s', (_, values) => {
    const { requiredGain } = findingByCount(question({ before: values, after: values, threshold: Number.MAX_VALUE }));
    expect(requiredGain).toBe(Number.MAX_VALUE);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type ArmData, compare, type ComparisonResult } from './compare.js';
import type { MetricDefinition } from './metric.js';
import type { Verdict } from './verdict.js';

const { exp, imul } = Math;

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const mirrored: Partial<Record<Verdict, Verdict>> = { IMPROVED: 'REGRESSED', REGRESSED: 'IMPROVED' };

function drawArm(random: () => number, size: number, isRounded: boolean): ArmData {
  const level = 100 * exp(0.1 * (random() - 0.5));
  const values = Array.from({ length: size }, (_, index) => {
    const value = level * exp(0.04 * (random() + random() - 1));
    const block = random() < 0.5 ? `b${index}` : `b${(index * 7) % 11}`;
    return {
      value: isRounded ? Math.round(value) : value,
      session: random() < 0.5 ? 'x' : `s${index}`,
      block,
      runId: null,
    };
  });
  if (random() > 0.15) return { kind: 'values', values };
  return { kind: 'summary', mean: level, sd: level * 0.03 * random(), n: random() < 0.2 ? null : size };
}

function expectMirror(one: number | null, other: number | null): void {
  if (one === null || other === null) expect(one).toBe(other);
  else expect(1 + other).toBeCloseTo(1 / (1 + one), 12);
}

function expectFinite(result: ComparisonResult): void {
  for (const value of Object.values(result)) {
    if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
  }
}

describe('swapping the arms', () => {
  it.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'mirrors the verdict and all that goes with it: seed %i',
    (seed) => {
      const random = randomFrom(seed * 7919 + 1);
      const met = new Set<Verdict>();
      for (let trial = 0; trial < 45; trial += 1) {
        const direction = (['HIGHER_IS_BETTER', 'LOWER_IS_BETTER', 'TARGET'] as const)[trial % 3] ?? null;
        const metric: MetricDefinition = {
          key: 'group.metric',
          unit: 'ms',
          dimension: 'time',
          direction,
          target: direction === 'TARGET' ? 97 : null,
          isExact: random() < 0.1,
          smallestEffect: direction === 'TARGET' ? 1 : 0.02 * random(),
          role: 'PRIMARY',
        };
        const isRounded = random() < 0.5;
        const before = drawArm(random, 1 + Math.floor(random() * 12), isRounded);
        const after = drawArm(random, 1 + Math.floor(random() * 12), isRounded);
        const rest = { metric, noiseFloor: random() < 0.5 ? null : 0.01, userThreshold: null, differences: [] };
        const one = compare({ ...rest, before, after });
        const other = compare({ ...rest, before: after, after: before });
        met.add(one.verdict);
        expect(other.verdict).toBe(mirrored[one.verdict] ?? one.verdict);
        expect(other).toMatchObject({
          evidence: one.evidence,
          method: one.method,
          isStrong: one.isStrong,
          threshold: one.threshold,
          requiredGain: one.requiredGain,
          moreRunsPerArm: one.moreRunsPerArm,
          nBefore: one.nAfter,
          medianBefore: one.medianAfter,
        });
        expectMirror(one.gain, other.gain);
        expectMirror(one.gainLow, other.gainHigh);
        expectMirror(one.gainHigh90, other.gainLow90);
        if (one.pValue !== null) expect(other.pValue).toBeCloseTo(one.pValue, 12);
        expectFinite(one);
      }
      expect([...met]).toEqual(expect.arrayContaining(['IMPROVED', 'REGRESSED', 'INCONCLUSIVE']));
    },
  );
});

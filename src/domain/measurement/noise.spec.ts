import { describe, expect, it } from '@jest/globals';
import { holm, holmOverKnown } from './holm.js';
import { noiseFloorOf, tellsNoise } from './noise.js';
import { outlierPlaces } from './outliers.js';
import { moreRunsPerArm, type Plan } from './planning.js';

describe('noise floor', () => {
  it('is 1.96 times the scaled median absolute deviation of the logarithms', () => {
    const values = [0, 0.01, -0.01, 0.02, -0.02].map((log) => 100 * Math.exp(log));
    expect(noiseFloorOf(values)).toBeCloseTo(1.96 * 1.4826 * 0.01, 12);
  });

  it.each([[[100, 101, 102, 103]], [[100, 101, 102, 103, 0]]])('is not known from %p', (values) => {
    expect(noiseFloorOf(values)).toBeNull();
  });

  it('is hardly moved by one dip', () => {
    expect(noiseFloorOf([100, 100.5, 99.5, 100.2, 80])).toBeLessThan(0.016);
  });
});

describe('an A/A run', () => {
  const control = { isSaidControl: true, verdict: 'INCONCLUSIVE', isConfounded: false } as const;

  it.each([
    ['it settles nothing', {}, true],
    ['it shows no change', { verdict: 'NO_MEANINGFUL_CHANGE' }, true],
    ['nobody said that it is a control', { isSaidControl: false }, false],
    ['something else differs', { isConfounded: true }, false],
    ['its arms are not comparable', { verdict: 'NOT_COMPARABLE' }, false],
    ['it improved', { verdict: 'IMPROVED' }, false],
    ['it regressed', { verdict: 'REGRESSED' }, false],
    ['its guardrail got worse', { verdict: 'BLOCKED_BY_GUARDRAIL' }, false],
  ] as const)('tells the noise, or not: %s', (_, change, expected) => {
    expect(tellsNoise({ ...control, ...change })).toBe(expected);
  });
});

describe('Holm over comparisons', () => {
  it('does not count those without a p value', () => {
    expect(holmOverKnown([0.01, null, 0.04])).toEqual([0.02, null, 0.04]);
  });

  it('corrects nothing when there is nothing', () => {
    expect(holm([])).toEqual([]);
  });

  it('refuses what is no probability', () => {
    expect(() => holm([0.5, 1.2])).toThrow('not 1.2');
  });
});

describe('more runs', () => {
  const plan: Plan = { design: 'TWO_ARMS', n: 4, fewest: 4, spread: 0.02, shift: 0.03, limit: 0.02 };

  it.each([
    ['a change to be told from zero', {}, 7],
    ['twice the spread, four times the runs', { spread: 0.04 }, 35],
    ['a change to be shown small', { shift: 0 }, 16],
    ['an estimate at the edge of the threshold', { shift: 0.0199 }, 1000],
    ['no spread and too few values', { n: 2, spread: 0 }, 2],
    ['already as many as the formula asks', { n: 30 }, 1],
    ['pairs', { design: 'PAIRS', n: 6, fewest: 6, spread: 0.04 }, 15],
  ] as const)('says how many would settle it: %s', (_, change, expected) => {
    expect(moreRunsPerArm({ ...plan, ...change })).toBe(expected);
  });
});

describe('outliers', () => {
  it('names a dip and leaves the rest', () => {
    expect(outlierPlaces([100, 101, 99, 100.5, 80], 0.5)).toEqual([4]);
  });

  it.each([
    ['too few values', [100, 100, 100, 50], 0.5],
    ['a distance that does not matter', [100, 100, 100, 100, 100.4], 0.5],
  ])('names nothing: %s', (_, values, limit) => {
    expect(outlierPlaces(values, limit)).toEqual([]);
  });
});

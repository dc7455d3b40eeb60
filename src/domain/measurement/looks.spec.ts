import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from './distributions.js';
import { alphaOfLook, levelsOfLook, pOfLook } from './looks.js';
import { floorFactor } from './noise.js';
import { missingRuns, planWarning, wasLook, withoutClaim } from './planned-runs.js';
import { notComparable } from './compare.js';
import { criticalRank, rankTest } from './rank-test.js';
import { inReport, type ReportedRow } from './report-family.js';
import { runsNeeded, type KnownNoise } from './runs-needed.js';
import { runsNeededText } from './runs-needed-text.js';
import type { MetricDefinition } from './metric.js';

const metric: MetricDefinition = {
  key: 'time',
  unit: 'ms',
  dimension: 'time',
  direction: 'LOWER_IS_BETTER',
  target: null,
  isExact: false,
  smallestEffect: 0.02,
  role: 'PRIMARY',
};

describe('a further look', () => {
  it('asks for p of 0.0025, and keeps its intervals at that level', () => {
    expect([1, 2, 3, 9].map(alphaOfLook)).toEqual([0.05, 0.0025, 0.0025, 0.0025]);
    expect(levelsOfLook(1)).toEqual({ change: 0.95, sameness: 0.9 });
    expect(levelsOfLook(2)).toEqual({ change: 0.9975, sameness: 0.995 });
    expect(pOfLook(0.0025, 2)).toBeCloseTo(0.05, 12);
    expect([pOfLook(0.04, 1), pOfLook(0.4, 2), pOfLook(null, 2)]).toEqual([0.04, 1, null]);
    expect(normalQuantile(0.00125)).toBeCloseTo(3.0233, 4);
  });

  it('needs six and six separated values: five and five have p = 0.0079', () => {
    expect(criticalRank(5, 5, 0.9975)).toBe(0);
    expect(criticalRank(6, 6, 0.9975)).toBe(1);
    const up = [11, 12, 13, 14, 15, 16];
    expect(rankTest([1, 2, 3, 4, 5], up.slice(1), 2).interval95).toBeNull();
    expect(rankTest([1, 2, 3, 4, 5, 6], up, 2).interval95).toEqual({ low: 5, high: 15 });
  });
});

describe('a noise floor of few values', () => {
  it.each([
    [null, 3],
    [5, 6.45],
    [6, 5.7],
    [10, 4.842857142857143],
    [50, 4.295744680851064],
  ])('of %p values is taken as %p floors', (count, factor) => {
    expect(floorFactor(count)).toBeCloseTo(factor, 12);
  });
});

describe('a plan of runs', () => {
  const plan = { plannedRunsPerArm: 5, before: [1, 2, 3], after: [1, 2, 3, 4, 5] };
  const nothing = { kind: 'values', values: [] } as const;
  const base = {
    ...notComparable(
      { metric, before: nothing, after: nothing, noiseFloor: null, userThreshold: null, differences: [] },
      { code: 'X', details: {} },
    ),
    verdict: 'IMPROVED',
    isStrong: true,
  } as const;

  it('is reached by the smaller arm, and claims nothing before', () => {
    expect(missingRuns(plan)).toBe(2);
    expect(missingRuns({ ...plan, plannedRunsPerArm: null })).toBe(0);
    expect(planWarning(plan)).toEqual([{ code: 'PLAN_NOT_REACHED', details: { before: 3, after: 5, planned: 5 } }]);
    expect(planWarning({ ...plan, plannedRunsPerArm: 3 })).toEqual([]);
    expect(withoutClaim(base, 2)).toMatchObject({ verdict: 'INCONCLUSIVE', isStrong: false, moreRunsPerArm: 2 });
    expect(withoutClaim(base, 0)).toBe(base);
    expect(withoutClaim({ ...base, verdict: 'NOT_COMPARABLE' }, 2).verdict).toBe('NOT_COMPARABLE');
  });

  it.each([
    ['a test', { method: 'MANN_WHITNEY', verdict: 'INCONCLUSIVE', warnings: [] }, true],
    ['no method', { method: 'NONE', verdict: 'INCONCLUSIVE', warnings: [] }, false],
    ['arms that differ', { method: 'MANN_WHITNEY', verdict: 'NOT_COMPARABLE', warnings: [] }, false],
    ['no floor', { method: 'NOISE_FLOOR', verdict: 'INCONCLUSIVE', warnings: [{ code: 'NO_NOISE_FLOOR' }] }, false],
    ['a plan', { method: 'WELCH_LOG', verdict: 'INCONCLUSIVE', warnings: [{ code: 'PLAN_NOT_REACHED' }] }, false],
  ] as const)('was a look, or not: %s', (_, row, expected) => {
    expect(wasLook([row])).toBe(expected);
    expect(wasLook([])).toBe(false);
  });
});

describe('comparisons in a report', () => {
  const row = (pValue: number | null, change: Partial<ReportedRow> = {}): ReportedRow => ({
    role: 'PRIMARY',
    verdict: 'IMPROVED',
    pValue,
    isControl: false,
    looks: 1,
    ...change,
  });

  it('are corrected by Holm, without A/A runs, guardrails and what has no p', () => {
    const rows = [
      row(0.01),
      row(0.03),
      row(0.001, { isControl: true }),
      row(0.001, { role: 'GUARDRAIL' }),
      row(null),
      row(0.04, { verdict: 'INCONCLUSIVE' }),
    ];
    expect(inReport(rows)).toEqual([
      { reportAdjustedP: 0.03, survivesReport: true },
      { reportAdjustedP: 0.06, survivesReport: false },
      { reportAdjustedP: null, survivesReport: null },
      { reportAdjustedP: null, survivesReport: null },
      { reportAdjustedP: null, survivesReport: null },
      { reportAdjustedP: 0.06, survivesReport: null },
    ]);
  });

  it('are corrected for their looks first', () => {
    expect(inReport([row(0.001, { looks: 2 }), row(0.03)]).map(({ reportAdjustedP }) => reportAdjustedP)).toEqual([
      0.04, 0.04,
    ]);
  });
});

describe('runs needed', () => {
  const floor = (value: number): KnownNoise => ({ kind: 'NOISE_FLOOR', floor: value });

  it.each<[string, Partial<MetricDefinition>, number, KnownNoise, object]>([
    ['a change of 5 %', {}, 0.05, floor(0.0392), { perArm: 7, pairs: 7, threshold: 0.0392, answer: 'ENOUGH' }],
    ['quiet', {}, 0.05, floor(0.005), { perArm: 4, pairs: 6, threshold: 0.02, answer: 'ENOUGH' }],
    ['below the floor', {}, 0.03, floor(0.05), { perArm: null, pairs: null, threshold: 0.05, answer: 'BELOW_THRESHOLD' }],
    ['below the smallest effect', {}, 0.01, floor(0.005), { perArm: null, threshold: 0.02, answer: 'BELOW_THRESHOLD' }],
    ['unknown', {}, 0.05, { kind: 'UNKNOWN' }, { perArm: null, spread: null, answer: 'NOISE_UNKNOWN' }],
    ['repetitions', {}, 0.1, { kind: 'REPETITIONS', sd: 0.03, count: 8 }, { perArm: 4, spread: 0.03, threshold: 0.02 }],
    ['exact', { isExact: true }, 0.01, { kind: 'UNKNOWN' }, { perArm: 1, pairs: 1, answer: 'EXACT' }],
    ['no spread', {}, 0.05, floor(0), { perArm: 4, pairs: 6, answer: 'NO_SPREAD' }],
    ['a target', { direction: 'TARGET', target: 60, smallestEffect: 1 }, 6, floor(0.0196), { perArm: 4, threshold: 1.176 }],
    ['a target of zero', { direction: 'TARGET', target: 0, smallestEffect: 1 }, 6, floor(0.02), { answer: 'NOISE_UNKNOWN' }],
  ])('are told for %s', (_, change, effect, noise, expected) => {
    expect(runsNeeded({ ...metric, ...change }, effect, noise)).toMatchObject(expected);
  }); // prettier-ignore

  it.each<[string, number, KnownNoise, RegExp, RegExp]>([
    ['a number', 0.05, floor(0.04), /^About 8 runs in each arm, or at most 8 pairs, show a change of 5 %/, /^每组约 8 次运行/],
    ['what cannot be seen', 0.03, floor(0.05), /cannot be seen here.*at least 5 %, by the smallest/, /都看不到 3%/],
    ['that nothing is known', 0.05, { kind: 'UNKNOWN' }, /^Nothing is known of the noise/, /^此处的噪声未知/],
    ['the edge', 0.02, floor(0.01), /^No number of runs shows a change of 2 % with 80 % power: it hardly passes 2 %/, /^无论测多少次，都无法以 80% 的功效看出 2% 的变化/],
    ['one session', 0.05, { kind: 'REPETITIONS', sd: 0.01, count: 7 }, /spread of 7 repetitions inside one session/, /7 次重复/],
  ])('say %s', (_, effect, noise, en, zh) => {
    const text = runsNeededText(runsNeeded(metric, effect, noise), noise, effect);
    expect(text.en).toMatch(en);
    expect(text.zh).toMatch(zh);
  }); // prettier-ignore
});

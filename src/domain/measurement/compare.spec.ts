import { describe, expect, it } from '@jest/globals';
import { type ArmData, compare, type ComparisonInput, type ComparisonResult, METHOD_VERSION } from './compare.js';
import type { MetricDefinition } from './metric.js';

const throughput: MetricDefinition = {
  key: 'training.throughput',
  unit: 'samples/s',
  dimension: 'sample-rate',
  direction: 'HIGHER_IS_BETTER',
  target: null,
  isExact: false,
  smallestEffect: 0.02,
  role: 'PRIMARY',
};
const latency: MetricDefinition = { ...throughput, unit: 'ms', dimension: 'time', direction: 'LOWER_IS_BETTER' };
const launches: MetricDefinition = {
  ...latency,
  unit: 'count',
  dimension: 'count',
  isExact: true,
  smallestEffect: 0.005,
};
const temperature: MetricDefinition = {
  ...throughput,
  unit: '°C',
  dimension: 'temperature',
  direction: 'TARGET',
  target: 60,
  smallestEffect: 2,
};

/** An arm with a session of its own for each value. */
function arm(...values: readonly number[]): ArmData {
  return {
    kind: 'values',
    values: values.map((value, index) => ({ value, session: `s${index}`, block: null, runId: null })),
  };
}

function inBlocks(values: readonly number[], blocks: readonly (string | null)[]): ArmData {
  return {
    kind: 'values',
    values: values.map((value, index) => ({ value, session: `s${index}`, block: blocks[index] ?? null, runId: null })),
  };
}

function comparison(change: Partial<ComparisonInput>): ComparisonResult {
  return compare({
    metric: throughput,
    before: arm(100, 101, 102, 103, 99),
    after: arm(110, 111, 112, 113, 109),
    noiseFloor: null,
    userThreshold: null,
    differences: [],
    ...change,
  });
}

const codes = (result: ComparisonResult): readonly string[] => result.warnings.map(({ code }) => code);

describe('the row of the table', () => {
  it.each<[string, Partial<ComparisonInput>, string, string]>([
    ['one value', { before: arm(100), after: arm(120), noiseFloor: 0.01 }, 'NOISE_FLOOR', 'SINGLE_RUN'],
    ['one against many', { before: arm(100), noiseFloor: 0.01 }, 'NOISE_FLOOR', 'SINGLE_RUN'],
    ['two values', { before: arm(100, 101), after: arm(120, 121) }, 'RANGE_GAP', 'INDICATIVE'],
    ['three against many', { before: arm(90, 91, 92) }, 'RANGE_GAP', 'INDICATIVE'],
    ['four values', { before: arm(100, 101, 102, 103), after: arm(110, 111, 112, 113) }, 'MANN_WHITNEY', 'STATISTICAL'],
    ['exact', { metric: launches, before: arm(100, 100), after: arm(90, 90) }, 'EXACT_COMPARISON', 'EXACT'],
    [
      'six blocks',
      {
        before: inBlocks([100, 101, 102, 103, 104, 105], ['a', 'b', 'c', 'd', 'e', 'f']),
        after: inBlocks([110, 111, 112, 113, 114, 115], ['f', 'e', 'd', 'c', 'b', 'a']),
      },
      'SIGNED_RANK',
      'PAIRED',
    ],
    [
      'five blocks',
      {
        before: inBlocks([100, 101, 102, 103, 104], ['a', 'b', 'c', 'd', 'e']),
        after: inBlocks([110, 111, 112, 113, 114], ['a', 'b', 'c', 'd', 'e']),
      },
      'MANN_WHITNEY',
      'STATISTICAL',
    ],
    [
      'summaries',
      { before: { kind: 'summary', mean: 100, sd: 2, n: 10 }, after: { kind: 'summary', mean: 110, sd: 2, n: 10 } },
      'WELCH_LOG',
      'SUMMARY',
    ],
    ['summary and values', { before: { kind: 'summary', mean: 100, sd: 2, n: 10 } }, 'WELCH_LOG', 'SUMMARY'],
  ])('is chosen by the smaller arm: %s', (_, change, method, evidence) => {
    const result = comparison(change);
    expect(result).toMatchObject({ method, evidence, verdict: 'IMPROVED', methodVersion: METHOD_VERSION });
  });

  it('gives 4 + 4 separated values the exact p of 2/70', () => {
    expect(comparison({ before: arm(1, 2, 3, 4), after: arm(5, 6, 7, 8) }).pValue).toBeCloseTo(2 / 70, 12);
  });

  it('says what changed in numbers, plus being better', () => {
    const result = comparison({ metric: latency, before: arm(100, 100, 100, 100), after: arm(50, 50, 50, 50) });
    expect(result).toMatchObject({ nBefore: 4, nAfter: 4, medianBefore: 100, medianAfter: 50, verdict: 'IMPROVED' });
    expect(result.ratio).toBeCloseTo(0.5, 12);
    expect(result.gain).toBeCloseTo(1, 12);
  });

  it('swaps the ends of the interval where lower is better', () => {
    const up = comparison({ before: arm(100, 102, 104, 106), after: arm(110, 113, 116, 119) });
    const down = comparison({ metric: latency, before: arm(100, 102, 104, 106), after: arm(110, 113, 116, 119) });
    expect(down.verdict).toBe('REGRESSED');
    expect(down.gainLow).toBeCloseTo(1 / (1 + (up.gainHigh ?? 0)) - 1, 12);
    expect(down.gainHigh90).toBeCloseTo(1 / (1 + (up.gainLow90 ?? 0)) - 1, 12);
    expect(down.ratio).toBe(up.ratio);
  });
});

describe('one value per arm', () => {
  it.each([
    [0.01, 104.1, 'IMPROVED', 0.04],
    [0.01, 103.9, 'INCONCLUSIVE', 0.04],
    [0.03, 109.1, 'IMPROVED', 0.09],
    [0.03, 108.9, 'INCONCLUSIVE', 0.09],
    [0.03, 91, 'REGRESSED', 0.09],
    [0.01, 100, 'INCONCLUSIVE', 0.04],
  ])('with a noise floor of %p and 100 becoming %p is %s', (noiseFloor, after, verdict, requiredGain) => {
    const result = comparison({ before: arm(100), after: arm(after), noiseFloor });
    expect(result.verdict).toBe(verdict);
    expect(result.requiredGain).toBeCloseTo(requiredGain, 12);
    expect(result).toMatchObject({ gainLow: null, gainHigh90: null, pValue: null, isStrong: false });
  });

  it('gets no verdict without a noise floor, and says so', () => {
    const result = comparison({ before: arm(100), after: arm(200) });
    expect(result).toMatchObject({ verdict: 'INCONCLUSIVE', evidence: 'SINGLE_RUN', moreRunsPerArm: 3 });
    expect(codes(result)).toContain('NO_NOISE_FLOOR');
    expect(result.gain).toBeCloseTo(1, 12);
  });
});

describe('two or three values per arm', () => {
  it.each([
    ['3 + 3 far apart', arm(100, 101, 102), arm(120, 121, 122), 'IMPROVED'],
    ['worse', arm(120, 121, 122), arm(100, 101, 102), 'REGRESSED'],
    ['gap of less than twice the range', arm(100, 104), arm(110, 112), 'INCONCLUSIVE'],
    ['gap of more than twice the range', arm(100, 102), arm(107, 108), 'IMPROVED'],
    ['tight, but below twice the threshold', arm(100, 100.1), arm(103, 103.1), 'INCONCLUSIVE'],
    ['no range at all', arm(100, 100), arm(105, 105), 'IMPROVED'],
    ['equal values', arm(100, 100), arm(100, 100), 'INCONCLUSIVE'],
    ['overlapping', arm(100, 110), arm(105, 120), 'INCONCLUSIVE'],
    ['3 + 8: the smaller arm decides', arm(100, 101, 102), arm(120, 121, 122, 120, 121, 122, 120, 121), 'IMPROVED'],
  ])('is judged by the gap: %s', (_, before, after, verdict) => {
    const result = comparison({ before, after });
    expect(result).toMatchObject({ verdict, evidence: 'INDICATIVE', requiredGain: 0.04, gainLow: null, pValue: null });
    expect(result.moreRunsPerArm === null).toBe(verdict !== 'INCONCLUSIVE');
  });
});

describe('four and more values', () => {
  it.each([
    ['a change well beyond the threshold', arm(100, 101, 102, 103, 99), arm(110, 111, 112, 113, 109), 'IMPROVED', true],
    ['a change whose interval reaches below it', arm(100, 101, 102, 103), arm(103.5, 104, 105, 106), 'IMPROVED', false],
    ['the reverse', arm(110, 111, 112, 113, 109), arm(100, 101, 102, 103, 99), 'REGRESSED', true],
    [
      'a significant change that is too small',
      arm(100, 100.1, 100.2, 100.3),
      arm(101, 101.1, 101.2, 101.3),
      'NO_MEANINGFUL_CHANGE',
      false,
    ],
    [
      'no change and little noise',
      arm(100, 100.2, 100.1, 99.9),
      arm(100.1, 100, 99.9, 100.2),
      'NO_MEANINGFUL_CHANGE',
      false,
    ],
    ['no change and much noise', arm(100, 120, 90, 105), arm(101, 118, 92, 104), 'INCONCLUSIVE', false],
    ['a large change and much noise', arm(100, 140, 90, 105), arm(120, 160, 95, 130), 'INCONCLUSIVE', false],
    ['exactly the threshold', arm(100, 100, 100, 100), arm(102, 102, 102, 102), 'IMPROVED', true],
    [
      'just below the threshold',
      arm(100, 100, 100, 100),
      arm(101.99, 101.99, 101.99, 101.99),
      'NO_MEANINGFUL_CHANGE',
      false,
    ],
  ])('are judged by the interval: %s', (_, before, after, verdict, isStrong) => {
    const result = comparison({ before, after });
    expect(result).toMatchObject({ verdict, isStrong, threshold: 0.02, requiredGain: 0.02 });
    expect(result.moreRunsPerArm === null).toBe(verdict !== 'INCONCLUSIVE');
  });

  it.each([
    [null, null, 0.02],
    [0.05, null, 0.05],
    [0.05, 0.1, 0.1],
    [0.001, 0.01, 0.02],
  ])('take the largest of smallest effect, noise floor %p and threshold %p', (noiseFloor, userThreshold, threshold) => {
    expect(comparison({ noiseFloor, userThreshold }).threshold).toBe(threshold);
  });

  it('keep outliers and name them', () => {
    const result = comparison({ before: arm(100, 101, 102, 103, 99, 40) });
    expect(result.nBefore).toBe(6);
    expect(result.warnings).toContainEqual({
      code: 'OUTLIERS_KEPT',
      details: { before: [40], after: [], unit: 'samples/s' },
    });
  });
});

describe('pairs', () => {
  const blocks = ['a', 'b', 'c', 'd', 'e', 'f'];
  const before = [100, 120, 90, 140, 80, 110];

  it('see a change that blocks would hide from the rank test', () => {
    const after = before.map((value) => value * 1.05);
    expect(comparison({ before: arm(...before), after: arm(...after) }).verdict).toBe('INCONCLUSIVE');
    const paired = comparison({ before: inBlocks(before, blocks), after: inBlocks(after, blocks) });
    expect(paired).toMatchObject({ verdict: 'IMPROVED', evidence: 'PAIRED', pValue: 0.03125 });
    expect(paired.gain).toBeCloseTo(0.05, 12);
  });

  it('take the median of each arm within a block', () => {
    const twice = inBlocks([...before, 100, 120, 90, 140, 80, 1000], [...blocks, ...blocks]);
    const after = inBlocks(before.map((value) => value * 1.05), blocks); // prettier-ignore
    expect(comparison({ before: twice, after })).toMatchObject({ nBefore: 12, nAfter: 6, method: 'SIGNED_RANK' });
  });

  it('name the values without a partner and leave them out', () => {
    const result = comparison({
      before: inBlocks([...before, 500], [...blocks, 'g']),
      after: inBlocks([...before, 600], [...blocks, null]),
    });
    expect(result).toMatchObject({ nBefore: 6, nAfter: 6, verdict: 'NO_MEANINGFUL_CHANGE' });
    expect(result.warnings).toContainEqual({
      code: 'UNPAIRED_VALUES',
      details: { before: [500], after: [600], unit: 'samples/s' },
    });
  });
});

describe('blocks too few for pairs', () => {
  const level = [100, 140, 80, 120, 95, 130, 110, 90, 105, 125];
  const gains = [1.04, 1.06, 1.05, 1.045, 1.055];
  const five = ['a', 'b', 'c', 'd', 'e'];
  const paired = (count: number, change: Partial<ComparisonInput> = {}) =>
    comparison({
      before: inBlocks(level.slice(0, count), [...five, 'f', 'g', 'h', 'i', 'j'].slice(0, count)),
      after: inBlocks(level.slice(0, count).map((value, index) => value * (gains[index % 5] ?? 1)), [...five, 'f', 'g', 'h', 'i', 'j'].slice(0, count)),
      ...change,
    });

  it('say so, and count the blocks that a further look needs', () => {
    const result = paired(5);
    expect(result).toMatchObject({ method: 'MANN_WHITNEY', verdict: 'INCONCLUSIVE', moreRunsPerArm: 5 });
    expect(result.warnings).toContainEqual({ code: 'PAIRS_NOT_USED', details: { have: 5, needed: 6 } });
    expect(paired(10, { look: 2 })).toMatchObject({ method: 'SIGNED_RANK', verdict: 'IMPROVED', moreRunsPerArm: null });
    const six = paired(6);
    expect(six).toMatchObject({ method: 'SIGNED_RANK', verdict: 'IMPROVED' });
    expect(six.warnings.map(({ code }) => code)).not.toContain('PAIRS_NOT_USED');
  });

  it('say nothing where an arm has no blocks, and that none is shared where both have', () => {
    const codes = (after: ArmData) => comparison({ before: inBlocks(level.slice(0, 5), five), after }).warnings.map(({ code }) => code);
    expect(codes(arm(...level.slice(0, 5)))).not.toContain('PAIRS_NOT_USED');
    expect(codes(inBlocks(level.slice(0, 5), ['v', 'w', 'x', 'y', 'z']))).toContain('PAIRS_NOT_USED');
  });

  it('and pairs name outliers by the differences within them', () => {
    const blocks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const before = inBlocks([100, 101, 102, 99, 100, 101, 40], blocks);
    const steady = comparison({ before, after: inBlocks([105, 106, 107, 104, 105, 106, 42], blocks) });
    expect(steady.warnings.map(({ code }) => code)).not.toContain('OUTLIERS_KEPT');
    const odd = comparison({ before, after: inBlocks([105, 106, 107, 104, 105, 106, 60], blocks) });
    expect(odd.warnings).toContainEqual({ code: 'OUTLIERS_KEPT', details: { pairs: [{ before: 40, after: 60 }], unit: 'samples/s' } });
  });
}); // prettier-ignore

describe('summaries', () => {
  const summary = (mean: number, sd: number, n: number | null): ArmData => ({ kind: 'summary', mean, sd, n });

  it.each([
    ['beyond the largest number', summary(100, 1e300, 5), summary(90, 2, 5), 'INCONCLUSIVE'],
    ['of a mean near zero', summary(1e-300, 1e-3, 5), summary(90, 2, 5), 'INCONCLUSIVE'],
    ['of both arms', summary(1e-300, 1e300, 5), summary(1e-300, 1e300, 5), 'INCONCLUSIVE'],
    ['whose square is below the smallest number', summary(100, 1e-90, 5), summary(90, 1e-90, 5), 'REGRESSED'],
  ])('says no number that is none for a deviation %s', (_, before, after, verdict) => {
    const result = comparison({ before, after });
    const numbers = Object.values(result).filter((value) => typeof value === 'number');
    expect(numbers.filter((value) => !Number.isFinite(value))).toEqual([]);
    expect(result.verdict).toBe(verdict);
    expect(result.pValue).toBeGreaterThanOrEqual(0);
    expect(result.pValue).toBeLessThanOrEqual(1);
  });

  it('have an interval by Welch, and no median', () => {
    const result = comparison({ before: summary(100, 2, 10), after: summary(105, 2, 10) });
    expect(result).toMatchObject({ verdict: 'IMPROVED', nBefore: 10, medianBefore: null, isStrong: true });
    expect(result.pValue).toBeCloseTo(2.6814041449179874e-5, 12);
    expect(result.gainLow).toBeCloseTo(Math.expm1(0.03043777422248728), 9);
  });

  it('of an unknown number of values count as two', () => {
    const result = comparison({ before: summary(100, 2, null), after: summary(105, 2, null) });
    expect(result).toMatchObject({ verdict: 'INCONCLUSIVE', evidence: 'SUMMARY', nBefore: 0, nAfter: 0 });
    expect(codes(result)).toContain('SUMMARY_COUNT_UNKNOWN');
    const clear = comparison({ before: summary(100, 0.2, null), after: summary(150, 0.2, null) });
    expect(clear).toMatchObject({ verdict: 'IMPROVED', evidence: 'SUMMARY' });
  });

  it('need two values in the arm that has values', () => {
    const result = comparison({ before: summary(100, 2, 10), after: arm(105) });
    expect(result).toMatchObject({ verdict: 'INCONCLUSIVE', evidence: 'NONE', ratio: null });
    expect(codes(result)).toContain('TOO_FEW_VALUES');
  });

  it('without any spread have no p', () => {
    const result = comparison({ before: summary(100, 0, 5), after: summary(105, 0, 5) });
    expect(result).toMatchObject({ pValue: null, verdict: 'IMPROVED' });
    expect(codes(result)).toContain('NO_SPREAD');
  });

  it('of zero mean give the raw difference alone', () => {
    expect(codes(comparison({ before: summary(0, 2, 10), after: summary(5, 2, 10) }))).toContain('NOT_POSITIVE');
  });
});

describe('exact metrics', () => {
  it.each([
    ['fewer', arm(200, 200), arm(180, 180), 'IMPROVED'],
    ['more', arm(200), arm(202), 'REGRESSED'],
    ['less than the smallest effect', arm(1000, 1000), arm(1001, 1001), 'NO_MEANINGFUL_CHANGE'],
    ['equal', arm(7), arm(7), 'NO_MEANINGFUL_CHANGE'],
    ['down to zero', arm(5, 5), arm(0, 0), 'IMPROVED'],
    ['up from zero', arm(0, 0), arm(5, 5), 'REGRESSED'],
    ['zero on both sides', arm(0, 0), arm(0, 0), 'NO_MEANINGFUL_CHANGE'],
  ])('are compared as counted: %s', (_, before, after, verdict) => {
    const result = comparison({ metric: launches, before, after });
    expect(result).toMatchObject({
      verdict,
      method: 'EXACT_COMPARISON',
      pValue: null,
      gainLow: null,
      moreRunsPerArm: null,
    });
  });

  it('have no ratio and no gain at zero', () => {
    const result = comparison({ metric: launches, before: arm(5, 5), after: arm(0, 0) });
    expect(result).toMatchObject({ ratio: null, gain: null });
    expect(result.warnings).toContainEqual({ code: 'NOT_POSITIVE', details: { difference: -5, unit: 'count' } });
  });

  it('that vary in an arm are told', () => {
    const result = comparison({ metric: launches, before: arm(200, 201, 200), after: arm(100, 100, 100) });
    expect(result.warnings).toContainEqual({ code: 'EXACT_VARIES', details: { arms: ['BEFORE'] } });
    expect(result.verdict).toBe('IMPROVED');
    expect(result.ratio).toBeCloseTo(0.5, 12);
  });

  it('with a smallest effect of zero still need some change', () => {
    const metric = { ...launches, smallestEffect: 0 };
    expect(comparison({ metric, before: arm(7, 7), after: arm(7, 7) }).verdict).toBe('NO_MEANINGFUL_CHANGE');
    expect(comparison({ metric, before: arm(7000, 7000), after: arm(7001, 7001) }).verdict).toBe('REGRESSED');
  });
});

describe('values that are not positive', () => {
  it.each([
    ['zero', arm(0, 1, 2, 3), arm(5, 6, 7, 8)],
    ['negative', arm(-4, -3, -2, -1), arm(5, 6, 7, 8)],
  ])('give the raw difference and no verdict: %s', (_, before, after) => {
    const result = comparison({ before, after });
    expect(result).toMatchObject({
      ratio: null,
      gain: null,
      verdict: 'INCONCLUSIVE',
      evidence: 'NONE',
      moreRunsPerArm: null,
    });
    expect(codes(result)).toContain('NOT_POSITIVE');
  });

  it('are refused when they are no numbers', () => {
    expect(() => comparison({ before: arm(1, NaN) })).toThrow('not NaN');
    expect(() => comparison({ after: { kind: 'summary', mean: Infinity, sd: 1, n: 3 } })).toThrow('not Infinity');
  });

  it('say that an empty arm has nothing to compare', () => {
    const result = comparison({ before: arm() });
    expect(result).toMatchObject({
      nBefore: 0,
      medianBefore: null,
      verdict: 'INCONCLUSIVE',
      evidence: 'NONE',
      moreRunsPerArm: 4,
    });
    expect(codes(result)).toEqual(['TOO_FEW_VALUES']);
  });
});

describe('metrics with a target', () => {
  it('are judged on the distances in the unit, without a gain', () => {
    const result = comparison({ metric: temperature, before: arm(70, 71, 72, 73), after: arm(58, 59, 61, 62) });
    expect(result).toMatchObject({
      verdict: 'IMPROVED',
      gain: null,
      gainLow: null,
      medianBefore: 71.5,
      medianAfter: 60,
    });
    expect(result.threshold).toBe(2);
    const distance = result.warnings.find(({ code }) => code === 'TARGET_DISTANCE');
    expect(distance?.details).toMatchObject({
      before: 11.5,
      after: 1.5,
      difference: -10,
      low: -12,
      high: -8,
      target: 60,
    });
  });

  it.each([
    ['further away', arm(60, 61, 59, 60), arm(70, 71, 69, 70), 'REGRESSED'],
    ['the other side, equally far', arm(65, 65, 65, 65), arm(55, 55, 55, 55), 'NO_MEANINGFUL_CHANGE'],
    ['on the target: distances of zero', arm(64, 65, 64, 65), arm(60, 60, 60, 60), 'IMPROVED'],
  ])('see %s', (_, before, after, verdict) => {
    expect(comparison({ metric: temperature, before, after }).verdict).toBe(verdict);
  });

  it('take the noise floor as a fraction of the target', () => {
    const result = comparison({ metric: temperature, before: arm(70), after: arm(60), noiseFloor: 0.05 });
    expect(result).toMatchObject({ verdict: 'IMPROVED', evidence: 'SINGLE_RUN', threshold: 3, requiredGain: 9 });
  });

  it('need single values', () => {
    const result = comparison({ metric: temperature, before: { kind: 'summary', mean: 70, sd: 1, n: 9 } });
    expect(codes(result)).toContain('TARGET_NEEDS_VALUES');
    expect(result).toMatchObject({ verdict: 'INCONCLUSIVE', evidence: 'NONE' });
  });
});

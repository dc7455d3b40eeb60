import { describe, expect, it } from '@jest/globals';
import { type ArmData, compare, type ComparisonInput, type ComparisonResult, isControl } from './compare.js';
import type { EnvironmentDifference } from './environment-diff.js';
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
const launches: MetricDefinition = {
  ...throughput,
  unit: 'count',
  dimension: 'count',
  direction: 'LOWER_IS_BETTER',
  isExact: true,
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

function inSessions(values: readonly number[], sessions: readonly (string | null)[]): ArmData {
  return {
    kind: 'values',
    values: values.map((value, index) => ({ value, session: sessions[index] ?? null, block: null, runId: null })),
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

function difference(change: Partial<EnvironmentDifference>): EnvironmentDifference {
  return { key: 'driver', before: '550', after: '570', tier: 'WARN', isDeclared: false, ...change };
}

describe('what must not be compared', () => {
  it.each<[string, Partial<ComparisonInput>, string]>([
    ['no direction', { metric: { ...throughput, direction: null } }, 'NO_DIRECTION'],
    ['no target', { metric: { ...temperature, target: null } }, 'NO_TARGET'],
    ['another GPU', { differences: [difference({ key: 'gpu.sku', tier: 'BLOCK' })] }, 'BLOCKING_DIFFERENCE'],
  ])('is not: %s', (_, change, code) => {
    const result = comparison(change);
    expect(result).toMatchObject({
      verdict: 'NOT_COMPARABLE',
      evidence: 'NONE',
      method: 'NONE',
      gain: null,
      ratio: null,
    });
    expect(codes(result)).toEqual([code]);
    expect(result).toMatchObject({ nBefore: 5, moreRunsPerArm: null, isConfounded: false });
  });

  it('is compared where the blocking difference is the declared variable', () => {
    const differences = [difference({ key: 'gpu.sku', tier: 'BLOCK', isDeclared: true })];
    expect(comparison({ differences })).toMatchObject({
      verdict: 'IMPROVED',
      evidence: 'STATISTICAL',
      isConfounded: false,
    });
  });
});

describe('other differences', () => {
  it.each<[string, Partial<EnvironmentDifference>, boolean, readonly string[]]>([
    ['an undeclared driver', {}, true, ['CONFOUNDED']],
    ['a declared driver', { isDeclared: true }, false, []],
    ['another host', { tier: 'INFO' }, false, []],
    ['a driver that one side does not know', { after: null }, true, ['CONFOUNDED', 'UNKNOWN_ON_ONE_SIDE']],
    ['a GPU that one side does not know', { before: null, tier: 'BLOCK' }, true, ['CONFOUNDED', 'UNKNOWN_ON_ONE_SIDE']],
    ['a host that one side does not know', { before: null, tier: 'INFO' }, false, []],
    ['a declared GPU that one side does not know', { before: null, tier: 'BLOCK', isDeclared: true }, false, []],
  ])('keep the verdict and lower the evidence where they matter: %s', (_, change, isConfounded, expected) => {
    const result = comparison({ differences: [difference(change)] });
    expect(result).toMatchObject({
      verdict: 'IMPROVED',
      isConfounded,
      evidence: isConfounded ? 'INDICATIVE' : 'STATISTICAL',
    });
    expect(codes(result)).toEqual(expected);
    if (isConfounded) expect(result.warnings[0]?.details).toEqual({ keys: ['driver'] });
  });
});

describe('sessions', () => {
  const values = [100, 101, 102, 103];
  const better = [110, 111, 112, 113];

  it.each([
    ['two in each arm', ['a', 'a', 'b', 'b'], ['c', 'c', 'd', 'd'], 'STATISTICAL', []],
    ['one in the before arm', ['a', 'a', 'a', 'a'], ['c', 'c', 'd', 'd'], 'INDICATIVE', ['ONE_SESSION_ARM']],
    ['one in each arm', ['a', 'a', 'a', 'a'], ['c', 'c', 'c', 'c'], 'INDICATIVE', ['ONE_SESSION_ARM']],
    ['none known', [null, null, null, null], [null, null, null, null], 'INDICATIVE', ['SESSIONS_UNKNOWN']],
    ['none known after', ['a', 'a', 'b', 'b'], [null, null, null, null], 'INDICATIVE', ['SESSIONS_UNKNOWN']],
    [
      'some unknown, which are one more',
      ['a', 'a', null, null],
      ['c', 'c', 'd', null],
      'STATISTICAL',
      ['SESSIONS_UNKNOWN'],
    ],
    [
      'one known, one arm unknown',
      ['a', 'a', 'a', 'a'],
      [null, null, null, null],
      'INDICATIVE',
      ['SESSIONS_UNKNOWN', 'ONE_SESSION_ARM'],
    ],
  ])('decide what may be claimed, not what is computed: %s', (_, before, after, evidence, expected) => {
    const result = comparison({ before: inSessions(values, before), after: inSessions(better, after) });
    expect(result).toMatchObject({ evidence, verdict: 'IMPROVED', method: 'MANN_WHITNEY' });
    expect(codes(result)).toEqual(expected);
  });

  it.each<[string, Partial<ComparisonInput>, string]>([
    [
      'exact',
      { metric: launches, before: inSessions([5, 5], ['a', 'a']), after: inSessions([4, 4], ['b', 'b']) },
      'INDICATIVE',
    ],
    [
      'two values',
      { before: inSessions([100, 101], ['a', 'a']), after: inSessions([120, 121], ['b', 'b']) },
      'INDICATIVE',
    ],
    ['single', { before: inSessions([100], ['a']), after: inSessions([120], ['b']), noiseFloor: 0.01 }, 'SINGLE_RUN'],
    ['mixed', { before: { kind: 'summary', mean: 100, sd: 1, n: 9 }, after: inSessions(better, []) }, 'INDICATIVE'],
  ])('cap every row: %s', (_, change, evidence) => {
    expect(comparison(change)).toMatchObject({ evidence, verdict: 'IMPROVED' });
  });

  it('cap pairs too', () => {
    const blocks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const inOneSession = (factor: number): ArmData => ({
      kind: 'values',
      values: blocks.map((block, index) => ({ value: (100 + index) * factor, session: 'x', block, runId: null })),
    });
    const result = comparison({ before: inOneSession(1), after: inOneSession(1.1) });
    expect(result).toMatchObject({ method: 'SIGNED_RANK', evidence: 'INDICATIVE' });
  });
});

describe('A/A runs', () => {
  const same = { variantBefore: 'base', variantAfter: 'base', isSaid: false, hasDeclared: false };

  it.each([
    ['the caller says so', { variantBefore: 'a', variantAfter: 'b', isSaid: true }, true],
    ['both arms name the same variant', {}, true],
    ['a variable was declared', { hasDeclared: true }, false],
    ['a variable was declared, and the caller says so', { hasDeclared: true, isSaid: true }, true],
    ['the variants differ', { variantAfter: 'new' }, false],
    ['no variant is named', { variantBefore: null, variantAfter: null }, false],
  ])('are recognized: %s', (_, change, expected) => {
    expect(isControl({ ...same, ...change })).toBe(expected);
  });
});

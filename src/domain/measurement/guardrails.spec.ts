import { describe, expect, it } from '@jest/globals';
import { compare, type ComparisonInput, type ComparisonResult, notComparable } from './compare.js';
import { guardrailsPassed, rawOutcome, withGuardrails } from './guardrails.js';
import type { Verdict } from './verdict.js';
import { warningCodes, warningText } from './warnings.js';

const input: ComparisonInput = {
  metric: {
    key: 'training.throughput',
    unit: 'samples/s',
    dimension: 'sample-rate',
    direction: 'HIGHER_IS_BETTER',
    target: null,
    isExact: false,
    smallestEffect: 0.02,
    role: 'PRIMARY',
  },
  before: { kind: 'values', values: [100, 101, 102, 103].map(value) },
  after: { kind: 'values', values: [120, 121, 122, 123].map(value) },
  noiseFloor: null,
  userThreshold: null,
  differences: [],
};

function value(number: number, index: number) {
  return { value: number, session: `s${index}`, block: null, runId: null };
}

const improved = compare(input);
const withVerdict = (verdict: Verdict): ComparisonResult => ({ ...improved, verdict, gain: -0.031 });

describe('guardrails', () => {
  it.each<[string, Verdict | null, Verdict, boolean]>([
    ['held', 'NO_MEANINGFUL_CHANGE', 'IMPROVED', true],
    ['even better', 'IMPROVED', 'IMPROVED', true],
    ['failed', 'REGRESSED', 'BLOCKED_BY_GUARDRAIL', false],
    ['not measured', null, 'IMPROVED', false],
    ['not settled', 'INCONCLUSIVE', 'IMPROVED', false],
    ['not comparable', 'NOT_COMPARABLE', 'IMPROVED', false],
  ])('decide on a success: %s', (_, guardrail, verdict, passed) => {
    const result = withGuardrails(improved, [{ key: 'quality.loss', result: guardrail && withVerdict(guardrail) }]);
    expect(result.verdict).toBe(verdict);
    expect(guardrailsPassed(result)).toBe(passed);
    if (!passed) expect(result.warnings.at(-1)?.details).toMatchObject({ key: 'quality.loss' });
  });

  it('do not turn a regression into anything else', () => {
    const result = withGuardrails(withVerdict('REGRESSED'), [
      { key: 'quality.loss', result: withVerdict('REGRESSED') },
    ]);
    expect(result.verdict).toBe('REGRESSED');
  });

  it('leave a result without guardrails as it is', () => {
    expect(withGuardrails(improved, [])).toEqual(improved);
    expect(guardrailsPassed(improved)).toBe(true);
  });
});

describe('units that do not fit', () => {
  it('give the data and no verdict', () => {
    const result = notComparable(input, { code: 'UNITS_INCOMPATIBLE', details: { before: 'GB/s', after: 'Gbit/s' } });
    expect(result).toMatchObject({
      verdict: 'NOT_COMPARABLE',
      evidence: 'NONE',
      nBefore: 4,
      medianAfter: 121.5,
      gain: null,
    });
  });
});

describe('warnings in words', () => {
  it.each([
    ['CONFOUNDED', { keys: ['driver', 'nccl'] }, 'driver, nccl', 'driver、nccl'],
    [
      'BLOCKING_DIFFERENCE',
      { differences: [{ key: 'gpu.sku', before: 'H100 SXM', after: 'H100 NVL' }] },
      'gpu.sku (H100 SXM before, H100 NVL after)',
      'gpu.sku（前 H100 SXM，后 H100 NVL）',
    ],
    ['SESSIONS_UNKNOWN', { arms: ['BEFORE', 'AFTER'] }, 'before and after', '改动前和改动后'],
    ['OUTLIERS_KEPT', { before: [40], after: [], unit: 'ms' }, 'before 40 ms', '改动前 40 ms'],
    [
      'OUTLIERS_KEPT',
      { pairs: [{ before: 40, after: 60 }], unit: 'ms' },
      'others, and kept: 40 → 60 ms.',
      '40 → 60 ms。',
    ],
    [
      'PAIRS_NOT_USED',
      { have: 5, needed: 6 },
      '5 blocks have a run of each arm; paired comparison needs 6.',
      '有 5 个区组同时包含两组的运行，配对比较需要 6 个。',
    ],
    ['NOT_POSITIVE', { difference: -5, unit: 'count' }, '−5 count', '−5 count'],
    [
      'TARGET_DISTANCE',
      { before: 11.5, after: 1.5, difference: -10, low: -12, high: -8, target: 60, unit: '°C' },
      '−12 to −8 °C',
      '−12 至 −8 °C',
    ],
    [
      'GUARDRAIL_FAILED',
      { key: 'quality.loss', gain: -0.031 },
      'quality.loss got worse by 3.1%',
      'quality.loss 变差 3.1%',
    ],
    ['GUARDRAIL_NOT_SHOWN', { key: 'quality.loss', verdict: null }, 'it was not measured', '未测量'],
    ['SUMMARY_ARM', { arm: 'AFTER', mean: 1234.56, sd: 7, n: 9, unit: 'ms' }, 'mean 1235 ms', '均值 1235 ms'],
    ['FROM_ANOTHER_VERSION', { a: 1 }, 'FROM_ANOTHER_VERSION', 'FROM_ANOTHER_VERSION'],
  ])('name the keys and numbers of %s', (code, details, en, zh) => {
    const text = warningText({ code, details });
    expect(text.en).toContain(en);
    expect(text.zh).toContain(zh);
  });

  it.each(warningCodes.map((code) => [code]))('exist in both languages for %s', (code) => {
    const { en, zh } = warningText({ code, details: {} });
    expect(en).not.toContain('undefined');
    expect(zh).toMatch(/[\u4e00-\u9fff].*。$/u);
  });

  it('name at most ten values', () => {
    const before = Array.from({ length: 30 }, (_, index) => index);
    expect(warningText({ code: 'UNPAIRED_VALUES', details: { before, after: [], unit: 'ms' } }).en).toContain(
      '9 ms, … (30)',
    );
  });
});

describe('rawOutcome', () => {
  it.each<[string, 'HIGHER_IS_BETTER' | 'LOWER_IS_BETTER', number[], number[], 'HELD' | 'WORSE' | null]>([
    ['failures that begin', 'LOWER_IS_BETTER', [0, 0], [300, 310], 'WORSE'],
    ['failures that end', 'LOWER_IS_BETTER', [300, 310], [0, 0], 'HELD'],
    ['nothing before and after', 'LOWER_IS_BETTER', [0, 0, 0], [0, 0], 'HELD'],
    ['a score that falls below zero', 'HIGHER_IS_BETTER', [1, 2], [-1, 0], 'WORSE'],
    ['arms that touch', 'LOWER_IS_BETTER', [0, 3], [3, 4], null],
  ])('tells %s without a ratio', (_, direction, before, after, outcome) => {
    expect(rawOutcome(direction, before, after)).toBe(outcome);
  });

  it('says nothing of a metric that has no better side', () => {
    expect(rawOutcome(null, [0], [1])).toBeNull();
    expect(rawOutcome('TARGET', [0], [1])).toBeNull();
  });

  it('decides for a guardrail that could not be compared', () => {
    const unsettled = { ...withVerdict('INCONCLUSIVE'), gain: null };
    expect(withGuardrails(improved, [{ key: 'x', result: unsettled, raw: 'WORSE' }]).verdict).toBe(
      'BLOCKED_BY_GUARDRAIL',
    );
    const held = withGuardrails(improved, [{ key: 'x', result: unsettled, raw: 'HELD' }]);
    expect([held.verdict, guardrailsPassed(held)]).toEqual(['IMPROVED', true]);
  });
});

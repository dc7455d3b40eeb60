import { describe, expect, it } from '@jest/globals';
import { normal, randomFrom } from '../../../test/support/simulated-trials.js';
import { compare, type ArmData, type ComparisonInput, type ComparisonResult, type MeasuredValue } from './compare.js';
import type { MetricDefinition } from './metric.js';

// What must stay true of any data: drawn at random, from seeds.

const TRIALS = 60;
const { exp } = Math;

type Kind = 'unpaired' | 'paired' | 'summary' | 'mixed' | 'exact' | 'target' | 'extended' | 'single';
const kinds: readonly Kind[] = ['unpaired', 'paired', 'summary', 'mixed', 'exact', 'target', 'extended', 'single'];

function values(random: () => number, kind: Kind, count: number): readonly MeasuredValue[] {
  const level = 100 * exp(0.05 * normal(random));
  return Array.from({ length: count }, (_, index) => {
    const value = level * exp(0.02 * normal(random));
    return {
      value: kind === 'exact' ? Math.round(value) : value,
      session: random() < 0.7 ? `s${index}` : 'shared',
      block: kind === 'paired' ? `b${index}` : null,
      runId: null,
    };
  });
}

function arm(random: () => number, kind: Kind, side: 'BEFORE' | 'AFTER'): ArmData {
  const isSummary = kind === 'summary' || (kind === 'mixed' && side === 'AFTER');
  if (isSummary) {
    const mean = 100 * exp(0.05 * normal(random));
    return {
      kind: 'summary',
      mean,
      sd: mean * 0.03 * random(),
      n: random() < 0.2 ? null : 2 + Math.floor(9 * random()),
    };
  }
  const count = kind === 'single' ? 1 : kind === 'paired' ? 9 : 2 + Math.floor(10 * random());
  return { kind: 'values', values: values(random, kind, count) };
}

function draw(random: () => number, kind: Kind): ComparisonInput {
  const direction = kind === 'target' ? 'TARGET' : random() < 0.5 ? 'HIGHER_IS_BETTER' : 'LOWER_IS_BETTER';
  const metric: MetricDefinition = {
    key: 'group.metric',
    unit: 'ms',
    dimension: 'time',
    direction,
    target: kind === 'target' ? 97 : null,
    isExact: kind === 'exact',
    smallestEffect: kind === 'target' ? 1 : 0.02,
    role: 'PRIMARY',
  };
  return {
    metric,
    before: arm(random, kind, 'BEFORE'),
    after: arm(random, kind, 'AFTER'),
    noiseFloor: kind === 'single' || random() < 0.3 ? 0.01 : null,
    noiseFloorCount: 8,
    userThreshold: null,
    differences: [],
    look: kind === 'extended' ? 2 + Math.floor(3 * random()) : 1,
  };
}

function ofEach(kind: Kind, seed: number): readonly ComparisonInput[] {
  const random = randomFrom(seed);
  return Array.from({ length: TRIALS }, () => draw(random, kind));
}

const opposite: Readonly<Record<string, string>> = { IMPROVED: 'REGRESSED', REGRESSED: 'IMPROVED' };

/** What of a comparison has no unit. */
function said({ verdict, evidence, method, isStrong, moreRunsPerArm, nBefore, nAfter }: ComparisonResult) {
  return { verdict, evidence, method, isStrong, moreRunsPerArm, nBefore, nAfter };
}

function expectClose(one: number | null, other: number | null): void {
  if (one === null || other === null) expect(one).toBe(other);
  else expect(other).toBeCloseTo(one, 9);
}

describe.each(kinds)('%s data', (kind) => {
  it('give the mirrored verdict when the arms are swapped', () => {
    const met = new Set<string>();
    for (const input of ofEach(kind, 11)) {
      const [one, other] = [compare(input), compare({ ...input, before: input.after, after: input.before })];
      met.add(one.verdict);
      const { verdict, nBefore, nAfter, ...rest } = said(one);
      expect(said(other)).toEqual({ ...rest, verdict: opposite[verdict] ?? verdict, nBefore: nAfter, nAfter: nBefore });
      expectClose(one.gain === null ? null : 1 / (1 + one.gain) - 1, other.gain);
      expectClose(one.pValue, other.pValue);
    }
    expect(met.size).toBeGreaterThan(1);
  });

  it('say the same in another unit', () => {
    const factor = 1 / 1024;
    const scaled = (data: ArmData): ArmData =>
      data.kind === 'summary'
        ? { ...data, mean: data.mean * factor, sd: data.sd * factor }
        : { kind: 'values', values: data.values.map((one) => ({ ...one, value: one.value * factor })) };
    for (const input of ofEach(kind, 12)) {
      const { metric } = input;
      const inUnit =
        metric.target === null
          ? metric
          : { ...metric, target: metric.target * factor, smallestEffect: metric.smallestEffect * factor };
      const [one, other] = [compare(input), compare({ ...input, metric: inUnit, before: scaled(input.before), after: scaled(input.after) })]; // prettier-ignore
      expect(said(other)).toEqual(said(one));
      expectClose(one.gain, other.gain);
      expectClose(one.gainLow, other.gainLow);
      expectClose(one.pValue, other.pValue);
    }
  });

  it('say the same in another order', () => {
    const reversed = (data: ArmData): ArmData =>
      data.kind === 'summary' ? data : { kind: 'values', values: [...data.values].reverse() };
    for (const input of ofEach(kind, 13)) {
      const other = compare({ ...input, before: reversed(input.before), after: reversed(input.after) });
      expect(said(other)).toEqual(said(compare(input)));
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';
import {
  countedTrials,
  expectedGainOf,
  isDeadEnd,
  saysTime,
  summaryOf,
  type MeasuredGain,
  type StatedGain,
} from './plan-gain.js';

const trial = (
  gain: number | null,
  verdict: Verdict = 'IMPROVED',
  evidence: EvidenceLevel = 'STATISTICAL',
  isSameHardware = false,
): MeasuredGain => ({ gain, verdict, evidence, isSameHardware, metric: 'serving.throughput', isOfTime: true });
const ofMemory = { metric: 'memory.peak_allocated', isOfTime: false } as const;
const stated = (basis: StatedGain['basis'], from: number, to = from): StatedGain => ({
  basis,
  metric: 'time.latency',
  isOfTime: true,
  ratioFrom: from,
  ratioTo: to,
});
const gainOf = (of: { trials?: MeasuredGain[]; notes?: MeasuredGain[]; stated?: StatedGain[] }) =>
  expectedGainOf({ trials: [], notes: [], stated: [], metric: 'time.latency', threshold: 0.05, ...of });

describe('the trials that count', () => {
  it('leave out those that compared nothing', () => {
    expect(countedTrials([trial(0.5, 'NOT_COMPARABLE'), trial(0.1)])).toEqual([trial(0.1)]);
  });

  it('are those on the same hardware once there are three of them', () => {
    const [here, there] = [trial(0.1, 'IMPROVED', 'PAIRED', true), trial(0.4)];
    expect(countedTrials([here, here, there])).toHaveLength(3);
    expect(countedTrials([here, here, there, here, there])).toEqual([here, here, here]);
  });

  it('are counted by their verdicts, with the median of all gains, zero and negative ones too', () => {
    expect(
      summaryOf([
        trial(0.1),
        trial(-0.02, 'REGRESSED'),
        trial(0, 'NO_MEANINGFUL_CHANGE'),
        trial(null, 'INCONCLUSIVE'),
        trial(0.3, 'BLOCKED_BY_GUARDRAIL'),
      ]),
    ).toEqual({ trialCount: 5, helped: 1, neutral: 1, hurt: 2, inconclusive: 1, medianGain: 0, isSameHardware: false });
    expect(summaryOf([])).toMatchObject({ trialCount: 0, medianGain: null, isSameHardware: false });
  });

  it.each([
    ['one failure', [trial(-0.1, 'REGRESSED')], false],
    ['two without a gain in the median', [trial(-0.1, 'REGRESSED'), trial(0.1)], true],
    ['two that helped a little', [trial(0.01), trial(0.02)], false],
    ['two that a guardrail blocked', [trial(0.4, 'BLOCKED_BY_GUARDRAIL'), trial(0.4, 'BLOCKED_BY_GUARDRAIL')], true],
    [
      'two without a figure that made no difference',
      [trial(null, 'NO_MEANINGFUL_CHANGE'), trial(null, 'REGRESSED')],
      true,
    ],
    ['two without a figure that settled nothing', [trial(null, 'INCONCLUSIVE'), trial(null, 'INCONCLUSIVE')], false],
  ] as const)('are a dead end or not: %s', (_, trials, expected) => {
    expect(isDeadEnd(summaryOf([...trials]))).toBe(expected);
  });
});

describe('a metric', () => {
  it.each([
    ['time', 'LOWER_IS_BETTER', true],
    ['time-per-token', 'LOWER_IS_BETTER', true],
    ['token-rate', 'HIGHER_IS_BETTER', true],
    ['data-rate', 'HIGHER_IS_BETTER', true],
    ['time', null, false],
    ['time', 'TARGET', false],
    ['data-rate', 'LOWER_IS_BETTER', false],
    ['data-size', 'LOWER_IS_BETTER', false],
    ['energy', 'LOWER_IS_BETTER', false],
    ['money', 'LOWER_IS_BETTER', false],
    ['token-per-energy', 'HIGHER_IS_BETTER', false],
    ['ratio', 'HIGHER_IS_BETTER', false],
  ] as const)('of %s, %s, says something of time: %s', (dimension, direction, expected) => {
    expect(saysTime({ dimension, direction })).toBe(expected);
  });
});

describe('the expected gain', () => {
  it('is the median of trials, which raise the weight of what is known without them', () => {
    expect(gainOf({ trials: [trial(0.1)], stated: [stated('VENDOR_DOC', 2)] })).toEqual({
      basis: 'TRIALS', gain: 0.1, metric: 'serving.throughput', count: 1, isOfWholeJob: true, aside: null, weightWithoutTrials: 0.5,
      weight: 0.5 + 0.5 * (1 / 3), trials: expect.objectContaining({ trialCount: 1, helped: 1 }),
    }); // prettier-ignore
    const many = gainOf({ trials: [trial(0.1), trial(0.2), trial(-0.3, 'REGRESSED')] });
    expect(many).toMatchObject({ gain: 0.1, count: 3, weightWithoutTrials: 0.2 });
    expect(many.weight).toBeCloseTo(0.2 + 0.8 * (3 / 5), 12);
    const weak = gainOf({ trials: [trial(0.1, 'IMPROVED', 'SINGLE_RUN')], notes: [trial(0.9)] });
    expect([weak.gain, weak.weightWithoutTrials]).toEqual([0.1, 0.7]);
    expect(weak.weight).toBeCloseTo(0.7 + 0.3 * (1 / 3) * 0.4, 12);
  });

  it('weighs more with every trial that is as good, and never less', () => {
    const levels = ['STATISTICAL', 'NONE', 'SINGLE_RUN', 'INDICATIVE', 'NONE', 'PAIRED', 'SUMMARY'] as const;
    const sources = [[], [stated('EXPERT_OPINION', 2)], [stated('OWN_MEASUREMENT', 2)]];
    for (const of of sources) {
      const weights = levels.map((_, count) => {
        const trials = levels.slice(0, count).map((level) => trial(0.1, 'IMPROVED', level, count % 2 === 0));
        return gainOf({ trials, stated: of }).weight;
      });
      expect(weights).toEqual(weights.toSorted((a, b) => a - b));
    }
    const good = [trial(0.1), trial(0.1)];
    // Mean evidence × n / (n + 2) of all three would be 0.6 × 0.733
    expect(gainOf({ trials: [...good, trial(0.1, 'IMPROVED', 'NONE')] }).weight).toBeCloseTo(0.2 + 0.8 * 0.5, 12);
  });

  it('keeps the weight of trials on other hardware, though their gain does not count', () => {
    const [here, there] = [trial(0.1, 'IMPROVED', 'PAIRED', true), trial(0.4)];
    const found = gainOf({ trials: [here, here, here, there] });
    expect(found).toMatchObject({ gain: 0.1, count: 3, trials: { trialCount: 3, isSameHardware: true } });
    expect(found.weight).toBeCloseTo(0.2 + 0.8 * (4 / 6), 12);
  });

  it('takes trials without a figure for outcomes only, and goes on to the notes', () => {
    expect(gainOf({ trials: [trial(null)], notes: [trial(0.2, 'IMPROVED', 'INDICATIVE'), trial(-0.1)] })).toEqual({
      basis: 'REFERENCE_NOTES', gain: expect.closeTo(Math.sqrt(1.2 * 0.9) - 1, 12), metric: 'serving.throughput', count: 2, isOfWholeJob: true, weight: 0.7 * 0.8,
      weightWithoutTrials: 0.7 * 0.8, trials: null, aside: null,
    }); // prettier-ignore
  });

  it('names no metric where the measurements are of several', () => {
    expect(gainOf({ trials: [trial(0.1), { ...trial(0.1), metric: 'time.latency' }] }).metric).toBeNull();
  });

  it('is the geometric mean of what the strongest basis states, less 1', () => {
    const found = gainOf({ stated: [stated('EXPERT_OPINION', 9), stated('PUBLIC_BENCHMARK', 1.1, 1.21), stated('VENDOR_DOC', 5)] }); // prettier-ignore
    expect(found).toMatchObject({ basis: 'PUBLIC_BENCHMARK', metric: 'time.latency', count: 0, weight: 0.6 });
    expect(found.gain).toBeCloseTo(Math.sqrt(1.1 * 1.21) - 1, 12);
    expect(gainOf({ stated: [stated('OWN_MEASUREMENT', 0.5)] })).toMatchObject({ gain: -0.5, weight: 0.7 });
  });

  it('is the smallest effect that matters where nobody measured or stated anything', () => {
    expect(gainOf({})).toEqual({
      basis: 'NONE', gain: 0.05, metric: 'time.latency', count: 0, isOfWholeJob: true, weight: 0.2, weightWithoutTrials: 0.2,
      trials: null, aside: null,
    }); // prettier-ignore
  });

  it('takes no figure of memory, energy or the like, and shows it', () => {
    const memory = { ...stated('OWN_MEASUREMENT', 21), ...ofMemory };
    expect(gainOf({ stated: [memory] })).toMatchObject({
      basis: 'NONE', gain: 0.05, weight: 0.2,
      aside: { basis: 'OWN_MEASUREMENT', gain: expect.closeTo(20, 9), metric: 'memory.peak_allocated', count: 0 },
    }); // prettier-ignore
    expect(gainOf({ stated: [memory, stated('EXPERT_OPINION', 1.5)] })).toMatchObject({
      basis: 'EXPERT_OPINION', gain: 0.5, weight: 0.3, aside: { basis: 'OWN_MEASUREMENT' },
    }); // prettier-ignore
    const note = { ...trial(0.5), ...ofMemory };
    expect(gainOf({ notes: [note], stated: [stated('VENDOR_DOC', 2)] })).toMatchObject({
      basis: 'VENDOR_DOC', gain: 1, aside: { basis: 'REFERENCE_NOTES', gain: 0.5, count: 1 },
    }); // prettier-ignore
  });

  it('shows trials of memory and the like beside what counts, and no lesser basis than that', () => {
    const trials = [{ ...trial(0.5), ...ofMemory }];
    const found = gainOf({ trials, stated: [stated('VENDOR_DOC', 2)] });
    expect(found).toMatchObject({ basis: 'VENDOR_DOC', gain: 1, weight: 0.5 });
    expect(found.aside).toMatchObject({ basis: 'TRIALS', gain: 0.5, trials: { trialCount: 1, helped: 1 } });
    const both = gainOf({ trials: [...trials, trial(0.1)] });
    expect(both).toMatchObject({
      basis: 'TRIALS',
      gain: 0.1,
      count: 1,
      aside: { basis: 'TRIALS', gain: 0.5, count: 1 },
    });
    const memory = { ...stated('VENDOR_DOC', 9), ...ofMemory };
    expect(gainOf({ stated: [memory, stated('OWN_MEASUREMENT', 2)] }).aside).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';
import {
  countedTrials,
  expectedGainOf,
  isDeadEnd,
  summaryOf,
  type MeasuredGain,
  type StatedGain,
} from './plan-gain.js';

const trial = (
  gain: number | null,
  verdict: Verdict = 'IMPROVED',
  evidence: EvidenceLevel = 'STATISTICAL',
  isSameHardware = false,
): MeasuredGain => ({ gain, verdict, evidence, isSameHardware, metric: 'serving.throughput' });
const stated = (basis: StatedGain['basis'], from: number, to = from): StatedGain => ({
  basis,
  metric: 'time.latency',
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

describe('the expected gain', () => {
  it('is the median of trials, weighted by their number and evidence', () => {
    expect(gainOf({ trials: [trial(0.1)], notes: [trial(0.9)], stated: [stated('VENDOR_DOC', 2)] })).toEqual({
      basis: 'TRIALS', gain: 0.1, metric: 'serving.throughput', count: 1, weight: 1 / 3,
    }); // prettier-ignore
    const many = gainOf({ trials: [trial(0.1), trial(0.2, 'IMPROVED', 'SINGLE_RUN'), trial(-0.3, 'REGRESSED')] });
    expect(many).toMatchObject({ gain: 0.1, count: 3 });
    expect(many.weight).toBeCloseTo(((1 + 0.4 + 1) / 3) * (3 / 5), 12);
  });

  it('takes trials without a figure for outcomes only, and goes on to the notes', () => {
    expect(gainOf({ trials: [trial(null)], notes: [trial(0.2, 'IMPROVED', 'INDICATIVE'), trial(-0.1)] })).toEqual({
      basis: 'REFERENCE_NOTES', gain: 0.05, metric: 'serving.throughput', count: 2, weight: 0.7 * 0.8,
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
    expect(gainOf({})).toEqual({ basis: 'NONE', gain: 0.05, metric: 'time.latency', count: 0, weight: 0.2 });
  });
});

import { describe, expect, it } from '@jest/globals';
import { waterfallsOf, type WaterfallTrial } from '../report/waterfall.js';
import { auditSavings } from './audit-savings.js';
import { fleetOf, type GivenFleet } from './fleet.js';
import { amountFigure, roundedText } from './savings-text.js';
import { savedShare, savingsOf, type MeasuredGain } from './savings.js';
import { convertible } from './work-metrics.js';

const gained = (
  gain: number | null,
  low: number | null = null,
  high: number | null = null,
  more: Partial<MeasuredGain> = {},
): MeasuredGain => ({
  gain,
  gainLow: low,
  gainHigh: high,
  verdict: 'IMPROVED',
  evidence: 'STATISTICAL',
  isConfounded: false,
  ...more,
});
const setting: GivenFleet = {
  gpus: 100,
  busyShare: 0.5,
  hoursPerMonth: 700,
  currency: 'USD',
  pricePerGpuHour: 2,
  pricePerKwh: 0.1,
  pue: 1.2,
  powerPerGpu: 600,
};
const fleet = fleetOf(setting, null);

describe('savings', () => {
  it('are the hours that the same work no longer takes, with the interval carried through', () => {
    // 100 × 0.5 × 700 = 35,000 hours; a gain of 25 % frees a fifth of them
    const { gpuHours, money, energy, energyMoney, missing, reason } = savingsOf(gained(0.25, 0.0, 1), fleet);
    expect(gpuHours).toEqual({ value: 7000, low: 0, high: 17_500, unit: 'GPU-h' });
    expect(money).toEqual({ value: 14_000, low: 0, high: 35_000, unit: 'USD' });
    expect(energy).toEqual({ value: 5040, low: 0, high: 12_600, unit: 'kWh' });
    expect(energyMoney).toEqual({ value: 504, low: 0, high: 1260, unit: 'USD' });
    expect([missing, reason]).toEqual([[], null]);
  });

  it('are negative for a regression', () => {
    const { gpuHours, text } = savingsOf(gained(-0.2, -0.3, -0.1, { verdict: 'REGRESSED' }), fleet);
    expect(gpuHours?.value).toBeCloseTo(-8750, 8);
    expect(gpuHours?.low).toBeCloseTo(-15_000, 8);
    expect(gpuHours?.high).toBeCloseTo(-35_000 / 9, 8);
    expect(text.en).toContain('−8,750 [−15,000, −3,890] GPU hours');
    expect(text.zh).toContain('节省量为负');
  });

  it.each(['INCONCLUSIVE', 'NO_MEANINGFUL_CHANGE'] as const)('of %s include zero, and say so', (verdict) => {
    const { gpuHours, remarks } = savingsOf(gained(0.005, 0.001, 0.01, { verdict }), fleet);
    expect(gpuHours?.low).toBe(0);
    expect(gpuHours?.high).toBeCloseTo(346.53, 2);
    expect(remarks.map(({ en }) => en)[0]).toMatch(/may be zero/);
  });

  it('have no interval where one run an arm was measured, and none is needed for what does not vary', () => {
    const single = savingsOf(gained(0.25, null, null, { evidence: 'SINGLE_RUN' }), fleet);
    expect([single.gpuHours?.low, single.gpuHours?.high]).toEqual([null, null]);
    expect(single.remarks.map(({ en }) => en)).toEqual(['One run an arm: no interval is known.']);
    expect(savingsOf(gained(0.25, null, null, { evidence: 'EXACT' }), fleet).gpuHours).toEqual({
      value: 7000,
      low: 7000,
      high: 7000,
      unit: 'GPU-h',
    });
  });

  it('are labelled where the trial is confounded, blocked or its load was fixed', () => {
    const { remarks } = savingsOf(
      gained(0.25, 0.1, 0.4, { isConfounded: true, verdict: 'BLOCKED_BY_GUARDRAIL', isLoadFixed: true }),
      fleet,
    );
    expect(remarks.map(({ en }) => en.split(':')[0])).toEqual([
      'A guardrail got worse',
      'Confounded',
      'The requests came at a fixed rate',
    ]);
  });

  it.each([
    [gained(0.25, 0.1, 0.4, { verdict: 'NOT_COMPARABLE' }), /not comparable/],
    [gained(null), /gives no gain/],
  ])('are none, with a reason, where nothing was shown', (gain, why) => {
    const { gpuHours, money, energy, reason, text } = savingsOf(gain, fleet);
    expect([gpuHours, money, energy]).toEqual([null, null, null]);
    expect(reason?.en).toMatch(why);
    expect(text).toEqual(reason);
  });

  it('name what is missing, and give what does not need it', () => {
    const { gpuHours, money, energy, missing } = savingsOf(gained(0.25), fleetOf({ gpus: 100, busyShare: 0.5 }, null));
    expect(gpuHours?.value).toBeCloseTo(7305, 8);
    expect([money, energy]).toEqual([null, null]);
    expect(missing.map(({ key }) => key)).toEqual(['pricePerGpuHour', 'powerPerGpu']);
    const none = savingsOf(gained(0.25), fleetOf(null, null));
    expect(none.gpuHours).toBeNull();
    expect(none.missing.map(({ key }) => key)).toEqual(['gpus', 'busyShare', 'pricePerGpuHour', 'powerPerGpu']);
    expect(none.text.zh).toBe('缺少集群信息，无法换算。');
  });

  it('take the power that both arms measured: a gain that costs power saves less of it', () => {
    const { energy } = savingsOf(gained(0.25, null, null, { power: { before: 500, after: 600 } }), fleet);
    // 35,000 h × (500 − 600 ÷ 1.25) W × 1.2
    expect(energy?.value).toBeCloseTo(840, 8);
  });

  it('say that energy without a PUE is of the GPUs alone', () => {
    const { energy, remarks } = savingsOf(gained(0.25), fleetOf({ ...setting, pue: null }, null));
    expect(energy?.value).toBeCloseTo(4200, 8);
    expect(remarks.map(({ en }) => en)).toEqual(['The energy is that of the GPUs alone: no PUE is given.']);
  });

  it('are held against engineering hours', () => {
    const given = { engineeringHours: 140, pricePerEngineeringHour: 100 };
    expect(savingsOf(gained(0.25, 0, 1), fleetOf(setting, given)).payback).toEqual({
      cost: 14_000,
      months: 1,
      monthsLow: 0.4,
      monthsHigh: null,
      gpuHoursPerEngineeringHour: 50,
    });
    const lost = savingsOf(gained(-0.2, -0.3, -0.1, { verdict: 'REGRESSED' }), fleetOf(setting, given));
    expect([lost.payback?.months, lost.payback?.monthsLow]).toEqual([null, null]);
    expect(lost.text.en).toContain('It does not pay back.');
  });

  it('keep their ends in order for gains of every size', () => {
    for (let index = 0; index < 500; index++) {
      const at = (step: number) => Math.exp(((index * 7 + step * 13) % 97) / 24 - 2) - 1;
      const [low = 0, gain = 0, high = 0] = [at(1), at(2), at(3)].sort((a, b) => a - b);
      for (const power of [null, { before: 700, after: 350 }]) {
        const all = savingsOf(gained(gain, low, high, { power }), fleet);
        for (const amount of [all.gpuHours, all.money, all.energy, all.energyMoney]) {
          expect(amount?.low).toBeLessThanOrEqual(amount?.value ?? NaN);
          expect(amount?.high).toBeGreaterThanOrEqual(amount?.value ?? NaN);
        }
      }
    }
  });

  it('keep the digits of small gains', () => {
    expect(savedShare(1e-15)).toBeCloseTo(1e-15, 25);
    expect(savedShare(1)).toBe(0.5);
  });
});

describe('metrics that can be turned into hours', () => {
  it.each([
    ['serving.output_token_throughput', 'THROUGHPUT'],
    ['training.goodput', 'THROUGHPUT'],
    ['training.step_time', 'TIME'],
    ['time.job', 'TIME'],
    ['kernel.time', null],
    ['kernel.bandwidth', null],
    ['serving.ttft.p99', null],
    ['serving.peak_output_token_throughput', null],
    ['fabric.busbw.avg', null],
    ['time.median', null],
    ['memory.peak_allocated', null],
    ['gpu.sm_active', null],
  ])('%s: %s', (key, kind) => {
    const found = convertible(key, 'CATALOG');
    expect(found.kind).toBe(kind);
    expect(found.reason === null).toBe(kind !== null);
    expect(found.reason?.en ?? key).toContain(key);
  });

  it('are none that a project named itself', () => {
    expect(convertible('serving.output_token_throughput', 'PROJECT').reason?.en).toContain('named it itself');
  });
});

describe('savings of an audit', () => {
  const trial = (id: string, gain: number, more: object = {}): WaterfallTrial => ({
    id,
    auditItemKey: id,
    primaryMetric: 'training.step_time',
    isControl: false,
    verdict: 'IMPROVED',
    measuredAt: `2026-12-0${id}T00:00:00.000Z`,
    comparisons: [
      {
        metric: 'training.step_time',
        role: 'PRIMARY',
        dimensions: {},
        seriesKey: '',
        medianBefore: 100,
        medianAfter: 100 / (1 + gain),
        gain,
        gainLow: gain - 0.1,
        gainHigh: gain + 0.1,
        threshold: 0.02,
        evidence: 'STATISTICAL',
        verdict: 'IMPROVED',
        isConfounded: false,
      },
    ],
    ...more,
  });
  const saved = (trials: readonly WaterfallTrial[], endToEndTrial: string | null = null) => {
    const [waterfall] = waterfallsOf({
      items: trials.map(({ auditItemKey }) => ({
        key: auditItemKey,
        outcome: 'APPLIED',
        proof: 'VERIFIED',
        isArchived: false,
      })),
      trials,
      metrics: [{ key: 'training.step_time', unit: 'ms', direction: 'LOWER_IS_BETTER' }],
      endToEndTrial,
    });
    if (!waterfall) throw new Error('No waterfall');
    return auditSavings(waterfall, 'CATALOG', fleet, 'training.step_time');
  };

  it('multiply: what the steps add is the saving of all together, less than the sum of each alone', () => {
    const { steps, together } = saved([trial('1', 0.25), trial('2', 0.6)]);
    // 35,000 × (1 − 1 ÷ 2)
    expect(together.gpuHours?.value).toBeCloseTo(17_500, 8);
    expect(steps.map(({ alone }) => alone.gpuHours?.value.toFixed(6))).toEqual(['7000.000000', '13125.000000']);
    expect(steps.map(({ added }) => added.gpuHours?.value.toFixed(6))).toEqual(['7000.000000', '10500.000000']);
    expect(together.gpuHours?.low).toBeLessThan(17_500);
  });

  it('are also given by the end-to-end trial, which counts where it disagrees', () => {
    const { endToEnd, disagrees, remarks } = saved([trial('1', 0.25), trial('2', 0.6), trial('3', 0.4)], '3');
    expect(endToEnd?.gpuHours?.value).toBeCloseTo(10_000, 8);
    expect(disagrees).toBe(true);
    expect(remarks).toHaveLength(1);
  });
});

describe('numbers for people', () => {
  it.each([
    [0.555556, '0.556'],
    [1217.4, '1,220'],
    [-43.456, '−43.5'],
    [12_345_678, '12,300,000'],
    [0, '0'],
    [0.000012345, '0.0000123'],
  ])('%d is %s', (value, text) => {
    expect(roundedText(value)).toBe(text);
  });

  it('have their interval behind them', () => {
    expect(amountFigure({ value: 1217, low: 243.5, high: 2010 })).toBe('1,220 [244, 2,010]');
  });
}); // prettier-ignore

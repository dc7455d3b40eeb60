import { describe, expect, it } from '@jest/globals';
import {
  asLoss,
  gainFigure,
  measuredText,
  plainPercent,
  pText,
  seriesText,
  shareOf,
  signedPercent,
  thresholdEnds,
  timeText,
} from './figures.js';

describe('figures of a report', () => {
  it.each([
    [0.071, '+7.1 %', '+7.1%'],
    [-0.0321, '−3.2 %', '−3.2%'],
    [0, '0.0 %', '0.0%'],
    [-1e-9, '0.00 %', '0.00%'],
    [0.0004, '+0.04 %', '+0.04%'],
    [0.00996, '+1.0 %', '+1.0%'],
    [1.5, '+150 %', '+150%'],
  ])('writes a gain of %p with its sign', (gain, en, zh) => {
    expect(signedPercent(gain)).toEqual({ en, zh });
  });

  it.each([
    [0.02, '−2.0 %', '+2.0 %'],
    [0.005, '−0.50 %', '+0.50 %'],
    [0.9, '−47.4 %', '+90.0 %'],
  ])('writes a threshold of %p as the gains that count', (threshold, loss, gain) => {
    const ends = thresholdEnds(threshold);
    expect([ends.loss.en, ends.gain.en]).toEqual([loss, gain]);
    // what reaches one end reaches the other with the arms swapped
    expect(-Math.log1p(asLoss(threshold))).toBeCloseTo(Math.log1p(threshold), 12);
  });

  it('writes an interval to the decimals of its gain', () => {
    expect(gainFigure({ gain: 0.071, gainLow: 0.05, gainHigh: 0.0921 })).toEqual({
      en: '+7.1 % [5.0, 9.2]',
      zh: '+7.1% [5.0, 9.2]',
    });
    expect(gainFigure({ gain: -0.02, gainLow: -0.04, gainHigh: 0.001 }).en).toBe('−2.0 % [−4.0, 0.1]');
    expect(gainFigure({ gain: 0.02, gainLow: null, gainHigh: null }).zh).toBe('+2.0%');
    expect(gainFigure({ gain: null, gainLow: null, gainHigh: null }).en).toBe('–');
  });

  it('rounds a part of a whole to 0 % only where it is none of it, and to 100 % only where it is all', () => {
    expect([shareOf(0, 0), shareOf(0, 9), shareOf(1, 400), shareOf(12, 30), shareOf(399, 400), shareOf(9, 9)]).toEqual(
      [0, 0, 1, 40, 99, 100].map((percent) => ({ en: `${percent} %`, zh: `${percent}%` })),
    );
  });

  it.each([
    [123456.7, 'tokens/s', '123457 tokens/s'],
    [0.0012345, 'ms', '0.001234 ms'],
    [-3.5, 'ms', '−3.5 ms'],
    [1e-9, 's', '1e-9 s'],
    [2e18, 'B', '2000000000000000000 B'],
    [2e22, 'B', '2e+22 B'],
    [5, '', '5'],
    [null, 'ms', '–'],
  ])('writes %p with its unit', (value, unit, text) => {
    expect(measuredText(value, unit)).toBe(text);
  });

  it('writes thresholds, p values, times and series', () => {
    expect(plainPercent(0.005)).toEqual({ en: '0.5 %', zh: '0.5%' });
    expect([pText(0.02857), pText(0.00004), pText(1)]).toEqual(['0.029', '<0.001', '1']);
    expect(timeText('2026-12-01T08:00:59.999Z')).toBe('2026-12-01 08:00 UTC');
    expect(seriesText({ size: 1024, kernel: 'gemm' })).toBe('size = 1024, kernel = gemm');
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  waterfallsOf,
  type Waterfall,
  type WaterfallComparison,
  type WaterfallInput,
  type WaterfallItem,
  type WaterfallTrial,
} from './waterfall.js';

const throughput = { key: 'throughput', unit: 'tokens/s', direction: 'HIGHER_IS_BETTER' } as const;
const latency = { key: 'latency', unit: 'ms', direction: 'LOWER_IS_BETTER' } as const;

const item = (key: string, said: Partial<WaterfallItem> = {}): WaterfallItem => ({
  key,
  outcome: 'APPLIED',
  proof: 'VERIFIED',
  isArchived: false,
  ...said,
});

function comparison(before: number, after: number, said: Partial<WaterfallComparison> = {}): WaterfallComparison {
  return {
    metric: 'throughput',
    role: 'PRIMARY',
    dimensions: {},
    seriesKey: '',
    medianBefore: before,
    medianAfter: after,
    gain: after / before - 1,
    gainLow: null,
    gainHigh: null,
    threshold: 0.02,
    evidence: 'STATISTICAL',
    verdict: 'IMPROVED',
    isConfounded: false,
    ...said,
  };
}

let minute = 0;
function trial(id: string, of: string, one: WaterfallComparison, said: Partial<WaterfallTrial> = {}): WaterfallTrial {
  minute += 1;
  return {
    id,
    auditItemKey: of,
    primaryMetric: one.metric,
    isControl: false,
    verdict: one.verdict,
    measuredAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    comparisons: [one],
    ...said,
  };
}

function of(input: Partial<WaterfallInput>): readonly Waterfall[] {
  return waterfallsOf({
    items: ['a', 'b', 'c'].map((key) => item(key)),
    trials: [],
    metrics: [throughput, latency],
    endToEndTrial: null,
    ...input,
  });
}

function only(input: Partial<WaterfallInput>): Waterfall {
  const [one, ...others] = of(input);
  expect(others).toEqual([]);
  if (!one) throw new Error('There is no waterfall');
  return one;
}

describe('waterfallsOf', () => {
  it('multiplies the gains of applied items and holds them against first and last median', () => {
    const trials = [trial('t1', 'a', comparison(100, 110)), trial('t2', 'b', comparison(110, 121))];
    const waterfall = only({ trials });
    expect(waterfall.steps.map(({ itemKey, startsElsewhere }) => [itemKey, startsElsewhere])).toEqual([
      ['a', false],
      ['b', false],
    ]);
    expect(waterfall.gain).toBeCloseTo(0.21, 12);
    expect(waterfall.endToEnd?.source).toBe('FIRST_TO_LAST');
    expect(waterfall.endToEnd?.gain).toBeCloseTo(0.21, 12);
    expect(waterfall).toMatchObject({ threshold: 0.02, disagrees: false, notCounted: [], gainLow: null });
    expect(waterfall.remarks.map(({ en }) => en)).toEqual([
      'The check is the first median before against the last median after: no trial measured it end to end.',
    ]);
  });

  it('takes a fall of a metric for which lower is better as a gain', () => {
    const lower = { metric: 'latency' };
    const trials = [
      trial('t1', 'a', comparison(100, 80, { ...lower, gain: 0.25 })),
      trial('t2', 'b', comparison(80, 64, { ...lower, gain: 0.25 })),
    ];
    const waterfall = only({ trials });
    expect(waterfall.gain).toBeCloseTo(0.5625, 12);
    expect(waterfall.endToEnd?.gain).toBeCloseTo(0.5625, 12);
  });

  it('names the step that does not begin where the one before ended, and the disagreement that it makes', () => {
    const trials = [trial('t1', 'a', comparison(100, 110)), trial('t2', 'b', comparison(100, 105))];
    const waterfall = only({ trials });
    expect(waterfall.steps.map(({ startsElsewhere }) => startsElsewhere)).toEqual([false, true]);
    expect(waterfall.difference).toBeCloseTo(Math.log((1.1 * 1.05) / 1.05), 12);
    expect(waterfall.disagrees).toBe(true);
    expect(waterfall.remarks.slice(1)).toEqual([
      {
        en: 'b begins at 100 tokens/s, and the step before it (a) ended at 110 tokens/s: something else changed between them.',
        zh: 'b 从 100 tokens/s 开始，而前一步（a）止于 110 tokens/s：其间另有变动。',
      },
      {
        en: 'The steps multiply to +15.5 %, end to end it is +5.0 %: they are further apart than the threshold of 2 %. Leave one item out and measure again.',
        zh: '各步连乘为 +15.5%，端到端为 +5.0%，二者之差超过阈值 2%。请去掉其中一个条目后重新测量。',
      },
    ]);
  });

  it('lets a difference of exactly the threshold pass, and none beyond it', () => {
    const disagrees = (start: number) => {
      const trials = [trial('t1', 'a', comparison(100, 110)), trial('t2', 'b', comparison(start, start * 1.1))];
      return only({ trials }).steps[1]?.startsElsewhere;
    };
    expect([disagrees(110 * 1.02), disagrees(110 / 1.02), disagrees(110 * 1.021), disagrees(110 / 1.021)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('adds the distances of the interval on logarithms by the root of the sum of squares', () => {
    const ends = { gainLow: 0.05, gainHigh: 0.15 };
    const trials = [
      trial('t1', 'a', comparison(100, 110, ends)),
      trial('t2', 'b', comparison(110, 121, ends)),
      trial('t3', 'c', comparison(121, 133.1, { evidence: 'EXACT' })),
    ];
    const { gain, gainLow, gainHigh, remarks } = only({ trials });
    const product = 3 * Math.log(1.1);
    expect(gain).toBeCloseTo(0.331, 12);
    expect(gainLow).toBeCloseTo(Math.exp(product - Math.SQRT2 * Math.log(1.1 / 1.05)) - 1, 12);
    expect(gainHigh).toBeCloseTo(Math.exp(product + Math.SQRT2 * Math.log(1.15 / 1.1)) - 1, 12);
    expect(remarks[0]?.zh).toBe('连乘收益的区间以各步相互独立为前提。');
  });

  it('claims no interval of the product where a step has none', () => {
    const trials = [
      trial('t1', 'a', comparison(100, 110, { gainLow: 0.05, gainHigh: 0.15 })),
      trial('t2', 'b', comparison(110, 121, { evidence: 'SINGLE_RUN' })),
    ];
    expect(only({ trials })).toMatchObject({ gainLow: null, gainHigh: null });
  });

  it('counts worse, equal and guarded steps, and lists what settles nothing', () => {
    const trials = [
      trial('t1', 'a', comparison(100, 90, { verdict: 'REGRESSED' })),
      trial('t2', 'b', comparison(90, 90.5, { verdict: 'NO_MEANINGFUL_CHANGE' })),
      trial('t3', 'c', comparison(90.5, 99, { verdict: 'BLOCKED_BY_GUARDRAIL' })),
      trial('t4', 'd', comparison(99, 103, { verdict: 'INCONCLUSIVE' })),
      trial('t5', 'e', comparison(99, 103, { verdict: 'NOT_COMPARABLE', gain: null })),
    ];
    const waterfall = only({ items: ['a', 'b', 'c', 'd', 'e'].map((key) => item(key)), trials });
    expect(waterfall.steps.map(({ trialId }) => trialId)).toEqual(['t1', 't2', 't3']);
    expect(waterfall.notCounted.map(({ trialId, verdict }) => [trialId, verdict])).toEqual([
      ['t4', 'INCONCLUSIVE'],
      ['t5', 'NOT_COMPARABLE'],
    ]);
    expect(waterfall.gain).toBeCloseTo(0.99 - 1, 12);
  });

  it('takes the newest trial of each item and metric, in the order of measurement, and no A/A run or plan', () => {
    const early = '2025-01-01T00:00:00.000Z';
    const trials = [
      trial('old', 'a', comparison(100, 150)),
      trial('new', 'a', comparison(120, 132)),
      trial('control', 'a', comparison(100, 100), { isControl: true }),
      trial('plan', 'a', comparison(100, 100), { verdict: null, comparisons: [] }),
      trial('imported', 'b', comparison(100, 120), { measuredAt: early }),
      trial('other', 'a', comparison(50, 40, { metric: 'latency', gain: 0.25 })),
    ];
    expect(of({ trials }).map(({ metric, steps }) => [metric, steps.map(({ trialId }) => trialId)])).toEqual([
      ['throughput', ['imported', 'new']],
      ['latency', ['other']],
    ]);
  });

  it('leaves out items that are not applied or archived, and metrics without a direction of gain', () => {
    const trials = ['a', 'b', 'c'].map((key) => trial(key, key, comparison(100, 110)));
    const items = [item('a', { outcome: 'REJECTED' }), item('b', { isArchived: true }), item('c')];
    expect(only({ items, trials }).steps.map(({ itemKey }) => itemKey)).toEqual(['c']);
    expect(of({ trials, metrics: [{ ...throughput, direction: 'TARGET' }] })).toEqual([]);
    expect(of({ trials, metrics: [{ ...throughput, direction: null }] })).toEqual([]);
  });

  it('keeps series apart', () => {
    const small = { dimensions: { size: 8 }, seriesKey: 'size=8' };
    const large = { dimensions: { size: 64 }, seriesKey: 'size=64' };
    const two = trial('t1', 'a', comparison(100, 110, small));
    const trials = [{ ...two, comparisons: [...two.comparisons, comparison(10, 12, large)] }];
    expect(of({ trials }).map(({ dimensions, gain }) => [dimensions, gain?.toFixed(3)])).toEqual([
      [{ size: 8 }, '0.100'],
      [{ size: 64 }, '0.200'],
    ]);
  });

  describe('with a trial that was named for the end-to-end check', () => {
    const steps = () => [trial('t1', 'a', comparison(100, 110)), trial('t2', 'b', comparison(110, 121))];

    it('holds the product against it, and does not take it for a step', () => {
      const whole = trial('t3', 'b', comparison(100, 121, { gain: 0.2, gainLow: 0.18, gainHigh: 0.22 }));
      const waterfall = only({ trials: [...steps(), whole], endToEndTrial: 't3' });
      expect(waterfall.steps.map(({ trialId }) => trialId)).toEqual(['t1', 't2']);
      expect(waterfall.endToEnd).toEqual({
        source: 'TRIAL',
        trialId: 't3',
        verdict: 'IMPROVED',
        evidence: 'STATISTICAL',
        gain: 0.2,
        gainLow: 0.18,
        gainHigh: 0.22,
      });
      expect(waterfall.difference).toBeCloseTo(Math.log(1.21 / 1.2), 12);
      expect(waterfall.disagrees).toBe(false);
    });

    it('checks a single step, and any metric that the trial measured', () => {
      const whole = trial('t3', 'b', comparison(100, 130, { metric: 'latency', gain: -0.1 }));
      const both = { ...whole, comparisons: [...whole.comparisons, comparison(100, 130, { role: 'SECONDARY' })] };
      const waterfall = only({ trials: [...steps().slice(0, 1), both], endToEndTrial: 't3' });
      expect(waterfall.endToEnd?.gain).toBeCloseTo(0.3, 12);
      expect(waterfall.disagrees).toBe(true);
    });

    it('says that it gives no gain, and takes the medians instead', () => {
      const whole = trial('t3', 'b', comparison(100, 130, { verdict: 'NOT_COMPARABLE', gain: null }));
      const waterfall = only({ trials: [...steps(), whole], endToEndTrial: 't3' });
      expect(waterfall.endToEnd?.source).toBe('FIRST_TO_LAST');
      expect(waterfall.remarks[0]?.en).toBe(
        'The trial that was named for the end-to-end check gives no gain for this series.',
      );
    });
  });

  it('has no end-to-end check for a single step, or where the medians are not known', () => {
    expect(only({ trials: [trial('t1', 'a', comparison(100, 110))] }).endToEnd).toBeNull();
    const unknown = { medianBefore: null, medianAfter: null };
    const trials = [trial('t1', 'a', comparison(100, 110, unknown)), trial('t2', 'b', comparison(110, 121, unknown))];
    expect(only({ trials })).toMatchObject({ endToEnd: null, difference: null, disagrees: false });
    expect(only({ trials }).gain).toBeCloseTo(0.21, 12);
  });
});

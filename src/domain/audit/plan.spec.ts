import { describe, expect, it } from '@jest/globals';
import { plannable as item } from '../../../test/support/plannable.js';
import type { MeasuredGain, StatedGain } from './plan-gain.js';
import { planOf, savedBy, type PlanBreakdown, type PlannableItem } from './plan.js';

const now = new Date('2026-11-30T12:00:00Z');
const states = (ratio: number, basis: StatedGain['basis'] = 'VENDOR_DOC'): StatedGain[] => [
  { basis, metric: 'training.step_time', isOfTime: true, ratioFrom: ratio, ratioTo: ratio },
];
const tried = (...gains: number[]): MeasuredGain[] =>
  gains.map((gain) => ({
    gain,
    verdict: gain > 0 ? 'IMPROVED' : 'REGRESSED',
    evidence: 'STATISTICAL',
    metric: 'training.step_time',
    isOfTime: true,
    isSameHardware: true,
  }));
const breakdown: PlanBreakdown = { compute: 0.5, communication: 0.2, input: 0.01, host: null, of: 'STEP' };
const keysOf = (items: PlannableItem[], shares: PlanBreakdown | null = null, which?: 'ALL') =>
  planOf(items, shares, now, which).map(({ id }) => id.slice(3));
const only = (one: PlannableItem, shares: PlanBreakdown | null = null) => {
  const [entry] = planOf([one], shares, now);
  if (!entry) throw new Error('The plan is empty');
  return entry;
};

describe('what is open', () => {
  it('is what a plan lists, unless it is asked for all that may apply', () => {
    const items = [item('todo'), item('applied', { outcome: 'APPLIED' }), item('never', { applies: 'NO' })];
    expect(keysOf(items)).toEqual(['todo']);
    expect(planOf(items, null, now, 'ALL').map(({ id, isOpen }) => [id, isOpen])).toEqual([
      ['id-todo', true],
      ['id-applied', false],
    ]);
  });
});

describe('the score', () => {
  it('is weight × share of the time × time saved / effort', () => {
    const entry = only(item('a', { stated: states(1.25), effort: 'M', bottleneck: 'communication' }), breakdown);
    expect([entry.expected.weight, entry.share, entry.effortFactor]).toEqual([0.5, 0.2, 2]);
    expect([entry.saved, entry.ceiling]).toEqual([expect.closeTo(0.2, 12), expect.closeTo(0.25, 12)]);
    expect(entry.score).toBeCloseTo((0.5 * 0.2 * 0.2) / 2, 12);
  });

  it.each([
    [0.25, 0.2], [1, 0.5], [3, 0.75], [899, 899 / 900], [1e308, 1], [0, 0],
    [-0.2, -0.25], [-0.5, -1], [-1, -1e6], [-1 + 1e-9, -1e6],
  ])('takes a gain of %d as %d of the time saved', (gain, saved) => {
    expect(savedBy(gain)).toBeCloseTo(saved, 9);
  }); // prettier-ignore

  it('tells large gains apart, wherever they were measured, and gives no score above the weight', () => {
    const scores = [2, 4, 900].map((ratio) => only(item('a', { stated: states(ratio) })).score);
    expect(scores).toEqual([0.25, 0.375, expect.closeTo(0.5 * (899 / 900), 12)]);
    expect(only(item('a', { trials: tried(3) })).score).toBeCloseTo((0.2 + 0.8 / 3) * 0.75, 12);
  });

  it('is below 0 for what makes it slower, the more the more it is known', () => {
    expect(only(item('a', { stated: states(0.8) })).score).toBeCloseTo(0.5 * -0.25, 12);
    expect(only(item('a', { stated: states(0.8), trials: tried(-0.2) })).score).toBeCloseTo(
      (0.5 + 0.5 / 3) * -0.25,
      12,
    );
  });

  it.each([
    ['compute', 0.5], ['memory-bandwidth', 0.5], ['memory-capacity', 0.5], ['power', 0.5],
    ['communication', 0.2], ['input', 0.01], ['storage', 0.01], ['host', null], ['latency', null],
    ['any', null], ['cost', null], ['reliability', null], ['unspecified', null], [null, null],
  ] as const)('of the bottleneck %s uses the share %s', (bottleneck, share) => {
    expect(only(item('a', { bottleneck }), breakdown).share).toBe(share);
  }); // prettier-ignore

  it.each(['any', 'cost', 'latency', 'reliability', 'unspecified', null])(
    'of the bottleneck %s, about no one part, counts half of the time once the parts are known',
    (bottleneck) => {
      const of = item('a', { bottleneck, stated: states(2) });
      expect(only(of, breakdown)).toMatchObject({
        part: null,
        share: null,
        countedShare: 0.5,
        ceiling: null,
        score: 0.125,
      });
      expect(only(of)).toMatchObject({ countedShare: 1, score: 0.25 });
    },
  );

  it.each([['XS', 0.5], ['S', 1], ['M', 2], ['L', 4], ['XL', 8], [null, 2]] as const)(
    'divides by the factor of the effort %s, %d',
    (effort, factor) => {
      const { score, effortFactor } = only(item('a', { effort }));
      expect([effortFactor, score]).toEqual([factor, expect.closeTo((0.2 * (0.02 / 1.02)) / factor, 12)]);
    },
  ); // prettier-ignore

  it('counts an unknown share as what the known ones leave of the step, which bounds the gain', () => {
    const host = item('a', { stated: states(1.25), bottleneck: 'host' });
    expect(only(host, breakdown)).toMatchObject({
      share: null,
      countedShare: 0.29,
      ceiling: expect.closeTo(0.29 / 0.71, 12),
      score: expect.closeTo(0.029, 12),
      isBelowThreshold: false,
    });
    expect(only(host, { ...breakdown, input: 0.3 })).toMatchObject({ countedShare: 0, isBelowThreshold: true });
  });

  it('counts it as 1 where the shares are of the time of the device, and half of what may not apply', () => {
    const host = only(item('a', { stated: states(1.25), bottleneck: 'host' }), { ...breakdown, of: 'DEVICE_TIME' });
    expect([host.ceiling, host.countedShare, host.score]).toEqual([null, 1, expect.closeTo(0.1, 12)]);
    expect(only(item('a', { stated: states(1.25), applies: 'UNKNOWN' })).score).toBeCloseTo(0.05, 12);
  });

  it('takes a figure of memory for none, and its ceiling all the same', () => {
    const memory = [{ basis: 'VENDOR_DOC', metric: 'memory.peak_allocated', isOfTime: false, ratioFrom: 9, ratioTo: 9 }] as const;
    const entry = only(item('a', { stated: memory, bottleneck: 'memory-capacity' }), breakdown);
    expect(entry).toMatchObject({ share: 0.5, ceiling: 1, expected: { basis: 'NONE', gain: 0.02 } });
    expect(entry.score).toBeCloseTo(0.2 * 0.5 * (0.02 / 1.02), 12);
    const tested = only(item('a', { trials: tried(0.5).map((one) => ({ ...one, metric: 'memory.peak_allocated', isOfTime: false })) }));
    expect(tested).toMatchObject({ expected: { basis: 'NONE' }, evidence: { trialCount: 1, helped: 1, medianGain: 0.5 } });
  }); // prettier-ignore

  it('knows no ceiling for what takes all of the time', () => {
    const all: PlanBreakdown = { compute: 1, communication: 0, input: null, host: null, of: 'STEP' };
    expect(only(item('a', { stated: states(3) }), all)).toMatchObject({
      share: 1,
      ceiling: null,
      isBelowThreshold: false,
    });
  });
});

describe('the order', () => {
  it('counts a gain of one operation for a tenth of the time, and that of a whole job for all of it', () => {
    const of = (metric: string) => only(item('a', { stated: [{ basis: 'VENDOR_DOC', metric, isOfTime: true, ratioFrom: 2, ratioTo: 2 }] })).score; // prettier-ignore
    expect(of('training.step_time')).toBeCloseTo(0.5 * 0.5, 12);
    expect(of('time.job')).toBeCloseTo(0.5 * 0.5, 12);
    expect(of('time.elapsed')).toBeCloseTo(0.1 * 0.5 * 0.5, 12);
    expect(of('kernel.time')).toBeCloseTo(0.1 * 0.5 * 0.5, 12);
    const timed = tried(1).map((one) => ({ ...one, metric: 'time.elapsed' }));
    expect(only(item('a', { trials: timed })).score).toBeCloseTo((0.2 + 0.8 / 3) * 0.5, 12);
  });

  it('does not ask a trial that settled nothing', () => {
    const [one] = tried(8);
    const trials = one ? [{ ...one, verdict: 'INCONCLUSIVE', evidence: 'SINGLE_RUN' } as const] : [];
    const entry = only(item('a', { trials, stated: states(1.25) }));
    expect(entry).toMatchObject({
      expected: { basis: 'VENDOR_DOC', weight: 0.5 },
      evidence: { trialCount: 1, inconclusive: 1, medianGain: null },
      isDeadEnd: false,
    });
    expect(entry.explanation[1]).toEqual({
      en: 'One trial settled nothing, so it does not count',
      zh: '有 1 次试验没有定论，不计入',
    });
  });

  it('puts what is in place behind what promises a gain, and what is expected to cost time behind that', () => {
    const plan = planOf(
      [
        item('loss', { stated: states(0.8) }),
        item('done', { outcome: 'APPLIED', work: 'DONE', hasRecheck: true, stated: states(9) }),
        item('small'),
      ],
      null,
      now,
    );
    expect(plan.map(({ id }) => id)).toEqual(['id-small', 'id-done', 'id-loss']);
    expect(plan[1]?.explanation.at(-1)?.en).toBe(
      'It is in place, and only to be looked at again: it comes after what promises a gain',
    );
    expect(plan[2]?.explanation.at(-1)).toEqual({
      en: 'It is expected to cost time: it comes after the others',
      zh: '预计反而增加耗时：排在其他条目之后',
    });
  });

  it('is by score, and by position among equals', () => {
    const items = [item('b'), item('a'), item('best', { stated: states(1.5) }), item('cheap', { effort: 'XS' })];
    expect(keysOf(items)).toEqual(['best', 'cheap', 'b', 'a']);
    expect(planOf(items, null, now).map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
  });

  it('puts what cannot bring the smallest effect that matters behind all others, and dead ends last', () => {
    const items = [
      item('dead', { trials: tried(-0.1, -0.2), stated: states(9) }),
      item('useless', { bottleneck: 'input', stated: states(9) }),
      item('worse', { stated: states(0.5) }),
      item('unknown'),
    ];
    const plan = planOf(items, breakdown, now);
    expect(plan.map(({ id, isBelowThreshold, isDeadEnd }) => [id, isBelowThreshold, isDeadEnd])).toEqual([
      ['id-unknown', false, false],
      ['id-useless', true, false],
      ['id-worse', false, false],
      ['id-dead', false, true],
    ]);
  });

  it('raises what an item needs to right before it, chains as a whole', () => {
    const items = [
      item('chain', { stated: states(3), requires: ['end'] }),
      item('other', { stated: states(1.5) }),
      item('end', { stated: states(1.02), requires: ['base', 'more'] }),
      item('more', { stated: states(1.2) }),
      item('base', { stated: states(1.4) }),
      item('rest'),
    ];
    expect(keysOf(items)).toEqual(['base', 'more', 'end', 'chain', 'other', 'rest']);
  });

  it('raises what several items need for the first of them', () => {
    const items = [
      item('one', { stated: states(2), requires: ['base'] }),
      item('best', { stated: states(3) }),
      item('two', { stated: states(1.5), requires: ['base'] }),
      item('base'),
    ];
    expect(keysOf(items)).toEqual(['best', 'base', 'one', 'two']);
  });

  it('keeps an item at its place where what it needs is sunk, or has nothing left to do', () => {
    const items = [
      item('a', { stated: states(2), requires: ['dead', 'useless', 'rejected'] }),
      item('b', { stated: states(1.5) }),
      item('dead', { trials: tried(-0.1, -0.2) }),
      item('useless', { bottleneck: 'input' }),
      item('rejected', { outcome: 'REJECTED', work: 'DONE' }),
    ];
    expect(keysOf(items, breakdown)).toEqual(['a', 'b', 'useless', 'dead']);
    expect(keysOf(items, breakdown, 'ALL')).toEqual(['a', 'b', 'rejected', 'useless', 'dead']);
  });

  it('raises nothing for an item that is settled', () => {
    const settled = item('settled', { stated: states(2), outcome: 'APPLIED', work: 'DONE', requires: ['base'] });
    expect(keysOf([settled, item('other', { stated: states(1.5) }), item('base')], null, 'ALL')).toEqual([
      'other',
      'base',
      'settled',
    ]);
  });

  it('does not move an item for what is in place, does not apply, or is not here', () => {
    const items = [
      item('a', { stated: states(2), requires: ['done', 'never', 'elsewhere:x/y', 'a'] }),
      item('done', { outcome: 'ALREADY_IN_PLACE', work: 'DONE' }),
      item('never', { applies: 'NO' }),
      item('b'),
    ];
    expect(keysOf(items)).toEqual(['a', 'b']);
  });

  it('keeps items that need each other where they are, and raises them for others', () => {
    const [a, b] = [item('a', { requires: ['b'] }), item('b', { requires: ['a'] })];
    expect(keysOf([a, b, item('c')])).toEqual(['a', 'b', 'c']);
    const needing = item('first', { stated: states(2), requires: ['b'] });
    expect(keysOf([a, b, item('c'), needing])).toEqual(['b', 'first', 'a', 'c']);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { MeasuredGain, StatedGain } from './plan-gain.js';
import { signedPercent } from './plan-text.js';
import { isOpen, planOf, type PlannableItem } from './plan.js';
import type { TimeShares } from './time-breakdown.js';

const now = new Date('2026-11-30T12:00:00Z');
const states = (ratio: number, basis: StatedGain['basis'] = 'VENDOR_DOC'): StatedGain[] => [
  { basis, metric: 'training.step_time', ratioFrom: ratio, ratioTo: ratio },
];
const tried = (...gains: number[]): MeasuredGain[] =>
  gains.map((gain) => ({
    gain,
    verdict: gain > 0 ? 'IMPROVED' : 'REGRESSED',
    evidence: 'STATISTICAL',
    metric: 'training.step_time',
    isSameHardware: true,
  }));
let count = 0;
const item = (key: string, of: Partial<PlannableItem> = {}): PlannableItem => ({
  id: `id-${key}`,
  key,
  position: (count += 1),
  title: { en: `The ${key}`, zh: `条目 ${key}` },
  applies: 'YES',
  appliesReasons: [],
  work: 'TODO',
  outcome: 'NOT_ASSESSED',
  hasRecheck: false,
  expiresAt: null,
  bottleneck: 'compute',
  effort: 'S',
  metric: 'training.step_time',
  threshold: 0.02,
  stated: [],
  requires: [],
  trials: [],
  notes: [],
  ...of,
});
const breakdown: TimeShares = { compute: 0.5, communication: 0.2, input: 0.01, host: null };
const keysOf = (items: PlannableItem[], shares: TimeShares | null = null, which?: 'ALL') =>
  planOf(items, shares, now, which).map(({ id }) => id.slice(3));
const only = (one: PlannableItem, shares: TimeShares | null = null) => {
  const [entry] = planOf([one], shares, now);
  if (!entry) throw new Error('The plan is empty');
  return entry;
};

describe('what is open', () => {
  it.each([
    [{}, true],
    [{ work: 'IN_PROGRESS' }, true],
    [{ applies: 'UNKNOWN' }, true],
    [{ applies: 'NO' }, false],
    [{ outcome: 'APPLIED' }, false],
    [{ outcome: 'APPLIED', work: 'DONE' }, false],
    [{ outcome: 'APPLIED', work: 'DONE', hasRecheck: true }, true],
    [{ applies: 'NO', hasRecheck: true }, false],
    [{ outcome: 'REJECTED' }, false],
    [{ outcome: 'DEFERRED' }, true],
    [{ outcome: 'DEFERRED', work: 'DONE' }, false],
    [{ outcome: 'DEFERRED', expiresAt: new Date('2026-12-01T00:00:00Z') }, false],
    [{ outcome: 'DEFERRED', expiresAt: new Date('2026-11-30T12:00:00Z') }, true],
  ] as const)('%o: %s', (state, open) => {
    expect(isOpen(item('a', state), now)).toBe(open);
  });

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
  it('is weight × gain × share / effort', () => {
    const { score, expected, share, ceiling, effortFactor } = only(
      item('a', { stated: states(1.3), effort: 'M' }),
      breakdown,
    );
    expect([expected.weight, share, ceiling, effortFactor]).toEqual([0.5, 0.5, 1, 2]);
    expect(score).toBeCloseTo((0.5 * 0.3 * 0.5) / 2, 12);
  });

  it('takes the ceiling for the gain where that is less', () => {
    const { score, ceiling, expected } = only(item('a', { stated: states(3), bottleneck: 'communication' }), breakdown);
    expect(ceiling).toBeCloseTo(0.25, 12);
    expect(expected.gain).toBeCloseTo(2, 12);
    expect(score).toBeCloseTo(0.5 * 0.25 * 0.2, 12);
  });

  it.each([
    ['compute', 0.5], ['memory-bandwidth', 0.5], ['memory-capacity', 0.5], ['power', 0.5],
    ['communication', 0.2], ['input', 0.01], ['storage', 0.01], ['host', null], ['latency', null],
    ['any', null], ['cost', null], ['reliability', null], ['unspecified', null], [null, null],
  ] as const)('of the bottleneck %s uses the share %s', (bottleneck, share) => {
    expect(only(item('a', { bottleneck }), breakdown).share).toBe(share);
  }); // prettier-ignore

  it.each([['XS', 0.5], ['S', 1], ['M', 2], ['L', 4], ['XL', 8], [null, 2]] as const)(
    'divides by the factor of the effort %s, %d',
    (effort, factor) => {
      const { score, effortFactor } = only(item('a', { effort }));
      expect([effortFactor, score]).toEqual([factor, (0.2 * 0.02) / factor]);
    },
  ); // prettier-ignore

  it('counts an unknown share as 1, and half of what may not apply', () => {
    const host = only(item('a', { stated: states(1.1), bottleneck: 'host' }), breakdown);
    expect([host.ceiling, host.score]).toEqual([null, expect.closeTo(0.05, 12)]);
    expect(only(item('a', { stated: states(1.1), applies: 'UNKNOWN' })).score).toBeCloseTo(0.025, 12);
  });

  it('counts what was measured elsewhere as a doubling at most, and says so; what trials measured counts in full', () => {
    const elsewhere = only(item('a', { stated: states(900) }));
    expect(elsewhere.expected.gain).toBeCloseTo(899, 9);
    expect([elsewhere.score, elsewhere.isCapped]).toEqual([0.5, true]);
    expect(elsewhere.explanation[1]).toEqual({
      en: 'It is not a measurement of a trial: it counts as +100 % at most',
      zh: '并非试验实测：至多按 +100% 计入',
    });
    const here = only(item('a', { trials: tried(3) }));
    expect([here.score, here.isCapped]).toEqual([1, false]);
    expect(only(item('a', { stated: states(900), bottleneck: 'communication' }), breakdown).isCapped).toBe(false);
  });

  it('is 0 for what made things worse', () => {
    expect(only(item('a', { stated: states(0.5) })).score).toBe(0);
  });

  it('knows no ceiling for what takes all of the time', () => {
    const all = { compute: 1, communication: 0, input: null, host: null };
    expect(only(item('a', { stated: states(3) }), all)).toMatchObject({
      share: 1,
      ceiling: null,
      isBelowThreshold: false,
    });
  });
});

describe('the order', () => {
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
      ['id-worse', false, false],
      ['id-useless', true, false],
      ['id-dead', false, true],
    ]);
  });

  it('puts an item right behind the last of those that it needs', () => {
    const items = [
      item('end', { stated: states(3), requires: ['base', 'more'] }),
      item('chain', { stated: states(2), requires: ['end'] }),
      item('other', { stated: states(1.5) }),
      item('base', { stated: states(1.4) }),
      item('more', { stated: states(1.2) }),
      item('rest'),
    ];
    expect(keysOf(items)).toEqual(['other', 'base', 'more', 'end', 'chain', 'rest']);
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

  it('keeps items that need each other', () => {
    expect(keysOf([item('a', { requires: ['b'] }), item('b', { requires: ['a'] }), item('c')])).toEqual([
      'c',
      'a',
      'b',
    ]);
  });
});

describe('the explanation', () => {
  const saying = (one: PlannableItem, shares: TimeShares | null = null) => only(one, shares).explanation;

  it('says gain, effort and applicability, and without a breakdown nothing of a ceiling', () => {
    expect(saying(item('a'))).toEqual([
      {
        en: 'Nobody has measured it: it counts as the smallest effect that matters, 2 % of training.step_time',
        zh: '尚无人测量：按有意义的最小收益（training.step_time）计入，即 2%',
      },
      { en: 'Effort S divides by 1', zh: '工作量 S，除以 1' },
      { en: 'It applies here', zh: '在此适用' },
    ]);
  });

  it('says what trials measured', () => {
    expect(saying(item('a', { trials: tried(0.07, 0.12, -0.01, 0.3) }))[0]).toEqual({
      en: '4 trials on this hardware gained in the median +9.5 % of training.step_time: 3 helped, 0 made no difference, 1 hurt',
      zh: '相同硬件上 4 次试验，收益中位数（training.step_time）为 +9.5%：有效 3、无差别 0、变差 1',
    });
  });

  it.each([
    ['OWN_MEASUREMENT', 'A measurement of the authors showed a gain of training.step_time of +12.5 %, under its conditions'],
    ['PUBLIC_BENCHMARK', 'A public benchmark showed a gain of training.step_time of +12.5 %, under its conditions'],
    ['VENDOR_DOC', 'The vendor states a gain of training.step_time of +12.5 %, under its conditions'],
    ['EXPERT_OPINION', 'The authors expect, without a measurement, a gain of training.step_time of +12.5 %, under its conditions'],
  ] as const)('names the basis %s', (basis, en) => {
    expect(saying(item('a', { stated: states(1.125, basis) }))[0]?.en).toBe(en);
  }); // prettier-ignore

  it('says the ceiling with its share, or why there is none', () => {
    const ceiling = (of: Partial<PlannableItem>) => saying(item('a', of), breakdown)[1]?.en;
    expect(ceiling({ bottleneck: 'communication' })).toBe(
      'Communication takes 20 % of the time: at most +25 % can be gained',
    );
    expect(ceiling({ bottleneck: 'host' })).toBe('The host has no known share of the time: no ceiling');
    expect(ceiling({ bottleneck: 'cost' })).toBe('It is not about one part of the time: no ceiling');
  });

  it('says with numbers why an item sinks', () => {
    expect(saying(item('a', { bottleneck: 'input' }), breakdown).at(-1)).toEqual({
      en: 'At most +1.01 % is less than the 2 % that matter for training.step_time: it comes after the others',
      zh: '收益至多 +1.01%，低于有意义的最小收益（training.step_time），即 2%：排在其他条目之后',
    });
    expect(saying(item('a', { trials: tried(-0.1, -0.2, 0) })).at(-1)).toEqual({
      en: 'Tried 3 times, never helped: it comes last',
      zh: '试过 3 次，从未有效：排在最后',
    });
    expect(saying(item('a', { trials: tried(-0.1, -0.2, 0.1) })).at(-1)?.en).toBe(
      'Tried 3 times, helped once, without a gain in the median: it comes last',
    );
  });

  it('says why it is not known to apply', () => {
    const reason = { en: 'needs RDMA, which is not known', zh: '需要 RDMA，目前未知' };
    expect(saying(item('a', { applies: 'UNKNOWN', appliesReasons: [reason] }))[2]).toEqual({
      en: 'Whether it applies is unknown (needs RDMA, which is not known): half of it counts',
      zh: '是否适用未知（需要 RDMA，目前未知）：只计一半',
    });
  });

  it('names what the item needs first', () => {
    const items = [item('a', { requires: ['b', 'c'] }), item('b'), item('c', { outcome: 'REJECTED', work: 'DONE' })];
    expect(planOf(items, null, now)[1]?.explanation.slice(3)).toEqual([
      { en: 'It needs “The b” first, and comes after it', zh: '须先具备“条目 b”，因此排在其后' },
      { en: 'It needs “The c”, which is not in place (rejected)', zh: '须先具备“条目 c”，而该条目尚未具备（已否决）' },
    ]);
  });

  it.each([
    [0.07, '+7 %', '+7%'],
    [-0.0123, '−1.23 %', '−1.23%'],
    [6.3267, '+633 %', '+633%'],
    [0, '0 %', '0%'],
  ])('writes %d with its sign', (fraction, en, zh) => {
    expect(signedPercent(fraction)).toEqual({ en, zh });
  });
});

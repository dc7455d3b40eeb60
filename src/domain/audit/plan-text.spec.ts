import { describe, expect, it } from '@jest/globals';
import { plannable as item } from '../../../test/support/plannable.js';
import type { MeasuredGain, StatedGain } from './plan-gain.js';
import { gainWords, signedPercent } from './plan-gain-text.js';
import { planOf, type PlanBreakdown, type PlannableItem } from './plan.js';

const now = new Date('2026-11-30T12:00:00Z');
const stepTime = { metric: 'training.step_time', isOfTime: true } as const;
const memory = { metric: 'memory.peak_allocated', isOfTime: false } as const;
const states = (ratio: number, of: Partial<StatedGain> = {}): StatedGain[] => [
  { basis: 'VENDOR_DOC', ...stepTime, ratioFrom: ratio, ratioTo: ratio, ...of },
];
const measured = (gain: number, of: Partial<MeasuredGain> = {}): MeasuredGain => ({
  gain,
  verdict: gain > 0 ? 'IMPROVED' : 'REGRESSED',
  evidence: 'STATISTICAL',
  ...stepTime,
  isSameHardware: false,
  ...of,
});
const breakdown: PlanBreakdown = { compute: 0.5, communication: 0.2, input: 0.01, host: null, of: 'STEP' };
const saying = (of: Partial<PlannableItem>, shares: PlanBreakdown | null = null) => {
  const [entry] = planOf([item('a', of)], shares, now);
  if (!entry) throw new Error('The plan is empty');
  return entry.explanation;
};
const first = (of: Partial<PlannableItem>) => saying(of)[0];

describe('the explanation of a plan', () => {
  it('says gain, applicability and the product, and without a breakdown nothing of shares', () => {
    expect(saying({})).toEqual([
      {
        en: 'Nobody has measured it: it counts as the smallest effect that matters, 2 % of training.step_time',
        zh: '尚无人测量：按有意义的最小收益（training.step_time）计入，即 2%',
      },
      { en: 'It applies here', zh: '在此适用' },
      {
        en: 'Weight 0.20 × 0.020 saved ÷ 1 (effort S) = score 0.0039',
        zh: '权重 0.20 × 节省 0.020 ÷ 1（工作量 S）= 得分 0.0039',
      },
    ]);
  });

  it('says what trials measured, and how far they raise the weight', () => {
    const trials = [0.07, 0.12, -0.01, 0.3].map((gain) => measured(gain, { isSameHardware: true }));
    expect(saying({ trials }).slice(0, 2)).toEqual([
      {
        en: '4 trials on this hardware showed in the median a gain of 9.47 % on training.step_time: 3 helped, 0 made no difference, 1 hurt',
        zh: '相同硬件上 4 次试验，按中位数计 training.step_time 收益 9.47%：有效 3、无差别 0、变差 1',
      },
      { en: 'Trials raise its weight from 0.20 to 0.73', zh: '试验使其权重由 0.20 升至 0.73' },
    ]);
  });

  it('calls a loss a loss', () => {
    expect(first({ trials: [measured(-0.2)] })).toEqual({
      en: 'One trial showed a loss of 20 % on training.step_time: 0 helped, 0 made no difference, 1 hurt',
      zh: '1 次试验，training.step_time 退步 20%：有效 0、无差别 0、变差 1',
    });
    expect(first({ stated: states(0.801) })).toEqual({
      en: 'The vendor states a loss of 19.9 % on training.step_time, under its conditions',
      zh: '厂商文档称 training.step_time 退步 19.9%，以其条件为前提',
    });
    expect(gainWords({ gain: 0, metric: 'time.latency' })).toEqual({
      en: 'no gain on time.latency',
      zh: 'time.latency 无收益',
    });
    expect(gainWords({ gain: 0.5, metric: null })).toEqual({ en: 'a gain of 50 %', zh: '收益 50%' });
  });

  it('says of a large gain how many times the speed it is, on one operation', () => {
    const notes = [measured(4.44, { metric: 'time.elapsed' }), measured(122.4, { metric: 'time.elapsed' })];
    expect(first({ notes })).toEqual({
      en: '2 reference notes measured it: in the median 25.9 times the speed on time.elapsed, under their conditions',
      zh: '2 条参考笔记在各自条件下测得，按中位数计 time.elapsed 提速至 25.9 倍',
    });
    expect(saying({ notes })[2]?.en).toBe(
      'Weight 0.70 × 0.1 (measured on one operation) × 0.96 saved ÷ 1 (effort S) = score 0.067',
    );
  });

  it('says what reference notes measured', () => {
    expect(first({ notes: [measured(0.05)] })).toEqual({
      en: 'A reference note measured a gain of 5 % on training.step_time, under its conditions',
      zh: '一条参考笔记在其条件下测得 training.step_time 收益 5%',
    });
    expect(first({ notes: [measured(0.05), measured(-0.15)] })).toEqual({
      en: '2 reference notes measured it: in the median a loss of 5.53 % on training.step_time, under their conditions',
      zh: '2 条参考笔记在各自条件下测得，按中位数计 training.step_time 退步 5.53%',
    });
  });

  it.each([
    ['OWN_MEASUREMENT', 'A measurement of the authors showed a gain of 12.5 % on training.step_time, under its conditions'],
    ['PUBLIC_BENCHMARK', 'A public benchmark showed a gain of 12.5 % on training.step_time, under its conditions'],
    ['VENDOR_DOC', 'The vendor states a gain of 12.5 % on training.step_time, under its conditions'],
    ['EXPERT_OPINION', 'The authors expect, without a measurement, a gain of 12.5 % on training.step_time, under its conditions'],
  ] as const)('names the basis %s', (basis, en) => {
    expect(first({ stated: states(1.125, { basis }) })?.en).toBe(en);
  }); // prettier-ignore

  it('gives the figure of a metric that says nothing of time, and what counts instead', () => {
    expect(saying({ stated: states(1.5, memory) }).slice(0, 2)).toEqual([
      {
        en: 'The vendor states a gain of 50 % on memory.peak_allocated, under its conditions; memory.peak_allocated says nothing of time, so it does not count',
        zh: '厂商文档称 memory.peak_allocated 收益 50%，以其条件为前提；memory.peak_allocated 与时间无关，不计入',
      },
      {
        en: 'No gain in time is known: it counts as the smallest effect that matters, 2 %',
        zh: '时间上的收益未知：按有意义的最小收益计入，即 2%',
      },
    ]);
    expect(first({ trials: [measured(0.3, memory), measured(0.1, { ...memory, metric: 'energy.per_step' })] })?.en).toBe(
      '2 trials showed in the median a gain of 19.6 %: 2 helped, 0 made no difference, 0 hurt; that says nothing of time, so it does not count',
    );
    expect(first({ trials: [measured(0.3), measured(0.1, { metric: 'time.latency' })] })?.zh).toBe(
      '2 次试验，按中位数计收益 19.6%：有效 2、无差别 0、变差 0',
    );
    expect(first({ trials: [measured(0.3, { gain: null })] })?.en).toMatch(/^No trial of it gave a figure: it counts as/);
  }); // prettier-ignore

  it('says the ceiling with its share, or why there is none', () => {
    const ceiling = (bottleneck: string) => saying({ bottleneck }, breakdown)[1];
    expect(ceiling('communication')?.en).toBe('Communication takes 20 % of the time: at most +25 % can be gained');
    expect(ceiling('host')).toEqual({
      en: 'The host has no known share of the time; the others leave 29 %: at most +40.8 % can be gained',
      zh: '主机占时间的比例未知，其他部分之外还剩 29%：收益至多 +40.8%',
    });
    expect(saying({ bottleneck: 'host' }, { ...breakdown, of: 'DEVICE_TIME' })[1]?.en).toBe(
      'The host has no known share of the time: all of the time counts, and there is no ceiling',
    );
    expect(ceiling('latency')).toEqual({
      en: 'It is not about one part of the time: half of the time counts, and there is no ceiling',
      zh: '它不针对某一部分时间：按一半时间计入，没有上限',
    });
  });

  it.each<[string, Partial<PlannableItem>, string, string]>([
    [
      'a known share',
      { stated: states(1.15), effort: 'M' },
      'Weight 0.50 × 0.50 of the time × 0.13 saved ÷ 2 (effort M) = score 0.016',
      '权重 0.50 × 时间占比 0.50 × 节省 0.13 ÷ 2（工作量 M）= 得分 0.016',
    ],
    [
      'an unknown share, and no effort',
      { stated: states(4), bottleneck: 'host', effort: null },
      'Weight 0.50 × 0.29 (share unknown) × 0.75 saved ÷ 2 (no effort given: as M) = score 0.054',
      '权重 0.50 × 0.29（占比未知）× 节省 0.75 ÷ 2（未说明工作量，按 M 计）= 得分 0.054',
    ],
    [
      'no one part, a loss, and an unknown answer',
      { stated: states(0.8), bottleneck: 'any', applies: 'UNKNOWN' },
      'Weight 0.50 × 0.50 (no one part of the time) × −0.25 (takes longer) × 0.5 (may not apply) ÷ 1 (effort S) = score −0.031',
      '权重 0.50 × 0.50（不针对某一部分时间）× −0.25（耗时增加）× 0.5（是否适用未知）÷ 1（工作量 S）= 得分 −0.031',
    ],
    [
      'a loss without end',
      { stated: states(1e-9), effort: 'XS' },
      'Weight 0.50 × 0.50 of the time × −1000000 (takes longer) ÷ 0.5 (effort XS) = score −500000',
      '权重 0.50 × 时间占比 0.50 × −1000000（耗时增加）÷ 0.5（工作量 XS）= 得分 −500000',
    ],
  ])('gives the whole product with %s', (_, of, en, zh) => {
    const products = saying(of, breakdown).filter((text) => text.en.includes(' = score '));
    expect(products).toEqual([{ en, zh }]);
  });

  it('says with numbers why an item sinks', () => {
    expect(saying({ bottleneck: 'input' }, breakdown).at(-1)).toEqual({
      en: 'At most +1.01 % is less than the 2 % that matter for training.step_time: it comes after the others',
      zh: '收益至多 +1.01%，低于有意义的最小收益（training.step_time），即 2%：排在其他条目之后',
    });
    expect(saying({ trials: [-0.1, -0.2, 0].map((gain) => measured(gain)) }).at(-1)).toEqual({
      en: 'Tried 3 times, never helped: it comes last',
      zh: '试过 3 次，从未有效：排在最后',
    });
    expect(saying({ trials: [-0.1, -0.2, 0.1].map((gain) => measured(gain)) }).at(-1)?.en).toBe(
      'Tried 3 times, helped once, without a gain in the median: it comes last',
    );
  });

  it('says why it is not known to apply', () => {
    const reason = { en: 'needs RDMA, which is not known', zh: '需要 RDMA，目前未知' };
    expect(saying({ applies: 'UNKNOWN', appliesReasons: [reason] })[1]).toEqual({
      en: 'Whether it applies is unknown (needs RDMA, which is not known): half of it counts',
      zh: '是否适用未知（需要 RDMA，目前未知）：只计一半',
    });
  });

  it('names what the item needs, where that stands, and what an item was raised for', () => {
    const items = [
      item('a', { stated: states(2), requires: ['b', 'c', 'd'] }),
      item('b'),
      item('c', { outcome: 'REJECTED', work: 'DONE' }),
      item('d', { trials: [measured(-0.1), measured(-0.1)] }),
    ];
    const [b, a] = planOf(items, null, now);
    expect(b?.explanation.slice(3)).toEqual([
      { en: 'It was moved up to right before “The a”, which needs it', zh: '“条目 a”须先具备本条目，因此提前到它之前' },
    ]);
    expect(a?.explanation.slice(3)).toEqual([
      { en: 'It needs “The b” first, which comes before it', zh: '须先具备“条目 b”，后者排在本条目之前' },
      { en: 'It needs “The c”, which is not in place (rejected)', zh: '须先具备“条目 c”，而该条目尚未具备（已否决）' },
      {
        en: 'It needs “The d”, which is not in place and comes further down',
        zh: '须先具备“条目 d”，而该条目尚未具备，且排在更后面',
      },
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

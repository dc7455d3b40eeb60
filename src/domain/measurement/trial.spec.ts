import { describe, expect, it } from '@jest/globals';
import { notComparable } from './compare.js';
import type { DifferenceTier } from './environment-diff.js';
import type { MetricDefinition } from './metric.js';
import { noiseContextOf, readTrial, verdictOver, type TrialData, type TrialRun } from './trial.js';
import type { Verdict } from './verdict.js';

const metric = (key: string, change: Partial<MetricDefinition> = {}): MetricDefinition => ({
  key,
  unit: 'ms',
  dimension: 'time',
  direction: 'LOWER_IS_BETTER',
  target: null,
  isExact: false,
  smallestEffect: 0.02,
  role: 'PRIMARY',
  ...change,
});
const metrics = new Map(
  [
    metric('time'),
    metric('rate', { direction: 'HIGHER_IS_BETTER', role: 'SECONDARY' }),
    metric('quality', { direction: 'HIGHER_IS_BETTER', role: 'GUARDRAIL' }),
    metric('load', { direction: null, role: 'DIAGNOSTIC' }),
  ].map((one) => [one.key, one]),
);
const tiers = new Map<string, DifferenceTier>([
  ['gpu.sku', 'BLOCK'],
  ['driver', 'WARN'],
  ['host', 'INFO'],
  ['variant', 'INFO'],
]);

let made = 0;
/** A run in a session of its own with one value for each metric, or several for the points of a series. */
function run(values: Readonly<Record<string, number>>, change: Partial<TrialRun> = {}): TrialRun {
  made += 1;
  return {
    id: `run-${made}`,
    status: 'OK',
    session: `session-${made}`,
    block: null,
    variant: null,
    environment: {},
    workload: {},
    observations: Object.entries(values).map(([name, value]) => {
      const [key = '', size] = name.split('@');
      const dimensions: Record<string, number> = size === undefined ? {} : { size: Number(size) };
      return {
        metric: key,
        dimensions,
        seriesKey: size === undefined ? '' : `size=${size}`,
        value,
        repeats: [],
        blocks: [],
      };
    }),
    ...change,
  };
}
const runs = (key: string, values: readonly number[], change: Partial<TrialRun> = {}) =>
  values.map((value) => run({ [key]: value }, change));

const read = (data: Partial<TrialData>) =>
  readTrial({
    before: [],
    after: [],
    variable: [],
    primaryMetric: 'time',
    guardrails: [],
    threshold: null,
    isSaidControl: false,
    metrics,
    tiers,
    noiseFloors: new Map(),
    ...data,
  });

const before = [100, 101, 99, 100.5];
const after = [80, 81, 79, 80.5];

describe('readTrial', () => {
  it('compares the primary metric of runs of their own sessions', () => {
    expect(read({ before: runs('time', before), after: runs('time', after) })).toMatchObject({
      verdict: 'IMPROVED',
      evidence: 'STATISTICAL',
      isConfounded: false,
      guardrailsPassed: true,
      isControl: false,
      nBefore: 4,
      nAfter: 4,
      comparisons: [{ metric: 'time', role: 'PRIMARY', adjustedP: null }],
    });
  });

  it('mirrors the verdict when the arms are swapped', () => {
    expect(read({ before: runs('time', after), after: runs('time', before) })?.verdict).toBe('REGRESSED');
  });

  it('has no answer where an arm lacks the primary metric', () => {
    expect(read({ before: runs('time', before), after: runs('rate', after) })).toBeNull();
    expect(read({ before: runs('time@1', before), after: runs('time@2', after) })).toBeNull();
  });

  it('takes the repeats of one run for values of one session', () => {
    const repeated = (repeats: readonly number[]) => {
      const one = run({ time: 1 }, { session: null });
      return [{ ...one, observations: one.observations.map((each) => ({ ...each, repeats })) }];
    };
    const reading = read({ before: repeated(before), after: repeated(after) });
    expect(reading).toMatchObject({ nBefore: 4, verdict: 'IMPROVED', evidence: 'INDICATIVE' });
    expect(reading?.comparisons[0]?.result.warnings.map(({ code }) => code)).toEqual(['ONE_SESSION_ARM']);
  });

  it('pairs rounds of the same block, six or more', () => {
    const six = [100, 200, 300, 400, 500, 600];
    const inBlocks = (values: readonly number[]) =>
      values.map((value, index) => run({ time: value }, { block: `b${index}` }));
    const reading = read({ before: inBlocks(six), after: inBlocks(six.map((value) => value * 0.9)) });
    expect(reading).toMatchObject({ verdict: 'IMPROVED', evidence: 'PAIRED' });
    expect(reading?.comparisons[0]?.result.pValue).toBe(0.03125);
  });

  describe('with blocks that files name', () => {
    const six = [100, 200, 300, 400, 500, 600];
    const blocks = six.map((_, index) => `round-${index + 1}`);
    const file = (repeats: readonly number[], change: Partial<TrialRun> = {}) => {
      const one = run({ time: 1 }, change);
      return { ...one, observations: one.observations.map((each) => ({ ...each, repeats, blocks })) };
    };
    const faster = six.map((value) => value * 0.9);
    const methodOf = (data: Partial<TrialData>) => read(data)?.comparisons[0]?.result.method;

    it('pairs one file an arm', () => {
      expect(methodOf({ before: [file(six)], after: [file(faster)] })).toBe('SIGNED_RANK');
    });

    it('pairs no rounds of several files that only share their names', () => {
      const data = { before: [file(six), file(six)], after: [file(faster), file(faster)] };
      expect(methodOf(data)).toBe('MANN_WHITNEY');
      expect(read(data)?.comparisons[0]?.before.every(({ block }) => block === null)).toBe(true);
      expect(methodOf({ before: [file(six)], after: [file(faster), file(faster)] })).toBe('MANN_WHITNEY');
    });

    it('pairs rounds inside the block that their runs carry', () => {
      const [one, two] = [{ block: 'day 1' }, { block: 'day 2' }];
      const data = { before: [file(six, one), file(six, two)], after: [file(faster, two), file(faster, one)] };
      expect(read(data)).toMatchObject({ evidence: 'PAIRED', nBefore: 12 });
      expect(read(data)?.comparisons[0]?.before[0]?.block).toBe('day 1/round-1');
      expect(methodOf({ before: [file(six, one)], after: [file(faster, two)] })).toBe('MANN_WHITNEY');
    });
  });

  it('lists the primary metric, then guardrails, then the rest, and no metric without a direction', () => {
    const all = (time: number) => run({ load: 1, rate: 5, quality: 0.9, time });
    const reading = read({ before: before.map(all), after: after.map(all), guardrails: ['quality'] });
    expect(reading?.comparisons.map((row) => [row.metric, row.role])).toEqual([
      ['time', 'PRIMARY'],
      ['quality', 'GUARDRAIL'],
      ['rate', 'SECONDARY'],
    ]);
    expect(reading).toMatchObject({ verdict: 'IMPROVED', guardrailsPassed: true });
  });

  it('blocks a gain that a guardrail pays for', () => {
    const arm = (values: readonly number[], quality: number) => values.map((time) => run({ time, quality }));
    const reading = read({ before: arm(before, 0.9), after: arm(after, 0.5), guardrails: ['quality'] });
    expect(reading).toMatchObject({ verdict: 'BLOCKED_BY_GUARDRAIL', guardrailsPassed: false });
    const unmeasured = read({ before: runs('time', before), after: runs('time', after), guardrails: ['quality'] });
    expect(unmeasured).toMatchObject({ verdict: 'IMPROVED', guardrailsPassed: false });
  });

  it('holds the threshold of the caller against the primary metric alone', () => {
    const arm = (values: readonly number[]) => values.map((time) => run({ time, rate: 1000 / time }));
    const reading = read({ before: arm(before), after: arm(after), threshold: 0.5 });
    expect(reading?.comparisons.map(({ metric: key, result }) => [key, result.threshold, result.verdict])).toEqual([
      ['time', 0.5, 'NO_MEANINGFUL_CHANGE'],
      ['rate', 0.02, 'IMPROVED'],
    ]);
  });

  it('holds one value an arm against the noise floor of its metric', () => {
    const single = { before: runs('time', [100]), after: runs('time', [80]) };
    expect(read(single)).toMatchObject({ verdict: 'INCONCLUSIVE', evidence: 'SINGLE_RUN' });
    expect(read({ ...single, noiseFloors: new Map([['time', { value: 0.03, runCount: 20 }]]) })?.verdict).toBe(
      'IMPROVED',
    );
    expect(read({ ...single, noiseFloors: new Map([['time', { value: 0.1, runCount: 20 }]]) })?.verdict).toBe(
      'INCONCLUSIVE',
    );
    expect(read({ ...single, noiseFloors: new Map([['rate', { value: 0.03, runCount: 20 }]]) })?.verdict).toBe(
      'INCONCLUSIVE',
    );
  });

  it('sees what differs between the arms, and whether it was meant to', () => {
    const on = (environment: TrialRun['environment']) => ({
      before: runs('time', before, { environment: { 'gpu.sku': 'A', driver: '1', host: 'x' } }),
      after: runs('time', after, { environment }),
    });
    expect(read(on({ 'gpu.sku': 'B', driver: '1', host: 'x' }))?.verdict).toBe('NOT_COMPARABLE');
    const declared = read({ ...on({ 'gpu.sku': 'B', driver: '1', host: 'y' }), variable: ['gpu'] });
    expect(declared).toMatchObject({ verdict: 'IMPROVED', evidence: 'STATISTICAL', isConfounded: false });
    const confounded = read(on({ 'gpu.sku': 'A', driver: '2', host: 'x' }));
    expect(confounded).toMatchObject({ verdict: 'IMPROVED', evidence: 'INDICATIVE', isConfounded: true });
  });

  it('takes arms of one variant for an A/A run, unless a variable was declared', () => {
    const arm = (pin: boolean) => runs('time', before, { variant: 'base', workload: { 'workload.pin': pin } });
    expect(read({ before: arm(true), after: arm(true) })?.isControl).toBe(true);
    expect(read({ before: arm(true), after: arm(false), variable: ['pin'] })?.isControl).toBe(false);
    expect(read({ before: arm(true), after: arm(true), variable: ['vm.swappiness'] })?.isControl).toBe(false);
    expect(read({ before: runs('time', before), after: runs('time', before) })?.isControl).toBe(false);
    expect(read({ before: runs('time', before), after: runs('time', after), isSaidControl: true })?.isControl).toBe(
      true,
    );
  });

  it('corrects the p-values of several points over all that the same runs could have shown', () => {
    const arm = (factor: number) =>
      before.map((value) => run({ 'time@1': value * factor, 'time@2': value * factor, 'time@3': value }));
    const reading = read({ before: arm(1), after: arm(0.5) });
    expect(reading?.comparisons.map(({ seriesKey }) => seriesKey)).toEqual(['size=1', 'size=2', 'size=3']);
    expect(reading?.comparisons[0]?.result.pValue).toBeCloseTo(0.0286, 4);
    // The third point would be as far apart for two other ways of dealing out the runs
    expect(reading?.comparisons[0]?.adjustedP).toBeCloseTo(4 / 70, 12);
    expect(reading?.verdict).toBe('INCONCLUSIVE');
  });
});

describe('verdictOver', () => {
  const nothing = { kind: 'values', values: [] } as const;
  const input = { before: nothing, after: nothing, noiseFloor: null, userThreshold: null, differences: [] };
  const base = notComparable({ ...input, metric: metric('time') }, { code: 'NO_DIRECTION', details: {} });
  const row = (verdict: Verdict, adjustedP: number | null = null) => ({ result: { ...base, verdict }, adjustedP });

  it.each<[readonly (readonly [Verdict, (number | null)?])[], Verdict]>([
    [[['INCONCLUSIVE']], 'INCONCLUSIVE'],
    [[['IMPROVED', 0.9]], 'IMPROVED'],
    [[['IMPROVED'], ['NO_MEANINGFUL_CHANGE']], 'IMPROVED'],
    [[['IMPROVED'], ['REGRESSED']], 'REGRESSED'],
    [
      [
        ['IMPROVED', 0.01],
        ['REGRESSED', 0.2],
      ],
      'IMPROVED',
    ],
    [[['IMPROVED', 0.05], ['INCONCLUSIVE']], 'INCONCLUSIVE'],
    [[['IMPROVED'], ['BLOCKED_BY_GUARDRAIL']], 'BLOCKED_BY_GUARDRAIL'],
    [[['IMPROVED'], ['NOT_COMPARABLE']], 'NOT_COMPARABLE'],
    [[['NO_MEANINGFUL_CHANGE'], ['NO_MEANINGFUL_CHANGE']], 'NO_MEANINGFUL_CHANGE'],
    [[['NO_MEANINGFUL_CHANGE'], ['INCONCLUSIVE']], 'INCONCLUSIVE'],
  ])('makes of %j %s', (rows, verdict) => {
    expect(verdictOver(rows.map(([one, p]) => row(one, p ?? null)))).toBe(verdict);
  });
});

describe('noiseContextOf', () => {
  it('holds every fact that matters, in whatever order, and no host or variant', () => {
    const one = run({}, { environment: { driver: '1', host: 'x' }, workload: { 'workload.a': 1 }, variant: 'before' });
    const other = run({}, { workload: { 'workload.a': 1 }, environment: { host: 'y', driver: '1' }, variant: null });
    expect(noiseContextOf([one], tiers)).toBe('[["driver","1"],["workload.a",1]]');
    expect(noiseContextOf([other], tiers)).toBe(noiseContextOf([one], tiers));
    expect(noiseContextOf([run({}, { environment: { driver: '2' } })], tiers)).toBe('[["driver","2"]]');
  });
});

describe('what holds of a trial as a whole', () => {
  const arms = (change: Partial<TrialRun>) => ({
    before: [10, 10.1, 10.2, 10.3].map((time) => run({ time })),
    after: [8, 8.1, 8.2, 8.3].map((time) => run({ time }, change)),
  });
  const primaryOf = (data: Partial<TrialData>) => {
    const [row] = read(data)?.comparisons ?? [];
    return { evidence: row?.result.evidence, codes: row?.result.warnings.map(({ code }) => code) };
  };

  it('warns of runs that failed in part, and lets them carry no more than an indication', () => {
    expect(primaryOf(arms({}))).toEqual({ evidence: 'STATISTICAL', codes: [] });
    expect(primaryOf(arms({ status: 'PARTIAL' }))).toEqual({ evidence: 'INDICATIVE', codes: ['PARTIAL_RUNS'] });
  });

  it('warns of a declared variable that is not seen to differ', () => {
    const changed = { ...arms({ variant: 'new', environment: { torch: '2.8' } }), variable: ['variant', 'torch'] };
    const before = changed.before.map((one) => ({ ...one, variant: 'old', environment: { torch: '2.8' } }));
    expect(read({ ...changed, before })?.comparisons[0]?.result.warnings).toEqual([
      { code: 'VARIABLE_UNCHANGED', details: { keys: ['torch'] } },
    ]);
  });

  it.each([
    ['workload.settings.precison', ['workload.settings.precision']],
    ['precision', ['workload.settings.precision']],
    ['Precisoin', ['workload.settings.precision']],
    ['env.NCCL_ALG', ['env.NCCL_ALGO']],
    ['gpu.sk', ['gpu.sku']],
    ['driver', []],
    ['code', []],
    ['the new kernel', []],
  ])('says of the declared variable %s that no run has it, and which is near', (name, near) => {
    const own = { workload: { 'workload.settings.precision': 'tf32' }, environment: { 'env.NCCL_ALGO': 'Ring' } };
    const primary = read({ ...arms(own), variable: [name] });
    const { warnings = [], verdict } = primary?.comparisons[0]?.result ?? {};
    expect([verdict, warnings.filter(({ code }) => code.startsWith('VARIABLE'))]).toEqual([
      expect.stringMatching(/IMPROVED|NOT_COMPARABLE/),
      [{ code: 'VARIABLE_UNCHANGED', details: { keys: [name], isInNoRun: true, near } }],
    ]);
  });

  it('says nothing of a variable that people gave each arm', () => {
    const changed = arms({ environment: { code: 'new' } });
    const before = changed.before.map((one) => ({ ...one, environment: { code: 'old' } }));
    const primary = read({ ...changed, before, variable: ['code'] });
    expect(primary?.comparisons[0]?.result.warnings).toEqual([]);
  });

  it('lets a guardrail fail that begins at zero', () => {
    const before = [10, 10.1, 10.2, 10.3].map((time) => run({ time, quality: 1 }));
    const after = [8, 8.1, 8.2, 8.3].map((time) => run({ time, quality: 0 }));
    expect(read({ before, after, guardrails: ['quality'] })).toMatchObject({
      verdict: 'BLOCKED_BY_GUARDRAIL',
      guardrailsPassed: false,
    });
  });

  it('does not know the session of a single value', () => {
    expect(
      primaryOf({ before: [run({ time: 10 }, { session: null })], after: [run({ time: 8 }, { session: null })] }).codes,
    ).toContain('SESSIONS_UNKNOWN');
  });
});

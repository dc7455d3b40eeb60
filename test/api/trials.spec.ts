import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { noiseFloorOf } from '../../src/domain/measurement/noise.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { added, rowsOf } from '../support/rows.js';

const CREATE = `mutation($input: CreateTrialInput!) {
  createTrial(input: $input) {
    id verdict isControl guardrails
    comparisons { metric { key } role verdict evidence method threshold requiredGain gain warnings { code } }
  }
}`;
const RECORD = `mutation($input: RecordMeasurementInput!) {
  recordMeasurement(input: $input) {
    id verdict isControl comparisons { verdict evidence threshold requiredGain warnings { code } }
  }
}`;
const TRIAL = `query($id: ID!) {
  trial(id: $id) {
    id verdict auditItem { id item { key title { en } } } primaryMetric { key }
    beforeRuns { id isNew source observations { totalCount edges { node { value metric { key unit } } } } }
    afterRuns { id observations { edges { node { metric { key } } } } }
    comparisons { metric { key } samples { value runId } warnings { code message { en } } environmentDifferences { key } }
  }
}`;

const metric = 'training.throughput';

describe('createTrial', () => {
  let app: TestApp;
  let audit: given.GivenAudit;
  let auditItemId: string;
  let arms: { beforeRunIds: string[]; afterRunIds: string[] };
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    audit = await given.audit(app.db);
    auditItemId = audit.item('precision/tf32').id;
    arms = {
      beforeRunIds: await given.runs(app.db, audit, metric, [100, 101, 99, 100.5]),
      afterRunIds: await given.runs(app.db, audit, metric, [110, 111, 109, 110.5]),
    };
  });
  afterAll(() => app.close());

  const send = (change: object = {}) =>
    app.as(audit.contributor).send(CREATE, {
      input: { auditItemId, primaryMetric: metric, variable: ['x'], ...arms, ...change },
    });
  const record = (change: object) =>
    app.as(audit.contributor).send(RECORD, {
      input: { auditItemId, metric, sampling: 'SEPARATE_SESSIONS', ...change },
    });
  const floors = () => app.db.noiseFloor.count({ where: { projectId: audit.project.id } });

  it('compares runs and can be read as it was made', async () => {
    const before = await rowsOf(app.db);
    const { data, errors } = await send();
    expect(errors).toEqual([]);
    expect(data.createTrial).toMatchObject({
      verdict: 'IMPROVED',
      isControl: false,
      comparisons: [{ metric: { key: metric }, role: 'PRIMARY', evidence: 'STATISTICAL', method: 'MANN_WHITNEY' }],
    });
    expect(added(before, await rowsOf(app.db))).toEqual({ Comparison: 1, HistoryEntry: 1, Trial: 1, TrialRun: 8 });
    const read = await app.as(audit.viewer).send(TRIAL, { id: data.createTrial.id });
    expect(read.data.trial).toMatchObject({
      verdict: 'IMPROVED',
      auditItem: { id: auditItemId, item: { key: 'precision/tf32' } },
      primaryMetric: { key: metric },
    });
    expect(read.data.trial.beforeRuns.map(({ id }: { id: string }) => id)).toEqual(arms.beforeRunIds);
    expect(read.data.trial.afterRuns.map(({ id }: { id: string }) => id)).toEqual(arms.afterRunIds);
    expect(read.data.trial.beforeRuns[1].observations).toEqual({
      totalCount: 1,
      edges: [{ node: { value: 101, metric: { key: metric, unit: 'samples/s' } } }],
    });
    for (const who of [audit.stranger, null]) {
      expect(await app.as(who).send(TRIAL, { id: data.createTrial.id })).toMatchObject({
        data: { trial: null },
        errors: [],
      });
    }
  });

  it('keeps a plan without runs and without a verdict', async () => {
    const { data } = await send({ beforeRunIds: [], afterRunIds: [] });
    expect(data.createTrial).toMatchObject({ verdict: null, comparisons: [] });
  });

  describe('with a guardrail', () => {
    const slower = 'serving.ttft.mean';
    async function guarded(after: number) {
      const runs = (values: number[], ttft: number) =>
        Promise.all(values.map((value) => given.run(app.db, audit, { values: { [metric]: value, [slower]: ttft } })));
      const { data, errors } = await send({
        beforeRunIds: await runs([100, 101, 99, 100.5], 50),
        afterRunIds: await runs([110, 111, 109, 110.5], after),
        guardrails: [slower],
      });
      expect(errors).toEqual([]);
      return data.createTrial;
    }

    it('blocks success where it fails', async () => {
      const trial = await guarded(60);
      expect(trial).toMatchObject({
        verdict: 'BLOCKED_BY_GUARDRAIL',
        guardrails: [slower],
        comparisons: [
          { role: 'PRIMARY', verdict: 'BLOCKED_BY_GUARDRAIL' },
          { role: 'GUARDRAIL', verdict: 'REGRESSED' },
        ],
      });
      expect(await proof('APPLIED')).toBe('REGRESSED');
    });

    it('lets success pass where it holds', async () => {
      expect(await guarded(50)).toMatchObject({ verdict: 'IMPROVED' });
      expect(await proof('APPLIED')).toBe('VERIFIED');
    });

    it('verifies nothing where it was not measured', async () => {
      const { data } = await send({ guardrails: [slower] });
      expect(data.createTrial).toMatchObject({
        verdict: 'IMPROVED',
        comparisons: [{ warnings: [{ code: 'GUARDRAIL_NOT_SHOWN' }, { code: 'VARIABLE_UNCHANGED' }] }],
      });
      expect(await proof('APPLIED')).toBe('INDICATED');
    });
  });

  async function proof(outcome: string): Promise<string | null> {
    const { version } = await app.db.auditItem.findUniqueOrThrow({ where: { id: auditItemId } });
    const { data } = await app.owner.send(
      `mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { proof } }`,
      { input: { id: auditItemId, version, outcome } },
    );
    return data.updateAuditItem.proof;
  }

  it('proves of an item what its newest trial with a verdict says', async () => {
    const four = [100, 101, 99, 100.5];
    const times = (factor: number) => four.map((value) => value * factor);
    expect(await proof('APPLIED')).toBe('UNVERIFIED');
    await record({ before: four, after: times(1.2) });
    expect(await proof('APPLIED')).toBe('VERIFIED');
    await send({ beforeRunIds: [], afterRunIds: [] });
    expect(await proof('APPLIED')).toBe('VERIFIED');
    await record({ before: four.slice(1), after: times(1.2).slice(1) });
    expect(await proof('APPLIED')).toBe('INDICATED');
    await record({ before: four, after: times(0.8) });
    expect(await proof('APPLIED')).toBe('REGRESSED');
    await record({ before: four, after: times(1.2), sampling: 'ONE_SESSION' });
    expect(await proof('APPLIED')).toBe('INDICATED');
    await record({ before: [100, 100, 100, 100], after: [100, 100, 100, 100] });
    expect(await proof('APPLIED')).toBe('UNVERIFIED');
    await record({ before: four, after: times(1.2), environmentAfter: { driver: '580' } });
    expect(await proof('APPLIED')).toBe('INDICATED');
    expect(await proof('ALREADY_IN_PLACE')).toBeNull();
  });

  it('measures the noise floor with an A/A run, and holds the next single run against it', async () => {
    const single = { before: [100], after: [130] };
    expect((await record(single)).data.recordMeasurement).toMatchObject({ verdict: 'INCONCLUSIVE' });
    const [before, after] = [
      [100, 104, 97],
      [101, 98, 102],
    ];
    const control = await record({ before, after, isControl: true });
    expect(control.data.recordMeasurement).toMatchObject({ isControl: true, verdict: 'INCONCLUSIVE' });
    const floor = noiseFloorOf([100, 104, 97, 101, 98, 102]) ?? 0;
    expect(floor).toBeGreaterThan(0.05);
    const { data } = await record({ ...single, after: [140] });
    const [comparison] = data.recordMeasurement.comparisons;
    expect(comparison).toMatchObject({ verdict: 'IMPROVED', evidence: 'SINGLE_RUN' });
    expect(comparison.threshold).toBeCloseTo(floor, 12);
    // A floor of six values is taken as 5.7 floors
    expect(comparison.requiredGain).toBeCloseTo(5.7 * floor, 12);
    expect((await record(single)).data.recordMeasurement.verdict).toBe('INCONCLUSIVE');
    const elsewhere = await record({ ...single, environmentBefore: { cuda: '13' }, environmentAfter: { cuda: '13' } });
    expect(elsewhere.data.recordMeasurement.comparisons[0].threshold).toBe(0.02);
  });

  it('takes two arms of one variant for an A/A run', async () => {
    const same = (value: number) => given.run(app.db, audit, { values: { [metric]: value }, variant: 'baseline' });
    const beforeRunIds = [await same(100), await same(101), await same(99)];
    const afterRunIds = [await same(100), await same(102), await same(98)];
    const { data } = await send({ beforeRunIds, afterRunIds, variable: [] });
    expect(data.createTrial.isControl).toBe(true);
    expect(await floors()).toBe(0);
  });

  it('takes two arms of one variant for a trial where a variable was declared, though no fact shows it', async () => {
    const same = (value: number) => given.run(app.db, audit, { values: { [metric]: value }, variant: 'baseline' });
    const beforeRunIds = [await same(100), await same(101), await same(99)];
    const afterRunIds = [await same(200), await same(202), await same(198)];
    const { data } = await send({ beforeRunIds, afterRunIds, variable: ['vm.swappiness'] });
    expect(data.createTrial).toMatchObject({ isControl: false, verdict: 'IMPROVED' });
    expect(await floors()).toBe(0);
    const { measuredProof } = await app.db.auditItem.findUniqueOrThrow({ where: { id: auditItemId } });
    expect(measuredProof).toBe('INDICATED');
  });

  it.each([
    ['not comparable', 'NOT_COMPARABLE', { environmentAfter: { 'gpu.sku': 'B' } }],
    ['confounded', 'INCONCLUSIVE', { environmentAfter: { driver: '580' } }],
    ['not the same', 'IMPROVED', { after: [200, 202, 198] }],
  ])('measures no noise floor with an A/A run that is %s', async (_, verdict, change) => {
    const environmentBefore = { 'gpu.sku': 'A', driver: '570' };
    const arms = { before: [100, 104, 97], after: [101, 98, 102] };
    const environmentAfter = environmentBefore;
    const { data } = await record({ ...arms, isControl: true, environmentBefore, environmentAfter, ...change });
    expect(data.recordMeasurement).toMatchObject({ isControl: true, verdict });
    expect(await floors()).toBe(0);
  });

  const wrong: [string, () => object | Promise<object>, string, RegExp][] = [
    ['one empty arm', () => ({ afterRunIds: [] }), 'INVALID_INPUT', /^afterRunIds has 0 runs; 1 to 1000/],
    ['a run in both arms', () => ({ afterRunIds: arms.beforeRunIds }), 'INVALID_INPUT', /is named twice$/],
    ['a run that is not there', () => ({ afterRunIds: ['none'] }), 'NOT_FOUND', /^There is no run "none"/],
    ['an unknown metric', () => ({ primaryMetric: 'no.such' }), 'INVALID_INPUT', /^There is no metric "no.such"/],
    ['an unknown guardrail', () => ({ guardrails: ['no.such'] }), 'INVALID_INPUT', /^There is no metric "no.such"/],
    ['one metric in two roles', () => ({ guardrails: [metric] }), 'INVALID_INPUT', /both the primary metric and/],
    ['a threshold below zero', () => ({ threshold: -1 }), 'INVALID_INPUT', /^threshold must be 0 or more, and is -1/],
    [
      'a metric that the runs lack',
      () => ({ primaryMetric: 'time.latency' }),
      'INVALID_INPUT',
      /"time\.latency" is in both arms\. Before: training\.throughput\. After: training\.throughput$/,
    ],
    [
      'a run of another project',
      async () => ({ afterRunIds: await given.runs(app.db, await given.project(app.db), metric, [1]) }),
      'NOT_FOUND',
      /in this project$/,
    ],
    [
      'a failed run',
      async () => ({ afterRunIds: [await given.run(app.db, audit, { values: { [metric]: 1 }, status: 'FAILED' })] }),
      'CONFLICT',
      /failed: its numbers are no measurement$/,
    ],
  ];
  it.each(wrong)('refuses %s and writes nothing', async (_, change, code, message) => {
    const input = await change();
    const before = await rowsOf(app.db);
    const answer = await send(input);
    expect(answer).toMatchObject({ data: null, errorCode: code });
    expect(answer.errors[0]?.message).toMatch(message);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it.each([
    ['a viewer of the project', 'viewer', 'FORBIDDEN'],
    ['a stranger', 'stranger', 'NOT_FOUND'],
    ['nobody', null, 'UNAUTHENTICATED'],
  ] as const)('refuses %s', async (_, who, code) => {
    const before = await rowsOf(app.db);
    const input = { auditItemId, primaryMetric: metric, variable: [], ...arms };
    const answer = await app.as(who === null ? null : audit[who]).send(CREATE, { input });
    expect(answer).toMatchObject({ data: null, errorCode: code });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('refuses a closed audit', async () => {
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { status: 'CLOSED' } });
    const before = await rowsOf(app.db);
    expect((await send()).errorCode).toBe('CONFLICT');
    expect((await send({ beforeRunIds: [], afterRunIds: [] })).errorCode).toBe('CONFLICT');
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('takes the same request once, however often and at whatever time it comes', async () => {
    const before = await rowsOf(app.db);
    const again = { clientMutationId: `trial ${auditItemId}` };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(again)));
    answers.push(await send(again));
    expect(new Set(answers.map(({ data }) => data.createTrial.id)).size).toBe(1);
    expect(added(before, await rowsOf(app.db))).toMatchObject({ Trial: 1, Comparison: 1, HandledRequest: 1 });
    expect((await send({ ...again, variable: ['y'] })).errorCode).toBe('INVALID_INPUT');
  });

  describe('of runs that are there as the same trial', () => {
    const AGAIN = `mutation($input: CreateTrialInput!) { createTrial(input: $input) { id isNew verdict } }`;
    const input = (change: object = {}) => ({
      auditItemId,
      primaryMetric: metric,
      variable: ['x', 'y'],
      hypothesis: 'Faster',
      threshold: 0.02,
      ...arms,
      ...change,
    });
    const ask = async (change: object = {}, who = audit.contributor) =>
      (await app.as(who).send(AGAIN, { input: input(change) })).data.createTrial;

    it('answers that one, whoever asks, at once and in any order', async () => {
      const before = await rowsOf(app.db);
      const first = await ask();
      expect(first).toMatchObject({ isNew: true, verdict: 'IMPROVED' });
      const order = { beforeRunIds: [...arms.beforeRunIds].reverse(), variable: ['y', 'x'] };
      const again = await Promise.all([ask(), ask({}, audit.maintainer), ask(order)]);
      expect(again).toEqual([1, 2, 3].map(() => ({ ...first, isNew: false })));
      expect(added(before, await rowsOf(app.db))).toEqual({ Comparison: 1, HistoryEntry: 1, Trial: 1, TrialRun: 8 });
    });

    it('makes another one where anything differs', async () => {
      const changes = [
        {},
        { hypothesis: 'Slower' },
        { hypothesis: null },
        { threshold: 0.05 },
        { threshold: null },
        { variable: ['x'] },
        { guardrails: ['serving.ttft.mean'] },
        { isControl: true },
        { plannedRunsPerArm: 4 },
        { auditItemId: audit.item('network/nccl-settings').id },
        { afterRunIds: arms.afterRunIds.slice(0, 3) },
        { beforeRunIds: arms.afterRunIds, afterRunIds: arms.beforeRunIds },
      ];
      const made = [];
      for (const change of changes) made.push(await ask(change));
      expect(made.map(({ isNew }) => isNew)).toEqual(changes.map(() => true));
      expect(new Set(made.map(({ id }) => id)).size).toBe(changes.length);
    });

    it('answers it also after it got further runs, and by those that it has then', async () => {
      const first = await ask();
      const more = await given.runs(app.db, audit, metric, [110.2]);
      await app
        .as(audit.contributor)
        .send('mutation($input: ExtendTrialInput!) { extendTrial(input: $input) { id } }', {
          input: { id: first.id, beforeRunIds: [], afterRunIds: more },
        });
      expect(await ask()).toMatchObject({ id: first.id, isNew: false });
      expect(await ask({ afterRunIds: [...arms.afterRunIds, ...more] })).toMatchObject({ id: first.id, isNew: false });
      expect(await ask({ afterRunIds: arms.afterRunIds.slice(0, 2) })).toMatchObject({ isNew: true });
    });

    it('takes no plan for the same', async () => {
      const plan = { beforeRunIds: [], afterRunIds: [] };
      expect((await ask(plan)).id).not.toBe((await ask(plan)).id);
    });
  });

  it('reads a trial in as many statements as it takes for a small one', async () => {
    const small = (await send()).data.createTrial.id;
    const many = Array.from({ length: 20 }, (_, index) => 100 + index);
    const large = await send({
      beforeRunIds: await given.runs(app.db, audit, metric, many),
      afterRunIds: await given.runs(app.db, audit, metric, many),
    });
    const statements = (id: string) => app.statementsOf(() => app.as(audit.viewer).send(TRIAL, { id }));
    await statements(small);
    const [few, more] = [await statements(small), await statements(large.data.createTrial.id)];
    expect(more).toBe(few);
    expect(few).toBeLessThanOrEqual(16);
  });
});

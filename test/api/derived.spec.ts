import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const DERIVED = `query($id: ID!, $fleet: FleetInput, $gpus: Float) { run(id: $id) { derived(fleet: $fleet, gpus: $gpus) {
  key name { en zh } value unit low high formula { en } inputs { key value unit source } missing { key reason { en zh } }
} } }`;
const SAVINGS = `query($id: ID!, $fleet: FleetInput, $metric: String, $dimensions: JSON) { trial(id: $id) {
  savings(fleet: $fleet, metric: $metric, dimensions: $dimensions) {
    metric verdict evidence isConfounded gpuHours { value low high unit } money { value low high unit } energy { value unit }
    payback { cost months } missing { key } reason { en zh } remarks { en } text { en zh } inputs { key source }
} } }`;
const AUDIT_SAVINGS = `query($id: ID!, $fleet: FleetInput) { audit(id: $id) { savings(fleet: $fleet) {
  metric { key } disagrees together { gpuHours { value } reason { en } } endToEnd { gpuHours { value } }
  steps { auditItem { id } trial { id } alone { gpuHours { value } } added { gpuHours { value } } }
} } }`;
const FLEET = { gpus: 100, busyShare: 0.5, hoursPerMonth: 700, currency: 'USD', pricePerGpuHour: 2 };

interface Derived {
  key: string;
  value: number | null;
  missing: { key: string }[];
}

async function measured(
  of: given.GivenAudit,
  key: string,
  metric: string,
  before: number[],
  after: number[],
  more = {},
) {
  const input = { auditItemId: of.item(key).id, metric, before, after, sampling: 'SEPARATE_SESSIONS', ...more };
  const { data, errors } = await app
    .as(of.contributor)
    .send('mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }', { input });
  expect(errors).toEqual([]);
  return data.recordMeasurement.id as string;
}

const savings = async (
  of: given.Team,
  id: string,
  variables: object = { fleet: FLEET },
  viewer: { id: string } = of.viewer,
) => {
  const { data, errors } = await app.as(viewer).send(SAVINGS, { id, ...variables });
  expect(errors).toEqual([]);
  return data.trial?.savings;
};

describe('the derived values of a run', () => {
  it('are computed from what it observed, its facts and the prices, with the formula shown', async () => {
    const team = await given.project(app.db);
    const id = await given.run(app.db, team, {
      values: { 'serving.output_token_throughput': 10_000, 'serving.ttft.p99': 200 },
      environment: { 'gpu.count': 8 },
    });
    const { data } = await app.as(team.viewer).send(DERIVED, { id, fleet: { currency: 'USD', pricePerGpuHour: 2.5 } });
    const [cost] = data.run.derived;
    expect(cost).toEqual({
      key: 'cost.per_million_output_tokens',
      name: { en: 'Cost per million output tokens', zh: '每百万输出 token 成本' },
      value: 0.5555555555555556,
      unit: 'USD',
      low: null,
      high: null,
      formula: { en: 'gpu.count × pricePerGpuHour ÷ (serving.output_token_throughput × 3,600) × 1,000,000' },
      inputs: [
        { key: 'serving.output_token_throughput', value: 10_000, unit: 'tokens/s', source: 'OBSERVATION' },
        { key: 'gpu.count', value: 8, unit: 'count', source: 'ENVIRONMENT' },
        { key: 'pricePerGpuHour', value: 2.5, unit: 'USD', source: 'ARGUMENT' },
      ],
      missing: [],
    });
    const values = data.run.derived.map(({ key, value, missing }: Derived) => [
      key,
      value,
      missing.map((one) => one.key),
    ]);
    expect(values).toContainEqual(['throughput.output_tokens_per_gpu', 1250, []]);
    expect(values).toContainEqual(['energy.per_output_token', null, ['power']]);
  });

  it('take the prices that are set for the project, and say what is missing without guessing', async () => {
    const team = await given.project(app.db);
    await app.db.fleet.create({ data: { projectId: team.project.id, currency: 'EUR', pricePerGpuHour: 3.6 } });
    const id = await given.run(app.db, team, { values: { 'training.step_time': 500 } });
    const ask = async (variables: object) => {
      const { data } = await app.as(team.viewer).send(DERIVED, { id, ...variables });
      return data.run.derived.find(({ key }: Derived) => key === 'cost.per_step');
    };
    expect(await ask({})).toMatchObject({
      value: null,
      unit: 'EUR',
      missing: [
        {
          key: 'gpu.count',
          reason: {
            en: 'How many GPUs the run used is not known: the run lacks the fact gpu.count, and `gpus` is not given',
            zh: '不知道本次运行使用了多少块 GPU：运行没有 gpu.count，也没有给出 `gpus`',
          },
        },
      ],
    });
    expect(await ask({ gpus: 2 })).toMatchObject({ value: 0.001, unit: 'EUR', missing: [] });
    expect(await ask({ gpus: 2, fleet: { currency: 'USD' } })).toMatchObject({
      value: null,
      unit: 'USD',
      missing: [{ key: 'pricePerGpuHour' }],
    });
  });

  it('are none of a failed run, and refuse what cannot be', async () => {
    const team = await given.project(app.db);
    const id = await given.run(app.db, team, { values: { 'training.step_time': 500 }, status: 'FAILED' });
    expect((await app.as(team.viewer).send(DERIVED, { id })).data.run.derived).toEqual([]);
    expect((await app.as(team.viewer).send(DERIVED, { id, gpus: -1 })).errorCode).toBe('INVALID_INPUT');
    expect((await app.as(team.viewer).send(DERIVED, { id, fleet: { pricePerKwh: 1 } })).errorCode).toBe(
      'INVALID_INPUT',
    );
  });

  it('of many runs are read in as many statements as those of one', async () => {
    const team = await given.project(app.db);
    const some = async (count: number) => {
      await given.runs(
        app.db,
        team,
        'training.step_time',
        Array.from({ length: count }, (_, index) => 500 + index),
      );
      const query =
        'query($slug: String!) { project(slug: $slug) { runs { edges { node { derived { key value } } } } } }';
      return app.statementsOf(() => app.as(team.viewer).send(query, { slug: team.project.slug }));
    };
    const few = await some(2);
    expect(await some(20)).toBe(few);
  });
});

describe('the savings of a trial', () => {
  it('are the hours and the money of a month, with the interval carried through', async () => {
    const audit = await given.audit(app.db);
    const id = await measured(
      audit,
      'precision/tf32',
      'training.throughput',
      [100, 101, 99, 100],
      [125, 126, 124, 125],
    );
    const found = await savings(audit, id);
    expect(found).toMatchObject({
      metric: 'training.throughput',
      verdict: 'IMPROVED',
      evidence: 'STATISTICAL',
      reason: null,
    });
    expect(found.gpuHours.value).toBeCloseTo(7000, 6);
    expect(found.gpuHours.unit).toBe('GPU-h');
    expect(found.gpuHours.low).toBeLessThan(7000);
    expect(found.gpuHours.high).toBeGreaterThan(7000);
    expect(found.money.value).toBeCloseTo(14_000, 6);
    expect(found.money.low).toBeCloseTo(found.gpuHours.low * 2, 6);
    expect(found.missing).toEqual([{ key: 'powerPerGpu' }]);
    expect(found.text.en).toMatch(/^Saved per month: 7,000 \[[\d,]+, [\d,]+\] GPU hours, USD 14,000 \[/);
    expect(found.text.zh).toMatch(/^每月节省：7,000 \[/);
  });

  it('are negative for a regression of a time, and take the fleet of the project', async () => {
    const audit = await given.audit(app.db);
    await app.db.fleet.create({ data: { projectId: audit.project.id, gpus: 100, busyShare: 0.5, hoursPerMonth: 700 } });
    const id = await measured(
      audit,
      'precision/tf32',
      'training.step_time',
      [100, 100, 100, 100],
      [125, 125, 125, 125],
    );
    const found = await savings(audit, id, {});
    expect(found.verdict).toBe('REGRESSED');
    expect(found.gpuHours.value).toBeCloseTo(-8750, 6);
    expect(found.inputs).toContainEqual({ key: 'gpus', source: 'SETTING' });
    expect(found.missing.map(({ key }: { key: string }) => key)).toEqual(['pricePerGpuHour', 'powerPerGpu']);
  });

  it('include zero where nothing was settled', async () => {
    const audit = await given.audit(app.db);
    const id = await measured(audit, 'precision/tf32', 'training.throughput', [100, 110, 90, 104], [103, 115, 92, 108]);
    const found = await savings(audit, id);
    expect(found.verdict).toBe('INCONCLUSIVE');
    expect(found.gpuHours.low).toBeLessThanOrEqual(0);
    expect(found.gpuHours.high).toBeGreaterThanOrEqual(0);
    expect(found.remarks[0].en).toBe('The trial settles nothing: the saving may be zero.');
  });

  it.each([
    ['a kernel time', 'kernel.time', {}, /kernel is a part of the work/],
    ['the tail of a latency', 'serving.ttft.p99', {}, /how long one request waits/],
    ['a metric of the project', 'widgets', { unit: 'tokens/s', direction: 'HIGHER_IS_BETTER' }, /named it itself/],
    ['an A/A run', 'training.throughput', { isControl: true }, /A\/A run/],
    [
      'other hardware',
      'training.throughput',
      { environmentBefore: { 'gpu.sku': 'A' }, environmentAfter: { 'gpu.sku': 'B' } },
      /not comparable/,
    ],
  ])('are none, with the reason, for %s', async (_, metric, more, why) => {
    const audit = await given.audit(app.db);
    const id = await measured(audit, 'precision/tf32', metric, [100, 101, 99, 100], [125, 126, 124, 125], more);
    const found = await savings(audit, id);
    expect([found.gpuHours, found.money]).toEqual([null, null]);
    expect(found.reason.en).toMatch(why);
    expect(found.reason.zh).toMatch(/\p{Script=Han}/u);
  });

  it('say that a trial is confounded, or of one run an arm', async () => {
    const audit = await given.audit(app.db);
    const driver = { environmentBefore: { driver: '570' }, environmentAfter: { driver: '580' } };
    const id = await measured(
      audit,
      'precision/tf32',
      'training.throughput',
      [100, 101, 99, 100],
      [125, 126, 124, 125],
      driver,
    );
    const found = await savings(audit, id);
    expect([found.isConfounded, found.remarks.map(({ en }: { en: string }) => en.split(':')[0])]).toEqual([
      true,
      ['Confounded'],
    ]);
    const single = await savings(audit, await measured(audit, 'precision/tf32', 'training.throughput', [100], [125]));
    expect([single.evidence, single.gpuHours.low]).toEqual(['SINGLE_RUN', null]);
  });

  it('are held against engineering hours, and are of a plan nothing', async () => {
    const audit = await given.audit(app.db);
    const id = await measured(
      audit,
      'precision/tf32',
      'training.throughput',
      [100, 100, 100, 100],
      [125, 125, 125, 125],
    );
    const fleet = { ...FLEET, engineeringHours: 70, pricePerEngineeringHour: 100 };
    const { payback } = await savings(audit, id, { fleet });
    expect(payback.cost).toBe(7000);
    expect(payback.months).toBeCloseTo(0.5, 8);
    const input = {
      auditItemId: audit.item('precision/tf32').id,
      beforeRunIds: [],
      afterRunIds: [],
      primaryMetric: 'training.throughput',
      variable: [],
    };
    const { data } = await app
      .as(audit.contributor)
      .send('mutation($input: CreateTrialInput!) { createTrial(input: $input) { id } }', { input });
    expect((await savings(audit, data.createTrial.id)).reason.en).toBe('The trial is a plan: nothing was measured yet');
  });

  it('take the power that both arms measured', async () => {
    const audit = await given.audit(app.db);
    const arm = (value: number, watts: number) =>
      Promise.all(
        [0, 1, 2, 3].map(() =>
          given.run(app.db, audit, {
            values: { 'training.throughput': value, 'power.average': watts },
            environment: { 'gpu.count': 1 },
          }),
        ),
      );
    const input = {
      auditItemId: audit.item('precision/tf32').id,
      beforeRunIds: await arm(100, 500),
      afterRunIds: await arm(125, 600),
      primaryMetric: 'training.throughput',
      variable: [],
    };
    const { data } = await app
      .as(audit.contributor)
      .send('mutation($input: CreateTrialInput!) { createTrial(input: $input) { id } }', { input });
    const { energy } = await savings(audit, data.createTrial.id);
    // 35,000 h × (500 − 600 ÷ 1.25) W
    expect(energy.value).toBeCloseTo(700, 6);
  });

  it('refuse a metric that the trial did not compare, and are hidden from strangers', async () => {
    const audit = await given.audit(app.db);
    const id = await measured(audit, 'precision/tf32', 'training.throughput', [100], [125]);
    expect((await app.as(audit.viewer).send(SAVINGS, { id, metric: 'training.mfu' })).errorCode).toBe('INVALID_INPUT');
    expect((await app.as(audit.stranger).send(SAVINGS, { id })).data).toEqual({ trial: null });
  });
});

describe('the savings of an audit', () => {
  it('multiply over the applied items, also in a closed audit, and are shown in its report', async () => {
    const audit = await given.audit(app.db);
    const before = [100, 100, 100, 100];
    for (const [key, after] of [['precision/tf32', 80], ['precision/bf16', 62.5]] as const) {
      await measured(audit, key, 'training.step_time', before, [after, after, after, after]);
      await app.db.auditItem.update({ where: { id: audit.item(key).id }, data: { outcome: 'APPLIED' } });
    }
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { status: 'CLOSED', closedAt: new Date() } });
    const { data, errors } = await app.as(audit.viewer).send(AUDIT_SAVINGS, { id: audit.audit.id, fleet: FLEET });
    expect(errors).toEqual([]);
    const [found] = data.audit.savings;
    expect([found.metric.key, found.together.reason]).toEqual(['training.step_time', null]);
    expect(found.together.gpuHours.value).toBeCloseTo(17_500, 6);
    const hours = (which: 'alone' | 'added') => found.steps.map((step: Record<string, { gpuHours: { value: number } }>) => Math.round(step[which]?.gpuHours.value ?? NaN));
    expect([hours('alone'), hours('added')]).toEqual([[7000, 13_125], [7000, 10_500]]);
    expect(found.steps[0].auditItem.id).toBe(audit.item('precision/tf32').id);

    const report = async (format: string, locale = 'EN') =>
      (await app.as(audit.viewer).send(`query($id: ID!) { auditExport(id: $id, format: ${format}, locale: ${locale}) { content } }`, { id: audit.audit.id })).data.auditExport.content as string;
    expect(await report('MARKDOWN')).not.toContain('What it is worth to the fleet');
    await app.db.fleet.create({ data: { projectId: audit.project.id, ...FLEET } });
    const markdown = await report('MARKDOWN');
    expect(markdown).toContain('## What it is worth to the fleet');
    expect(markdown).toMatch(/\| Together \| .* \| 17,500 .*\| 35,000 .*USD \|/);
    expect(await report('HTML', 'ZH')).toContain('对集群的价值');
    expect(await report('JSON')).not.toContain('pricePerGpuHour');
  });
}); // prettier-ignore

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noiseFloorOf } from '../../src/domain/measurement/noise.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';

const FLOORS = `query($slug: String!, $first: Int, $after: String) {
  project(slug: $slug) {
    noiseFloors(first: $first, after: $after) {
      totalCount pageInfo { hasNextPage }
      edges { cursor node { id value runCount facts isCurrent metric { key } trial { id } } }
    }
  }
}`;
const NEEDED = `query($input: RunsNeededInput!) {
  runsNeeded(input: $input) {
    perArm pairs smallestEffect threshold source spread noiseFloor { id isCurrent } message { en zh }
  }
}`;
const RECORD = `mutation($input: RecordMeasurementInput!) {
  recordMeasurement(input: $input) {
    id verdict
    beforeRuns { id observations { edges { node { value summary { mean sd n } } } } }
    comparisons {
      verdict evidence method nBefore nAfter medianBefore pValue gain moreRunsPerArm warnings { code message { en zh } }
    }
  }
}`;

const metric = 'training.throughput';
const quiet = { before: [100, 100.4, 99.7], after: [100.1, 99.8, 100.2] };
const values = [...quiet.before, ...quiet.after];

let app: TestApp;
let audit: given.GivenAudit;
beforeAll(async () => {
  app = await startApp();
  audit = await given.audit(app.db);
});
afterAll(() => app.close());

async function record(input: object, who: { id: string } = audit.contributor, team = audit) {
  const auditItemId = team.item('precision/tf32').id;
  const { data, errors, errorCode } = await app
    .as(who)
    .send(RECORD, { input: { auditItemId, metric, sampling: 'SEPARATE_SESSIONS', before: [], after: [], ...input } });
  return { trial: data?.recordMeasurement, message: errors[0]?.message, errorCode };
}

describe('noise floors of a project', () => {
  it('keep what they hold for and who told them; the newest counts', async () => {
    const context = {
      environmentBefore: { driver: '570', host: 'a' },
      environmentAfter: { driver: '570', host: 'a' },
      workloadBefore: { model: 'm' },
      workloadAfter: { model: 'm' },
    };
    const first = await record({ ...quiet, ...context, isControl: true });
    const second = await record({ before: [100, 104, 97], after: [101, 98, 102], ...context, isControl: true });
    const { data, errors } = await app.as(audit.viewer).send(FLOORS, { slug: audit.project.slug });
    expect(errors).toEqual([]);
    const facts = { driver: '570', 'workload.model': 'm' };
    expect(data.project.noiseFloors).toMatchObject({
      totalCount: 2,
      edges: [
        { node: { runCount: 6, facts, isCurrent: true, metric: { key: metric }, trial: { id: second.trial.id } } },
        { node: { runCount: 6, facts, isCurrent: false, trial: { id: first.trial.id } } },
      ],
    });
    expect(data.project.noiseFloors.edges[1].node.value).toBeCloseTo(noiseFloorOf(values) ?? 0, 12);
    const page = await app.as(audit.viewer).send(FLOORS, { slug: audit.project.slug, first: 1 });
    expect(page.data.project.noiseFloors.pageInfo.hasNextPage).toBe(true);
    const { cursor } = page.data.project.noiseFloors.edges[0];
    const rest = await app.as(audit.viewer).send(FLOORS, { slug: audit.project.slug, after: cursor });
    expect(rest.data.project.noiseFloors.edges).toHaveLength(1);
    expect((await app.as(audit.stranger).send(FLOORS, { slug: audit.project.slug })).data.project).toBeNull();
  });

  it('have no facts where an old version measured them', async () => {
    const { id: metricId } = await app.db.metric.findFirstOrThrow({ where: { key: metric, scope: '' } });
    const team = await given.project(app.db);
    await app.db.noiseFloor.create({
      data: { projectId: team.project.id, metricId, contextKey: 'old', value: 0.01, runCount: 5 },
    });
    const { data } = await app.as(team.viewer).send(FLOORS, { slug: team.project.slug });
    expect(data.project.noiseFloors.edges).toMatchObject([{ node: { facts: null, trial: null, value: 0.01 } }]);
  });
});

describe('runsNeeded', () => {
  let team: given.GivenAudit;
  beforeAll(async () => {
    team = await given.audit(app.db);
  });
  const ask = async (input: object, who: { id: string } | null = team.viewer) => {
    const { data, errors, errorCode } = await app
      .as(who)
      .send(NEEDED, { input: { projectId: team.project.id, metric, ...input } });
    return { answer: data?.runsNeeded, message: errors[0]?.message, errorCode };
  };

  it('says plainly where nothing is known of the noise', async () => {
    const { answer } = await ask({ auditId: team.audit.id });
    expect(answer).toMatchObject({
      perArm: null,
      pairs: null,
      smallestEffect: 0.02,
      threshold: 0.02,
      source: 'UNKNOWN',
      spread: null,
      noiseFloor: null,
      message: {
        en: expect.stringMatching(/^Nothing is known of the noise here/),
        zh: expect.stringMatching(/^此处的噪声未知/),
      },
    });
  });

  it('goes by the noise floor of a run, of an audit, or by its id', async () => {
    const { trial } = await record({ ...quiet, isControl: true }, team.contributor, team);
    const floor = await app.db.noiseFloor.findFirstOrThrow({ where: { trialId: trial.id } });
    const runId = trial.beforeRuns[0].id;
    for (const context of [{ runId }, { auditId: team.audit.id }, { noiseFloorId: floor.id }]) {
      const { answer } = await ask({ ...context, smallestEffect: 0.05 });
      expect(answer).toMatchObject({
        perArm: 4,
        pairs: 6,
        threshold: 0.02,
        source: 'NOISE_FLOOR',
        noiseFloor: { id: floor.id, isCurrent: true },
        message: { zh: '每组约 4 次运行，或至多 6 对，可以 80% 的功效看出 5% 的变化。' },
      });
      expect(answer.spread).toBeCloseTo((noiseFloorOf(values) ?? 0) / 1.959963984540054, 12);
    }
    expect((await ask({ runId, smallestEffect: 0.01 })).answer).toMatchObject({ perArm: null, threshold: 0.02 });
  });

  it('goes by the repetitions of a run where there is no floor', async () => {
    const run = await given.run(app.db, team, { values: { [metric]: 100 }, environment: { driver: '1' } });
    await app.db.observation.updateMany({ where: { runId: run }, data: { repeats: [100, 102, 98, 101, 99] } });
    expect((await ask({ runId: run, smallestEffect: 0.05 })).answer).toMatchObject({
      source: 'REPETITIONS',
      message: { en: expect.stringMatching(/5 repetitions inside one session/) },
    });
  });

  it.each([
    ['no context', {}, 'INVALID_INPUT'],
    ['two contexts', { runId: 'a', auditId: 'b' }, 'INVALID_INPUT'],
    ['an unknown metric', { metric: 'no.such', runId: 'a' }, 'INVALID_INPUT'],
    ['an effect of 500 %', { smallestEffect: 5, runId: 'a' }, 'INVALID_INPUT'],
    ['no run', { runId: 'none' }, 'NOT_FOUND'],
    ['no audit', { auditId: 'none' }, 'NOT_FOUND'],
    ['no floor', { noiseFloorId: 'none' }, 'NOT_FOUND'],
  ])('refuses %s', async (_, input, code) => {
    expect((await ask(input)).errorCode).toBe(code);
  });

  it('is hidden from strangers, and finds nothing of other projects', async () => {
    expect((await ask({ auditId: team.audit.id }, team.stranger)).errorCode).toBe('NOT_FOUND');
    expect((await ask({ auditId: audit.audit.id })).errorCode).toBe('NOT_FOUND');
    const elsewhere = await app.db.noiseFloor.findFirstOrThrow({ where: { projectId: audit.project.id } });
    expect((await ask({ noiseFloorId: elsewhere.id })).errorCode).toBe('NOT_FOUND');
  });
});

describe('summaries', () => {
  const before = { beforeSummary: { mean: 100, sd: 2, n: 10 } };
  const after = { afterSummary: { mean: 110, sd: 2, n: 10 } };

  it('are compared by Welch on logarithms, and kept with their run', async () => {
    const { trial } = await record({ ...before, ...after });
    expect(trial).toMatchObject({
      verdict: 'IMPROVED',
      beforeRuns: [{ observations: { edges: [{ node: { value: 100, summary: { mean: 100, sd: 2, n: 10 } } }] } }],
      comparisons: [
        { method: 'WELCH_LOG', evidence: 'SUMMARY', nBefore: 10, nAfter: 10, medianBefore: null, verdict: 'IMPROVED' },
      ],
    });
    expect(trial.comparisons[0].gain).toBeCloseTo(0.1, 12);
    expect(trial.comparisons[0].warnings.map(({ code }: { code: string }) => code)).toEqual(['SUMMARY_ARM', 'SUMMARY_ARM']);
    const { id } = audit.item('precision/tf32');
    expect((await app.db.auditItem.findUniqueOrThrow({ where: { id } })).measuredProof).toBe('VERIFIED');
  }); // prettier-ignore

  it('are in the unit of the measurement', async () => {
    const { trial } = await record({ ...before, ...after, unit: 'samples/min' });
    const [{ node }] = trial.beforeRuns[0].observations.edges;
    expect(node.summary.mean).toBeCloseTo(100 / 60, 12);
    expect(node.summary.sd).toBeCloseTo(2 / 60, 12);
    expect(trial.verdict).toBe('IMPROVED');
  });

  it('of one session, or of a session that nobody knows, indicate at most', async () => {
    for (const [sampling, code] of [['ONE_SESSION', 'ONE_SESSION_ARM'], ['UNKNOWN', 'SESSIONS_UNKNOWN']] as const) {
      const { trial } = await record({ ...before, ...after, sampling });
      expect(trial.comparisons[0]).toMatchObject({ verdict: 'IMPROVED', evidence: 'INDICATIVE' });
      expect(trial.comparisons[0].warnings.map((one: { code: string }) => one.code)).toContain(code);
    }
  }); // prettier-ignore

  it('of few or of an unknown number of values prove no more than an indication', async () => {
    const { id } = audit.item('precision/tf32');
    const proof = async () => (await app.db.auditItem.findUniqueOrThrow({ where: { id } })).measuredProof;
    await record({ beforeSummary: { mean: 100, sd: 0.5, n: 3 }, afterSummary: { mean: 120, sd: 0.5, n: 3 } });
    expect(await proof()).toBe('INDICATED');
    const { trial } = await record({ beforeSummary: { mean: 100, sd: 0.1 }, afterSummary: { mean: 120, sd: 0.1 } });
    expect(trial.comparisons[0]).toMatchObject({ verdict: 'IMPROVED', nBefore: 0 });
    expect(trial.comparisons[0].warnings.map(({ code }: { code: string }) => code)).toContain('SUMMARY_COUNT_UNKNOWN');
    expect(await proof()).toBe('INDICATED');
  });

  it('against values take these as their mean and deviation, and say so', async () => {
    const { trial } = await record({ ...before, after: [110, 111, 109, 110.5] });
    expect(trial.comparisons[0]).toMatchObject({ method: 'WELCH_LOG', evidence: 'SUMMARY', nAfter: 4, verdict: 'IMPROVED' });
    expect(trial.comparisons[0].warnings.at(-1)).toEqual({
      code: 'VALUES_AS_SUMMARY',
      message: {
        en: 'One arm is known by its summary alone, so the single values after were taken as their mean and standard deviation.',
        zh: '一组只有汇总，因此改动后的逐次数值按其均值和标准差参与对比。',
      },
    });
    const single = await record({ ...before, after: [150] });
    expect(single.trial.comparisons[0]).toMatchObject({ verdict: 'INCONCLUSIVE', method: 'NONE', moreRunsPerArm: 1 });
    expect(single.trial.comparisons[0].warnings.map(({ code }: { code: string }) => code)).toContain('TOO_FEW_VALUES');
  }); // prettier-ignore

  it('of an imported file are read as one session', async () => {
    const made = async (mean: number) => {
      const run = await given.run(app.db, audit, { values: { [metric]: mean }, environment: { driver: '9' } });
      await app.db.observation.updateMany({ where: { runId: run }, data: { summary: { mean, sd: 1, n: 8 } } });
      return run;
    };
    const { data, errors } = await app.as(audit.contributor).send(
      `mutation($input: CreateTrialInput!) { createTrial(input: $input) { verdict comparisons { method evidence nBefore warnings { code } } } }`,
      { input: { auditItemId: audit.item('precision/tf32').id, primaryMetric: metric, variable: [], beforeRunIds: [await made(100)], afterRunIds: [await made(130)] } },
    );
    expect(errors).toEqual([]);
    expect(data.createTrial).toMatchObject({
      verdict: 'IMPROVED',
      comparisons: [{ method: 'WELCH_LOG', evidence: 'INDICATIVE', nBefore: 8, warnings: [{ code: 'ONE_SESSION_ARM' }, {}, {}] }],
    });
    // Of several runs each mean is one value
    const several = await app.as(audit.contributor).send(
      `mutation($input: CreateTrialInput!) { createTrial(input: $input) { comparisons { method nBefore nAfter } } }`,
      { input: { auditItemId: audit.item('precision/tf32').id, primaryMetric: metric, variable: [], beforeRunIds: [await made(100), await made(101)], afterRunIds: [await made(130), await made(131)] } },
    );
    expect(several.data.createTrial.comparisons).toEqual([{ method: 'RANGE_GAP', nBefore: 2, nAfter: 2 }]);
  }); // prettier-ignore

  it.each([
    ['values and a summary', { before: [1], ...before, ...after }, /^Give exactly one of before and beforeSummary$/],
    ['neither', { ...after }, /^before has 0 values; 1 to 1000 are needed$/],
    [
      'a deviation below zero',
      { beforeSummary: { mean: 1, sd: -1 }, ...after },
      /^beforeSummary needs sd of 0 or more/,
    ],
    ['no values', { beforeSummary: { mean: 1, sd: 1, n: 0 }, ...after }, /n of 1 or more; got sd 1, n 0$/],
    ['pairs', { ...before, ...after, pairs: true }, /^Pairs need the single values of both arms/],
  ])('are refused: %s', async (_, input, message) => {
    const answer = await record(input);
    expect(answer.errorCode).toBe('INVALID_INPUT');
    expect(answer.message).toMatch(message);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { fixture } from '../support/tool-output.js';

const IMPORT = `mutation($input: ImportRunInput!) { importRun(input: $input) { runs { id environment workload } } }`;
const CREATE = `mutation($input: CreateTrialInput!) {
  createTrial(input: $input) {
    id verdict
    comparisons { metric { key } verdict threshold noiseFloor: requiredGain environmentDifferences { key before after } warnings { code } }
  }
}`;
const COMPARE = `query($before: ID!, $after: ID!) {
  compareRuns(before: $before, after: $after) { comparability differences { key before after } }
}`;
const SERIES = `query($slug: String!, $metric: String!, $filter: SeriesFilter) {
  project(slug: $slug) { series(metric: $metric, filter: $filter) { totalCount edges { node {
    pointCount identity noiseFloor { value }
    points { edges { node { value segment changes { key } } } }
  } } } }
}`;
const FLOORS = 'query($slug: String!) { project(slug: $slug) { noiseFloors { edges { node { isCurrent } } } } }';
const NEEDED = `query($input: RunsNeededInput!) { runsNeeded(input: $input) { source noiseFloor { value } } }`;

const metric = 'training.throughput';

/** What was written before words were known, and what the same is called now. */
const old = {
  environment: { 'gpu.sku': 'NVIDIA H200', 'gpu.count': '8', 'fabric.kind': 'RoCEv2', cuda: 12.8, driver: '570.1' },
  workload: { 'workload.precision': 'torch.bfloat16', 'workload.concurrency': '32', 'workload.model': 'm' },
};
const now = {
  environment: { 'gpu.sku': 'H200 SXM', 'gpu.count': 8, 'fabric.kind': 'roce', cuda: '12.8', driver: '570.1' },
  workload: { 'workload.precision': 'bf16', 'workload.concurrency': 32, 'workload.model': 'm' },
};

describe('runs that were stored before words for their facts were known', () => {
  let app: TestApp;
  let audit: given.GivenAudit;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    audit = await given.audit(app.db);
  });
  afterAll(() => app.close());

  const send = async (query: string, variables: Record<string, unknown>) => {
    const { data, errors } = await app.as(audit.contributor).send(query, variables);
    expect(errors).toEqual([]);
    return data;
  };
  const runs = (facts: typeof old | typeof now, values: readonly number[]): Promise<string[]> =>
    Promise.all(values.map((value) => given.run(app.db, audit, { ...facts, values: { [metric]: value } })));
  const trialOf = async (beforeRunIds: string[], afterRunIds: string[], more: object = {}) => {
    const auditItemId = audit.item('precision/tf32').id;
    const input = { auditItemId, primaryMetric: metric, variable: [], beforeRunIds, afterRunIds, ...more };
    return (await send(CREATE, { input })).createTrial;
  };

  it('differ in nothing from new runs that say the same', async () => {
    const [[before = ''], [after = '']] = [await runs(old, [100]), await runs(now, [101])];
    expect((await send(COMPARE, { before, after })).compareRuns).toEqual({
      comparability: 'COMPARABLE',
      differences: [],
    });
  });

  it('still differ where another thing was measured', async () => {
    const other = { ...now, workload: { ...now.workload, 'workload.precision': 'fp8' } };
    const [[before = ''], [after = '']] = [await runs(old, [100]), await runs(other, [101])];
    expect((await send(COMPARE, { before, after })).compareRuns).toEqual({
      comparability: 'NOT_COMPARABLE',
      differences: [{ key: 'workload.precision', before: 'bf16', after: 'fp8' }],
    });
  });

  it('make a trial with new runs that has a verdict, without a doubt of its facts', async () => {
    const trial = await trialOf(await runs(old, [100, 101, 99, 100.5]), await runs(now, [110, 111, 109, 110.5]));
    expect(trial).toMatchObject({
      verdict: 'IMPROVED',
      comparisons: [{ verdict: 'IMPROVED', environmentDifferences: [], warnings: [] }],
    });
  });

  it('are of one arm with new runs that say the same', async () => {
    const before = [...(await runs(old, [100, 101])), ...(await runs(now, [99, 100.5]))];
    const trial = await trialOf(before, await runs(now, [110, 111, 109, 110.5]));
    expect(trial.comparisons).toMatchObject([{ verdict: 'IMPROVED', environmentDifferences: [] }]);
  });

  it('are one series with new runs, found by either word, with no change between the points', async () => {
    await runs(old, [100]);
    await runs(now, [101]);
    for (const precision of ['BF16', 'bf16', 'bfloat16']) {
      const filter = { environment: { 'workload.precision': precision } };
      const { series } = (await send(SERIES, { slug: audit.project.slug, metric, filter })).project;
      expect(series.totalCount).toBe(1);
      const [{ node }] = series.edges;
      expect(node).toMatchObject({ pointCount: 2, identity: { 'gpu.sku': 'H200 SXM', 'workload.precision': 'bf16' } });
      const points = node.points.edges.map((edge: { node: { segment: string; changes: object[] } }) => edge.node);
      expect(points.map(({ changes }: { changes: object[] }) => changes)).toEqual([[], []]);
      expect(new Set(points.map(({ segment }: { segment: string }) => segment)).size).toBe(1);
    }
  });

  it('keep the noise floor that was measured with them, for new runs as well', async () => {
    await trialOf(await runs(old, [100, 104, 96]), await runs(old, [101, 103, 97]), { isControl: true });
    const [floor] = await app.db.noiseFloor.findMany({ where: { projectId: audit.project.id } });
    if (!floor) throw new Error('The A/A run told no noise floor');
    // as a version wrote it that compared facts as they stood
    await app.db.noiseFloor.update({
      where: { id: floor.id },
      data: { contextKey: 'a'.repeat(64), facts: { ...old.environment, ...old.workload } },
    });
    const [runId = ''] = await runs(now, [100]);
    const input = { projectId: audit.project.id, metric, runId };
    expect((await send(NEEDED, { input })).runsNeeded).toEqual({
      source: 'NOISE_FLOOR',
      noiseFloor: { value: floor.value },
    });
    const trial = await trialOf(await runs(now, [100, 101, 99, 100.5]), await runs(now, [110, 111, 109, 110.5]));
    expect(trial.comparisons[0].threshold).toBe(floor.value);
    const { series } = (await send(SERIES, { slug: audit.project.slug, metric })).project;
    expect(series.edges.map(({ node }: { node: { noiseFloor: object } }) => node.noiseFloor)).toEqual([{ value: floor.value }]);
    await trialOf(await runs(now, [100, 104, 96]), await runs(now, [101, 103, 97]), { isControl: true });
    const { noiseFloors } = (await send(FLOORS, { slug: audit.project.slug })).project;
    expect(noiseFloors.edges.map(({ node }: { node: { isCurrent: boolean } }) => node.isCurrent)).toEqual([true, false]);
  }); // prettier-ignore

  it('are compared with what an import says now', async () => {
    const content = fixture('sglang-bench-serving/server-info.jsonl').replace('"dtype": "auto"', '"dtype": "bfloat16"');
    const input = { projectId: audit.project.id, fileName: 'x', content };
    const [run] = (await send(IMPORT, { input })).importRun.runs;
    expect(run.workload['workload.precision']).toBe('bf16');
    const workload = { ...run.workload, 'workload.precision': 'torch.bfloat16' };
    const before = await given.run(app.db, audit, { values: {}, environment: run.environment, workload, variant: 'radix off' });
    expect((await send(COMPARE, { before, after: run.id })).compareRuns).toEqual({ comparability: 'COMPARABLE', differences: [] });
  }); // prettier-ignore
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const METRIC = 'training.throughput';
const SERIES = `query($slug: String!, $metric: String!, $filter: SeriesFilter, $first: Int, $after: String, $points: Int, $behind: String) {
  project(slug: $slug) { series(metric: $metric, filter: $filter, first: $first, after: $after) { totalCount
    pageInfo { hasNextPage endCursor } edges { node {
      id classId classIds identity distinguishing dimensions pointCount firstAt lastAt noiseFloor { value runCount }
      marks { at itemKey title { en zh } proof measured auditItem { id } trial { id } }
      points(first: $points, after: $behind) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { node {
        at timeSource value n spread low high source status segment arms { arm trial { id } }
        changes { key before after tier declared } run { id }
      } } }
  } } } } }`;

interface Point {
  value: number;
  at: string;
  changes: { key: string }[];
  arms: unknown[];
  run: { id: string };
}
interface Node {
  classId: string;
  classIds: string[];
  identity: Record<string, string>;
  distinguishing: object;
  pointCount: number;
  noiseFloor: object | null;
  marks: { itemKey: string; measured: string }[];
  points: { totalCount: number; pageInfo: { hasNextPage: boolean; endCursor: string }; edges: { node: Point }[] };
}

async function ask(of: given.Team, variables: object = {}, viewer: { id: string } = of.viewer) {
  const all = { slug: of.project.slug, metric: METRIC, ...variables };
  const { data, errors } = await app.as(viewer).send(SERIES, all);
  expect(errors).toEqual([]);
  const { totalCount, pageInfo, edges } = data.project.series;
  const nodes: Node[] = edges.map(({ node }: { node: Node }) => node);
  return { totalCount, pageInfo, nodes };
}
const pointsOf = (node: Node | undefined): Point[] => node?.points.edges.map((edge) => edge.node) ?? [];
const valuesOf = (node: Node | undefined): number[] => pointsOf(node).map(({ value }) => value);
const day = (number: number): Date => new Date(Date.UTC(2026, 11, number));

async function run(
  of: given.Team,
  value: number,
  on: number | null,
  more: Partial<given.GivenRun> = {},
  data: Prisma.RunUpdateInput = {},
) {
  const id = await given.run(app.db, of, {
    values: { [METRIC]: value },
    environment: { 'gpu.sku': 'H100', driver: '570' },
    ...more,
  });
  await app.db.run.update({ where: { id }, data: { startedAt: on === null ? null : day(on), ...data } });
  return id;
}

async function trial(
  of: given.GivenAudit,
  item: string,
  beforeRunIds: string[],
  afterRunIds: string[],
  variable: string[],
  more = {},
): Promise<string> {
  const input = { auditItemId: of.item(item).id, beforeRunIds, afterRunIds, primaryMetric: METRIC, variable, ...more };
  const { data, errors } = await app
    .as(of.contributor)
    .send('mutation($input: CreateTrialInput!) { createTrial(input: $input) { id } }', { input });
  expect(errors).toEqual([]);
  return data.createTrial.id;
}

const apply = (of: given.GivenAudit, item: string, on: number) =>
  app.db.auditItem.update({ where: { id: of.item(item).id }, data: { outcome: 'APPLIED', assessedAt: day(on) } });

describe('the series of a metric', () => {
  it('are one for each environment class, newest point first, and failed runs are no points', async () => {
    const team = await given.project(app.db);
    const first = await run(team, 100, 1);
    await run(team, 104, 2);
    await run(team, 1, 3, { status: 'FAILED' });
    await run(team, 300, 4, { environment: { 'gpu.sku': 'H200', driver: '570' } });
    const { nodes, totalCount } = await ask(team);
    expect(totalCount).toBe(2);
    expect(nodes.map((node) => [node.identity, node.distinguishing, valuesOf(node), node.pointCount])).toEqual([
      [{ 'gpu.sku': 'H200 SXM' }, { 'gpu.sku': 'H200 SXM' }, [300], 1],
      [{ 'gpu.sku': 'H100' }, { 'gpu.sku': 'H100' }, [104, 100], 2],
    ]);
    expect(pointsOf(nodes[1])[1]).toEqual({
      at: '2026-12-01T00:00:00.000Z', timeSource: 'STARTED', value: 100, n: 1, spread: null, low: null, high: null,
      source: 'IMPORT', status: 'OK', segment: expect.stringMatching(/^[0-9a-f]{64}$/), arms: [], changes: [], run: { id: first },
    });
  });

  it('show what changed between neighbors, and keep the segments apart', async () => {
    const team = await given.project(app.db);
    await run(team, 100, 1);
    await run(team, 90, 2, { environment: { 'gpu.sku': 'H100', driver: '580', 'gpu.name': 'NVIDIA H100' } });
    await run(team, 91, 3, { environment: { 'gpu.sku': 'H100', driver: '580' } }, { tool: 'bench', toolVersion: '2' });
    await run(team, 92, 4, { environment: { 'gpu.sku': 'H100', driver: '580' } }, { tool: 'bench', toolVersion: '3' });
    const { nodes } = await ask(team);
    expect(nodes.map(valuesOf)).toEqual([[92, 91], [90, 100]]);
    const [tool, driver] = nodes.map((node) => pointsOf(node).map(({ changes }) => changes));
    expect(driver).toEqual([[{ key: 'driver', before: '570', after: '580', tier: 'WARN', declared: false }], []]);
    expect(tool).toEqual([[{ key: 'workload.tool_version', before: '2', after: '3', tier: 'WARN', declared: false }], []]);
  });

  it('take the median of what was repeated, and the time of recording where the file has none', async () => {
    const team = await given.project(app.db);
    const id = await run(team, 7, null);
    await app.db.observation.updateMany({ where: { runId: id }, data: { repeats: [10, 12, 20] } });
    const { nodes } = await ask(team);
    expect(pointsOf(nodes[0])).toMatchObject([{ value: 12, n: 3, low: 10, high: 20, timeSource: 'RECORDED' }]);
  });

  it('are apart for each point of the dimensions', async () => {
    const team = await given.project(app.db);
    for (const [on, size] of [[1, 1024], [2, 2048]] as const) {
      const id = await run(team, size, on);
      await app.db.observation.updateMany({ where: { runId: id }, data: { dimensions: { size, ranks: 8 }, seriesKey: `ranks=8,size=${size}` } });
    }
    expect((await ask(team)).nodes.map(valuesOf)).toEqual([[2048], [1024]]);
    expect((await ask(team, { filter: { dimensions: { size: 1024 } } })).nodes.map(valuesOf)).toEqual([[1024]]);
  });

  it('can be narrowed by class, tool, environment and time', async () => {
    const team = await given.project(app.db);
    await run(team, 1, 1, {}, { tool: 'a' });
    await run(team, 2, 2, {}, { tool: 'b' });
    await run(team, 3, 3, { environment: { 'gpu.sku': 'H200', driver: '580' } }, { tool: 'a' });
    const values = async (filter: object) => (await ask(team, { filter })).nodes.map(valuesOf);
    expect(await values({ tool: 'a' })).toEqual([[3], [1]]);
    expect(await values({ environment: { 'gpu.sku': 'H100' } })).toEqual([[2], [1]]);
    expect(await values({ environment: { driver: 580 } })).toEqual([[3]]);
    expect(await values({ since: day(2) })).toEqual([[3], [2]]);
    expect(await values({ until: day(2) })).toEqual([[1]]);
    const [, , oldest] = (await ask(team)).nodes;
    expect(await values({ classId: oldest?.classId })).toEqual([[1]]);
    expect(await values({ classId: 'none' })).toEqual([]);
    const { errorCode } = await app.as(team.viewer).send(SERIES, { slug: team.project.slug, metric: METRIC, filter: { dimensions: [1] } });
    expect(errorCode).toBe('INVALID_INPUT');
  });

  it('go on where an applied item changed the class, under the class that they began with', async () => {
    const audit = await given.audit(app.db);
    const workload = (precision: string) => ({ workload: { 'workload.precision': precision } });
    const before = [await run(audit, 100, 1, workload('bf16')), await run(audit, 101, 2, workload('bf16'))];
    const after = [await run(audit, 150, 3, workload('fp8')), await run(audit, 151, 4, workload('fp8'))];
    const id = await trial(audit, 'precision/fp8-and-fp4', before, after, ['workload.precision']);
    const apart = await ask(audit);
    expect(apart.nodes.map(valuesOf)).toEqual([[151, 150], [101, 100]]);
    await apply(audit, 'precision/fp8-and-fp4', 5);
    const { nodes } = await ask(audit);
    expect(nodes.map(valuesOf)).toEqual([[151, 150, 101, 100]]);
    const [fp8, bf16] = apart.nodes.map(({ classId }) => classId);
    expect([nodes[0]?.classId, nodes[0]?.classIds]).toEqual([bf16, [fp8, bf16].sort()]);
    const points = pointsOf(nodes[0]);
    expect(points.map(({ arms }) => arms)).toEqual(['AFTER', 'AFTER', 'BEFORE', 'BEFORE'].map((arm) => [{ arm, trial: { id } }]));
    expect(points[1]?.changes).toEqual([{ key: 'workload.precision', before: 'bf16', after: 'fp8', tier: 'BLOCK', declared: true }]);
    expect(valuesOf((await ask(audit, { filter: { classId: fp8 } })).nodes[0])).toEqual([151, 150, 101, 100]);
  });

  it('mark the applied items of the time, with where they were measured', async () => {
    const audit = await given.audit(app.db);
    await run(audit, 100, 3);
    const [before, after] = [[await run(audit, 100, 4)], [await run(audit, 130, 5, { environment: { 'gpu.sku': 'H100', driver: '580' } })]];
    const here = await trial(audit, 'precision/tf32', before, after, ['driver']);
    await trial(audit, 'precision/bf16', [await run(audit, 1, 4, { environment: { 'gpu.sku': 'L4' } })], [await run(audit, 2, 4, { environment: { 'gpu.sku': 'L4' } })], []);
    await apply(audit, 'precision/tf32', 6);
    await apply(audit, 'precision/bf16', 7);
    await apply(audit, 'precision/fused-scaling', 8);
    await apply(audit, 'precision/mixed-precision', 1);
    const { nodes } = await ask(audit, { filter: { environment: { 'gpu.sku': 'H100' } } });
    expect(nodes[0]?.marks.map(({ itemKey, measured }) => [itemKey, measured])).toEqual([
      ['precision/fused-scaling', 'NOT_MEASURED'],
      ['precision/bf16', 'ELSEWHERE'],
      ['precision/tf32', 'HERE'],
    ]);
    expect(nodes[0]?.marks[2]).toMatchObject({
      at: day(6).toISOString(),
      title: { en: expect.stringContaining('TF32'), zh: expect.stringContaining('TF32') },
      auditItem: { id: audit.item('precision/tf32').id },
      trial: { id: here },
    });
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { scopeFacts: { 'gpu.sku': 'H200' } } });
    expect((await ask(audit, { filter: { environment: { 'gpu.sku': 'H100' } } })).nodes[0]?.marks).toEqual([]);
  });

  it('know the noise floor of their environment', async () => {
    const audit = await given.audit(app.db);
    const some = (from: number) => Promise.all([0, 1, 2].map((index) => run(audit, 100 + from + index, from + index + 1)));
    await trial(audit, 'precision/tf32', await some(0), await some(3), [], { isControl: true });
    const floor = await app.db.noiseFloor.findFirst({ where: { projectId: audit.project.id } });
    expect(floor?.runCount).toBe(6);
    const { nodes } = await ask(audit);
    expect(nodes.map(({ noiseFloor }) => noiseFloor)).toEqual([{ value: floor?.value, runCount: 6 }]);
  });

  it('have pages of points that fit together, with the change across their border', async () => {
    const team = await given.project(app.db);
    for (const on of [1, 2, 3, 4, 5]) await run(team, on, on, { environment: { 'gpu.sku': 'H100', driver: on < 4 ? '570' : '580' } });
    const one = (await ask(team, { points: 2 })).nodes[0];
    expect([valuesOf(one), one?.points.totalCount, one?.points.pageInfo.hasNextPage]).toEqual([[5, 4], 5, true]);
    expect(pointsOf(one).map(({ changes }) => changes.length)).toEqual([0, 1]);
    const two = (await ask(team, { points: 2, behind: one?.points.pageInfo.endCursor })).nodes[0];
    expect([valuesOf(two), two?.points.pageInfo]).toMatchObject([[3, 2], { hasNextPage: true, hasPreviousPage: true }]);
    const three = (await ask(team, { points: 2, behind: two?.points.pageInfo.endCursor })).nodes[0];
    expect([valuesOf(three), three?.points.pageInfo.hasNextPage]).toEqual([[1], false]);
    const bad = await app.as(team.viewer).send(SERIES, { slug: team.project.slug, metric: METRIC, behind: 'x' });
    expect(bad.errorCode).toBe('INVALID_INPUT');
  });

  it('have pages of series, and limits', async () => {
    const team = await given.project(app.db);
    for (const on of [1, 2, 3]) await run(team, on, on, { environment: { 'gpu.sku': `GPU ${on}` } });
    const one = await ask(team, { first: 2 });
    expect([one.nodes.map(valuesOf), one.totalCount, one.pageInfo.hasNextPage]).toEqual([[[3], [2]], 3, true]);
    const two = await ask(team, { first: 2, after: one.pageInfo.endCursor });
    expect([two.nodes.map(valuesOf), two.pageInfo.hasNextPage]).toEqual([[[1]], false]);
    for (const variables of [{ first: 51 }, { points: 1001 }, { metric: 'nothing' }]) {
      const { errorCode } = await app.as(team.viewer).send(SERIES, { slug: team.project.slug, metric: METRIC, ...variables });
      expect(errorCode).toBe('INVALID_INPUT');
    }
  });

  it('are hidden from strangers, and empty where nothing was measured', async () => {
    const team = await given.project(app.db);
    const { data } = await app.as(team.stranger).send(SERIES, { slug: team.project.slug, metric: METRIC });
    expect(data).toEqual({ project: null });
    expect(await ask(team)).toMatchObject({ totalCount: 0, nodes: [] });
  });

  it('never hold runs of another project', async () => {
    const [team, other] = [await given.project(app.db), await given.project(app.db)];
    await run(team, 1, 1);
    await run(other, 2, 2);
    expect((await ask(team)).nodes.map(valuesOf)).toEqual([[1]]);
  });

  it('take as many statements for many runs and classes as for few', async () => {
    const team = await given.project(app.db);
    const some = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await run(team, index, index + 1, { environment: { 'gpu.sku': `GPU ${index % 7}`, driver: `${index % 3}` } });
      }
      return app.statementsOf(() => ask(team));
    };
    const few = await some(7);
    expect(await some(28)).toBe(few);
    expect(few).toBeLessThanOrEqual(16);
  });
}); // prettier-ignore

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { codes, importer, IMPORT, type Report } from '../support/import-report.js';
import { added, rowsOf } from '../support/rows.js';

const SAVE =
  'mutation($input: SaveColumnMappingInput!) { saveColumnMapping(input: $input) { id name signature columns mapping } }';
const DELETE = 'mutation($input: DeleteColumnMappingInput!) { deleteColumnMapping(input: $input) { name } }';
const COMPARE = `query($before: ID!, $after: ID!) {
  compareRuns(before: $before, after: $after) { comparability differences { key before after } }
}`;
const LIST = 'query($slug: String!) { project(slug: $slug) { columnMappings { name columns } } }';

const header = 'Model,TTFT p99 (ms),Output throughput (tok/s)';
const table = (...rows: string[]): string => `${[header, ...rows].join('\n')}\n`;
const mapping = {
  layout: 'WIDE',
  rows: 'EACH_ROW',
  columns: [
    { column: 'model', role: 'WORKLOAD', key: 'workload.model' },
    { column: 'TTFT p99 (ms)', role: 'METRIC', metric: 'serving.ttft.p99', unit: 'ms' },
    { column: 'Output throughput (tok/s)', role: 'METRIC', metric: 'serving.output_token_throughput', unit: 'tok/s' },
  ],
};

describe('column mappings', () => {
  let app: TestApp;
  let team: given.Team;
  let report: ReturnType<typeof importer>;
  beforeAll(async () => {
    app = await startApp();
    report = importer(app, () => team);
  });
  beforeEach(async () => {
    team = await given.project(app.db);
  });
  afterAll(() => app.close());

  it('are asked for where nobody knows a table, with its columns and a suggestion that can be used', async () => {
    const before = await rowsOf(app.db);
    const read = await report({ content: table('m-7b,50,900', 'm-13b,80,500'), dryRun: true });
    expect(read).toMatchObject({ format: null, errorCount: 1, wouldWrite: [], mapping: null });
    expect(read.problems[0]).toMatchObject({ code: 'MAPPING_NEEDED', isBlocking: true });
    expect(read.table).toMatchObject({
      kind: 'csv',
      columns: [
        { name: 'Model', examples: ['m-7b', 'm-13b'] },
        { name: 'TTFT p99 (ms)', examples: ['50', '80'] },
        { name: 'Output throughput (tok/s)', examples: ['900', '500'] },
      ],
      suggestedMapping: { layout: 'WIDE', rows: 'GROUPED', columns: mapping.columns.map(({ column: _, ...role }) => role) },
    });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const used = await report({ content: table('m-7b,50,900'), mapping: read.table.suggestedMapping });
    expect(used.runs).toHaveLength(1);
  });

  it('make runs of the rows', async () => {
    const read = await report({ content: table('m-7b,50,900', 'm-13b,80,500'), mapping });
    expect(read).toMatchObject({ format: 'mapped', mapping: { name: null, isRemembered: false }, observationCount: 4 });
    expect(read.runs.map(({ workload }: Report) => workload['workload.model'])).toEqual(['m-7b', 'm-13b']);
    expect(read.observations[0]).toEqual({ metric: { key: 'serving.ttft.p99' }, dimensions: {}, value: 50 });
    const again = await report({ content: table('m-7b,50,900', 'm-13b,80,500'), mapping });
    expect(again.runs.map(({ id }: Report) => id)).toEqual(read.runs.map(({ id }: Report) => id));
  });

  it('are remembered under a name, and used by themselves for the same columns in any order', async () => {
    const first = await report({ content: table('m-7b,50,900'), mapping, mappingName: 'Nightly' });
    expect(first.mapping).toEqual({ name: 'Nightly', isRemembered: false });
    const reordered = 'output throughput (tok/s),Model,TTFT P99 (ms)\n700,m-7b,60\n';
    const next = await report({ content: reordered });
    expect(next).toMatchObject({ format: 'mapped', mapping: { name: 'Nightly', isRemembered: true }, errorCount: 0 });
    expect(next.problems).toMatchObject([{ code: 'MAPPING_REMEMBERED', value: 'Nightly', severity: 'WARNING' }]);
    expect(next.runs).toHaveLength(1);
    expect(codes(await report({ content: reordered, mappingName: 'Nightly' }))).toEqual([]);
    const changed = await report({ content: 'Model,TTFT p99 (s)\nm,0.05\n' });
    expect(codes(changed)).toEqual(['MAPPING_NEEDED']);
  });

  it('are not remembered by a dry run, nor where nothing is written', async () => {
    await report({ content: table('m,50,900'), mapping, mappingName: 'Nightly', dryRun: true });
    await report({ content: table('m,fast,slow'), mapping, mappingName: 'Nightly' });
    expect(await app.db.columnMapping.count({ where: { projectId: team.project.id } })).toBe(0);
  });

  it('are of one project', async () => {
    await report({ content: table('m,50,900'), mapping, mappingName: 'Nightly' });
    team = await given.project(app.db);
    expect(codes(await report({ content: table('m,50,900') }))).toEqual(['MAPPING_NEEDED']);
  });

  it('are saved, listed, replaced and deleted', async () => {
    const input = { projectId: team.project.id, name: 'Nightly', kind: 'CSV', columns: header.split(','), mapping };
    const saved = await app.as(team.contributor).send(SAVE, { input });
    expect(saved.errors).toEqual([]);
    const other = await app.as(team.contributor).send(SAVE, { input: { ...input, mapping: { ...mapping, rows: 'GROUPED' } } });
    expect(other.data.saveColumnMapping).toMatchObject({ id: saved.data.saveColumnMapping.id, mapping: { rows: 'GROUPED' } });
    const list = async () => (await app.as(team.viewer).send(LIST, { slug: team.project.slug })).data.project.columnMappings;
    expect(await list()).toEqual([{ name: 'Nightly', columns: header.split(',') }]);
    expect(await report({ content: table('m,50,900', 'm,60,800') })).toMatchObject({ mapping: { name: 'Nightly' }, runs: [{ isNew: true }] });
    const gone = { projectId: team.project.id, name: 'Nightly' };
    expect((await app.as(team.contributor).send(DELETE, { input: gone })).data.deleteColumnMapping).toEqual({ name: 'Nightly' });
    expect(await list()).toEqual([]);
    expect(await app.as(team.contributor).send(DELETE, { input: gone })).toMatchObject({ errorCode: 'NOT_FOUND' });
    const history = await app.db.historyEntry.findMany({ where: { projectId: team.project.id, subject: 'columnMapping' }, orderBy: { id: 'asc' } });
    expect(history.map(({ field }) => field)).toEqual(['created', 'changed', 'deleted']);
  });

  it.each([
    ['a column that is not there', { columns: ['Model'] }, /names columns that the file does not have: TTFT p99 \(ms\)/],
    ['an empty name', { name: ' ' }, /^name is empty$/],
    ['no columns', { columns: [] }, /^columns has 0 entries/],
    ['an unknown metric', { mapping: { ...mapping, columns: [{ ...mapping.columns[1], metric: 'own.nothing' }] } }, /There is no metric own\.nothing/],
    ['a unit that may be two', { mapping: { ...mapping, columns: [{ ...mapping.columns[2], unit: 'tps' }] } }, /"tps" can be read in more than one way\. Write tokens\/s or requests\/s/],
    ['a role without what it needs', { mapping: { ...mapping, columns: [{ column: 'Model', role: 'WORKLOAD' }] } }, /^mapping\.columns\.0\.key cannot be used/],
  ])('are refused for %s', async (_, change, message) => {
    const input = { projectId: team.project.id, name: 'x', kind: 'CSV', columns: header.split(','), mapping, ...change };
    const answer = await app.as(team.contributor).send(SAVE, { input });
    expect(answer).toMatchObject({ data: null, errorCode: 'INVALID_INPUT' });
    expect(answer.errors[0]?.message).toMatch(message);
  });

  it('read JSON by paths, and say which list is meant', async () => {
    const content = JSON.stringify({ run: { model: 'm' }, warm: [{ ms: { p99: 1 } }], results: [{ ms: { p99: 50 } }, { ms: { p99: 52 } }] });
    const asked = await report({ content });
    expect(asked.problems).toMatchObject([{ code: 'SEVERAL_LISTS', value: 'warm, results' }]);
    const paths = {
      layout: 'WIDE',
      rows: 'GROUPED',
      rowsAt: 'results',
      columns: [
        { column: 'ms.p99', role: 'METRIC', metric: 'serving.ttft.p99', unit: 'ms' },
        { column: 'run.model', role: 'WORKLOAD', key: 'workload.model' },
      ],
      fixed: { environment: { 'gpu.count': 4 } },
    };
    const read = await report({ content, mapping: paths, mappingName: 'JSON' });
    expect(read.runs).toEqual([expect.objectContaining({ environment: { 'gpu.count': 4 }, workload: { 'workload.model': 'm' } })]);
    expect(read.observations[0].value).toBe(51);
    expect((await report({ content: content.replace('50', '51') })).mapping).toEqual({ name: 'JSON', isRemembered: true });
  });

  it('name facts as the registry does, so that runs at another concurrency cannot be compared', async () => {
    const bare = {
      layout: 'WIDE',
      rows: 'EACH_ROW',
      columns: [
        { column: 'conc', role: 'WORKLOAD', key: 'concurrency' },
        { column: 'own', role: 'WORKLOAD', key: 'own_setting' },
        { column: 'driver', role: 'ENVIRONMENT', key: 'environment.driver' },
        { column: 'ttft', role: 'METRIC', metric: 'serving.ttft.p99', unit: 'ms' },
      ],
      fixed: { environment: { 'environment.gpu.count': 4 }, workload: { model: 'm' } },
    };
    const content = 'conc,own,driver,ttft\n8,1,580.1,50\n16,1,580.1,40\n';
    const facts = [8, 16].map((concurrency) => ({
      workload: { 'workload.model': 'm', 'workload.concurrency': concurrency, 'workload.own_setting': 1 },
      environment: { 'gpu.count': 4, driver: '580.1' },
    }));
    const given = await report({ content, mapping: bare });
    expect(given.runs).toMatchObject(facts);
    const [before, after] = given.runs;
    const compared = await app.as(team.viewer).send(COMPARE, { before: before.id, after: after.id });
    expect(compared.data.compareRuns).toEqual({ comparability: 'NOT_COMPARABLE', differences: [{ key: 'workload.concurrency', before: '8', after: '16' }] });

    const { signature } = (await report({ content: `${content}#`, dryRun: true })).table;
    const columns = ['conc', 'own', 'driver', 'ttft'];
    await app.db.columnMapping.create({ data: { projectId: team.project.id, name: 'Old', signature, columns, mapping: bare, createdById: team.contributor.id } });
    const remembered = await report({ content: content.replace('50', '51') });
    expect(remembered).toMatchObject({ mapping: { name: 'Old', isRemembered: true }, runs: facts });

    const twice = { ...bare, columns: [...bare.columns, { column: 'c', role: 'WORKLOAD', key: 'workload.concurrency' }] };
    const refused = await report({ content: 'conc,own,driver,ttft,c\n8,1,580.1,50,8\n', mapping: twice });
    expect(refused.problems).toMatchObject([{ severity: 'ERROR', message: 'The mapping gives these twice: workload.concurrency' }]);
  });

  it('that are named and not there are refused', async () => {
    const input = { projectId: team.project.id, fileName: 'x', content: table('m,1,2'), mappingName: 'none' };
    expect(await app.as(team.contributor).send(IMPORT, { input })).toMatchObject({ data: null, errorCode: 'NOT_FOUND' });
  });
}); // prettier-ignore

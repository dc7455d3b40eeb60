import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { codes, importer, IMPORT } from '../support/import-report.js';
import { labFile } from '../support/lab-file.js';
import { added, rowsOf, textOfRows } from '../support/rows.js';

describe('the facts of an import', () => {
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

  it('of the caller stand over the file, with both values in a warning', async () => {
    const read = await report({ content: labFile('before'), environment: { driver: '999.1', nccl: 2.27 } });
    expect(read.problems).toEqual([
      {
        line: null,
        code: 'FACT_DIFFERS',
        value: 'driver: 580.159.04, 999.1',
        severity: 'WARNING',
        scope: 'FILE',
        isBlocking: false,
        message: 'The file says driver = "580.159.04", you say "999.1": yours is kept',
      },
    ]);
    expect(read.runs[0]).toMatchObject({
      environment: { driver: '999.1', nccl: '2.27', 'gpu.sku': 'H200 SXM' },
      factSources: [
        { key: 'driver', source: 'CALLER' },
        { key: 'nccl', source: 'CALLER' },
      ],
    });
  });

  it('that contradict the file in what makes runs different things are refused, unless they are meant', async () => {
    const before = await rowsOf(app.db);
    const input = { content: labFile('before'), environment: { 'gpu.sku': 'h100-sxm' } };
    const refused = await report(input);
    expect(refused).toMatchObject({ runs: [], errorCount: 1 });
    expect(refused.problems[0]).toMatchObject({ code: 'FACT_CONTRADICTED', value: 'gpu.sku: H200 SXM, H100 SXM', isBlocking: true });
    expect(await report({ ...input, part: 'GOOD' })).toMatchObject({ runs: [] });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const meant = await report({ ...input, override: ['gpu.sku'] });
    expect(codes(meant)).toEqual(['FACT_DIFFERS']);
    expect(meant.runs[0].environment).toMatchObject({ 'gpu.sku': 'H100 SXM' });
  }); // prettier-ignore

  it('are the same in other words', async () => {
    const read = await report({ content: labFile('before'), environment: { 'gpu.sku': 'NVIDIA H200', 'gpu.count': '1' } });
    expect(read.problems).toEqual([]);
    expect(read.runs[0].environment).toMatchObject({ 'gpu.sku': 'H200 SXM', 'gpu.count': 1 });
  }); // prettier-ignore

  it('that neither says are those of the environment, as it is then', async () => {
    const { id } = await given.environment(app.db, team.project.id, {
      hardware: 'h200-sxm',
      facts: { 'fabric.kind': 'infiniband', driver: '1.2', 'workload.precision': 'BF16' },
    });
    const read = await report({ content: labFile('before'), environmentId: id, environment: { nccl: '2.27' } });
    expect(codes(read)).toEqual(['FACT_DIFFERS']);
    expect(read.problems[0].message).toBe(
      'The file says driver = "580.159.04", the environment "1.2": the file stands',
    );
    const [run] = read.runs;
    expect(run.environment).toMatchObject({ driver: '580.159.04', 'fabric.kind': 'infiniband', nccl: '2.27', 'gpu.memory': 141 });
    expect(run.workload).toMatchObject({ 'workload.precision': 'bf16' });
    expect(Object.keys(run.environment).filter((key) => key.startsWith('capability'))).toEqual([]);
    expect(run.factSources).toEqual(
      expect.arrayContaining([
        { key: 'fabric.kind', source: 'ENVIRONMENT' },
        { key: 'nccl', source: 'CALLER' },
        { key: 'workload.precision', source: 'ENVIRONMENT' },
      ]),
    );
    await app.db.environment.update({ where: { id }, data: { facts: { 'fabric.kind': 'roce' } } });
    const read2 = await app.as(team.viewer).send('query($id: ID!) { run(id: $id) { environment } }', { id: run.id });
    expect(read2.data.run.environment).toEqual(run.environment);
  }); // prettier-ignore

  it('of another machine than the environment describes are refused, unless that is meant', async () => {
    const { id } = await given.environment(app.db, team.project.id, { hardware: 'h100-sxm', facts: { driver: '575.1', nccl: '2.26' } });
    const input = { content: labFile('before'), environmentId: id };
    const before = await rowsOf(app.db);
    const refused = await report(input);
    expect(refused.problems.filter((one: { isBlocking: boolean }) => one.isBlocking)).toMatchObject([
      {
        code: 'FACT_CONTRADICTED',
        value: 'gpu.sku: H200 SXM, H100 SXM',
        message:
          'The file says gpu.sku = "H200 SXM", the environment "H100 SXM", which is another machine: name the environment that it ran in, or gpu.sku in override',
      },
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const meant = await report({ ...input, override: ['gpu.sku'] });
    expect(meant.runs[0].environment).toMatchObject({ 'gpu.sku': 'H200 SXM', nccl: '2.26' });
  }); // prettier-ignore

  it('have no more GPUs than the run used', async () => {
    const read = await report({ content: labFile('before'), environment: { 'gpu.per_node': 8, 'nodes.count': 1 } });
    expect(read.problems).toMatchObject([
      {
        code: 'FACT_DIFFERS',
        value: 'gpu.count: 1, nodes.count: 1, gpu.per_node: 8',
        message:
          'gpu.count = 1 (the file), nodes.count = 1 (you), gpu.per_node = 8 (you) do not fit together: the run used part of the machine, so gpu.per_node is left out',
      },
    ]);
    expect(read.runs[0].environment).toMatchObject({ 'gpu.count': 1, 'nodes.count': 1 });
    expect(read.runs[0].environment).not.toHaveProperty('gpu.per_node');
  });

  it('are refused for the environment of another project', async () => {
    const other = await given.project(app.db);
    const { id } = await given.environment(app.db, other.project.id);
    const input = { projectId: team.project.id, fileName: 'x', content: labFile('before'), environmentId: id };
    expect(await app.as(team.contributor).send(IMPORT, { input })).toMatchObject({ data: null, errorCode: 'NOT_FOUND' });
  }); // prettier-ignore

  it('have no secret, host, user or address, wherever they stand in the file', async () => {
    const content = 'who,at,latency (ms),note\nalice@example.com,10.11.12.13,1,x\nalice@example.com,10.11.12.13,/home/alice/y,x\n';
    const mapping = {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [
        { column: 'who', role: 'VARIANT' },
        { column: 'at', role: 'DIMENSION', name: 'at' },
        { column: 'latency (ms)', role: 'METRIC', metric: 'time.mean', unit: 'ms' },
        { column: 'note', role: 'IGNORED' },
      ],
    };
    const read = await report({ content, mapping, fileName: '/home/alice/10.11.12.13.csv', part: 'GOOD' });
    expect(read.runs).toMatchObject([{ status: 'PARTIAL', leftOut: 1 }]);
    const text = await textOfRows(app.db, ['Run', 'Observation', 'HistoryEntry', 'Evidence', 'Import']);
    expect(text + JSON.stringify(read)).not.toMatch(/alice|10\.11\.12/);
  }); // prettier-ignore

  it('of two runs are compared by tier before there is a trial', async () => {
    const COMPARE = `query($before: ID!, $after: ID!, $variable: [String!]) {
      compareRuns(before: $before, after: $after, variable: $variable) {
        comparability commonMetrics differences { key before after tier declared } } }`;
    const [before] = (await report({ content: labFile('before') })).runs;
    const [after] = (await report({ content: labFile('after'), environment: { driver: '600.1' } })).runs;
    const ask = async (variable: string[], viewer: { id: string } = team.viewer) =>
      (await app.as(viewer).send(COMPARE, { before: before.id, after: after.id, variable })).data.compareRuns;
    expect(await ask([])).toEqual({
      comparability: 'NOT_COMPARABLE',
      commonMetrics: ['training.step_time'],
      differences: [
        { key: 'workload.settings.precision', before: 'highest', after: 'high', tier: 'BLOCK', declared: false },
        { key: 'driver', before: '580.159.04', after: '600.1', tier: 'WARN', declared: false },
        { key: 'variant', before: 'FP32', after: 'TF32', tier: 'INFO', declared: false },
      ],
    });
    expect((await ask(['settings.precision'])).comparability).toBe('CONFOUNDED');
    expect((await ask(['settings.precision', 'driver'])).comparability).toBe('COMPARABLE');
    expect(await ask([], team.stranger)).toBeNull();
  });
});

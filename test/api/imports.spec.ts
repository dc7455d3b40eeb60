import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type Answer, type TestApp } from '../support/app.js';
import { labFile } from '../support/lab-file.js';
import { added, rowsOf, textOfRows } from '../support/rows.js';
import { fixture, fixtures } from '../support/tool-output.js';

const IMPORT = `mutation($input: ImportRunInput!) {
  importRun(input: $input) {
    format candidates found { format runCount observationCount metrics } observationCount
    problems { line message isBlocking }
    observations { metric { key unit } dimensions value repeats distribution { count } }
    runs { id isNew source status tool variant session block environment workload }
  }
}`;

describe('importRun', () => {
  let app: TestApp;
  let team: given.Team;
  let projectId: string;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    team = await given.project(app.db);
    projectId = team.project.id;
  });
  afterAll(() => app.close());

  const send = (content: string | undefined, change: object = {}): Promise<Answer> =>
    app.as(team.contributor).send(IMPORT, { input: { projectId, fileName: 'result.txt', content, ...change } });

  /** The report of an import that is expected to be answered. */
  async function report(content: string | undefined, change: object = {}) {
    const { data, errors } = await send(content, change);
    expect(errors).toEqual([]);
    return data.importRun;
  }
  const messages = ({ problems }: { problems: { message: string }[] }) => problems.map(({ message }) => message);

  it.each([
    ['tunebook-lab/rounds-interleaved.json', 1, { key: 'training.step_time', unit: 'ms' }, 10.7, 1],
    ['vllm-bench-serve/sweep-array.json', 2, { key: 'serving.request_throughput', unit: 'requests/s' }, 6, 32],
    ['nccl-tests/all-reduce.txt', 1, { key: 'fabric.algbw.out_of_place', unit: 'GB/s' }, 34.95, 20],
    ['hyperfine/two-commands.json', 2, { key: 'time.median', unit: 's' }, 1.25, 8],
  ])('reads %s', async (name, runCount, metric, value, observationCount) => {
    const before = await rowsOf(app.db);
    const read = await report(fixture(name));
    expect(read).toMatchObject({ format: name.split('/')[0], candidates: [name.split('/')[0]] });
    expect(read.runs).toHaveLength(runCount);
    expect(read.runs[0]).toMatchObject({ isNew: true, source: 'IMPORT', status: 'OK', tool: name.split('/')[0] });
    expect(read.observations).toContainEqual(expect.objectContaining({ metric, value }));
    expect(read.observationCount).toBe(observationCount);
    expect(added(before, await rowsOf(app.db))).toEqual({
      Evidence: 1,
      HistoryEntry: runCount,
      Import: 1,
      Observation: observationCount,
      Run: runCount,
    });
  });

  it('writes nothing where the last number may be cut, and the rest where that is asked for', async () => {
    const content = '[BENCHMARK] num_samples 200\n[BENCHMARK] total_latency(ms) 40000.00\n[BENCHMARK] seq_throughput(seq/sec) 5.00\n[BENCHMARK] avg_sequence_latency(ms) 22';
    const before = await rowsOf(app.db);
    const refused = await report(content);
    expect(refused.runs).toEqual([]);
    expect(refused.problems).toContainEqual({
      line: 4,
      message: 'Line 4 is the last one and does not end: what stands at its end, "22", may be cut and was left out. Send the whole file, or end the line where it is whole',
      isBlocking: true,
    });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const good = await report(content, { part: 'GOOD' });
    expect(good.runs.map(({ status }: { status: string }) => status)).toEqual(['PARTIAL']);
    expect(good.observations.map(({ metric }: { metric: { key: string } }) => metric.key)).not.toContain('serving.e2e_latency.mean');
    const whole = await report(`${content}39.20\n`);
    expect(whole.observations).toContainEqual(expect.objectContaining({ metric: { key: 'serving.e2e_latency.mean', unit: 'ms' }, value: 2239.2 }));
  }); // prettier-ignore

  it.each(fixtures.map(({ name }) => name))('answers %s with runs or with problems', async (name) => {
    const before = await rowsOf(app.db);
    const read = await report(fixture(name));
    const isBlocked = read.problems.some(({ isBlocking }: { isBlocking: boolean }) => isBlocking);
    expect(read.runs.length > 0).toBe(!isBlocked);
    if (isBlocked) expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('keeps the rounds of a run, and what happened inside it as a distribution', async () => {
    const { observations } = await report(labFile('before'));
    expect(observations).toEqual([
      expect.objectContaining({ value: 100, repeats: [99, 100, 101, 100, 99.5, 100.5], distribution: { count: 24 } }),
    ]);
  });

  it('says what a dry run would write, and writes nothing', async () => {
    const before = await rowsOf(app.db);
    expect(await report(labFile('before'), { dryRun: true })).toMatchObject({
      format: 'tunebook-lab',
      runs: [],
      observationCount: 1,
      observations: [{ metric: { key: 'training.step_time' }, value: 100 }],
    });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('gives the same runs for the same content, and tells that the context was another', async () => {
    const first = await report(labFile('before'), { session: 'morning', environment: { nccl: '2.27' } });
    const before = await rowsOf(app.db);
    const same = await report(labFile('before'), { session: 'morning', environment: { nccl: '2.27' } });
    expect(same.runs).toEqual([{ ...first.runs[0], isNew: false }]);
    expect(messages(same)).toEqual([]);
    const other = await report(labFile('before'), { session: 'evening', environment: { nccl: '2.28' } });
    expect(other.runs).toEqual(same.runs);
    expect(other.problems).toEqual([
      { line: null, isBlocking: false, message: expect.stringMatching(/another environment.*the first import stands/) },
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const elsewhere = await given.project(app.db);
    const there = await app.owner.send(IMPORT, {
      input: { projectId: elsewhere.project.id, fileName: 'x', content: labFile('before') },
    });
    expect(there.data.importRun.runs[0]).toMatchObject({ isNew: true });
  });

  it('makes one set of runs of five imports at the same moment', async () => {
    const before = await rowsOf(app.db);
    const content = fixture('hyperfine/two-commands.json');
    const reports = await Promise.all(Array.from({ length: 5 }, () => report(content)));
    const ids = reports.map(({ runs }) => runs.map(({ id }: { id: string }) => id).join());
    expect(new Set(ids).size).toBe(1);
    expect(reports.filter(({ runs }) => runs[0].isNew)).toHaveLength(1);
    expect(added(before, await rowsOf(app.db))).toMatchObject({ Run: 2, Evidence: 1, Observation: 8 });
  });

  it('takes the same request once, however often and at whatever time it comes', async () => {
    const before = await rowsOf(app.db);
    const again = { clientMutationId: `import ${projectId}` };
    const answers = await Promise.all(Array.from({ length: 5 }, () => report(labFile('before'), again)));
    expect(new Set(answers.map(({ runs }) => runs[0].id)).size).toBe(1);
    expect(added(before, await rowsOf(app.db))).toMatchObject({ Run: 1, HandledRequest: 1 });
    const other = await send(labFile('after'), again);
    expect(other).toMatchObject({ data: null, errorCode: 'INVALID_INPUT' });
    expect(await app.db.run.count({ where: { projectId } })).toBe(1);
  });

  it('lets what the caller says stand over the file', async () => {
    const read = await report(labFile('before'), {
      environment: { driver: '999.1', fabric: { kind: 'roce' } },
      workload: { 'settings.layers': 8, 'workload.dataset': 'own' },
      session: 'monday',
      block: 'b1',
      override: ['workload.settings.layers'],
    });
    expect(messages(read)).toEqual([
      'The file says driver = "580.159.04", you say "999.1": yours is kept',
      'The file says workload.settings.layers = "4", you say "8": yours is kept',
    ]);
    const [run] = read.runs;
    expect(run).toMatchObject({
      session: 'monday',
      block: 'b1',
      environment: { driver: '999.1', 'fabric.kind': 'roce', 'gpu.sku': 'H200 SXM', cuda: '13.0' },
      workload: { 'workload.settings.layers': 8, 'workload.dataset': 'own', 'workload.settings.precision': 'highest' },
    });
    const again = await app.as(team.viewer).send(`query($id: ID!) { run(id: $id) { isNew session environment } }`, {
      id: run.id,
    });
    expect(again.data.run).toEqual({ isNew: false, session: 'monday', environment: run.environment });
  });

  it('keeps the file unchanged under its SHA-256, and imports it again by its id', async () => {
    const content = `\uFEFF${labFile('before').replace('fixture_step', '步进 🚀')}\r\n`;
    const first = await report(content);
    const [evidence] = await app.db.evidence.findMany({ where: { projectId } });
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(evidence).toMatchObject({ sha256, fileName: 'result.txt', size: Buffer.byteLength(content) });
    expect(await readFile(join(app.evidenceFolder, sha256.slice(0, 2), sha256), 'utf8')).toBe(content);
    const again = await report(undefined, { evidenceId: evidence?.id });
    expect(again.runs).toEqual([{ ...first.runs[0], isNew: false }]);
    const other = await given.project(app.db);
    const hidden = await app.as(other.contributor).send(IMPORT, {
      input: { projectId: other.project.id, fileName: 'x', evidenceId: evidence?.id },
    });
    expect(hidden).toMatchObject({ data: null, errorCode: 'NOT_FOUND' });
  });

  it('keeps secrets and the names of machines and people out of the database', async () => {
    await report(fixture('nccl-tests/all-reduce.txt'));
    const command = 'HF_TOKEN=hf_abcdefghijklmnopqrst python3 /home/alice/train.py --master-addr 10.11.12.13';
    await report(fixture('hyperfine/two-commands.json').replaceAll('python3 train.py', command));
    await report(labFile('before', { environment: { gpu: 'NVIDIA H200', hostname: 'node7', user: 'alice' } }));
    await report(labFile('after'), {
      environment: { host: { name: 'node7' }, env: { WANDB_API_KEY: 'abc123secret', MASTER_ADDR: '10.11.12.13' } },
    });
    const text = await textOfRows(app.db, ['Run', 'Observation', 'HistoryEntry', 'Evidence', 'HandledRequest']);
    expect(text).toContain('python3 ~/train.py');
    expect(text).not.toMatch(/hf_abc|alice|10\.11\.12\.13|node7|abc123secret/);
  });

  const bad: [string, () => string, RegExp][] = [
    ['a truncated file', () => labFile('before').slice(0, -200), /truncated: it ends in line 1/],
    ['an empty file', () => '', /^The content is empty$/],
    ['blanks', () => ' \n\t ', /^The content is empty$/],
    ['binary content', () => 'ELF\u0000\u0001\u0002', /is not text/],
    ['an archive', () => '\u001f\u008b\u0008', /is a gzip archive/],
    ['the output of another tool', () => 'all is well', /is of none of the \d+ formats/],
    ['other JSON', () => '{"results": []}', /is of none of the \d+ formats|say in `mapping`/],
    ['a wrong unit', () => labFile('before', { unit: 'parsec' }), /"parsec" is not known|There is no metric/],
    ['bytes for a time', () => labFile('before', { unit: 'GB' }), /Cannot convert GB to ms/],
    [
      'a number that gets too large',
      () => labFile('before', { unit: 'h', samples: [1e308] }),
      /^Values that no measurement gives were left out: 1, such as 1e\+308$/,
    ],
    ['a number that is none', () => labFile('before').replace('99,', 'NaN,'), /Bad or missing: samples\.0/],
    ['failed requests only', () => fixture('vllm-bench-serve/all-failed.json'), /No request was completed/],
  ];
  it.each(bad)('reports %s and writes nothing', async (_, content, message) => {
    const before = await rowsOf(app.db);
    const read = await report(content());
    expect(read.runs).toEqual([]);
    expect(messages(read)).toContainEqual(expect.stringMatching(message));
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it.each(['\\u0000', '\\ud800', '\ud800'])(
    'replaces %j in texts of a file, which nothing can store',
    async (character) => {
      const content = labFile('before').replace('"FP32"', `"a${character}b"`).replace('highest', `c${character}d`);
      const [run] = (await report(content)).runs;
      expect(run).toMatchObject({
        variant: 'a\uFFFDb',
        workload: { 'workload.settings.precision': 'c\uFFFDd' },
      });
    },
  );

  it('cuts a text that is too long, and never in the middle of a character', async () => {
    const content = fixture('hyperfine/two-commands.json').replaceAll('train.py', `x${'🚀'.repeat(5_000)}`);
    const [run] = (await report(content)).runs;
    expect(run.workload['workload.command']).toMatch(/^python3 x🚀+\uFFFD?$/u);
  });

  it('names the tools of an ambiguous file, and reads it by the one that is named', async () => {
    const both = `[${labFile('before')},${fixture('vllm-bench-serve/summary.json')}]`;
    const before = await rowsOf(app.db);
    const ambiguous = await report(both);
    expect(ambiguous).toMatchObject({ format: null, candidates: ['vllm-bench-serve', 'tunebook-lab'], runs: [] });
    expect(messages(ambiguous)[0]).toMatch(/several tools: vllm-bench-serve, tunebook-lab/);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await report(labFile('before'), { format: 'tunebook-lab' })).toMatchObject({ format: 'tunebook-lab' });
    const unknown = await report(labFile('before'), { format: 'iperf' });
    expect(messages(unknown)[0]).toMatch(/^The format "iperf" is not known; importFormats lists/);
  });

  it('reports a file of 70 MB as too large, and goes on', async () => {
    const before = await rowsOf(app.db);
    const line = `${labFile('before')}\n`;
    const content = line.repeat(Math.ceil(70_000_000 / line.length));
    expect(content.length).toBeGreaterThanOrEqual(70_000_000);
    const read = await report(content);
    expect(read).toMatchObject({ format: null, runs: [], problems: [{ isBlocking: true }] });
    expect(messages(read)).toEqual(['The content is larger than 64 MiB']);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect((await report(labFile('before'))).runs).toHaveLength(1);
  });

  const wrong: [string, object, RegExp][] = [
    ['neither content nor evidence', { content: null }, /exactly one of content, contentBase64 and evidenceId/],
    ['both', { evidenceId: 'x' }, /exactly one of content, contentBase64 and evidenceId/],
    ['no file name', { fileName: ' ' }, /^fileName is empty$/],
    ['facts that are a text', { environment: 'x' }, /^environment must be an object$/],
    ['a key that is no path', { workload: { 'a b': 1 } }, /^workload\.a b is not a path/],
    ['a session that is too long', { session: 'x'.repeat(201) }, /^session has 201 characters/],
  ];
  it.each(wrong)('refuses %s and writes nothing', async (_, change, message) => {
    const before = await rowsOf(app.db);
    const answer = await send(labFile('before'), change);
    expect(answer).toMatchObject({ data: null, errorCode: 'INVALID_INPUT' });
    expect(answer.errors[0]?.message).toMatch(message);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it.each([
    ['a viewer of the project', 'viewer', 'FORBIDDEN'],
    ['a stranger', 'stranger', 'NOT_FOUND'],
    ['nobody', null, 'UNAUTHENTICATED'],
  ] as const)('refuses %s', async (_, who, code) => {
    const before = await rowsOf(app.db);
    const input = { projectId, fileName: 'x', content: labFile('before') };
    const answer = await app.as(who === null ? null : team[who]).send(IMPORT, { input });
    expect(answer).toMatchObject({ data: null, errorCode: code });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('pages through the observations of a run and the runs of a project', async () => {
    const [run] = (await report(fixture('nccl-tests/all-reduce.txt'))).runs;
    await report(fixture('hyperfine/two-commands.json'));
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 10; page++) {
      const { data, errors }: Answer = await app.as(team.viewer).send(
        `query($id: ID!, $after: String) { run(id: $id) { observations(first: 8, after: $after) {
           totalCount pageInfo { hasNextPage endCursor } edges { node { metric { key } dimensions } } } } }`,
        { id: run.id, after },
      );
      expect(errors).toEqual([]);
      const { totalCount, pageInfo, edges } = data.run.observations;
      expect(totalCount).toBe(20);
      seen.push(...edges.map(({ node }: { node: object }) => JSON.stringify(node)));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(seen).toHaveLength(20);
    expect(new Set(seen).size).toBe(20);
    const { data } = await app
      .as(team.viewer)
      .send(
        `query($slug: String!) { project(slug: $slug) { runs(first: 2) { totalCount pageInfo { hasNextPage } edges { node { id } } } } }`,
        { slug: team.project.slug },
      );
    expect(data.project.runs).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(data.project.runs.edges).toHaveLength(2);
  });

  it('hides a run from strangers', async () => {
    const [run] = (await report(labFile('before'))).runs;
    for (const who of [team.stranger, null]) {
      const { data } = await app.as(who).send(`query($id: ID!) { run(id: $id) { id } }`, { id: run.id });
      expect(data).toEqual({ run: null });
    }
  });
});

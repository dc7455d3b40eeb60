import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { problemCodes } from '../../src/domain/importers/problem-codes.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { codes, importer, IMPORT, type Report } from '../support/import-report.js';
import { labFile } from '../support/lab-file.js';
import { added, rowsOf } from '../support/rows.js';
import { fixture } from '../support/tool-output.js';

describe('the report of an import', () => {
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

  /** Two results, of which the second has a unit that no metric has. */
  const halfGood = (): string => `${labFile('before')}\n${labFile('after', { unit: 'GB' })}`;
  /** Two benchmarks, of which one lacks its statistics. */
  const withBadValue = (): string =>
    JSON.stringify({
      machine_info: {},
      benchmarks: [
        { name: 'good', fullname: 'good', stats: { min: 1, max: 3, mean: 2, median: 2, rounds: 3, data: [1, 2, 3] } },
        { name: 'bad', fullname: 'bad', stats: { min: 'x', rounds: 3 } },
      ],
    });

  it('of a dry run says what each run would be, and writes nothing', async () => {
    const before = await rowsOf(app.db);
    const read = await report({ content: fixture('hyperfine/two-commands.json'), dryRun: true, session: 's1' });
    expect(read).toMatchObject({ runs: [], wouldWriteCount: 2, isKnown: false, leftOutRuns: 0, leftOutValues: 0 });
    expect(read.wouldWrite).toEqual([
      expect.objectContaining({ index: 0, isWritten: true, knownRunId: null, status: 'OK', tool: 'hyperfine', session: 's1', observationCount: 4, leftOut: 0 }),
      expect.objectContaining({ index: 1, isWritten: true, variant: 'python3 train.py --workers 8', observationCount: 4 }),
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const written = await report({ content: fixture('hyperfine/two-commands.json') });
    const known = await report({ content: fixture('hyperfine/two-commands.json'), dryRun: true });
    expect(known).toMatchObject({ runs: [], wouldWriteCount: 0, isKnown: true });
    expect(known.wouldWrite.map(({ isWritten, knownRunId }: Report) => [isWritten, knownRunId])).toEqual(
      written.runs.map(({ id }: Report) => [false, id]),
    );
  });

  it('pages through observations and problems, and counts them all', async () => {
    const content = fixture('nccl-tests/all-reduce.txt');
    const first = await report({ content, dryRun: true });
    const next = await report({ content, dryRun: true }, { skip: 18 });
    expect([first.observations.length, next.observations.length, first.observationCount]).toEqual([3, 2, 20]);
    const table = `size,latency (ms)\n${Array.from({ length: 150 }, (_, index) => `${index},x${index}`).join('\n')}\n1,5\n`;
    const mapping = {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [{ column: 'latency (ms)', role: 'METRIC', metric: 'time.mean', unit: 'ms' }],
    };
    const cut = await report({ content: table, mapping, dryRun: true });
    expect(cut).toMatchObject({ problemCount: 152, errorCount: 150, warningCount: 2, leftOutValues: 150 });
    expect(cut.problems[0]).toEqual({
      line: 2,
      code: 'NO_NUMBER',
      value: 'x0',
      severity: 'ERROR',
      scope: 'VALUE',
      isBlocking: true,
      message: '"x0" in latency (ms) is no number',
    });
    expect(codes(await report({ content: table, mapping, dryRun: true }, { skip: 149 }))).toEqual(['NO_NUMBER', 'COLUMN_NOT_MAPPED', 'ROWS_POOLED']);
  });

  it('names the line, the value and the code of what is wrong, and writes nothing of such a file', async () => {
    const before = await rowsOf(app.db);
    const read = await report({ content: halfGood() });
    expect(read).toMatchObject({ runs: [], wouldWrite: [], errorCount: 1, leftOutRuns: 1 });
    expect(read.problems).toEqual([
      expect.objectContaining({
        code: 'WRONG_UNIT',
        severity: 'ERROR',
        scope: 'VALUE',
        isBlocking: true,
        message: 'Cannot convert GB to ms: GB is a data-size, ms a time (result 2, training.step_time)',
      }),
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('of the good part has the runs that are sound, and keeps what was wrong with them', async () => {
    const read = await report({ content: halfGood(), part: 'GOOD' });
    expect(read.runs).toEqual([expect.objectContaining({ isNew: true, status: 'OK', leftOut: 0, variant: 'FP32' })]);
    expect(read.runs[0].import).toEqual({
      isPartial: true,
      leftOutRuns: 1,
      leftOutValues: 0,
      problemCount: 1,
      problems: [{ line: null, code: 'WRONG_UNIT' }],
    });
  });

  it('of the good part marks a run that lacks values as partial, with their number', async () => {
    expect(await report({ content: withBadValue() })).toMatchObject({ runs: [], errorCount: 1 });
    const read = await report({ content: withBadValue(), part: 'GOOD' });
    expect(read.runs).toEqual([expect.objectContaining({ status: 'PARTIAL', leftOut: 1 })]);
    expect(read.runs[0].import).toMatchObject({ isPartial: true, leftOutValues: 1 });
    expect(read.problems[0]).toMatchObject({ code: 'UNREADABLE_VALUE', scope: 'VALUE', severity: 'ERROR' });
  });

  it('is of the same runs where the good part of a content is imported again', async () => {
    const [first] = (await report({ content: halfGood(), part: 'GOOD' })).runs;
    const again = await report({ content: halfGood(), part: 'GOOD' });
    expect(again.runs).toEqual([{ ...first, isNew: false }]);
    expect(again.isKnown).toBe(true);
  });

  it('completes a run whose values could not be read before', async () => {
    const content = fixture('nccl-tests/all-reduce.txt');
    const metric = await app.db.metric.findFirstOrThrow({ where: { key: 'fabric.busbw.avg' } });
    // As if the metric were not there yet: the run is written without it
    await app.db.metric.update({ where: { id: metric.id }, data: { key: 'fabric.busbw.hidden' } });
    const partial = await report({ content, part: 'GOOD' });
    await app.db.metric.update({ where: { id: metric.id }, data: { key: metric.key } });
    expect(partial.runs).toEqual([expect.objectContaining({ status: 'PARTIAL', leftOut: 1, isNew: true })]);
    expect(codes(partial)).toEqual(['UNKNOWN_METRIC']);
    const before = await rowsOf(app.db);
    const whole = await report({ content });
    expect(whole.runs).toEqual([
      expect.objectContaining({ id: partial.runs[0].id, status: 'OK', leftOut: 0, isNew: false }),
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({ HistoryEntry: 1, Import: 1, Observation: 1 });
    expect(await report({ content })).toMatchObject({ isKnown: true, wouldWriteCount: 0 });
  });

  it('is a warning where one point of a sweep failed, and an error where all did', async () => {
    const read = await report({ content: fixture('vllm-bench-serve/one-point-failed.jsonl') });
    expect(read.errorCount).toBe(0);
    expect(read.problems).toContainEqual(expect.objectContaining({ code: 'NO_MEASUREMENT', severity: 'WARNING' }));
    expect(read.runs.map(({ status }: Report) => status)).toContain('FAILED');
    const failed = await report({ content: fixture('vllm-bench-serve/all-failed.json') });
    expect(failed).toMatchObject({ runs: [], errorCount: 1 });
    expect(failed.problems[0]).toMatchObject({ code: 'NO_MEASUREMENT', scope: 'RUN', severity: 'ERROR' });
  });

  it.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a mark of the byte order', (text: string) => `\uFEFF${text}`],
    ['colors', (text: string) => `\u001b[32m${text}\u001b[0m`],
  ])('is of the same runs with %s', async (_, change) => {
    const content = fixture('nccl-tests/all-reduce.txt');
    const [first] = (await report({ content })).runs;
    expect((await report({ content: change(content) })).runs).toEqual([{ ...first, isNew: false }]);
  });

  it('is in the language of the viewer', async () => {
    await app.db.user.update({ where: { id: team.contributor.id }, data: { locale: 'ZH' } });
    const read = await report({ content: halfGood() });
    expect(read.problems[0].message).toBe('无法把 GB 换算为 ms：GB 的量纲是 data-size，ms 的量纲是 time（第 2 个结果，training.step_time）');
  });

  it('names the point of a value that does not fit its metric, and how many more there are', async () => {
    const content = fixture('nccl-tests/all-reduce.txt');
    const metric = await app.db.metric.findFirstOrThrow({ where: { key: 'fabric.busbw.out_of_place' } });
    await app.db.metric.update({ where: { id: metric.id }, data: { unit: 's' } });
    const read = await report({ content, dryRun: true });
    await app.db.metric.update({ where: { id: metric.id }, data: { unit: metric.unit } });
    expect(read.problems).toEqual([
      expect.objectContaining({
        code: 'WRONG_UNIT',
        value: expect.stringMatching(/^[\d.]+ GB\/s$/),
        message: expect.stringMatching(/ \(fabric\.busbw\.out_of_place bytes=\d+, and 2 more\)$/),
      }),
    ]);
  });

  it('tells the kinds of problems apart, each with a name and what it says', async () => {
    const query = '{ importProblemCodes { code description } }';
    const { data, errors } = await app.as(team.contributor).send(query);
    expect(errors).toEqual([]);
    const codesOf = (kinds: Report) => kinds.map(({ code }: Report) => code);
    expect(codesOf(data.importProblemCodes)).toEqual(Object.keys(problemCodes));
    expect(data.importProblemCodes).toContainEqual({ code: 'DEBUG_BUILD', description: 'A debug build was measured' });
    await app.db.user.update({ where: { id: team.contributor.id }, data: { locale: 'ZH' } });
    const { importProblemCodes: inChinese } = (await app.as(team.contributor).send(query)).data;
    expect(inChinese).toContainEqual({ code: 'DEBUG_BUILD', description: '测量的是 debug 构建' });
  });

  it('refuses an unknown part', async () => {
    const input = { projectId: team.project.id, fileName: 'x', content: labFile('before'), part: 'HALF' };
    const { errors } = await app.as(team.contributor).send(IMPORT, { input });
    expect(errors[0]?.message).toContain('HALF');
  });
}); // prettier-ignore

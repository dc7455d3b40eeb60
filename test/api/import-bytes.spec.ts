import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { codes, importer, IMPORT, type Report } from '../support/import-report.js';
import { labFile } from '../support/lab-file.js';
import { added, rowsOf } from '../support/rows.js';

describe('the bytes of an import', () => {
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

  const base64 = (bytes: Buffer): object => ({ contentBase64: bytes.toString('base64') });
  const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const marked = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), wide(text)]);

  it.each<[string, (text: string) => Buffer, readonly string[]]>([
    ['UTF-8', (text) => Buffer.from(text), []],
    ['gzip', (text) => gzipSync(text), []],
    ['UTF-16 with a mark', marked, []],
    ['UTF-16 without one', wide, ['ENCODING_ASSUMED']],
    ['gzip of UTF-16', (text) => gzipSync(marked(text)), []],
  ])('of %s are the same run as the text, and are stored unchanged', async (_, encode, expected) => {
    const [first] = (await report({ content: labFile('before') })).runs;
    const bytes = encode(labFile('before'));
    const read = await report(base64(bytes));
    expect(read.runs).toEqual([{ ...first, isNew: false }]);
    expect(codes(read)).toEqual(expected);
    const other = encode(labFile('after'));
    await report(base64(other));
    const sha256 = createHash('sha256').update(other).digest('hex');
    expect(await readFile(join(app.evidenceFolder, sha256.slice(0, 2), sha256))).toEqual(other);
    expect(await app.db.evidence.findMany({ where: { projectId: team.project.id, sha256 } })).toMatchObject([
      { size: other.length, mediaType: other[0] === 0x1f ? 'application/gzip' : 'text/plain' },
    ]);
  });

  it('of Chinese machines are read, with a warning', async () => {
    // {"…":"吞吐量 延迟"} in GBK as the label of a result
    const [before = '', after = ''] = labFile('before').split(/(?<="label":")FP32/);
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from('cdcccdc2c1bf20d1d3b3d9', 'hex'), Buffer.from(after)]);
    const read = await report(base64(bytes));
    expect(read.runs).toEqual([expect.objectContaining({ variant: '吞吐量 延迟', isNew: true })]);
    expect(read.problems).toMatchObject([{ code: 'ENCODING_ASSUMED', value: 'GB18030', severity: 'WARNING' }]);
  });

  it('that are no UTF-8 are reported with their line, and not guessed', async () => {
    const bytes = Buffer.from(`\n${labFile('before').replace('"FP32"', '"caf\u00e9"')}`, 'latin1');
    const read = await report(base64(bytes));
    expect(read.runs[0].variant).toBe('caf\uFFFD');
    expect(read.problems).toMatchObject([{ code: 'NOT_UTF8', line: 2, value: '0xE9' }]);
  });

  it.each<[string, () => object, string, RegExp]>([
    ['zip', () => base64(Buffer.from('504b0304', 'hex')), 'ARCHIVE', /is a zip archive: unpack it/],
    ['xz', () => base64(Buffer.from('fd377a585a00', 'hex')), 'ARCHIVE', /is a xz archive/],
    ['zstd', () => base64(Buffer.from('28b52ffd00', 'hex')), 'ARCHIVE', /is a zstd archive/],
    ['gzip as text', () => ({ content: '\u001f\ufffd\b' }), 'ARCHIVE', /send its bytes as contentBase64/],
    ['a NUL byte', () => base64(Buffer.from('a\nb\0')), 'NOT_TEXT', /line 2 holds a NUL byte, at byte 4/],
    ['a NUL in text', () => ({ content: 'a\nb\0' }), 'NOT_TEXT', /line 2 holds a NUL character/],
    ['nothing', () => ({ contentBase64: '' }), 'EMPTY', /is empty/],
    ['a bomb', () => base64(gzipSync(Buffer.alloc(101 * 1024 * 1024, 'a'))), 'TOO_LARGE', /unpacks to more than 100 MiB/],
    ['a cut gzip', () => base64(gzipSync(labFile('before')).subarray(0, 200)), 'TRUNCATED', /its end is missing/],
  ])('are refused for %s', async (_, input, code, message) => {
    const before = await rowsOf(app.db);
    const read: Report = await report(input());
    expect(read).toMatchObject({ format: null, runs: [], errorCount: 1 });
    expect(read.problems).toEqual([expect.objectContaining({ code, message: expect.stringMatching(message) })]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it.each([
    ['no Base64', { contentBase64: '###' }, 'contentBase64 is no Base64'],
    ['text beside bytes', { contentBase64: 'eA==', content: 'x' }, 'Give exactly one of content, contentBase64 and evidenceId'],
  ])('are refused for %s', async (_, given_, message) => {
    const input = { projectId: team.project.id, fileName: 'x', ...given_ };
    const answer = await app.as(team.contributor).send(IMPORT, { input });
    expect(answer).toMatchObject({ data: null, errorCode: 'INVALID_INPUT', errors: [{ message }] });
  });

  it('of evidence are read as they were uploaded', async () => {
    const bytes = gzipSync(labFile('before'));
    const [first] = (await report(base64(bytes))).runs;
    const { id } = await app.db.evidence.findFirstOrThrow({ where: { projectId: team.project.id } });
    const before = await rowsOf(app.db);
    expect((await report({ evidenceId: id })).runs).toEqual([{ ...first, isNew: false }]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('of one content from two callers at once are one run', async () => {
    const ways = [base64(gzipSync(labFile('before'))), base64(wide(labFile('before'))), { content: labFile('before') }];
    const reports = await Promise.all([...ways, ...ways].map((input) => report(input)));
    expect(new Set(reports.map(({ runs }) => runs[0].id)).size).toBe(1);
    expect(reports.filter(({ runs }) => runs[0].isNew)).toHaveLength(1);
  });
}); // prettier-ignore

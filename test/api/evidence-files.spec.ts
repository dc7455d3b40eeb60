import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVIDENCE_LIMIT } from '../../src/platform/evidence/evidence-store.js';
import { startApp, type TestApp } from '../support/app.js';
import { startBucketServer, type BucketServer } from '../support/bucket-server.js';
import * as given from '../support/given.js';
import { labFile } from '../support/lab-file.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';
import {
  answerOf,
  asViewer,
  filesIn,
  form,
  generated,
  listen,
  until,
  upload,
  type FileToSend,
} from '../support/upload.js';

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const named = (name: string, type?: string): FileToSend => ({ name, ...(type && { type }), bytes: randomBytes(50) });

let server: BucketServer;
beforeAll(async () => {
  server = await startBucketServer();
});
afterAll(() => server.close());

describe.each(['folder', 'bucket'] as const)('evidence files in a %s', (kind) => {
  let app: TestApp;
  let address: string;
  let team: given.Team;
  beforeAll(async () => {
    app = await startApp(kind === 'bucket' ? { evidenceBucket: await server.bucket() } : {});
    address = await listen(app);
    team = await given.project(app.db);
  });
  afterAll(() => app.close());

  const send = (...files: FileToSend[]) => upload(address, team.project.slug, team.contributor, files);
  const get = async (id: string, headers: Record<string, string> = {}, method = 'GET', viewer: { id: string } | null = team.viewer) =>
    answerOf(await fetch(`${address}/evidence/${id}`, { method, headers: { ...asViewer(viewer), ...headers } })); // prettier-ignore
  const temporary = async () => (await filesIn(app.evidenceFolder)).filter((name) => name.startsWith('unfinished'));

  it('come back as they were sent', async () => {
    const bytes = randomBytes(5_000_000);
    const sent = await send({ name: 'rank0.nsys-rep', type: 'application/x-nsys', bytes });
    expect(sent.status).toBe(201);
    expect(sent.body).toEqual({
      id: expect.any(String),
      sha256: digest(bytes),
      size: 5_000_000,
      fileName: 'rank0.nsys-rep',
      mediaType: 'application/x-nsys',
      isNew: true,
    });
    const response = await fetch(`${address}/evidence/${sent.body.id}`, { headers: asViewer(team.viewer) });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await temporary()).toEqual([]);
  });

  it('are the evidence that is there where the bytes are the same, whatever they are called', async () => {
    const bytes = randomBytes(1_000);
    const first = await send({ name: 'a.json', bytes });
    const second = await send({ name: 'b.json', bytes });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual({ ...first.body, isNew: false });
    const other = await given.project(app.db);
    const third = await upload(address, other.project.id, other.contributor, [{ name: 'c.json', bytes }]);
    expect([third.status, third.body.fileName, third.body.isNew]).toEqual([201, 'c.json', true]);
    expect(third.body.id).not.toBe(first.body.id);
  });

  it('can be several in one request, of which none is kept where one is refused', async () => {
    const [one, other] = [randomBytes(100), randomBytes(100)];
    const both = await send(
      { name: 'one', bytes: one },
      { name: 'other', bytes: other },
      { name: 'again', bytes: one },
    );
    expect(both.status).toBe(201);
    expect(both.body.map(({ fileName, isNew }: Record<string, unknown>) => [fileName, isNew])).toEqual([
      ['one', true],
      ['other', true],
      ['one', false],
    ]);
    const before = await rowsOf(app.db);
    const refused = await send(named('fine'), { name: 'nothing', bytes: Buffer.alloc(0) });
    expect([refused.status, refused.body]).toEqual([
      400,
      { code: 'INVALID_INPUT', message: 'The file "nothing" is empty' },
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await temporary()).toEqual([]);
    const many = await send(...Array.from({ length: 11 }, () => named('x')));
    expect([many.status, many.body.code]).toEqual([413, 'LIMIT_EXCEEDED']);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await temporary()).toEqual([]);
  });

  it('may have 100 MB, and not one byte more', async () => {
    const before = await filesIn(app.evidenceFolder);
    const rows = await rowsOf(app.db);
    const refused = await send({ bytes: generated(EVIDENCE_LIMIT + 1) });
    expect([refused.status, refused.body]).toEqual([
      413,
      { code: 'LIMIT_EXCEEDED', message: 'A file may have at most 100 MB' },
    ]);
    expect(await filesIn(app.evidenceFolder)).toEqual(before);
    expect(added(rows, await rowsOf(app.db))).toEqual({});
    const taken = await send({ bytes: generated(EVIDENCE_LIMIT) });
    expect([taken.status, taken.body.size]).toEqual([201, EVIDENCE_LIMIT]);
    expect((await get(taken.body.id, { range: `bytes=${EVIDENCE_LIMIT - 9}-` })).text).toHaveLength(9);
  });

  it('are refused before they come where the request says that it is far too long', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${address}/projects/${team.project.slug}/evidence`, {
        method: 'POST',
        headers: {
          ...asViewer(team.contributor),
          'x-tunebook': '1',
          'content-type': form([]).type,
          'content-length': 5_000_000_000,
        },
      });
      request.on('error', reject).on('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('leave nothing where the connection breaks off, and the service goes on', async () => {
    const before = await filesIn(app.evidenceFolder);
    const { type, pieces } = form([{ bytes: generated(20_000_000) }]);
    const request = httpRequest(`${address}/projects/${team.project.slug}/evidence`, {
      method: 'POST',
      headers: { ...asViewer(team.contributor), 'x-tunebook': '1', 'content-type': type },
    });
    request.on('error', () => undefined);
    const [head = Buffer.alloc(0), first = Buffer.alloc(0)] = [...pieces].slice(0, 2);
    request.write(head);
    request.write(first);
    await until(async () => (await temporary()).length === 1);
    request.destroy();
    await until(async () => (await temporary()).length === 0);
    expect(await filesIn(app.evidenceFolder)).toEqual(before);
    expect((await send(named('after.json'))).status).toBe(201);
  });

  it.each([
    ['without an end', '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
    ['without a file', '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nabc\r\n--b--\r\n'],
    ['of nothing', '--b--\r\n'],
    ['of another boundary', '--c\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--c--\r\n'],
  ])('are refused in a form %s', async (_, body) => {
    const headers = { ...asViewer(team.contributor), 'x-tunebook': '1', 'content-type': 'multipart/form-data; boundary=b' };
    const sent = await answerOf(await fetch(`${address}/projects/${team.project.slug}/evidence`, { method: 'POST', headers, body }));
    expect([sent.status, sent.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(await temporary()).toEqual([]);
  }); // prettier-ignore

  it('can be asked for in ranges, and with their state', async () => {
    const { body } = await send({ name: 'log.txt', type: 'text/plain', bytes: Buffer.from(`0123456789 ${kind}`) });
    const size = 11 + kind.length;
    const part = await get(body.id, { range: 'bytes=2-4' });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '234', `bytes 2-4/${size}`]);
    const end = await get(body.id, { range: 'bytes=-6' });
    expect([end.status, end.text]).toEqual([206, kind]);
    const beyond = await get(body.id, { range: 'bytes=100-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    const several = await get(body.id, { range: 'bytes=0-1,3-4' });
    expect([several.status, several.text]).toEqual([200, `0123456789 ${kind}`]);
    const etag = `"${body.sha256}"`;
    expect((await get(body.id)).headers.get('etag')).toBe(etag);
    expect((await get(body.id, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(body.id, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    expect((await get(body.id, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    const head = await get(body.id, {}, 'HEAD');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(size)]);
  });

  it.each([
    ['page.html', 'text/html', '<script>alert(1)</script>'],
    ['picture.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['paper.pdf', 'application/pdf', '%PDF-1.4'],
  ])('of the kind %s are never what a browser renders', async (name, type, text) => {
    const { body } = await send({ name, type, bytes: Buffer.from(`${text}${randomUUID()}`) });
    expect(body.mediaType).toBe(type);
    const { headers } = await get(body.id);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    });
  });

  it.each([
    ['../../etc/passwd', 'passwd', 'passwd', 'passwd'],
    ['C:\\\\logs\\\\run.txt', 'run.txt', 'run.txt', 'run.txt'],
    ['显存 分析.json', '显存 分析.json', '__ __.json', '%E6%98%BE%E5%AD%98%20%E5%88%86%E6%9E%90.json'],
    ['invoice\u202Egpj.exe', 'invoicegpj.exe', 'invoicegpj.exe', 'invoicegpj.exe'],
    ['a\u0007b\u200B.txt', 'ab.txt', 'ab.txt', 'ab.txt'],
    ["it's 100%.txt", "it's 100%.txt", "it's 100_.txt", 'it%27s%20100%25.txt'],
    ['..', 'file', 'file', 'file'],
  ])('called %j are called %j', async (given, fileName, plain, extended) => {
    const { body } = await send({ name: given, bytes: randomBytes(50) });
    expect(body.fileName).toBe(fileName);
    const { headers } = await get(body.id);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${extended}`);
  });

  it('are refused to strangers as if there were no project, and to readers', async () => {
    const before = await rowsOf(app.db);
    const as = async (viewer: { id: string } | null, project = team.project.slug) => {
      const { status, body } = await upload(address, project, viewer, [named('a.json')]);
      return [status, body.code];
    };
    expect(await as(team.stranger)).toEqual([404, 'NOT_FOUND']);
    expect(await as(team.contributor, 'no-such-project')).toEqual([404, 'NOT_FOUND']);
    expect(await as(team.contributor, '%00')).toEqual([404, 'NOT_FOUND']);
    expect(await as(team.viewer)).toEqual([403, 'FORBIDDEN']);
    expect(await as(null)).toEqual([401, 'UNAUTHENTICATED']);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await temporary()).toEqual([]);
  });

  it('are hidden from strangers as if there were none', async () => {
    const { body } = await send(named('secret.json'));
    const nothing = (id: string) => [404, { code: 'NOT_FOUND', message: `There is no evidence "${id}"` }];
    for (const viewer of [team.stranger, null]) {
      const { status, body: answer, headers } = await get(body.id, {}, 'GET', viewer);
      expect([status, answer]).toEqual(nothing(body.id));
      expect(headers.get('etag')).toBeNull();
      expect((await get(body.id, {}, 'HEAD', viewer)).status).toBe(404);
    }
    const none = await get('none', { 'accept-language': 'zh-CN' });
    expect([none.status, none.body]).toEqual([404, { code: 'NOT_FOUND', message: '没有证据“none”' }]);
    expect((await get('%00')).status).toBe(404);
  });

  it('are taken from no page of another site', async () => {
    const before = await rowsOf(app.db);
    const sent = async (headers: Record<string, string>) => {
      const { status, body } = await upload(address, team.project.slug, team.contributor, [named('a.json')], headers);
      return [status, body.code];
    };
    const refusedAs = [403, 'FORBIDDEN'];
    expect(await sent({})).toEqual(refusedAs);
    expect(await sent({ 'x-tunebook': '' })).toEqual(refusedAs);
    expect(await sent({ 'x-tunebook': '1', origin: 'https://evil.example' })).toEqual(refusedAs);
    expect(await sent({ origin: 'null' })).toEqual(refusedAs);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await sent({ 'x-tunebook': '1', origin: address })).toEqual([201, undefined]);
    expect(await sent({ authorization: 'Bearer 123' })).toEqual([401, 'UNAUTHENTICATED']);
    const chinese = await upload(address, team.project.slug, team.contributor, [named('a')], {
      'accept-language': 'zh',
    });
    expect(chinese.body).toEqual({
      code: 'FORBIDDEN',
      message: '上传文件须带请求头 x-tunebook: 1，其他网站的页面无法发送该请求头',
    });
    // No page may ask whether it may send the header
    const asked = await fetch(`${address}/projects/${team.project.slug}/evidence`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-tunebook' },
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('are of no other content type, and of no other address', async () => {
    const post = async (path: string, type: string) => {
      const headers = { ...asViewer(team.contributor), 'x-tunebook': '1', 'content-type': type };
      const { status, body } = await answerOf(
        await fetch(`${address}${path}`, { method: 'POST', headers, body: '{}' }),
      );
      return [status, body.code ?? body.errors[0].extensions.code];
    };
    const path = `/projects/${team.project.slug}/evidence`;
    expect(await post(path, 'application/json')).toEqual([400, 'INVALID_INPUT']);
    expect(await post(path, 'application/x-www-form-urlencoded')).toEqual([415, 'INVALID_INPUT']);
    expect(await post('/graphql', 'multipart/form-data; boundary=b')).toEqual([415, 'INVALID_INPUT']);
  });

  it('that are lost are named, in a download and in an import', async () => {
    const { id } = await app.db.evidence.create({
      data: { projectId: team.project.id, sha256: '0'.repeat(64), fileName: 'lost', mediaType: 'text/plain', size: 5 },
    });
    const { status, body, headers } = await get(id);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.message).toBe(
      `The bytes of the file with SHA-256 ${'0'.repeat(64)} are missing in the storage: restore them from a backup, or upload the same file again`,
    );
    const importing = `mutation($input: ImportRunInput!) { importRun(input: $input) { format } }`;
    const input = { projectId: team.project.id, fileName: 'lost', evidenceId: id };
    expect(await refused(app, app.as(team.contributor), importing, input)).toMatchObject({
      code: 'NOT_FOUND',
      message: body.message,
    });
    expect([headers.get('etag'), headers.get('content-disposition')]).toEqual([null, null]);
  });

  it('are listed by their project, newest first, and read by imports', async () => {
    const own = await given.project(app.db);
    const text = labFile('before');
    const sent: string[] = [];
    for (const bytes of [Buffer.from(text), randomBytes(20)]) {
      const { body } = await upload(address, own.project.slug, own.contributor, [{ name: 'before.json', bytes }]);
      sent.push(body.id);
    }
    const [measured = '', newest = ''] = sent;
    const { data, errors } = await app.as(own.viewer).send(
      `query($slug: String!, $id: ID!) {
         project(slug: $slug) { evidence(first: 1) { totalCount pageInfo { hasNextPage } edges { node { id url createdBy { name } } } } }
         evidence(id: $id) { id fileName mediaType size sha256 url createdAt createdBy { id } }
       }`,
      { slug: own.project.slug, id: measured },
    ); // prettier-ignore
    expect(errors).toEqual([]);
    expect(data.project.evidence).toEqual({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      edges: [{ node: { id: newest, url: `/evidence/${newest}`, createdBy: { name: 'contributor' } } }],
    });
    expect(data.evidence).toEqual({
      id: measured,
      fileName: 'before.json',
      mediaType: 'application/json',
      size: text.length,
      sha256: digest(Buffer.from(text)),
      url: `/evidence/${measured}`,
      createdAt: expect.any(String),
      createdBy: { id: own.contributor.id },
    });
    const imported = await app.as(own.contributor).send(
      `mutation($input: ImportRunInput!) {
         importRun(input: $input) { problems { message } runs { evidence { id fileName } attachments { id } } }
       }`,
      { input: { projectId: own.project.id, fileName: 'before.json', evidenceId: measured } },
    );
    expect(imported.errors).toEqual([]);
    expect(imported.data.importRun).toEqual({
      problems: [],
      runs: [{ evidence: { id: measured, fileName: 'before.json' }, attachments: [] }],
    });
    expect((await app.as(team.viewer).send('query($id: ID!) { evidence(id: $id) { id } }', { id: measured })).data).toEqual({ evidence: null }); // prettier-ignore
  });
});

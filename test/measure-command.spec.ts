import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { applicationOn } from '../src/application.js';
import { Database } from '../src/platform/database/database.js';
import { folderSecret } from '../src/platform/database/data-folder-lock.js';
import { tunebook } from './support/command.js';
import { openTestDatabase } from './support/database.js';
import * as given from './support/given.js';
import { MeasuredFiles } from './support/measured-files.js';

const steady = [100, 101, 99, 100.5];
const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SHA: '4f1c2d3e5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d',
  GITHUB_REF_NAME: 'main',
  GITHUB_HEAD_REF: 'faster-prefill',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'example/engine',
  GITHUB_RUN_ID: '123',
  GITHUB_JOB: 'bench',
};

let app: NestFastifyApplication;
let files: MeasuredFiles;
let audit: given.GivenAudit;
let slug: string;
let server: string;
let token: string;
/** What stands between the command and the service: it may answer instead of it. */
let proxy: Server;
let fail: (body: string, attempt: number) => { readonly status: number; readonly body: string } | null = () => null;
let attempts = 0;
let shown: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  files = await MeasuredFiles.make();
  const opened = await openTestDatabase();
  const dataFolder = join(files.folder, 'data');
  app = await applicationOn(
    {
      host: '127.0.0.1',
      port: 0,
      dataFolder,
      evidenceFolder: join(dataFolder, 'evidence'),
      databaseUrl: null,
      logLevel: 'fatal',
    },
    opened,
  );
  await app.listen(0, '127.0.0.1');
  const address = await app.getUrl();
  audit = await given.audit(app.get(Database));
  ({ slug } = audit.project);
  token = opened.lock === null ? '' : await folderSecret(dataFolder);
  proxy = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      attempts += 1;
      shown.push(request.headers);
      const failure = fail(body, attempts);
      const headers = {
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      };
      void fetch(`${address}/graphql`, { method: 'POST', headers, body }).then(async (answer) => {
        const text = await answer.text();
        // what fails on the way back was done all the same
        response.writeHead(failure?.status ?? answer.status, { 'content-type': 'application/json' });
        response.end(failure?.body ?? text);
      });
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  server = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await files.serving('base', steady);
  await files.serving('slower', [110, 111, 109, 110.5]);
  await files.write('notes.md', '# What was measured\n');
});
beforeEach(() => {
  fail = () => null;
  attempts = 0;
  shown = [];
});
afterAll(async () => {
  proxy.close();
  await app.close();
  await files.remove();
});

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  tunebook(args, { cwd: files.folder, env: { TUNEBOOK_SERVER: server, TUNEBOOK_TOKEN: 'tb_spec_secret', ...env } });
const measure = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => run(['measure', ...args], env);
const names = (arm: string) => steady.map((_, index) => `${arm}-${index + 1}.json`);
const runs = () => app.get(Database).run.findMany({ where: { projectId: audit.project.id }, orderBy: { id: 'asc' } });
const idsOf = (out: string) => out.split('\n').filter((line) => line !== '');

describe('tunebook measure', () => {
  it('writes nothing in a dry run', async () => {
    const { code, out, err } = await measure([slug, 'base-1.json', '--dry-run']);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'base-1.json: vllm-bench-serve, 9 observations; nothing was written\n',
      err: '',
    });
    expect(await runs()).toEqual([]);
  });

  it('sends files with what the pipeline says of itself, and shows the token to the server alone', async () => {
    const { code, out, err } = await measure(
      [slug, 'base-1.json', '--session', 'job-1', '--set', 'driver=580.65', '--output', 'ids'],
      github,
    );
    expect({ code, err }).toEqual({ code: 0, err: 'base-1.json: vllm-bench-serve, 9 observations\n' });
    const [run1] = await runs();
    expect(idsOf(out)).toEqual([run1?.id]);
    expect(run1).toMatchObject({
      source: 'CI',
      session: 'job-1',
      commit: github.GITHUB_SHA,
      imageDigest: null,
      environment: {
        driver: '580.65',
        'ci.provider': 'github',
        'ci.branch': 'faster-prefill',
        'ci.pipeline': 'https://github.com/example/engine/actions/runs/123',
        'ci.job': 'bench',
      },
    });
    expect(shown[0]?.authorization).toBe('Bearer tb_spec_secret');
    expect(`${out}${err}`).not.toContain('tb_spec_secret');
  });

  it('sends again what got no answer, and writes nothing twice', async () => {
    fail = (body, attempt) => (body.includes('importRun') && attempt < 4 ? { status: 502, body: 'bad gateway' } : null);
    const { code, out } = await measure([slug, ...names('base').slice(1), '--output', 'json']);
    expect(code).toBe(0);
    expect(attempts).toBe(1 + 3 + 2);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ format: 'tunebook-measure/1', project: slug, trial: null });
    expect(report.files.map(({ file }: { file: string }) => file)).toEqual(names('base').slice(1));
    expect(await runs()).toHaveLength(4);
    const again = await measure([slug, ...names('base')]);
    expect(again.code).toBe(0);
    expect(again.out.match(/ known OK/g)).toHaveLength(4);
  });

  it('makes a trial of what it sent, which the gate judges', async () => {
    const before = idsOf((await measure([slug, ...names('base'), '--output', 'ids'])).out);
    const item = audit.items[0]?.id ?? '';
    const trialArgs = [
      '--arm',
      'after',
      '--item',
      item,
      '--other-arm',
      before.join(','),
      '--metric',
      'serving.ttft.mean',
    ];
    const sent = await measure([slug, ...names('slower'), ...trialArgs, '--output', 'json']);
    expect(sent).toMatchObject({ code: 0, err: '' });
    const { trial } = JSON.parse(sent.out);
    expect(trial).toEqual({ id: expect.any(String), verdict: 'REGRESSED' });
    const judged = await run(['gate', '--trial', trial.id]);
    expect(judged.code).toBe(1);
    expect(judged.out.split('\n').slice(0, 2)).toEqual([
      'Gate failed: it got worse. Likely regressed: serving.ttft.mean −9.1 % [−10.8, −7.3]',
      '- serving.ttft.mean: got worse, −9.1 % [−10.8, −7.3]; threshold 2 %.',
    ]);
    expect(await run(['gate', '--trial', 'nothing'])).toMatchObject({
      code: 2,
      err: 'There is no trial "nothing", or it may not be seen\n',
    });
  });

  it('goes on after a file that is refused, and ends with 1', async () => {
    const { code, out } = await measure([slug, 'notes.md', 'base-1.json']);
    expect(code).toBe(1);
    expect(out).toMatch(/^notes\.md: not recognized, 0 observations\n {2}error: The content is of none of the/);
    expect(out).toMatch(
      /base-1\.json: vllm-bench-serve, 9 observations\n {2}run \S+ known OK\n {2}warning: This content was imported before/,
    );
  });

  it.each([
    [401, 1, 'does not know who asks: HTTP 401. Set TUNEBOOK_TOKEN to a service token that is valid.'],
    [403, 1, 'refuses it: HTTP 403'],
    [413, 1, 'does not take files of this size (HTTP 413)'],
    [503, 2, 'answers with HTTP 503'],
    [200, 2, 'is no Tunebook (HTTP 200)'],
  ])('says what HTTP %i means', async (status, code, message) => {
    fail = () => ({ status, body: '<html>' });
    const ended = await measure([slug, 'base-1.json', '--retries', '1']);
    expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
    expect(ended.err).toContain(message);
    expect(ended.err).not.toContain('tb_spec_secret');
    expect(attempts).toBe(status === 503 ? 2 : 1);
    expect(await run(['gate', '--trial', 'any', '--retries', '0'])).toMatchObject({ code: 2 });
  });

  it.each([
    [['nowhere', 'base-1.json'], 1, 'There is no project "nowhere", or it may not be seen\n'],
    [['demo', 'missing.json'], 1, 'missing.json cannot be read: there is no such file or folder\n'],
    [['demo', 'base-1.json', '--arm', 'after'], 64, 'error: --arm needs one of --trial and --item\n'],
    [['demo', 'base-1.json', '--server', 'ftp://x'], 64, 'error: --server takes an address such as https://tunebook.example.org, not "ftp://x"\n'],
    [['demo'], 64, "error: missing required argument 'files'\n"],
  ])('refuses %j', async (args, code, err) => {
    expect(await measure(args)).toMatchObject({ code, out: '', err });
  }); // prettier-ignore

  it('ends with 2 where nothing listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    expect(await measure([slug, 'base-1.json', '--server', address, '--retries', '0'])).toMatchObject({
      code: 2,
      err: `${address} cannot be reached: nothing listens there\n`,
    });
  });

  it('opens the data folder where no server is named', async () => {
    const env = { TUNEBOOK_SERVER: '', TUNEBOOK_DATA: join(files.folder, 'own-data') };
    expect(await measure(['nowhere', 'base-1.json'], env)).toMatchObject({
      code: 1,
      out: '',
      err: 'There is no project "nowhere", or it may not be seen\n',
    });
  });
});

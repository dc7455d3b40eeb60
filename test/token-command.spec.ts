import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../src/platform/database/connect.js';

const root = join(import.meta.dirname, '..');

let folder: string;
let service: ChildProcess;
let address: string;
/** All that the service wrote, at its most talkative. */
let logged = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-token-'));
  const image = process.env['TEST_IMAGE'];
  const database = await openDatabase({ databaseUrl: null, dataFolder: join(folder, 'data'), ...(image !== undefined && { image }) }); // prettier-ignore
  await database.close();
  service = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env: environment() });
  address = await new Promise<string>((resolve, reject) => {
    service.on('exit', (code) => reject(new Error(`The service ended with ${code}: ${logged}`)));
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        logged += chunk.toString();
        const [, found] = /(http:\/\/\S+)\/graphql/.exec(logged) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
  });
  for (const slug of ['demo', 'other']) {
    await tunebook('query', `mutation { createProject(input: { slug: "${slug}", name: "x" }) { id } }`);
  }
}, 180_000);
afterAll(async () => {
  service.removeAllListeners('exit');
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

const environment = () => ({
  ...process.env,
  NODE_OPTIONS: '',
  TUNEBOOK_DATA: join(folder, 'data'),
  DATABASE_URL: '',
  PORT: '0',
  LOG_LEVEL: 'trace',
});

/** Runs `tunebook …` to its end: it asks the service. */
async function tunebook(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['scripts/tunebook.mjs', ...args], { cwd: root, env: environment() });
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()));
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

/** What a request with this secret is answered. */
async function answered(secret: string, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.text();
}

describe('tunebook token', () => {
  it('prints the secret alone on the standard output, lists the token without it, and ends it', async () => {
    const made = await tunebook('token', 'create', 'demo', 'other', '--name', 'nightly', '--expires', '2w');
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^tb_[0-9a-f]{10}_[A-Za-z0-9_-]{43}\n$/);
    const secret = made.out.trim();
    expect(made.err).toMatch(
      /^Token \S+ "nightly", INGEST, for demo, other, until \d{4}-\S+Z\nThis is its secret, which nobody can show again:\n$/,
    );
    expect(made.err).not.toContain(secret);
    const [, id = ''] = /^Token (\S+) /.exec(made.err) ?? [];

    expect(await answered(secret, '{ viewer { name isMachine } projects { totalCount } }')).toBe(
      '{"data":{"viewer":{"name":"nightly","isMachine":true},"projects":{"totalCount":2}}}',
    );
    expect(await answered(`${secret}x`, '{ viewer { id } }')).toContain('UNAUTHENTICATED');
    await answered(secret, 'mutation { createProject(input: { slug: "x", name: "x" }) { id } }');

    const listed = await tunebook('token', 'list', 'other');
    expect(listed.out).toMatch(
      new RegExp(`^${id}  ${secret.slice(0, 13)}  "nightly"  INGEST  until \\S+Z  used at \\S+Z  by Owner\\n$`),
    );
    const ended = await tunebook('token', 'revoke', id);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`Token ${id} ${secret.slice(0, 13)} "nightly" ended at `) }); // prettier-ignore
    expect(await answered(secret, '{ viewer { id } }')).toContain('was revoked at');
    expect((await tunebook('token', 'list', 'demo')).out).toContain('  revoked at ');

    expect(logged).toContain('/graphql');
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(secret.slice(14));
  }, 120_000);

  it.each([
    [['create', 'demo', '--name', 'x', '--expires', 'never'], '--expires: "never" is neither a time from now'],
    [['create', 'demo', '--name', 'x', '--expires', '3000d'], 'expiresAt must be in the future and at most 2 years away'],
    [['create', 'demo', '--name', 'x', '--right', 'all'], "argument 'all' is invalid"],
    [['create', 'demo'], "required option '--name <name>' not specified"],
    [['create', 'nowhere', '--name', 'x'], 'There is no project "nowhere"'],
    [['list', 'nowhere'], 'There is no project "nowhere"'],
    [['revoke', 'none'], 'There is no service token "none"'],
  ])('says what is wrong, and prints no secret: %j', async (args, message) => {
    const { code, out, err } = await tunebook('token', ...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  }, 60_000); // prettier-ignore
});

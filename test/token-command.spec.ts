import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook as command } from './support/command.js';
import { makeDataFolder, startService, type ServiceProcess } from './support/service-process.js';

let folder: string;
let service: ServiceProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-token-'));
  await makeDataFolder(join(folder, 'data'));
  service = await startService(join(folder, 'data'), { LOG_LEVEL: 'trace' });
  for (const slug of ['demo', 'other']) {
    await tunebook('query', `mutation { createProject(input: { slug: "${slug}", name: "x" }) { id } }`);
  }
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `tunebook …` to its end: it asks the service. */
const tunebook = (...args: string[]) => command(args, { env: { TUNEBOOK_DATA: join(folder, 'data') } });

/** What a request with this secret is answered. */
async function answered(secret: string, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const response = await fetch(`${service.address}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
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

    expect(service.logged()).toContain('/graphql');
    expect(service.logged()).not.toContain(secret);
    expect(service.logged()).not.toContain(secret.slice(14));
  });

  it.each([
    [['create', 'demo', '--name', 'x', '--expires', 'never'], 64, '--expires: "never" is neither a time from now'],
    [['create', 'demo', '--name', 'x', '--expires', '3000d'], 1, 'expiresAt must be in the future and at most 2 years away'],
    [['create', 'demo', '--name', 'x', '--right', 'all'], 64, "argument 'all' is invalid"],
    [['create', 'demo'], 64, "required option '--name <name>' not specified"],
    [['create', 'nowhere', '--name', 'x'], 1, 'There is no project "nowhere"'],
    [['list', 'nowhere'], 1, 'There is no project "nowhere"'],
    [['revoke', 'none'], 1, 'There is no service token "none"'],
  ])('says what is wrong, and prints no secret: %j', async (args, ends, message) => {
    const { code, out, err } = await tunebook('token', ...args);
    expect({ code, out }).toEqual({ code: ends, out: '' });
    expect(err).toContain(message);
  }); // prettier-ignore
});

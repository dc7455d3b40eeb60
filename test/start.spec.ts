import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/platform/database/connect.js';
import { holderOf } from '../src/platform/database/data-folder-lock.js';
import { labFile } from './support/lab-file.js';

const root = join(import.meta.dirname, '..');

interface Service {
  readonly process: ChildProcess;
  /** What it has said so far, on both streams. */
  said(): string;
  readonly exitCode: Promise<number | null>;
}

/** What `npm start` runs, on the embedded database. */
function startService(env: Readonly<Record<string, string>>): Service {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '', HOST: '', PORT: '0', LOG_LEVEL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  return {
    process: child,
    said: () => text,
    exitCode: once(child, 'close').then(([code]) => code as number | null),
  };
}

/** Runs the command line on a data folder to its end. */
async function tunebook(dataFolder: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['scripts/tunebook.mjs', ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '', TUNEBOOK_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (said += part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** The address that it says it answers at. */
async function addressOf(service: Service): Promise<string> {
  const isOver = service.exitCode.then(() => true);
  for (;;) {
    const [, address] = /(http:\/\/\S+)\/graphql/.exec(service.said()) ?? [];
    if (address !== undefined) return address;
    const output = Promise.race([once(service.process.stdout ?? service.process, 'data').then(() => false), isOver]);
    if (await output) throw new Error(`The service has ended:\n${service.said()}`);
  }
}

/** Making a database takes longer than copying one. */
async function copyOf(dataFolder: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'tunebook-start-'));
  await cp(dataFolder, copy, { recursive: true });
  return copy;
}

async function ask(address: string, query: string): Promise<unknown> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

describe('the service that `npm start` runs', () => {
  let made: string;
  let folder: string;
  let service: Service;
  let address: string;

  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), 'tunebook-made-'));
    const image = process.env['TEST_IMAGE'];
    const database = await openDatabase({ databaseUrl: null, dataFolder: made, ...(image !== undefined && { image }) });
    await database.close();
    folder = await copyOf(made);
    service = startService({ TUNEBOOK_DATA: folder });
    address = await addressOf(service);
  });

  afterAll(async () => {
    service.process.kill('SIGKILL');
    await service.exitCode;
    await rm(folder, { recursive: true, force: true });
    await rm(made, { recursive: true, force: true });
  });

  it('answers as the owner, with the shipped content', async () => {
    expect(await ask(address, '{ viewer { id } checklist(slug: "ai-systems-performance") { slug } }')).toEqual({
      data: { viewer: { id: 'owner' }, checklist: { slug: 'ai-systems-performance' } },
    });
  });

  it('is named by a second one on the same folder, which does not start', async () => {
    const second = startService({ TUNEBOOK_DATA: folder });
    expect(await second.exitCode).toBe(1);
    expect(second.said()).toContain(`in use by process ${service.process.pid}, which listens on ${address}.`);
  });

  it('does the work of a command, which needs the secret of the folder for it', async () => {
    await ask(address, 'mutation { createProject(input: { slug: "of-the-service", name: "x" }) { id } }');
    const file = join(folder, 'before.json');
    await writeFile(file, labFile('before'));
    const imported = await tunebook(folder, 'import', 'of-the-service', file);
    expect(imported).toEqual({
      code: 0,
      said: expect.stringMatching(/tunebook-lab, 1 observation\n {2}run \S+ new FP32\n$/),
    });
    expect(await ask(address, '{ project(slug: "of-the-service") { runs { totalCount } } }')).toEqual({
      data: { project: { runs: { totalCount: 1 } } },
    });

    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer 0000' },
      body: JSON.stringify({ query: '{ viewer { id } }' }),
    });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  it('leaves the folder to a command while none runs', async () => {
    const ownFolder = await copyOf(made);
    const { code, said } = await tunebook(ownFolder, 'query', '{ viewer { id } }');
    expect({ code, answer: JSON.parse(said) as unknown }).toEqual({
      code: 0,
      answer: { data: { viewer: { id: 'owner' } } },
    });
    expect(await holderOf(ownFolder)).toBeNull();
    await rm(ownFolder, { recursive: true, force: true });
  });

  it('is asked for in a command that says what is wrong with it', async () => {
    expect(await tunebook(folder, 'import', 'nowhere', 'README.md')).toEqual({
      code: 1,
      said: 'There is no project "nowhere"\n',
    });
    expect(await tunebook(folder, 'import', 'nowhere', 'missing.json')).toMatchObject({
      code: 1,
      said: expect.stringContaining('missing.json cannot be read'),
    });
    expect(await tunebook(folder, 'query', '{ viewer { id } }', '--variables', '{')).toMatchObject({
      code: 64,
      said: expect.stringContaining('--variables is not JSON'),
    });
    expect((await tunebook(folder, 'query', '{ nothing }')).code).toBe(1);
  });

  it('does not start in a wrong environment, and names every wrong variable', async () => {
    const wrong = startService({ TUNEBOOK_DATA: folder, HOST: '0.0.0.0', PORT: 'none', TUNEBOOK_FOLDER: 'x' });
    expect(await wrong.exitCode).toBe(1);
    for (const variable of ['HOST', 'PORT', 'TUNEBOOK_FOLDER']) expect(wrong.said()).toContain(`\n  ${variable}: `);
  });

  it('does not start on a port that is taken, says so in one line, and gives the folder back', async () => {
    const ownFolder = await copyOf(made);
    const { port } = new URL(address);
    const second = startService({ TUNEBOOK_DATA: ownFolder, PORT: port });
    expect(await second.exitCode).toBe(1);
    expect(second.said()).toBe(`Port ${port} on 127.0.0.1 is taken by another program: stop it, or set PORT.\n`);
    expect(await holderOf(ownFolder)).toBeNull();
    await rm(ownFolder, { recursive: true, force: true });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops on %s with exit code 0, and gives the folder back', async (signal) => {
    const ownFolder = await copyOf(made);
    const stopped = startService({ TUNEBOOK_DATA: ownFolder });
    await addressOf(stopped);
    stopped.process.kill(signal);
    expect(await stopped.exitCode).toBe(0);
    expect(await holderOf(ownFolder)).toBeNull();
    await rm(ownFolder, { recursive: true, force: true });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/platform/database/connect.js';
import { holderOf } from '../src/platform/database/data-folder-lock.js';

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

async function ask(address: string, query: string): Promise<unknown> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

describe('the service that `npm start` runs', () => {
  let folder: string;
  let service: Service;
  let address: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tunebook-start-'));
    const image = process.env['TEST_IMAGE'];
    const database = await openDatabase({
      databaseUrl: null,
      dataFolder: folder,
      ...(image !== undefined && { image }),
    });
    await database.close();
    service = startService({ TUNEBOOK_DATA: folder });
    address = await addressOf(service);
  }, 180_000);

  afterAll(async () => {
    service.process.kill('SIGKILL');
    await service.exitCode;
    await rm(folder, { recursive: true, force: true });
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

  it('does not start in a wrong environment, and names every wrong variable', async () => {
    const wrong = startService({ TUNEBOOK_DATA: folder, HOST: '0.0.0.0', PORT: 'none', TUNEBOOK_FOLDER: 'x' });
    expect(await wrong.exitCode).toBe(1);
    for (const variable of ['HOST', 'PORT', 'TUNEBOOK_FOLDER']) expect(wrong.said()).toContain(`\n  ${variable}: `);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops on %s with exit code 0, and gives the folder back', async (signal) => {
    const ownFolder = await mkdtemp(join(tmpdir(), 'tunebook-stop-'));
    const image = process.env['TEST_IMAGE'];
    const location = { databaseUrl: null, dataFolder: ownFolder, ...(image !== undefined && { image }) };
    await (await openDatabase(location)).close();
    const stopped = startService({ TUNEBOOK_DATA: ownFolder });
    await addressOf(stopped);
    stopped.process.kill(signal);
    expect(await stopped.exitCode).toBe(0);
    expect(await holderOf(ownFolder)).toBeNull();
    await rm(ownFolder, { recursive: true, force: true });
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type OpenedDatabase } from '../src/platform/database/connect.js';
import {
  DataFolderBusyError,
  folderSecret,
  holderOf,
  lockDataFolder,
} from '../src/platform/database/data-folder-lock.js';
import { migrate } from '../src/platform/database/migrate.js';
import { crashRound } from './support/crash.js';
import { openTestDatabase, serverUrl } from './support/database.js';
import { startProcess } from './support/processes.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Leaves the lock of a process behind that was killed. */
async function killHolder(): Promise<void> {
  const holder = startProcess('hold-lock.ts', folder);
  await holder.firstLine;
  holder.process.kill('SIGKILL');
  await holder.ended;
}

async function rewriteLock(change: object): Promise<void> {
  const file = join(folder, 'lock');
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change }));
}

const describeServer = serverUrl === null ? describe.skip : describe;
describeServer(
  `a server in another zone${serverUrl === null ? ' (skipped: TEST_DATABASE_URL is not set)' : ''}`,
  () => {
    it('is read in UTC', async () => {
      const url = new URL(serverUrl ?? '');
      url.searchParams.set('options', '-c TimeZone=Asia/Shanghai');
      const opened = await openDatabase({ databaseUrl: url.href, dataFolder: folder });
      const { rows } = await opened.pool.query("SELECT '2026-01-02T03:04:05Z'::timestamptz::text AS time");
      await opened.close();
      expect(rows).toEqual([{ time: '2026-01-02 03:04:05+00' }]);
    });
  },
);

describe('the lock on a data folder', () => {
  it('refuses a second process, and names the first and its address', async () => {
    const holder = startProcess('hold-lock.ts', folder, 'http://127.0.0.1:4711');
    expect(await holder.firstLine).toBe('locked');

    const refused = lockDataFolder(folder);
    await expect(refused).rejects.toThrow(DataFolderBusyError);
    await expect(refused).rejects.toThrow(
      `is in use by process ${holder.process.pid}, which listens on http://127.0.0.1:4711.`,
    );
    expect(await holderOf(folder)).toMatchObject({ pid: holder.process.pid, address: 'http://127.0.0.1:4711' });

    holder.process.stdin?.end();
    await holder.ended;
    expect(await holderOf(folder)).toBeNull();
  });

  it('refuses a second opening in the same process, until the first is released', async () => {
    const first = await lockDataFolder(folder);
    await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderBusyError);
    await first.release();
    const second = await lockDataFolder(folder);
    await second.release();
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  it('is taken over from a process that was killed', async () => {
    await killHolder();
    expect(existsSync(join(folder, 'lock'))).toBe(true);
    expect(await holderOf(folder)).toBeNull();
    const lock = await lockDataFolder(folder);
    expect(await holderOf(folder)).toMatchObject({ pid: process.pid, address: null });
    await lock.release();
  });

  it('goes to exactly one of five processes that find it left behind', async () => {
    await killHolder();
    const starters = Array.from({ length: 5 }, () => startProcess('hold-lock.ts', folder));
    const said = await Promise.all(starters.map((starter) => starter.firstLine));
    for (const starter of starters) starter.process.kill('SIGKILL');
    await Promise.all(starters.map((starter) => starter.ended));
    expect(said.sort()).toEqual(['busy', 'busy', 'busy', 'busy', 'locked']);
  });

  it('is taken over when another process has the number of the holder', async () => {
    await killHolder();
    await rewriteLock({ pid: process.pid, started: '1' });
    const lock = await lockDataFolder(folder);
    await lock.release();
  });

  it('stays with a holder on another machine as long as that gives signs of life', async () => {
    await killHolder();
    await rewriteLock({ machine: 'another', host: 'gpu-07' });
    await expect(lockDataFolder(folder)).rejects.toThrow('on host gpu-07');
    const twoMinutesAgo = new Date(Date.now() - 120_000);
    await utimes(join(folder, 'lock'), twoMinutesAgo, twoMinutesAgo);
    const lock = await lockDataFolder(folder);
    await lock.release();
  });
});

describe('the secret of a data folder', () => {
  it('is made once, for the owner of the folder alone', async () => {
    const secrets = await Promise.all([folderSecret(folder), folderSecret(folder), folderSecret(folder)]);
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
  });
});

describe('the embedded database', () => {
  it('keeps every acknowledged row when the process is killed, and is opened again', async () => {
    const rounds = [];
    for (const seed of [1, 2, 3]) rounds.push(await crashRound(folder, seed, process.env['TEST_IMAGE']));
    for (const round of rounds) {
      expect(round.acknowledged).toBeGreaterThan(0);
      expect(round.lost).toEqual([]);
      expect(round.unacknowledged.length).toBeLessThanOrEqual(1);
    }
  });

  it('is made again when the first start was interrupted', async () => {
    await mkdir(join(folder, 'database'));
    await writeFile(join(folder, 'database', 'PG_VERSION'), '18\n');
    await writeFile(join(folder, 'database-unfinished'), '');
    const database = await openDatabase({ databaseUrl: null, dataFolder: folder });
    const { rows } = await database.pool.query('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
    expect(existsSync(join(folder, 'database-unfinished'))).toBe(false);
    await database.close();
    expect(await holderOf(folder)).toBeNull();
  });
});

describe('a PostgreSQL server', () => {
  it('is named without its password when it cannot be reached', async () => {
    const opening = openDatabase({
      databaseUrl: 'postgresql://someone:s3cret@127.0.0.1:1/tunebook',
      dataFolder: folder,
    });
    const error = await opening.then(String, String);
    expect(error).toContain('postgresql://someone:***@127.0.0.1:1/tunebook (DATABASE_URL) cannot be used');
    expect(error).not.toContain('s3cret');
  });
});

describe('migrations', () => {
  let database: OpenedDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await given('1_first', 'CREATE TABLE first (id int); CREATE TABLE other (id int);');
    await given('2_second', 'ALTER TABLE first ADD COLUMN name text;');
  });

  async function given(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }

  const tables = async (): Promise<readonly string[]> => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    return rows.map((row) => row.name);
  };

  it('are applied in the order of their names, and once', async () => {
    expect(await migrate(database.pool, folder)).toEqual(['1_first', '2_second']);
    expect(await migrate(database.pool, folder)).toEqual([]);
    await given('3_third', 'CREATE TABLE third (id int);');
    expect(await migrate(database.pool, folder)).toEqual(['3_third']);
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'other', 'third']);
  });

  it('are refused when one was edited after it was applied', async () => {
    await migrate(database.pool, folder);
    await given('1_first', 'CREATE TABLE first (id bigint);');
    await expect(migrate(database.pool, folder)).rejects.toThrow(
      'edited after the database had applied them: 1_first.',
    );
  });

  it('are refused when the database has one that is not known', async () => {
    await migrate(database.pool, folder);
    await rm(join(folder, '2_second'), { recursive: true });
    await expect(migrate(database.pool, folder)).rejects.toThrow('this version does not know: 2_second.');
  });

  it('are refused when one was begun and not finished', async () => {
    await migrate(database.pool, folder);
    await database.pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_second'`);
    await expect(migrate(database.pool, folder)).rejects.toThrow('begun and not finished: 2_second.');
  });

  it('leave nothing of one that fails, and apply it when it is mended', async () => {
    await given('3_third', 'CREATE TABLE third (id int); SELECT no_such_function();');
    await expect(migrate(database.pool, folder)).rejects.toThrow('Migration 3_third failed, and changed nothing');
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'other']);
    await given('3_third', 'CREATE TABLE third (id int);');
    expect(await migrate(database.pool, folder)).toEqual(['3_third']);
  });
});

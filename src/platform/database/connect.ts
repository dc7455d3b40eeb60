import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { lockDataFolder, type DataFolderLock } from './data-folder-lock.js';
import { listenOnServer, type Listen } from './notifications.js';

export interface OpenedDatabase {
  readonly pool: pg.Pool;
  readonly isEmbedded: boolean;
  /** The lock on the data folder, which the embedded database needs; null for a server and in memory. */
  readonly lock: DataFolderLock | null;
  /** Hears what the database tells whoever listens to a channel. */
  readonly listen: Listen;
  /** Closes the connections and gives the data folder back. May be called twice. */
  close(): Promise<void>;
}

export interface DatabaseLocation {
  /** A PostgreSQL server, as `postgresql://…`; null for the embedded database. */
  readonly databaseUrl: string | null;
  /** The folder that holds the embedded database in `database`, or IN_MEMORY. */
  readonly dataFolder: string;
  /** A file that `makeImage` wrote: a fresh embedded database starts from it, which saves `initdb`. */
  readonly image?: string;
}

/** A data folder that is gone when the process ends: for tests. */
export const IN_MEMORY = 'memory://';

/** The database cannot be used. The message is meant for the operator, and holds no password. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

const OLDEST_SERVER = 15;
const CONNECT_WITHIN_MS = 10_000;

/**
 * Opens the PostgreSQL server that is named, or else the embedded database of the data folder.
 * @throws DatabaseUnavailableError when the server cannot be reached or is too old.
 * @throws DataFolderBusyError while another process has the embedded database open.
 */
export function openDatabase({ databaseUrl, dataFolder, image }: DatabaseLocation): Promise<OpenedDatabase> {
  if (databaseUrl !== null) return openServer(databaseUrl);
  return dataFolder === IN_MEMORY ? openInMemory(image) : openFolder(dataFolder, image);
}

/**
 * Writes an embedded database into one file, from which `openDatabase` starts in a third of the time. `fill` puts into it
 * what every copy is to have.
 */
export async function makeImage(file: string, fill: (opened: OpenedDatabase) => Promise<void>): Promise<void> {
  const opened = await openEmbedded(IN_MEMORY, undefined);
  try {
    const { pool, listen } = opened;
    await fill({ pool, listen, isEmbedded: true, lock: null, close: () => Promise.resolve() });
    await writeFile(file, await opened.dump());
  } finally {
    await opened.close();
  }
}

async function openServer(databaseUrl: string): Promise<OpenedDatabase> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'tunebook',
    // The database adapter takes the times that it reads for UTC, whatever zone the server or the role has
    verify: (client, done) => {
      client.query("SET TIME ZONE 'UTC'").then(() => done(), done);
    },
  });
  // The pool replaces a connection that broke while idle; without a listener the process would end.
  pool.on('error', (error) => {
    console.error(`An idle connection to ${withoutPassword(databaseUrl)} broke: ${error.message}`);
  });
  try {
    await refuseOldServer(pool, databaseUrl);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { pool, isEmbedded: false, lock: null, listen: listenOnServer(databaseUrl), close: once(() => pool.end()) };
}

async function refuseOldServer(pool: pg.Pool, databaseUrl: string): Promise<void> {
  const where = `The PostgreSQL server at ${withoutPassword(databaseUrl)} (DATABASE_URL)`;
  const { rows } = await pool
    .query<{ server_version: string }>('SHOW server_version')
    .catch((cause: unknown): never => {
      throw new DatabaseUnavailableError(`${where} cannot be used: ${reasonOf(cause)}`, { cause });
    });
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) < OLDEST_SERVER) {
    throw new DatabaseUnavailableError(`${where} is version ${version}; ${OLDEST_SERVER} or newer is needed`);
  }
}

async function openInMemory(image: string | undefined): Promise<OpenedDatabase> {
  const { pool, listen, close } = await openEmbedded(IN_MEMORY, image);
  return { pool, listen, isEmbedded: true, lock: null, close: once(close) };
}

async function openFolder(dataFolder: string, image: string | undefined): Promise<OpenedDatabase> {
  const lock = await lockDataFolder(dataFolder);
  try {
    const folder = join(dataFolder, 'database');
    // Making the database takes seconds, and a process that is killed meanwhile leaves half a one. Nobody has written
    // into it as long as this file is there, so it can be made again.
    const unfinished = join(dataFolder, 'database-unfinished');
    if (existsSync(unfinished)) await rm(folder, { recursive: true, force: true });
    const isFresh = !existsSync(join(folder, 'PG_VERSION'));
    if (isFresh) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, '');
    }
    const { pool, listen, close } = await openEmbedded(folder, isFresh ? image : undefined);
    await rm(unfinished, { force: true });
    return {
      pool,
      listen,
      isEmbedded: true,
      lock,
      close: once(async () => {
        await close();
        await lock.release();
      }),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Opens PGlite behind the interface of node-postgres, so that everything above knows one kind of database. */
async function openEmbedded(
  dataDir: string,
  image: string | undefined,
): Promise<Pick<OpenedDatabase, 'pool' | 'listen' | 'close'> & { dump(): Promise<Buffer> }> {
  // Loaded here, because whoever uses a server needs none of it, and one after the other: the two share files, which
  // Jest's loader of ES modules cannot fetch at the same time.
  const { PGlite } = await import('@electric-sql/pglite');
  const { createPgConfig } = await import('@electric-sql/pglite/node-postgres');
  const loadDataDir = image === undefined ? undefined : new Blob([await readFile(image)]);
  const lite = await PGlite.create({
    dataDir,
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
    ...(loadDataDir && { loadDataDir }),
  });
  const config = createPgConfig(lite);
  acceptTypeParsers(config.connection);
  // The bridge is a connection for node-postgres in all that the pool calls; its types do not say so.
  const pool = new pg.Pool({ ...(config as unknown as pg.PoolConfig), max: 1 });
  return {
    pool,
    listen: async (channel, listener) => {
      const stop = lite.onNotification((from, payload) => {
        if (from === channel) listener.heard(payload);
      });
      // By the pool, so that it waits for the end of a transaction: it would be undone with one that fails
      await pool.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      return () => Promise.resolve(stop());
    },
    dump: async () => Buffer.from(await (await lite.dumpDataDir('none')).arrayBuffer()),
    close: async () => {
      if (!pool.ended) await pool.end();
      await lite.close();
    },
  };
}

/** Prisma's adapter passes `types: { getTypeParser }`; the bridge takes an array of type numbers there, or nothing. */
function acceptTypeParsers(bridge: object): void {
  const connection = bridge as { parse(query: { types?: unknown }): void };
  const parse = connection.parse.bind(connection);
  connection.parse = (query) => {
    parse({ ...query, types: Array.isArray(query.types) ? query.types : undefined });
  };
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= close());
}

function withoutPassword(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'an address that cannot be read';
  const url = new URL(databaseUrl);
  if (url.password !== '') url.password = '***';
  if (url.searchParams.has('password')) url.searchParams.set('password', '***');
  return url.href;
}

/** Node.js gives one error for all addresses of a host, and that one has an empty message. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}

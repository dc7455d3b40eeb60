import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { IN_MEMORY, openDatabase, type OpenedDatabase } from '../../src/platform/database/connect.js';

/** The server that the specs run on; without it they run on the embedded database. */
export const serverUrl = process.env['TEST_DATABASE_URL'] ?? null;

/** A database of its own for a spec file: migrated, with the shipped content, and gone when it is closed. */
export async function openTestDatabase(): Promise<OpenedDatabase> {
  return serverUrl === null ? openCopyOfImage() : openCopyOfTemplate(serverUrl);
}

function openCopyOfImage(): Promise<OpenedDatabase> {
  const image = process.env['TEST_IMAGE'];
  if (image === undefined) throw new Error('global-setup.mjs has not run');
  return openDatabase({ databaseUrl: null, dataFolder: IN_MEMORY, image });
}

async function openCopyOfTemplate(server: string): Promise<OpenedDatabase> {
  const template = process.env['TEST_TEMPLATE'];
  if (template === undefined) throw new Error('global-setup.mjs has not run');
  const name = `tunebook_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const opened = await openDatabase({ databaseUrl: url.href, dataFolder: IN_MEMORY });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Runs one statement on the server; another spec may hold the template for a moment, so it waits its turn. */
async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(5521003)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}

import pg from 'pg';
import { applicationOn } from '../../dist/application.js';
import { makeImage, openDatabase } from '../../dist/platform/database/connect.js';
import { migrate } from '../../dist/platform/database/migrate.js';

// Makes what every spec file starts from: one migrated database with the shipped content. `image <file>` writes the
// embedded one into a file; `template <name>` makes a database on the server of TEST_DATABASE_URL.

const config = {
  host: '127.0.0.1',
  port: 0,
  dataFolder: '',
  evidenceFolder: '',
  databaseUrl: null,
  logLevel: 'error',
};

async function fill(opened) {
  await migrate(opened.pool);
  const app = await applicationOn(config, opened);
  await app.close();
}

async function makeTemplate(name) {
  const url = new URL(process.env.TEST_DATABASE_URL);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // A template that an interrupted run left half made would be taken for a whole one.
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  await fill(await openDatabase({ databaseUrl: url.href, dataFolder: '' }));
}

const [kind, where] = process.argv.slice(2);
await (kind === 'image' ? makeImage(where, fill) : makeTemplate(where));

import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/platform/database/connect.js';

// Writes one row after the other, and says the number of each as soon as the database has acknowledged it.
const [dataFolder = '', image] = process.argv.slice(2);
const { pool } = await openDatabase({ databaseUrl: null, dataFolder, ...(image !== undefined && { image }) });
await pool.query('CREATE TABLE IF NOT EXISTS written (id integer PRIMARY KEY, text text NOT NULL)');
const { rows } = await pool.query<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM written');
for (let id = (rows[0]?.last ?? 0) + 1; ; id++) {
  await pool.query('INSERT INTO written VALUES ($1, $2)', [id, textOf(id)]);
  writeSync(1, `${id}\n`);
}

/** Of another length each, so that rows end anywhere on a page. */
function textOf(id: number): string {
  return `${id} `.repeat((id * 37) % 300);
}

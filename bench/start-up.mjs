// `npm run bench:start`: how long a second start takes until the first GraphQL answer, beside how long it takes to open
// the embedded database alone. Both are processes of their own on the same data folder, one after the other. The start is
// the script that `npm start` runs; npm itself needs a few tenths of a second more.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { orExplain, prepare, root } from '../scripts/prepare.mjs';

const ROUNDS = 5;
const GOAL = 2.5;

if (process.argv[2] === '--open') await openOnly(process.argv[3]);
else await orExplain(compare, 130);

async function compare() {
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'tunebook-start-'));
  try {
    console.log(`First start, which makes the database: ${Math.round(await startMs(folder))} ms`);
    const starts = [];
    const openings = [];
    for (let round = 0; round < ROUNDS; round++) {
      openings.push(await openMs(folder));
      starts.push(await startMs(folder));
    }
    const ratio = median(starts) / median(openings);
    console.log(
      row(
        'milliseconds',
        Array.from({ length: ROUNDS }, (_, index) => `#${index + 1}`),
        'median',
      ),
    );
    console.log(row('database alone', openings.map(Math.round), Math.round(median(openings))));
    console.log(row('second start', starts.map(Math.round), Math.round(median(starts))));
    console.log(`ratio ${ratio.toFixed(2)} (goal: at most ${GOAL})`);
    process.exitCode = ratio <= GOAL ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the start of the script to the answer to `{ viewer { id } }`. */
async function startMs(folder) {
  const port = await freePort();
  const began = performance.now();
  const service = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), TUNEBOOK_DATA: folder, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  while (!(await answers(port))) {
    if (service.exitCode !== null) throw new Error(`the service ended with exit code ${service.exitCode}`);
    await sleep(10);
  }
  const took = performance.now() - began;
  service.kill('SIGTERM');
  await ended;
  return took;
}

async function answers(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { id } }' }),
    });
    const { data } = await response.json();
    if (typeof data?.viewer?.id !== 'string') throw new Error(`the service has no viewer: ${response.status}`);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false; // nobody listens yet
    throw error;
  }
}

/** From the start of a process that does nothing else to the answer to `SELECT 1`. */
async function openMs(folder) {
  const began = performance.now();
  const child = spawn(process.execPath, [import.meta.filename, '--open', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const took = await new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(performance.now() - began));
    child.once('exit', (code) => reject(new Error(`the database did not open: exit code ${code}`)));
  });
  await ended;
  return took;
}

async function openOnly(dataFolder) {
  const { openDatabase } = await import('../dist/platform/database/connect.js');
  const database = await openDatabase({ databaseUrl: null, dataFolder });
  await database.pool.query('SELECT 1');
  console.log('open');
  await database.close();
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function row(title, cells, last) {
  return [title.padEnd(16), ...[...cells, last].map((cell) => String(cell).padStart(8))].join('');
}

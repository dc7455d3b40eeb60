// `npm run bench:evidence`: how fast a file of 100 MB is uploaded and downloaded over HTTP, beside the floor of writing the
// same bytes to a file while they are hashed, and reading them again. The service is a process of its own: its memory is
// looked at all the while. It goes by the store that the environment names, a folder or a bucket.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { orExplain, prepare, root } from '../scripts/prepare.mjs';

const ROUNDS = 3;
const SIZE = 100 * 1024 * 1024;
/** How much memory 100 MB may cost the service: far less than the file. */
const GOAL_MB = 64;
const piece = randomBytes(1024 * 1024);

await orExplain(measure, 130);

async function measure() {
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'tunebook-evidence-'));
  const service = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', HOST: '', PORT: '0', TUNEBOOK_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const address = await addressOf(service);
    await createProject(address);
    await upload(address, bytes(1, 'warm'));
    const idle = memoryMb(service.pid);
    let peak = idle;
    const watch = setInterval(() => (peak = Math.max(peak, memoryMb(service.pid))), 20);
    const [uploads, downloads, writes, reads] = [[], [], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      writes.push(await timed(() => floorWrite(join(folder, 'floor'), bytes(SIZE, `floor ${round}`))));
      reads.push(await timed(() => floorRead(join(folder, 'floor'))));
      let sent;
      uploads.push(await timed(async () => (sent = await upload(address, bytes(SIZE, `round ${round}`)))));
      downloads.push(await timed(() => download(address, sent.id)));
    }
    clearInterval(watch);
    report('Upload', uploads, writes, 'writing to a file with hashing');
    report('Download', downloads, reads, 'reading a file');
    const used = peak - idle;
    console.log(`Memory of the service: ${idle} MB idle, ${peak} MB at most, ${used} MB more (goal: ${GOAL_MB} MB)`);
    if (used > GOAL_MB) process.exitCode = 1;
  } finally {
    service.kill('SIGTERM');
    await once(service, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(what, times, floors, floor) {
  const [rate, floorRate] = [times, floors].map((all) => SIZE / 1e6 / Math.min(...all));
  const share = ((rate / floorRate) * 100).toFixed(0);
  console.log(`${what}: ${rate.toFixed(0)} MB/s; ${floor}: ${floorRate.toFixed(0)} MB/s; ${share} % of it`);
}

/** So many bytes that begin in their own way: the service would know equal ones. */
function* bytes(size, mark) {
  const head = Buffer.from(mark);
  yield head;
  for (let left = size - head.length; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

async function timed(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function floorWrite(file, source) {
  const hash = createHash('sha256');
  const hashed = async function* (pieces) {
    for await (const one of pieces) {
      hash.update(one);
      yield one;
    }
  };
  await pipeline(Readable.from(source), hashed, createWriteStream(file, { flush: true }));
}

async function floorRead(file) {
  for await (const one of createReadStream(file)) if (one.length === 0) throw new Error('Nothing was read');
}

async function upload(address, source) {
  const boundary = 'tunebook-bench';
  const body = function* () {
    yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\n\r\n`);
    yield* source;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'x-tunebook': '1' };
  const sent = request(`${address}/projects/bench/evidence`, { method: 'POST', headers });
  const answered = once(sent, 'response');
  await pipeline(Readable.from(body()), sent);
  const [response] = await answered;
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  if (response.statusCode !== 201) throw new Error(text);
  return JSON.parse(text);
}

async function download(address, id) {
  const { body, status } = await fetch(`${address}/evidence/${id}`);
  let size = 0;
  for await (const one of body) size += one.length;
  if (status !== 200 || size !== SIZE) throw new Error(`${status}, ${size} bytes`);
}

async function createProject(address) {
  const query = 'mutation { createProject(input: { slug: "bench", name: "Bench" }) { id } }';
  const body = JSON.stringify({ query });
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { errors } = await answer.json();
  if (errors) throw new Error(errors[0].message);
}

async function addressOf(service) {
  let said = '';
  for await (const part of service.stdout.setEncoding('utf8')) {
    said += part;
    const [, address] = /(http:\/\/\S+)\/graphql/.exec(said) ?? [];
    if (address !== undefined) {
      service.stdout.resume();
      return address;
    }
  }
  throw new Error('The service has ended');
}

/** The resident memory of a process that Linux tells of. */
function memoryMb(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

// Brings a working copy to the point where it can run: installs, generates and builds what is missing or out of date.
// Plain Node.js, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockSteps } from './step-lock.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = [20, 19];

/** A signal ended a step. */
export class Interrupted extends Error {}

/** A step failed; its output is printed already. */
export class StepFailed extends Error {}

/**
 * What has to be done once. A step is up to date as long as its stamp, which is written when the step is through, names
 * the inputs as they are, and what it makes is there.
 */
const steps = [
  {
    title: 'Installing packages from the npm registry',
    stamp: 'node_modules/.tunebook.json',
    makes: 'node_modules/.package-lock.json',
    inputs: () => ['package-lock.json'],
    isDoneAlready: isInstalled,
    command: () => [...npm(), 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
  },
  {
    title: 'Generating the database client',
    stamp: '.cache/generated.json',
    makes: 'src/generated/prisma/client.ts',
    inputs: () => ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
    command: () => [process.execPath, 'node_modules/prisma/build/index.js', 'generate'],
    env: { CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  },
  {
    title: 'Building',
    stamp: 'dist/.tunebook.json',
    makes: 'dist/bundle/main.js',
    inputs: () => [...sources(), '.swcrc', 'tsconfig.json', 'scripts/compile.mjs', 'package-lock.json'],
    command: () => [process.execPath, 'scripts/compile.mjs'],
  },
];

/** The files that are built: all TypeScript of `src` but its tests. */
export function sources() {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Throws, with a sentence for the person who started it, on a Node.js that is too old. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new StepFailed(`Tunebook needs Node.js ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
}

/** Does the steps that are due, one starter at a time. Says each in one line of standard error. */
export async function prepare() {
  checkNode();
  if (steps.every(isUpToDate)) return;
  const lock = await lockSteps(join(root, '.cache'), say);
  try {
    for (const step of steps) if (!isUpToDate(step)) await perform(step, lock);
  } finally {
    lock.release();
  }
}

async function perform(step, lock) {
  const stampFile = join(root, step.stamp);
  rmSync(stampFile, { force: true });
  // The inputs as they are before the step: what changes while it runs makes it due again.
  const inputs = fingerprints(step.inputs(), {});
  if (!step.isDoneAlready?.()) {
    const began = performance.now();
    process.stderr.write(`${step.title} … `);
    await runQuietly(step.command(), { ...process.env, ...step.env }, lock);
    say(`${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  if (!existsSync(join(root, step.makes))) throw new StepFailed(`${step.title} made no ${step.makes}.`);
  writeStamp(stampFile, inputs);
}

function isUpToDate(step) {
  if (!existsSync(join(root, step.makes))) return false;
  const stampFile = join(root, step.stamp);
  const known = readJson(stampFile);
  if (known?.machine !== machine()) return false;
  const inputs = fingerprints(step.inputs(), known.inputs);
  const paths = Object.keys(inputs);
  const isSame =
    paths.length === Object.keys(known.inputs).length &&
    paths.every((path) => inputs[path].sha256 === known.inputs[path]?.sha256);
  // Touched, not changed: the new times spare the next start the reading.
  if (isSame && paths.some((path) => inputs[path].mtimeMs !== known.inputs[path].mtimeMs))
    writeStamp(stampFile, inputs);
  return isSame;
}

/** Size, time and hash of each file. A file that has the size and time of `known` is not read again. */
function fingerprints(paths, known) {
  const found = {};
  for (const path of paths) {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats === undefined) throw new StepFailed(`${path} is missing: is this a complete copy of the repository?`);
    const { mtimeMs, size } = stats;
    const before = known[path];
    const isUntouched = before?.mtimeMs === mtimeMs && before.size === size;
    found[path] = isUntouched
      ? before
      : {
          mtimeMs,
          size,
          sha256: createHash('sha256')
            .update(readFileSync(join(root, path)))
            .digest('hex'),
        };
  }
  return found;
}

function writeStamp(file, inputs) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ machine: machine(), inputs }));
}

/** Packages hold programs for one platform: a folder that came from another machine is installed again. */
function machine() {
  return `${process.platform}-${process.arch}`;
}

/** True when npm has installed just what the lock file says, all of it, as after an `npm ci` by hand. */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version && found.integrity === integrity;
  });
}

/** The npm that started this script, if one did, else the one of the path. */
function npm() {
  const started = process.env.npm_execpath;
  if (started !== undefined && basename(started) === 'npm-cli.js') return [process.execPath, started];
  return process.platform === 'win32' ? ['cmd', '/c', 'npm'] : ['npm'];
}

/** Runs a command and shows what it says only if it fails. */
async function runQuietly([program, ...args], env, lock) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  lock.name(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  // A step leaves nothing that is worth the time to tidy up: it is done again from the start.
  const { code, signal } = await ended(child, { stopBy: 'SIGKILL' });
  if (signal !== null) {
    say('interrupted');
    throw new Interrupted(signal);
  }
  if (code === 0) return;
  say('failed');
  process.stderr.write(output);
  throw new StepFailed(`This command failed: ${[basename(program), ...args].join(' ')}`);
}

/**
 * Waits until a child process has ended. SIGINT and SIGTERM do not end this process meanwhile: the child is stopped, by
 * the same signal or by the one of `stopBy`, and the signal that came is reported however the child took it.
 */
export function ended(child, { stopBy } = {}) {
  return new Promise((resolve, reject) => {
    let stopped = null;
    const stop = (signal) => {
      stopped = signal;
      child.kill(stopBy ?? signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    const settle = (outcome) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      outcome();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) => settle(() => resolve({ code, signal: stopped ?? signal })));
  });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // A stamp that was cut off while it was written is no stamp.
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Standard error, so that a command of `tunebook` can be piped. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** For the scripts: what ends them is one line, no stack, and the exit code that fits. */
export async function orExplain(work, codeWhenInterrupted, codeWhenFailed = 1) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Interrupted) process.exit(codeWhenInterrupted);
    if (!(error instanceof StepFailed)) throw error;
    say(error.message);
    process.exit(codeWhenFailed);
  }
}

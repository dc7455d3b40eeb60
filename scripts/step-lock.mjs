// Lets one process at a time install and build in a working copy; others wait.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;
/** Making the lock and signing it, or taking it over, are moments: who is this late between them was killed there. */
const MOMENT_MS = 10_000;

/**
 * Waits for the lock and takes it, also from a process that was killed with the command that it ran.
 * `name(pid)` adds such a command: an `npm ci` that outlives its starter still holds the lock.
 */
export async function lockSteps(folder, say) {
  const lock = join(folder, 'steps.lock');
  const id = randomUUID();
  mkdirSync(folder, { recursive: true });
  let hasSaid = false;
  while (!taken(lock)) {
    if (removeIfStale(lock)) continue;
    if (!hasSaid) say('Waiting for another start that installs or builds in this folder …');
    hasSaid = true;
    await sleep(LOOK_EVERY_MS);
  }
  const pids = [process.pid];
  const sign = () => writeFileSync(join(lock, 'holder.json'), JSON.stringify({ id, pids }));
  sign();
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  return {
    name(pid) {
      if (pid === undefined) return; // it did not start
      pids.push(pid);
      sign();
    },
    release() {
      process.removeListener('exit', release);
      release();
    },
  };
}

function taken(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Only the holder of the claim on this very lock may remove it, so that a lock that was just taken stays. */
function removeIfStale(lock) {
  const holder = holderOf(lock);
  if (holder.pids.some(isRunning) || (holder.pids.length === 0 && !isOld(lock))) return false;
  const claim = `${lock}.${holder.id}`;
  if (!taken(claim)) {
    if (isOld(claim)) rmSync(claim, { recursive: true, force: true });
    return false;
  }
  try {
    if (holderOf(lock).id === holder.id) rmSync(lock, { recursive: true, force: true });
  } finally {
    rmdirSync(claim);
  }
  return true;
}

function holderOf(lock) {
  try {
    return JSON.parse(readFileSync(join(lock, 'holder.json'), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return { id: 'unsigned', pids: [] };
    throw error;
  }
}

function isOld(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > MOMENT_MS;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

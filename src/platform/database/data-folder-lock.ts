import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../domain/error-code.js';
import { KeptLock } from './kept-lock.js';
import { lockFile, parseLock, type Holder, type LockRecord } from './lock-record.js';

export type { Holder } from './lock-record.js';

export interface DataFolderLock {
  /** Tells others where this process listens, so that the command line can ask it. */
  setAddress(url: string): Promise<void>;
  release(): Promise<void>;
}

/** Another process has the data folder open. The message is meant for the person who started this one. */
export class DataFolderBusyError extends Error {
  constructor(
    folder: string,
    readonly holder: Holder,
  ) {
    const where = holder.host === hostname() ? '' : ` on host ${holder.host}`;
    const address = holder.address === null ? '' : `, which listens on ${holder.address}`;
    super(
      `The data folder ${folder} is in use by process ${holder.pid}${where}${address}. ` +
        `Stop that process, or give this one a folder of its own with TUNEBOOK_DATA.`,
    );
    this.name = 'DataFolderBusyError';
  }
}

/** A holder elsewhere cannot be asked whether it lives: its lock counts as left behind when it is this old. */
const SILENT_FOR_MS = 60_000;
/** Taking over is two steps. One who is this late between them was killed there. */
const TAKEOVER_MS = 10_000;

/**
 * Takes the data folder for this process, and makes the folder if it is missing. The embedded database has no lock of
 * its own: two processes that open one folder lose each other's writes without an error.
 * A lock that a killed process left behind is taken over.
 * @throws DataFolderBusyError while another process holds it.
 */
export async function lockDataFolder(dir: string): Promise<DataFolderLock> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = lockFile(dir);
  const record: LockRecord = {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    machine: thisMachine(),
    started: startOf(process.pid),
    address: null,
  };
  const own = `${file}.${record.id}`;
  await writeFile(own, JSON.stringify(record), { mode: 0o600 });
  try {
    await take(dir, own);
  } finally {
    await rm(own, { force: true });
  }

  const kept = new KeptLock(dir, record);
  const releaseNow = (): void => {
    process.removeListener('exit', releaseNow);
    kept.release();
  };
  process.on('exit', releaseNow);
  return {
    setAddress(url) {
      kept.setAddress(url);
      return Promise.resolve();
    },
    release() {
      releaseNow();
      return Promise.resolve();
    },
  };
}

/** Who has the data folder open, or null when nobody has; a lock that a killed process left behind is nobody. */
export async function holderOf(dir: string): Promise<Holder | null> {
  const record = await readRecord(lockFile(dir));
  if (record === null || !(await isAlive(record, lockFile(dir)))) return null;
  return { pid: record.pid, host: record.host, address: record.address };
}

/** The secret of a data folder, 64 hexadecimal digits: who can read it may do what the folder's owner may. */
export async function folderSecret(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'secret');
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  try {
    // A link is made or refused as a whole: of two processes that make the first secret, both read the same one.
    await link(own, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(own, { force: true });
  }
  const secret = (await readFile(file, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error(`${file} is damaged: remove it, and a new secret is made`);
  return secret;
}

/** Makes `own` the lock: by a hard link when the folder is free, by the right to replace one stale lock otherwise. */
async function take(dir: string, own: string): Promise<void> {
  const file = lockFile(dir);
  for (;;) {
    if (await linked(own, file)) return;
    const found = await readRecord(file);
    if (found === null) continue;
    if (await isAlive(found, file)) throw new DataFolderBusyError(dir, found);
    // Only one can have the claim on this very lock, and without it nobody replaces the lock. Who comes late finds
    // either the claim taken or another lock in place, so a lock that was just taken is never replaced.
    const claim = `${file}.after-${found.id}`;
    if (!(await linked(own, claim))) {
      const rival = await readRecord(claim);
      if (rival === null) continue;
      if (await isOlderThan(claim, TAKEOVER_MS)) await rm(claim, { force: true });
      else throw new DataFolderBusyError(dir, rival);
      continue;
    }
    try {
      if ((await readRecord(file))?.id === found.id) {
        await rename(own, file);
        return;
      }
    } finally {
      await rm(claim, { force: true });
    }
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isAlive(record: LockRecord, file: string): Promise<boolean> {
  if (record.machine !== thisMachine()) return !(await isOlderThan(file, SILENT_FOR_MS));
  return isRunning(record.pid) && (record.started === '' || startOf(record.pid) === record.started);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function isOlderThan(file: string, milliseconds: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs > milliseconds;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

async function readRecord(file: string): Promise<LockRecord | null> {
  try {
    return parseLock(await readFile(file, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function thisMachine(): string {
  const boot = readNow('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return [hostname(), boot, pidNamespace()].join(' ');
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // not on Linux: there are no containers that share the folder but not the processes
  }
}

/** Field 22 of /proc/<pid>/stat; the name before it can hold spaces and brackets. Empty where there is no /proc. */
function startOf(pid: number): string {
  const text = readNow(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readNow(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // missing, or not ours to read: the same to every caller
  }
}

import { linkSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { codeOf } from '../../domain/error-code.js';
import { reasonOf } from '../system-reason.js';
import { lockFile, parseLock, type LockRecord } from './lock-record.js';

const HEARTBEAT_MS = 5_000;

/** What became of a lock since the last look: ours, gone, or another process has it. */
type Found = 'OURS' | 'GONE' | LockRecord;

/**
 * A lock that this process has. Every few seconds its time is renewed, which tells other machines that the holder lives.
 * All of it is done at once and not in the background: a step that is late could renew or put back a lock that was given
 * up in the meantime.
 */
export class KeptLock {
  private readonly file: string;
  private readonly heartbeat: NodeJS.Timeout;
  private isReleased = false;
  /** What was told, so that a trouble that stays is told once. */
  private told = '';

  constructor(
    private readonly folder: string,
    private record: LockRecord,
  ) {
    this.file = lockFile(folder);
    this.heartbeat = setInterval(() => {
      this.renew(new Date());
    }, HEARTBEAT_MS).unref();
  }

  /** Writes down where this process listens. */
  setAddress(address: string): void {
    if (this.isReleased) return;
    const isOurs = this.found() === 'OURS';
    this.record = { ...this.record, address };
    if (isOurs) this.write((own) => renameSync(own, this.file));
    else this.renew(new Date());
  }

  /** Gives the lock up; one that is another process's stays. */
  release(): void {
    if (this.isReleased) return;
    clearInterval(this.heartbeat);
    this.isReleased = true;
    try {
      if (this.found() === 'OURS') rmSync(this.file, { force: true });
    } catch (error) {
      this.tell(
        `The lock ${this.file} cannot be removed: ${reasonOf(error)}. It counts for nothing once this process ended.`,
      );
    }
  }

  /** Renews the lock; one that was removed is put back, and one that another process has is told of. */
  renew(now: Date): void {
    if (this.isReleased) return;
    try {
      const found = this.found();
      if (found === 'OURS') utimesSync(this.file, now, now);
      else if (found === 'GONE') this.write((own) => linkSync(own, this.file));
      else return this.tell(taken(this.folder, found));
      this.told = '';
    } catch (error) {
      // Another process was quicker: the next look finds which
      if (codeOf(error) !== 'EEXIST') this.tell(notRenewed(this.folder, error));
    }
  }

  private found(): Found {
    try {
      const there = parseLock(readFileSync(this.file, 'utf8'));
      return there.id === this.record.id ? 'OURS' : there;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'GONE';
      throw error;
    }
  }

  /** A lock is whole before it gets its name. */
  private write(name: (own: string) => void): void {
    const own = `${this.file}.${this.record.id}`;
    writeFileSync(own, JSON.stringify(this.record), { mode: 0o600 });
    try {
      name(own);
    } finally {
      rmSync(own, { force: true });
    }
  }

  private tell(message: string): void {
    if (message !== this.told) console.error(message);
    this.told = message;
  }
}

function taken(folder: string, { pid, host }: LockRecord): string {
  return (
    `Process ${pid} on ${host} has taken the data folder ${folder}, as if this process had ended. ` +
    `Stop this process: two that write lose each other's changes.`
  );
}

function notRenewed(folder: string, error: unknown): string {
  return (
    `The lock of the data folder ${folder} cannot be renewed: ${reasonOf(error)}. Processes on other machines may take the ` +
    `folder over after a minute.`
  );
}

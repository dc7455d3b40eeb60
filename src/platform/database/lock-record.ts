import { join } from 'node:path';

/** The process that has a data folder open. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Where it listens, such as `http://127.0.0.1:3000`; null until it does. */
  readonly address: string | null;
}

/** What the lock file holds. `id` is new for every lock, so that no two holders can be taken for each other. */
export interface LockRecord extends Holder {
  readonly id: string;
  /** Where `pid` means something: host, boot and, in a container, the container. */
  readonly machine: string;
  /** When the process started, in ticks of the kernel: a process id is used again after a while. Empty if unknown. */
  readonly started: string;
}

/** A lock is written before it gets its name, so one that cannot be read was damaged, and nobody holds it. */
export function parseLock(text: string): LockRecord {
  const nobody: LockRecord = { id: 'unreadable', pid: 0, host: '', machine: '', started: '', address: null };
  try {
    return { ...nobody, ...(JSON.parse(text) as Partial<LockRecord>) };
  } catch (error) {
    if (error instanceof SyntaxError) return nobody;
    throw error;
  }
}

/** Where the lock of a data folder lies. */
export function lockFile(dir: string): string {
  return join(dir, 'lock');
}

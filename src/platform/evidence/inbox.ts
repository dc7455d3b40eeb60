import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../domain/error-code.js';
import { limitExceeded } from '../../domain/errors.js';
import type { ReceivedFile } from './evidence-place.js';

/** What another machine left is swept when nobody has written to it for so long. */
const STALE_MS = 24 * 60 * 60 * 1_000;

/** Names this machine in the names of temporary files. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Receives files into a folder of temporary ones, from where they go to their place. */
export class Inbox {
  constructor(private readonly folder: string) {}

  /**
   * Writes all bytes to a file and hashes them on the way, a piece at a time. LIMIT_EXCEEDED where there are more than
   * `limit` of them. Whatever fails leaves no file behind.
   */
  async receive(bytes: Readable, limit: number): Promise<ReceivedFile> {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, `${machine}-${process.pid}-${randomUUID()}`);
    const hash = createHash('sha256');
    let size = 0;
    const counted = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        size += piece.length;
        if (size > limit) throw tooLarge(limit);
        hash.update(piece);
        yield piece;
      }
    };
    // It is there before the first byte: one that is still being made could come after it was removed.
    const file = await open(path, 'wx', 0o600);
    try {
      await pipeline(bytes, counted, file.createWriteStream({ flush: true }));
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
    return { path, sha256: hash.digest('hex'), size };
  }

  async discard({ path }: ReceivedFile): Promise<void> {
    await rm(path, { force: true });
  }

  /** Removes what processes left that ended in the middle of it; those that still run may share the folder. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      const path = join(this.folder, name);
      if (isLeftBehind(name) || (await isStale(path))) await rm(path, { force: true });
    }
  }
}

/** Whether the process that wrote this file is no more. One that just begins has written none, whatever its number says. */
function isLeftBehind(name: string): boolean {
  const [, where, id] = /^([0-9a-f]{8})-(\d+)-/.exec(name) ?? [];
  if (where !== machine) return false;
  return Number(id) === process.pid || !isRunning(Number(id));
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of somebody else runs, and may not be asked.
    return codeOf(error) === 'EPERM';
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_MS;
}

export function tooLarge(limit: number) {
  const megabytes = limit / (1024 * 1024);
  return limitExceeded(
    { en: `A file may have at most ${megabytes} MB`, zh: `单个文件最大 ${megabytes} MB` },
    { limit },
  );
}

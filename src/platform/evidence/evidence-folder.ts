import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf } from '../../domain/error-code.js';
import type { ByteRange } from '../../domain/evidence/byte-range.js';
import { lostFile, nameOf, type EvidencePlace, type ReceivedFile } from './evidence-place.js';

/** Evidence files in a folder of this machine. Received files must lie on the same file system. */
export class EvidenceFolder implements EvidencePlace {
  constructor(private readonly folder: string) {}

  /** A reader sees the whole file or none, also after a crash in between: its bytes are on the disk already. */
  async keep({ path, sha256 }: ReceivedFile): Promise<void> {
    const target = this.pathOf(sha256);
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
    await sync(dirname(target));
  }

  async open(sha256: string, range: ByteRange | null): Promise<Readable> {
    try {
      const handle = await open(this.pathOf(sha256));
      return handle.createReadStream(range ?? {});
    } catch (error) {
      throw codeOf(error) === 'ENOENT' ? lostFile(sha256) : error;
    }
  }

  close(): void {
    // Nothing stays open between two files.
  }

  private pathOf(sha256: string): string {
    return join(this.folder, nameOf(sha256));
  }
}

/** Forces the names in a folder to the disk; Windows does it by itself, and refuses to be asked. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

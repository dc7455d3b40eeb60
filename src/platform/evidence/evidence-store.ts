import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';

/** Keeps uploaded files unchanged, each under the SHA-256 of its bytes. */
@Injectable()
export class EvidenceStore {
  constructor(private readonly folder: string) {}

  /** Writes a file and gives back its SHA-256 in hex. The same bytes again are the same file. */
  async put(bytes: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = this.pathOf(sha256);
    await mkdir(join(path, '..'), { recursive: true });
    // A reader sees the whole file or none, also after a crash in between.
    const unfinished = `${path}.${randomUUID()}`;
    await writeFile(unfinished, bytes, { flush: true });
    await rename(unfinished, path);
    return sha256;
  }

  get(sha256: string): Promise<Buffer> {
    return readFile(this.pathOf(sha256));
  }

  private pathOf(sha256: string): string {
    return join(this.folder, sha256.slice(0, 2), sha256);
  }
}

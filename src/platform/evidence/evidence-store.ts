import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../domain/errors.js';
import type { ByteRange } from '../../domain/evidence/byte-range.js';
import type { EvidencePlace, ReceivedFile } from './evidence-place.js';
import type { Inbox } from './inbox.js';

const log = new Logger('Evidence');

/** Largest evidence file in bytes: 100 MB. */
export const EVIDENCE_LIMIT = 100 * 1024 * 1024;

/**
 * Keeps uploaded files unchanged, each under the SHA-256 of its bytes. They are received into a temporary file first, so
 * that a name never stands for other bytes. Nothing is ever removed.
 */
@Injectable()
export class EvidenceStore implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly inbox: Inbox,
    private readonly place: EvidencePlace,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.inbox.sweep();
  }

  onApplicationShutdown(): void {
    this.place.close();
  }

  /** Receives a file that may still be refused: `keep` or `discard` it. LIMIT_EXCEEDED above `limit` bytes. */
  receive(bytes: Readable, limit: number = EVIDENCE_LIMIT): Promise<ReceivedFile> {
    return this.inbox.receive(bytes, limit);
  }

  /** Has the bytes of a received file for good. */
  async keep(file: ReceivedFile): Promise<void> {
    try {
      await this.place.keep(file);
    } finally {
      await this.inbox.discard(file);
    }
  }

  discard(file: ReceivedFile): Promise<void> {
    return this.inbox.discard(file);
  }

  /** Writes all bytes of a stream; LIMIT_EXCEEDED above `limit` bytes, and then nothing is kept. */
  async write(bytes: Readable, limit: number = EVIDENCE_LIMIT): Promise<Omit<ReceivedFile, 'path'>> {
    const file = await this.receive(bytes, limit);
    await this.keep(file);
    return { sha256: file.sha256, size: file.size };
  }

  /** Writes a file and gives back its SHA-256 in hex. The same bytes again are the same file. */
  async put(bytes: Buffer): Promise<string> {
    const { sha256 } = await this.write(Readable.from([bytes]));
    return sha256;
  }

  /** The bytes of a file, or a range of them. What fails, fails in the stream. */
  open(sha256: string, range: ByteRange | null = null): Readable {
    const { place } = this;
    const pieces = async function* () {
      try {
        yield* await place.open(sha256, range);
      } catch (error) {
        // Whoever asked is told too, but only the operator has a backup
        if (error instanceof DomainError) log.error(error.text.en);
        throw error;
      }
    };
    return Readable.from(pieces(), { objectMode: false });
  }

  /** All bytes of a file at once: for those that are known to be small. */
  get(sha256: string): Promise<Buffer> {
    return buffer(this.open(sha256));
  }
}

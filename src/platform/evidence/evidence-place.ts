import type { Readable } from 'node:stream';
import { notFound, type DomainError } from '../../domain/errors.js';
import type { ByteRange } from '../../domain/evidence/byte-range.js';

/** A file as it was received: whole, hashed, and in a temporary place of this machine. */
export interface ReceivedFile {
  readonly path: string;
  /** SHA-256 of its bytes in hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** Where evidence files lie, each named by the SHA-256 of its bytes. */
export interface EvidencePlace {
  /** Has the bytes under their name, or fails. The received file is gone afterwards, or is the caller's to discard. */
  keep(file: ReceivedFile): Promise<void>;
  /** The bytes of a file, or some of them; NOT_FOUND where there are none of this name. */
  open(sha256: string, range: ByteRange | null): Promise<Readable>;
  /** Lets go of what keeps a process from ending. */
  close(): void;
}

/** The storage has not got, or no longer has, the bytes of a file that was kept. */
export function lostFile(sha256: string): DomainError {
  return notFound(
    {
      en: `The bytes of the file with SHA-256 ${sha256} are missing in the storage: restore them from a backup, or upload the same file again`,
      zh: `存储中缺少 SHA-256 为 ${sha256} 的文件内容：请从备份恢复，或重新上传同一文件`,
    },
    { sha256 },
  );
}

/** The name of a file in its place, the same in every one: a folder can be copied into a bucket as it is. */
export function nameOf(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256}`;
}

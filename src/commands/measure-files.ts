import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer as bytesOfStream } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ArmName } from '../domain/comparison/read-arm.js';
import type { FileToSend } from '../evidence-form.js';
import type { LocalService } from '../local-service.js';
import { CommandError, exit, usageError } from './command-error.js';
import { filesAt, MOST_BYTES, refusedWhereUnread, refuseUnreadable, tooLarge } from './input-files.js';

/** A file to measure, by the path that the person gave, with the arm that it is of. */
export interface MeasuredFile extends FileToSend {
  readonly given: string;
  readonly arm: ArmName | null;
}

/** What a request says of the bytes of a file, one of the three. */
export type SentContent = { readonly contentBase64: string } | { readonly evidenceId: string };

/** Up to this size a file travels inside the request: 4 MiB, which servers and proxies take. A larger one is uploaded. */
export const MOST_INLINE = 4 * 1024 * 1024;

/** Base64 of this much is what a request may hold. */
const MOST_PACKED = 56 * 1024 * 1024;

export interface PathsOfArm {
  readonly arm: ArmName | null;
  readonly paths: readonly string[];
}

/** The files of some work, and what is left of them when it is done: nothing. */
export async function withFiles<T>(
  arms: readonly PathsOfArm[],
  work: (files: readonly MeasuredFile[]) => Promise<T>,
): Promise<T> {
  if (arms.flatMap(({ paths }) => paths).filter((path) => path === '-').length > 1) {
    throw usageError('the standard input (-) can be read once');
  }
  const scratch = await mkdtemp(join(tmpdir(), 'tunebook-'));
  try {
    return await work(await refusedWhereUnread(() => filesOf(arms, scratch)));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function filesOf(arms: readonly PathsOfArm[], scratch: string): Promise<readonly MeasuredFile[]> {
  const files: MeasuredFile[] = [];
  for (const { arm, paths } of arms) {
    for (const given of paths) {
      const found = given === '-' ? [await keptInput(scratch)] : await filesAt(given);
      for (const path of found) {
        await refuseUnreadable(path);
        const isInput = given === '-';
        files.push({ path, name: isInput ? 'stdin' : basename(path), given: isInput ? '-' : path, arm });
      }
    }
  }
  return files;
}

/** The standard input as a file: it may have to be sent again, and need not fit into memory. */
async function keptInput(folder: string): Promise<string> {
  const path = join(folder, 'stdin');
  let size = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > MOST_BYTES) throw tooLarge('-');
      yield piece;
    }
  };
  await pipeline(process.stdin, counted, createWriteStream(path, { mode: 0o600 }));
  return path;
}

/**
 * Brings a file to the server: a large one as evidence, streamed from the disk. Nothing may be kept of a dry run, so that
 * it gets the file packed inside the request.
 */
export async function contentOf(
  service: LocalService,
  projectId: string,
  file: MeasuredFile,
  keeping: 'KEEP' | 'KEEP_NOTHING',
): Promise<SentContent> {
  const { path, given } = file;
  // What was appended in the meantime is sent too
  const { size } = await stat(path);
  if (size <= MOST_INLINE) return { contentBase64: (await readFile(path)).toString('base64') };
  if (keeping === 'KEEP') return { evidenceId: await service.upload(projectId, file) };
  const packed = await gzipped(path);
  if (packed.length <= MOST_PACKED) return { contentBase64: packed.toString('base64') };
  throw new CommandError(exit.REFUSED, `${given} is too large for a dry run: packed it is ${packed.length} bytes`);
}

/** The bytes of a file by gzip; those of one that is packed already stay. */
async function gzipped(path: string): Promise<Buffer> {
  const head = await bytesOfStream(createReadStream(path, { end: 1 }));
  if (head[0] === 0x1f && head[1] === 0x8b) return readFile(path);
  const gzip = createGzip({ level: 1 });
  const [packed] = await Promise.all([bytesOfStream(gzip), pipeline(createReadStream(path), gzip)]);
  return packed;
}

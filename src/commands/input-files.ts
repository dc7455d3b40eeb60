import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer as bytesOfStream } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decoded } from '../decoded-text.js';
import type { ArmFile } from '../domain/comparison/read-arm.js';
import { codeOf } from '../domain/error-code.js';
import { reasonOf } from '../platform/system-reason.js';
import { CommandError, exit, usageError } from './command-error.js';

/** 100 MB, unpacked. */
export const MOST_BYTES = 100_000_000;

const unzipped = promisify(gunzip);

/**
 * The texts of files, of all files of folders, and of the standard input (`-`), in the order given and within a folder by
 * name. What is packed by gzip is unpacked, and UTF-16 of Windows is read. A file that cannot be read ends the command.
 */
export async function readInputs(paths: readonly string[]): Promise<readonly ArmFile[]> {
  if (paths.filter((path) => path === '-').length > 1) throw usageError('the standard input (-) can be read once');
  const files: ArmFile[] = [];
  for (const path of paths) {
    if (path === '-') files.push({ name: '-', text: await textOf('-', await bytesOfStream(process.stdin)) });
    else
      for (const file of await filesAt(path)) files.push({ name: file, text: await textOf(file, await bytesOf(file)) });
  }
  return files;
}

/** The file, or all files of a folder; hidden ones are left out. One that cannot be found ends the command. */
export async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await attempt(path, () => stat(path))).isDirectory()) return [path];
  const entries = await attempt(path, () => readdir(path, { recursive: true, withFileTypes: true }));
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (files.length === 0) throw new CommandError(exit.UNJUDGED, `${path} holds no files`);
  return files;
}

async function bytesOf(file: string): Promise<Buffer> {
  const { size } = await attempt(file, () => stat(file));
  if (size > MOST_BYTES) throw tooLarge(file);
  return attempt(file, () => readFile(file));
}

async function textOf(name: string, bytes: Buffer): Promise<string> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isPacked) {
    if (bytes.length > MOST_BYTES) throw tooLarge(name);
    return decoded(bytes);
  }
  try {
    return decoded(await unzipped(bytes, { maxOutputLength: MOST_BYTES }));
  } catch (cause) {
    const isLong = cause instanceof RangeError || codeOf(cause) === 'ERR_BUFFER_TOO_LARGE';
    if (isLong) throw tooLarge(name);
    throw new CommandError(exit.UNJUDGED, `${name} cannot be unpacked: ${reasonOf(cause)}`, { cause });
  }
}

/** A file that cannot be read is refused by commands of which 2 says that nobody could be reached. */
export async function refusedWhereUnread<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== exit.UNJUDGED) throw error;
    throw new CommandError(exit.REFUSED, error.message, { cause: error });
  }
}

/** The text of one file. One that cannot be read is refused. */
export async function textAt(path: string): Promise<string> {
  return refusedWhereUnread(async () => textOf(path, await bytesOf(path)));
}

/** Ends the command for a file that cannot be read or is too large, before anything is done with it. */
export async function refuseUnreadable(file: string): Promise<void> {
  const { size } = await attempt(file, () => stat(file));
  if (size > MOST_BYTES) throw tooLarge(file);
  await attempt(file, () => access(file, constants.R_OK));
}

export function tooLarge(name: string): CommandError {
  return new CommandError(exit.UNJUDGED, `${name} is larger than ${MOST_BYTES / 1e6} MB`);
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new CommandError(exit.UNJUDGED, `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

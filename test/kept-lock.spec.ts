import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderOf, lockDataFolder } from '../src/platform/database/data-folder-lock.js';
import { KeptLock } from '../src/platform/database/kept-lock.js';
import { parseLock } from '../src/platform/database/lock-record.js';

const later = new Date('2030-01-02T03:04:05Z');

let folder: string;
let file: string;
let lock: KeptLock;
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-'));
  file = join(folder, 'lock');
  const taken = await lockDataFolder(folder);
  const text = await readFile(file, 'utf8');
  await taken.release();
  await writeFile(file, text);
  lock = new KeptLock(folder, parseLock(text));
  said = [];
  jest.spyOn(console, 'error').mockImplementation((text: unknown) => void said.push(String(text)));
});
afterEach(async () => {
  lock.release();
  jest.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

describe('a lock that is kept', () => {
  it('is renewed', async () => {
    lock.renew(later);
    expect((await stat(file)).mtime).toEqual(later);
    expect(said).toEqual([]);
  });

  it('is put back with its address where somebody removed it', async () => {
    lock.setAddress('http://127.0.0.1:4711');
    await rm(file);
    lock.renew(later);
    expect(await holderOf(folder)).toMatchObject({ pid: process.pid, address: 'http://127.0.0.1:4711' });
    expect(await readdir(folder)).toEqual(['lock']);
    lock.release();
    expect(existsSync(file)).toBe(false);
    expect(said).toEqual([]);
  });

  it('is neither renewed nor put back once it was given up', async () => {
    lock.release();
    lock.renew(later);
    lock.setAddress('http://127.0.0.1:4711');
    expect(await readdir(folder)).toEqual([]);
    expect(said).toEqual([]);
  });

  it('is left to another process that took it over, which is told once in words', async () => {
    const other = JSON.stringify({ ...parseLock(await readFile(file, 'utf8')), id: 'x', pid: 77, host: 'gpu-07' });
    await writeFile(file, other);
    lock.renew(later);
    lock.renew(later);
    lock.setAddress('http://127.0.0.1:4711');
    lock.release();
    expect(await readFile(file, 'utf8')).toBe(other);
    expect(said).toEqual([
      `Process 77 on gpu-07 has taken the data folder ${folder}, as if this process had ended. ` +
        `Stop this process: two that write lose each other's changes.`,
    ]);
  });

  it('says once in words that its folder is gone', async () => {
    await rm(folder, { recursive: true });
    lock.renew(later);
    lock.renew(later);
    lock.release();
    expect(said).toEqual([
      `The lock of the data folder ${folder} cannot be renewed: there is no such file or folder. ` +
        `Processes on other machines may take the folder over after a minute.`,
    ]);
  });
});

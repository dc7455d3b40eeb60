import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Inbox } from './inbox.js';

describe('the inbox', () => {
  let folder: string;
  let inbox: Inbox;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tunebook-inbox-'));
    inbox = new Inbox(folder);
  });

  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['before its first byte', () => new Readable({ read() { this.destroy(new Error('broken')); } })],
    ['that had broken already', () => new Readable().on('error', () => undefined).destroy(new Error('broken'))],
    ['after some bytes', () => Readable.from((function* () { yield Buffer.alloc(10); throw new Error('broken'); })())],
    ['with more bytes than may come', () => Readable.from([Buffer.alloc(1_001)])],
  ])('has no file left of a stream that breaks %s', async (_, broken) => {
    const received = await Promise.allSettled(Array.from({ length: 1_000 }, () => inbox.receive(broken(), 1_000)));
    expect(new Set(received.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(await readdir(folder)).toEqual([]);
  }); // prettier-ignore

  it('has all bytes that may come, once', async () => {
    const { path, size, sha256 } = await inbox.receive(Readable.from([Buffer.from('abc')]), 3);
    expect([size, sha256]).toEqual([3, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad']);
    await inbox.discard({ path, size, sha256 });
    expect(await readdir(folder)).toEqual([]);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { BucketSettings, Config } from '../../src/platform/config.js';
import type { EvidenceStore } from '../../src/platform/evidence/evidence-store.js';
import { openEvidenceStore } from '../../src/platform/evidence/open-store.js';
import { startBucketServer, type BucketServer } from '../support/bucket-server.js';

let server: BucketServer;
let folder: string;
beforeAll(async () => {
  Logger.overrideLogger(false); // files are missing on purpose
  server = await startBucketServer();
  folder = await mkdtemp(join(tmpdir(), 'tunebook-evidence-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const configOf = (evidenceFolder: string, evidenceBucket: BucketSettings | null): Config => ({
  host: '127.0.0.1',
  port: 0,
  dataFolder: folder,
  evidenceFolder,
  evidenceBucket,
  databaseUrl: null,
  logLevel: 'fatal',
});
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const unfinished = (place: string) => readdir(join(place, 'unfinished'));

/** Bytes that no other spec has, in pieces of 64 KB. */
function pieces(size: number): { readonly all: Buffer; readonly stream: Readable } {
  const all = randomBytes(size);
  const parts = Array.from({ length: Math.ceil(size / 65_536) }, (_, index) => all.subarray(index * 65_536, (index + 1) * 65_536)); // prettier-ignore
  return { all, stream: Readable.from(parts) };
}

describe.each(['folder', 'bucket'] as const)('evidence files in a %s', (kind) => {
  let own: string;
  let store: EvidenceStore;
  beforeAll(async () => {
    own = join(folder, kind);
    store = await openEvidenceStore(configOf(own, kind === 'folder' ? null : await server.bucket()));
  });

  it('are the bytes that were put, under their SHA-256', async () => {
    const bytes = Buffer.from('Take it for what it is: 证据');
    const sha256 = await store.put(bytes);
    expect(sha256).toBe(digest(bytes));
    expect(await store.get(sha256)).toEqual(bytes);
  });

  it('are read as a stream, whole and in ranges', async () => {
    const { all, stream } = pieces(3_000_001);
    const { sha256, size } = await store.write(stream);
    expect([sha256, size]).toEqual([digest(all), 3_000_001]);
    expect((await buffer(store.open(sha256))).equals(all)).toBe(true);
    for (const [start, end] of [[0, 9], [1_000_000, 2_000_000], [2_999_999, 3_000_000]] as const) {
      expect((await buffer(store.open(sha256, { start, end }))).equals(all.subarray(start, end + 1))).toBe(true);
    } // prettier-ignore
  });

  it('are the same file when they are put again, also at the same moment', async () => {
    const bytes = randomBytes(100_000);
    const puts = await Promise.all([store.put(bytes), store.put(bytes), store.put(bytes)]);
    expect(new Set([...puts, await store.put(bytes)])).toEqual(new Set([digest(bytes)]));
    expect((await store.get(digest(bytes))).equals(bytes)).toBe(true);
  });

  it('may have as many bytes as the limit, and not one more', async () => {
    const limit = 200_000;
    const { all, stream } = pieces(limit);
    await expect(store.write(stream, limit)).resolves.toEqual({ sha256: digest(all), size: limit });
    const more = pieces(limit + 1);
    await expect(store.write(more.stream, limit)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit } });
    await expect(store.get(digest(more.all))).rejects.toThrow();
    expect(await unfinished(own)).toEqual([]);
  });

  it('leave nothing where their source breaks off', async () => {
    const broken = Readable.from(
      (function* () {
        yield randomBytes(100_000);
        throw new Error('The connection is gone');
      })(),
    );
    await expect(store.write(broken)).rejects.toThrow('The connection is gone');
    expect(await unfinished(own)).toEqual([]);
  });

  it('can be received and then refused', async () => {
    const { all, stream } = pieces(100_000);
    const received = await store.receive(stream);
    expect(await unfinished(own)).toHaveLength(1);
    await store.discard(received);
    expect(await unfinished(own)).toEqual([]);
    await expect(store.get(digest(all))).rejects.toThrow('are missing in the storage');
  });

  it('fail in the stream where there are none of this name', async () => {
    const bytes = store.open(digest(Buffer.from('never put')));
    await expect(buffer(bytes)).rejects.toMatchObject({ code: 'NOT_FOUND', details: { sha256: expect.any(String) } });
  });
});

describe('what an ended process left in the inbox', () => {
  const left = async (name: string, ageHours = 0): Promise<void> => {
    const path = join(folder, 'swept/unfinished', name);
    await writeFile(path, 'half of a file');
    const at = new Date(Date.now() - ageHours * 3_600_000);
    await utimes(path, at, at);
  };

  it('is swept at the start, and what others still write stays', async () => {
    await mkdir(join(folder, 'swept/unfinished'), { recursive: true });
    const store = await openEvidenceStore(configOf(join(folder, 'swept'), null));
    const { path } = await store.receive(Readable.from([Buffer.from('x')]));
    const [machine = ''] = /[0-9a-f]{8}(?=-\d+-[0-9a-f-]+$)/.exec(path) ?? [];
    // No process has a number this large, and process 1 always runs.
    await left(`${machine}-999999999-a`);
    await left(`${machine}-${process.pid}-b`);
    await left(`${machine}-1-c`);
    await left('ffffffff-999999999-d');
    await left('ffffffff-999999999-e', 25);
    await store.onModuleInit();
    expect((await unfinished(join(folder, 'swept'))).sort()).toEqual([`${machine}-1-c`, 'ffffffff-999999999-d'].sort());
  });
});

describe('a bucket that cannot be used', () => {
  const refusal = async (settings: Partial<BucketSettings>) => {
    const all = { ...(await server.bucket()), ...settings };
    return openEvidenceStore(configOf(join(folder, 'none'), all)).then(
      () => null,
      (error: unknown) => (error instanceof Error ? [error.name, error.message] : []),
    );
  };

  it('is named in words for the operator', async () => {
    expect(await refusal({ bucket: 'there-is-none' })).toEqual([
      'OperatorError',
      `Evidence files cannot be stored: there is no bucket "there-is-none" at ${server.endpoint}. See EVIDENCE_S3_BUCKET.`,
    ]);
    expect(await refusal({ endpoint: 'http://127.0.0.1:1' })).toEqual([
      'OperatorError',
      'Evidence files cannot be stored: http://127.0.0.1:1 cannot be reached: ECONNREFUSED. See EVIDENCE_S3_ENDPOINT.',
    ]);
  });
});

describe('a bucket that keeps other bytes than it is sent', () => {
  let liar: Server;
  let endpoint: string;
  const objects = new Map<string, Buffer>();
  beforeAll(async () => {
    liar = createServer((request, response) => {
      const key = request.url?.split('?')[0] ?? '';
      void buffer(request).then((body) => {
        if (request.method === 'PUT') objects.set(key, Buffer.concat([body.subarray(0, -1), Buffer.from('!')]));
        if (request.method === 'DELETE') objects.delete(key);
        const found = objects.get(key);
        if (request.method !== 'GET') response.writeHead(200).end();
        else if (found) response.writeHead(200).end(found);
        else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      });
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    const address = liar.address();
    endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => {
    liar.closeAllConnections();
    liar.close();
  });

  it('is found out, and what it keeps is taken away', async () => {
    const own = join(folder, 'lied-to');
    const settings = { bucket: 'evidence', endpoint, region: 'us-east-1', prefix: '' };
    const store = await openEvidenceStore(configOf(own, settings));
    await expect(store.put(Buffer.from('the truth'))).rejects.toThrow('keeps other bytes than it was sent');
    expect([...objects]).toEqual([]);
    expect(await unfinished(own)).toEqual([]);
  });
});

describe('a folder of evidence files', () => {
  it('holds each file under its own name, so that it can be copied into a bucket as it is', async () => {
    const own = join(folder, 'layout');
    const store = await openEvidenceStore(configOf(own, null));
    const sha256 = await store.put(Buffer.from('abc'));
    expect(sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(await readFile(join(own, 'ba', sha256), 'utf8')).toBe('abc');
  });
});

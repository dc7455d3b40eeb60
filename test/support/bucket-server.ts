import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { BucketSettings } from '../../src/platform/config.js';

const root = join(import.meta.dirname, '../..');

/** An S3-compatible server for a spec: the one of the address in TEST_S3_ENDPOINT, or one of its own. */
export interface BucketServer {
  readonly endpoint: string;
  /** A new and empty bucket. */
  bucket(): Promise<BucketSettings>;
  close(): Promise<void>;
}

export async function startBucketServer(): Promise<BucketServer> {
  // The names that the server of our own knows; the SDK finds them here as an operator's.
  process.env['AWS_ACCESS_KEY_ID'] ??= 'S3RVER';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'S3RVER';
  const given = process.env['TEST_S3_ENDPOINT'];
  const { endpoint, stop } =
    given === undefined ? await ownServer() : { endpoint: given, stop: () => Promise.resolve() };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
  return {
    endpoint,
    bucket: async () => {
      const bucket = `evidence-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      return { bucket, endpoint, region: 'us-east-1', prefix: 'of/tests/' };
    },
    close: async () => {
      client.destroy();
      await stop();
    },
  };
}

async function ownServer() {
  const folder = await mkdtemp(join(tmpdir(), 'tunebook-bucket-'));
  const program = join(root, 'node_modules/s3rver/bin/s3rver.js');
  const options = ['--directory', folder, '--address', '127.0.0.1', '--port', '0', '--silent', '--no-vhost-buckets'];
  const child = spawn(process.execPath, [program, ...options], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    const stop = async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    };
    return { endpoint: `http://127.0.0.1:${port}`, stop };
  }
  throw new Error('The S3 server for tests has ended');
}

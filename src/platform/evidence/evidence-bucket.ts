import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { DomainError } from '../../domain/errors.js';
import type { ByteRange } from '../../domain/evidence/byte-range.js';
import type { BucketSettings } from '../config.js';
import { bucketProblem } from './bucket-problem.js';
import { lostFile, nameOf, type EvidencePlace, type ReceivedFile } from './evidence-place.js';

/** How long a server may take to be connected to, and to be silent, in milliseconds. */
const CONNECT_WITHIN = 15_000;
const SPEAK_WITHIN = 60_000;

/**
 * Evidence files in a bucket of S3-compatible storage. Not every server checks what it is sent: a file counts as kept
 * once it was read back and its bytes have the SHA-256 that is their name.
 */
export class EvidenceBucket implements EvidencePlace {
  private readonly underway = new Map<string, Promise<void>>();

  private constructor(
    private readonly client: S3Client,
    private readonly settings: BucketSettings,
  ) {}

  /** Fails, in words for the operator, where the bucket cannot be used with these settings. */
  static async connect(settings: BucketSettings): Promise<EvidenceBucket> {
    const { bucket, endpoint, region } = settings;
    const client = new S3Client({
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      ...(region === null ? {} : { region }),
      requestHandler: { connectionTimeout: CONNECT_WITHIN, socketTimeout: SPEAK_WITHIN },
      // What the SDK adds to a stream otherwise is stored as part of the file by servers that do not know it.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    } catch (error) {
      client.destroy();
      throw bucketProblem(error, settings);
    }
    return new EvidenceBucket(client, settings);
  }

  /** One after another for the same bytes: not every server replaces an object at once, and half of one is other bytes. */
  async keep(file: ReceivedFile): Promise<void> {
    const { sha256 } = file;
    const before = this.underway.get(sha256) ?? Promise.resolve();
    const keeping = before.catch(() => undefined).then(() => this.keepNow(file));
    this.underway.set(sha256, keeping);
    try {
      await keeping;
    } finally {
      if (this.underway.get(sha256) === keeping) this.underway.delete(sha256);
    }
  }

  private async keepNow(file: ReceivedFile): Promise<void> {
    if (await this.has(file.sha256)) return;
    await this.client.send(
      new PutObjectCommand({
        ...this.placeOf(file.sha256),
        Body: createReadStream(file.path),
        ContentLength: file.size,
        // Whoever opens the bucket itself is shown nothing either
        ContentType: 'application/octet-stream',
        ContentDisposition: 'attachment',
      }),
    );
    if (await this.has(file.sha256)) return;
    await this.client.send(new DeleteObjectCommand(this.placeOf(file.sha256)));
    throw new Error(`The storage ${this.settings.bucket} keeps other bytes than it was sent for ${file.sha256}`);
  }

  async open(sha256: string, range: ByteRange | null): Promise<Readable> {
    const wanted = range === null ? null : `bytes ${range.start}-${range.end}/`;
    const { Body, ContentRange = '' } = await this.object(sha256, range);
    if (!(Body instanceof Readable)) throw new Error(`The storage ${this.settings.bucket} gave no bytes for ${sha256}`);
    // Not every server understands every range
    if (wanted === null || ContentRange.startsWith(wanted)) return Body;
    Body.destroy();
    throw new Error(`The storage ${this.settings.bucket} gave "${ContentRange}" of ${sha256}, not "${wanted}…"`);
  }

  private async object(sha256: string, range: ByteRange | null) {
    const bytes = range === null ? {} : { Range: `bytes=${range.start}-${range.end}` };
    try {
      return await this.client.send(new GetObjectCommand({ ...this.placeOf(sha256), ...bytes }));
    } catch (error) {
      throw error instanceof NoSuchKey ? lostFile(sha256) : error;
    }
  }

  close(): void {
    this.client.destroy();
  }

  /** Whether these very bytes are there. */
  private async has(sha256: string): Promise<boolean> {
    const hash = createHash('sha256');
    try {
      for await (const piece of await this.open(sha256, null)) hash.update(Buffer.from(piece));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return false;
      throw error;
    }
    return hash.digest('hex') === sha256;
  }

  private placeOf(sha256: string) {
    return { Bucket: this.settings.bucket, Key: `${this.settings.prefix}${nameOf(sha256)}` };
  }
}

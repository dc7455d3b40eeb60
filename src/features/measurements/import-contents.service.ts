import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import { decode, isGzip } from '../../domain/importers/decode.js';
import type { ImportProblem } from '../../domain/importers/importer.js';
import { MAX_CONTENT_BYTES, MAX_FILE_BYTES, prepare } from '../../domain/importers/prepare.js';
import { Database, type Db } from '../../platform/database/database.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { EvidenceStore } from '../../platform/evidence/evidence-store.js';
import type { ImportRunInput } from './imports.types.js';

/** A text to import, and the bytes that it came from. */
export interface ImportContent {
  /** As importers get it; null where `problems` say why there is none. */
  readonly text: string | null;
  readonly problems: readonly ImportProblem[];
  /** Keeps the bytes unchanged as an evidence file of the project, and gives its id. */
  readonly keep: () => Promise<KeptFile>;
}

/** A stored file, to be named in a transaction. */
export interface KeptFile {
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
}

/** The bytes of a file to import, from a request or from the evidence of the project. */
@Injectable()
export class ImportContents {
  constructor(
    private readonly db: Database,
    private readonly evidence: EvidenceStore,
  ) {}

  /** INVALID_INPUT unless exactly one is given; NOT_FOUND for evidence that the project does not have. */
  async of(projectId: string, input: ImportRunInput): Promise<ImportContent> {
    const { content, contentBase64, evidenceId } = input;
    const given = [content, contentBase64, evidenceId].filter((each) => each !== null && each !== undefined);
    if (given.length !== 1) {
      throw invalidInput({
        en: 'Give exactly one of content, contentBase64 and evidenceId',
        zh: '须且只须给出 content、contentBase64 与 evidenceId 之一',
      });
    }
    if (typeof content === 'string') {
      const prepared = prepare(content, MAX_CONTENT_BYTES, 'BYTES_ELSEWHERE');
      const text = 'problem' in prepared ? null : prepared.text;
      const problems = 'problem' in prepared ? [prepared.problem] : [];
      // A copy of the text as bytes, made when it is needed and not before
      return { text, problems, keep: () => this.store(Buffer.from(content, 'utf8'), 'text/plain') };
    }
    if (typeof contentBase64 === 'string') {
      const bytes = bytesOf(contentBase64);
      return { ...textOf(bytes), keep: () => this.store(bytes, mediaTypeOf(bytes)) };
    }
    const id = evidenceId ?? '';
    const found = await this.db.evidence.findFirst({ where: { id, projectId } });
    if (!found) {
      throw notFound({ en: `There is no evidence "${id}" in this project`, zh: `该项目中没有证据“${id}”` }, { id });
    }
    const { sha256, size, mediaType } = found;
    return { ...textOf(await this.evidence.get(sha256)), keep: () => Promise.resolve({ sha256, size, mediaType }) };
  }

  private async store(bytes: Buffer, mediaType: string): Promise<KeptFile> {
    return { sha256: await this.evidence.put(bytes), size: bytes.length, mediaType };
  }
}

function textOf(bytes: Buffer): Pick<ImportContent, 'text' | 'problems'> {
  const decoded = decode(bytes, MAX_FILE_BYTES);
  if ('problem' in decoded) return { text: null, problems: [decoded.problem] };
  const prepared = prepare(decoded.text, MAX_FILE_BYTES, 'GZIP');
  return 'problem' in prepared
    ? { text: null, problems: [prepared.problem] }
    : { text: prepared.text, problems: decoded.notes };
}

function mediaTypeOf(bytes: Buffer): string {
  return isGzip(bytes) ? 'application/gzip' : 'text/plain';
}

function bytesOf(base64: string): Buffer {
  if (!/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(base64)) {
    throw invalidInput({ en: 'contentBase64 is no Base64', zh: 'contentBase64 不是有效的 Base64' });
  }
  return Buffer.from(base64, 'base64');
}

/**
 * What makes two imports the same: the text as importers get it, whatever its encoding, line ends and compression were, and
 * how it was read.
 */
export function contentHashOf(reading: string, text: string): string {
  return createHash('sha256').update(`${reading}\n`).update(text).digest('hex');
}

/** The evidence row of a stored file; the same bytes are one row of a project. */
export async function evidenceRow(
  tx: Db,
  viewer: Viewer,
  projectId: string,
  fileName: string,
  { sha256, size, mediaType }: KeptFile,
): Promise<string> {
  const { id } = await tx.evidence.upsert({
    where: { projectId_sha256: { projectId, sha256 } },
    create: { projectId, sha256, fileName, mediaType, size, createdById: viewer.id },
    update: {},
  });
  return id;
}

import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rangeOf } from '../../domain/evidence/byte-range.js';
import { attachmentNamed } from '../../domain/evidence/file-name.js';
import { servedMediaType } from '../../domain/evidence/media-type.js';
import type { EvidenceStore } from '../../platform/evidence/evidence-store.js';
import type { Evidence } from './evidence.types.js';

/**
 * Sends a file, or the range of it that is asked for. Nobody knows what is in it: it is always an attachment, of a media
 * type that is not rendered, and no page of another origin can take it in.
 */
export async function sendEvidence(
  request: FastifyRequest,
  reply: FastifyReply,
  { sha256, fileName, mediaType, size, createdAt }: Evidence,
  store: EvidenceStore,
): Promise<void> {
  const etag = `"${sha256}"`;
  const { range, 'if-range': ifRange, 'if-none-match': known } = request.headers;
  void reply.headers({
    etag,
    'cache-control': 'private, no-cache',
    'content-type': servedMediaType(mediaType),
    'content-disposition': attachmentNamed(fileName),
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'last-modified': createdAt.toUTCString(),
  });
  if (known !== undefined && isNamed(known, etag)) {
    await reply.code(304).send();
    return;
  }
  const wanted = ifRange === undefined || ifRange === etag ? rangeOf(range, size) : 'WHOLE';
  if (wanted === 'UNSATISFIABLE') {
    await reply.code(416).header('content-range', `bytes */${size}`).removeHeader('content-type').send();
    return;
  }
  const part = wanted === 'WHOLE' ? null : wanted;
  const length = part === null ? size : part.end - part.start + 1;
  void reply.code(part === null ? 200 : 206).header('content-length', length);
  if (part !== null) void reply.header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  if (request.method === 'HEAD') {
    await reply.send();
    return;
  }
  const bytes = store.open(sha256, part);
  // A file that cannot be opened gets an answer that says so
  await once(bytes, 'readable');
  await reply.send(bytes);
}

/** Whether a header If-None-Match names this entity tag, weakly or not, or any. */
function isNamed(header: string, etag: string): boolean {
  return header.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}

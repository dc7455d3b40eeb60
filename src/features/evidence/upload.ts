import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { codeOf } from '../../domain/error-code.js';
import { DomainError, invalidInput, limitExceeded } from '../../domain/errors.js';
import { cleanFileName } from '../../domain/evidence/file-name.js';
import { declaredMediaType } from '../../domain/evidence/media-type.js';
import type { ReceivedFile } from '../../platform/evidence/evidence-place.js';
import { EVIDENCE_LIMIT, type EvidenceStore } from '../../platform/evidence/evidence-store.js';
import { tooLarge } from '../../platform/evidence/inbox.js';

/** Most files of one request. */
const FILE_COUNT = 10;
/** What the parts of a request need beside the bytes of its files. */
const OVERHEAD = 1024 * 1024;

const limits = {
  files: FILE_COUNT,
  // One byte more, so that the file itself is known to be too large
  fileSize: EVIDENCE_LIMIT + 1,
  fields: 10,
  fieldSize: 10_000,
  parts: FILE_COUNT + 10,
  headerPairs: 20,
} as const;

/** A received file with what the upload says of it. */
export interface UploadedFile extends ReceivedFile {
  readonly fileName: string;
  readonly mediaType: string;
}

/**
 * Receives all files of a request by `multipart/form-data`, one after the other and none of them in memory. Where one
 * cannot be taken, none is left. Fields that are no files are passed over.
 */
export async function receiveFiles(request: FastifyRequest, store: EvidenceStore): Promise<UploadedFile[]> {
  if (!request.isMultipart()) throw notMultipart(request.headers['content-type']);
  // What a request says of its length spares the work; what comes is counted all the same.
  if (Number(request.headers['content-length'] ?? 0) > FILE_COUNT * EVIDENCE_LIMIT + OVERHEAD)
    throw tooLarge(EVIDENCE_LIMIT);
  const files: UploadedFile[] = [];
  try {
    for await (const part of request.files({ limits })) files.push(await receive(part, store));
    if (files.length === 0) throw noFile();
    return files;
  } catch (error) {
    for (const file of files) await store.discard(file);
    // Whoever still sends hears the answer only once they are done.
    request.raw.resume();
    throw uploadError(error);
  }
}

async function receive({ file, filename, mimetype }: MultipartFile, store: EvidenceStore): Promise<UploadedFile> {
  const received = await store.receive(file);
  const fileName = cleanFileName(filename);
  if (received.size > 0) return { ...received, fileName, mediaType: declaredMediaType(mimetype) };
  await store.discard(received);
  throw invalidInput({ en: `The file "${fileName}" is empty`, zh: `文件“${fileName}”为空` }, { fileName });
}

/** What the parser, or a connection that broke off, says in words of the product; anything else is a bug. */
function uploadError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = codeOf(error);
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(EVIDENCE_LIMIT);
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return tooMany();
  const isBroken =
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    code === 'ECONNRESET' ||
    code?.startsWith('FST_') === true ||
    /multipart|boundary|part header|premature|aborted/i.test(error.message);
  return isBroken ? brokenUpload(error) : error;
}

function brokenUpload(cause: Error) {
  return invalidInput(
    {
      en: 'The upload is not whole or not well-formed: nothing was kept',
      zh: '上传内容不完整或格式有误，未保存任何文件',
    },
    { cause: cause.message },
  );
}

function tooMany() {
  return limitExceeded(
    { en: `A request may have at most ${FILE_COUNT} files`, zh: `一次请求最多上传 ${FILE_COUNT} 个文件` },
    { limit: FILE_COUNT },
  );
}

function noFile() {
  return invalidInput({ en: 'The request has no file', zh: '请求中没有文件' });
}

function notMultipart(contentType: string | undefined) {
  return invalidInput({
    en: `Files come as multipart/form-data, and this is ${contentType ?? 'of no content type'}`,
    zh: `文件须以 multipart/form-data 上传，现为 ${contentType ?? '未给出内容类型'}`,
  });
}

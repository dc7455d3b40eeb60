import { isAscii, isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { error, warning, type ImportProblem } from './importer.js';
import { codeOf } from '../error-code.js';

/** What bytes say as text, with what had to be assumed, or why they say nothing. */
export type Decoded =
  { readonly text: string; readonly notes: readonly ImportProblem[] } | { readonly problem: ImportProblem };

/**
 * The text of a file: gzip is inflated up to `maxBytes`, UTF-8 and UTF-16 are read with and without a byte order mark, and
 * GB18030, which contains GBK, where the bytes cannot be UTF-8 and look like Chinese. Never throws for bad content.
 */
export function decode(bytes: Buffer, maxBytes: number): Decoded {
  if (bytes.length > maxBytes) return { problem: tooLarge(maxBytes) };
  if (!isGzip(bytes)) return decodePlain(bytes);
  const inflated = inflate(bytes, maxBytes);
  return 'problem' in inflated ? inflated : decodePlain(inflated.bytes);
} // prettier-ignore

export function tooLarge(maxBytes: number): ImportProblem {
  const size = sizeOf(maxBytes);
  return error(null, `The content is larger than ${size}`, `内容超过 ${size}`, { code: 'TOO_LARGE' });
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} B`;
}

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function inflate(bytes: Buffer, maxBytes: number): { readonly bytes: Buffer } | { readonly problem: ImportProblem } {
  try {
    return { bytes: gunzipSync(bytes, { maxOutputLength: maxBytes }) };
  } catch (fault) {
    const code = codeOf(fault);
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      const size = sizeOf(maxBytes);
      return {
        problem: error(
          null,
          `The gzip file unpacks to more than ${size}: send a part of it`,
          `gzip 文件解压后超过 ${size}，请只上传其中一部分`,
          { code: 'TOO_LARGE' },
        ),
      };
    }
    if (code === 'Z_BUF_ERROR') {
      return {
        problem: error(null, 'The gzip file is cut off: its end is missing', 'gzip 文件不完整，缺少结尾', { code: 'TRUNCATED' }),
      };
    }
    if (code === null || !code.startsWith('Z_')) throw fault;
    return { problem: error(null, 'The gzip file is damaged', 'gzip 文件已损坏', { code: 'DAMAGED_ARCHIVE' }) };
  }
} // prettier-ignore

function decodePlain(bytes: Buffer): Decoded {
  const archive = archiveOf(bytes);
  if (archive !== null) return { problem: archiveProblem(archive, 'GZIP') };
  const wide = wideEncodingOf(bytes);
  if (wide !== null) {
    const text = new TextDecoder(wide.encoding).decode(bytes);
    return { text, notes: wide.isMarked ? [] : [assumed(wide.encoding === 'utf-16le' ? 'UTF-16 LE' : 'UTF-16 BE')] };
  }
  const nul = bytes.indexOf(0);
  if (nul !== -1) return { problem: nulByte(bytes, nul) };
  // Text of one byte a character is kept as such: half the memory
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), notes: [] };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), notes: [] };
  const chinese = chineseIn(bytes);
  if (chinese !== null) return { text: chinese, notes: [assumed('GB18030')] };
  return { text: bytes.toString('utf8'), notes: [remnants(bytes)] };
}

const archives: readonly (readonly [string, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
];

function archiveOf(bytes: Buffer): string | null {
  const found = archives.find(([, magic]) => magic.every((byte, at) => bytes[at] === byte));
  if (found?.[0] === 'bzip2' && !/^BZh[1-9]1AY/.test(bytes.subarray(0, 7).toString('latin1'))) return null;
  if (found) return found[0];
  return bytes.length > 262 && bytes.subarray(257, 262).toString('latin1') === 'ustar' ? 'tar' : null;
}

/**
 * What the caller takes beside plain text: `NOTHING`; `GZIP`, which it unpacks itself; or bytes in other arguments or files,
 * `BYTES_ELSEWHERE`.
 */
export type Packed = 'NOTHING' | 'GZIP' | 'BYTES_ELSEWHERE';

export function archiveProblem(name: string, taken: Packed): ImportProblem {
  const archive = (en: string, zh: string): ImportProblem =>
    error(null, `The content is a ${name} archive: ${en}`, `内容是 ${name} 压缩文件，${zh}`, { code: 'ARCHIVE' });
  if (name === 'gzip' && taken === 'BYTES_ELSEWHERE') {
    return archive(
      'send its bytes as contentBase64 or as an evidence file, or unpack it',
      '请以 contentBase64 或证据文件上传其字节，或先解压',
    );
  }
  if (name === 'gzip' || taken === 'NOTHING') return archive('unpack it and send the text', '请解压后上传文本');
  return archive('unpack it and send the text, or pack that with gzip', '请解压后上传文本，或改用 gzip 压缩');
}

interface WideEncoding {
  readonly encoding: 'utf-16le' | 'utf-16be';
  readonly isMarked: boolean;
}

/** Bytes of UTF-16 that are looked at, where no mark says it. */
const LOOKED_AT = 4_096;

/** What PowerShell writes when output is redirected: a mark, or every second byte of the beginning is zero. */
function wideEncodingOf(bytes: Buffer): WideEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', isMarked: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', isMarked: true };
  const length = Math.min(bytes.length, LOOKED_AT) & ~1;
  if (length < 8 || bytes.length % 2 !== 0) return null;
  const zeros = [0, 0];
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / (length / 2));
  if (odd > 0.7 && even < 0.05) return { encoding: 'utf-16le', isMarked: false };
  return even > 0.7 && odd < 0.05 ? { encoding: 'utf-16be', isMarked: false } : null;
}

/** Of the pairs of bytes that GBK makes a character of, so many are those of everyday Chinese where it is Chinese. */
const MOST = 0.8;

/**
 * The text as GB18030 where every byte fits and most pairs are common Chinese; else null: `12 µs` in Latin-1 would be a
 * character of GBK too.
 */
function chineseIn(bytes: Buffer): string | null {
  const [pairs, common] = pairsIn(bytes);
  if (pairs < 2 || common < MOST * pairs) return null;
  try {
    const text = new TextDecoder('gb18030', { fatal: true }).decode(bytes);
    return /\p{Script=Han}/u.test(text) ? text : null;
  } catch (fault) {
    if (codeOf(fault) === 'ERR_ENCODING_INVALID_ENCODED_DATA') return null;
    throw fault;
  }
}

function pairsIn(bytes: Buffer): readonly [number, number] {
  let [pairs, common] = [0, 0];
  for (let at = 0; at < bytes.length && pairs < 10_000; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    const next = bytes[at + 1] ?? 0;
    pairs += 1;
    if (byte >= 0xa1 && byte <= 0xf7 && next >= 0xa1) common += 1;
    at += 1;
  }
  return [pairs, common];
}

function assumed(encoding: string): ImportProblem {
  return warning(
    null,
    `The content has no mark of its encoding and was read as ${encoding}: look whether its texts are right`,
    `内容没有标明编码，按 ${encoding} 读取，请检查文字是否正确`,
    { code: 'ENCODING_ASSUMED', value: encoding },
  );
}

/** The first byte that is no UTF-8 has a place; what it means is not guessed. */
function remnants(bytes: Buffer): ImportProblem {
  const at = firstBad(bytes);
  const line = lineAt(bytes, at);
  const byte = `0x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  return warning(
    line,
    `Byte ${byte} in line ${line} is not UTF-8, as are perhaps others: it was read as \uFFFD. Save the file as UTF-8`,
    `第 ${line} 行的字节 ${byte} 不是 UTF-8（可能还有其他），读作 \uFFFD。请将文件保存为 UTF-8`,
    { code: 'NOT_UTF8', value: byte },
  );
}

/** By halves, as far as the beginning is UTF-8, then character by character. */
function firstBad(bytes: Buffer): number {
  let [from, to] = [0, bytes.length];
  while (to - from > 16) {
    const middle = wholeUntil(bytes, (from + to) >> 1);
    if (middle < to && isUtf8(bytes.subarray(from, middle))) from = middle;
    else to = (from + to) >> 1;
  }
  for (;;) {
    const length = [1, 2, 3, 4].find((count) => isUtf8(bytes.subarray(from, from + count)));
    if (length === undefined || from >= bytes.length) return from;
    from += length;
  }
}

/** The end of the character that `at` stands in. */
function wholeUntil(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && end < at + 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1;
  return end;
}

function nulByte(bytes: Buffer, at: number): ImportProblem {
  const line = lineAt(bytes, at);
  return error(
    line,
    `The content is not text: line ${line} holds a NUL byte, at byte ${at + 1}`,
    `内容不是文本：第 ${line} 行含有 NUL 字节（第 ${at + 1} 字节）`,
    { code: 'NOT_TEXT' },
  );
}

function lineAt(bytes: Buffer, at: number): number {
  let line = 1;
  for (let next = bytes.indexOf(10); next !== -1 && next < at; next = bytes.indexOf(10, next + 1)) line += 1;
  return line;
}

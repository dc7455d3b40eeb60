import { error, type ImportProblem } from './importer.js';

/** 64 MiB. */
export const MAX_CONTENT_BYTES = 64 * 1024 * 1024;

/** The text as importers get it, or why there is none. */
export type Prepared = { readonly text: string } | { readonly problem: ImportProblem };

/**
 * Refuses what is too large, empty, compressed or not text; strips the byte order mark and terminal colors; makes \n of
 * \r\n and of the lone \r of progress bars, and U+FFFD of halves of a surrogate pair.
 */
export function prepare(content: string, maxBytes: number): Prepared {
  if (content.length > maxBytes || byteLength(content, maxBytes) > maxBytes) return { problem: tooLarge(maxBytes) };
  const archive = archiveName(content);
  if (archive) {
    return {
      problem: error(
        null,
        `The content is a ${archive} archive: unpack it and send the text`,
        `内容是 ${archive} 压缩文件，请解压后再上传文本`,
      ),
    };
  }
  const withoutMark = content.startsWith('\uFEFF') ? content.slice(1) : content;
  if (withoutMark.trim() === '') return { problem: error(null, 'The content is empty', '内容为空') };
  if (isBinary(withoutMark)) {
    return {
      problem: error(
        null,
        'The content is not text: it holds binary data, or text in an encoding other than UTF-8',
        '内容不是文本：含有二进制数据，或编码不是 UTF-8',
      ),
    };
  }
  const text = withoutMark.replace(ansiSequence, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  return { text: text.replace(/\p{Surrogate}/gu, '\uFFFD') };
}

const escape = String.fromCharCode(27);
const bell = String.fromCharCode(7);

// put together from parts, since a control character in a literal is a lint error
const ansiSequence = new RegExp(
  `${escape}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${bell}${escape}]{0,200}${bell}|[@-Z\\\\^_])`,
  'g',
);

function tooLarge(maxBytes: number): ImportProblem {
  const size = maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MiB` : `${maxBytes} B`;
  return error(null, `The content is larger than ${size}`, `内容超过 ${size}`);
}

/** UTF-8 bytes, counted only as far as the limit matters. */
function byteLength(content: string, maxBytes: number): number {
  if (content.length * 3 <= maxBytes) return content.length;
  let bytes = 0;
  for (let index = 0; index < content.length; index += 1) {
    const code = content.charCodeAt(index);
    // the two halves of a surrogate pair make four bytes
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}

/** By the first bytes, read as UTF-8 (where they become U+FFFD) or as Latin-1. */
function archiveName(content: string): string | null {
  return archives.find(([, magics]) => magics.some((magic) => content.startsWith(magic)))?.[0] ?? null;
}

const archives: readonly (readonly [string, readonly string[]])[] = [
  ['gzip', ['\u001f\u008b', '\u001f\ufffd']],
  ['zip', ['PK\u0003\u0004']],
  ['bzip2', ['BZh91AY', 'BZh11AY']],
  ['xz', ['\u00fd7zXZ', '\ufffd7zXZ']],
  ['zstd', ['(\u00b5/\u00fd', '(\ufffd/\ufffd']],
];

/** A NUL anywhere, or more than a tenth of the first 64 Ki characters control or undecodable characters. */
function isBinary(content: string): boolean {
  if (content.includes('\0')) return true;
  const head = content.slice(0, 65_536);
  let bad = 0;
  for (let index = 0; index < head.length; index += 1) {
    const code = head.charCodeAt(index);
    const isBlank = code === 9 || code === 10 || code === 13 || code === 27;
    if ((code < 32 && !isBlank) || code === 127 || code === 0xfffd) bad += 1;
  }
  return bad > head.length / 10;
}

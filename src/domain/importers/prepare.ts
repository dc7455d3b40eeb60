import { archiveProblem, tooLarge, type Packed } from './decode.js';
import { error, type ImportProblem } from './importer.js';
import { lineAt } from './line-at.js';

/** Largest text that a request carries: 64 MiB. */
export const MAX_CONTENT_BYTES = 64 * 1024 * 1024;

/** Largest text of a file that was uploaded before, or of a gzip file: 100 MiB. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** The text as importers get it, or why there is none. */
export type Prepared = { readonly text: string } | { readonly problem: ImportProblem };

/**
 * Refuses what is too large, empty, compressed or not text, and says what the caller takes instead; strips the byte order
 * mark and terminal colors; makes \n of \r\n and of the lone \r of progress bars, and U+FFFD of halves of a surrogate pair.
 * What needs none of it is not copied.
 */
export function prepare(content: string, maxBytes: number, taken: Packed = 'NOTHING'): Prepared {
  if (content.length > maxBytes || byteLength(content, maxBytes) > maxBytes) return { problem: tooLarge(maxBytes) };
  const archive = archiveName(content);
  if (archive) return { problem: archiveProblem(archive, taken) };
  const withoutMark = content.startsWith('\uFEFF') ? content.slice(1) : content;
  if (!/\S/.test(withoutMark)) {
    return { problem: error(null, 'The content is empty', '内容为空', { code: 'EMPTY' }) };
  }
  const binary = binaryProblem(withoutMark);
  if (binary) return { problem: binary };
  const plain = withoutMark.includes(escape) ? withoutMark.replace(ansiSequence, '') : withoutMark;
  const text = plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain;
  return { text: /\p{Surrogate}/u.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text };
}

const escape = String.fromCharCode(27);
const bell = String.fromCharCode(7);

// put together from parts, since a control character in a literal is a lint error
const ansiSequence = new RegExp(
  `${escape}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${bell}${escape}]{0,200}${bell}|[@-Z\\\\^_])`,
  'g',
);

/** UTF-8 bytes, counted only as far as the limit matters. */
function byteLength(content: string, maxBytes: number): number {
  return content.length * 3 <= maxBytes ? content.length : Buffer.byteLength(content);
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
function binaryProblem(content: string): ImportProblem | null {
  const nul = content.indexOf('\0');
  if (nul !== -1) {
    const line = lineAt(content, nul);
    return error(
      line,
      `The content is not text: line ${line} holds a NUL character`,
      `内容不是文本：第 ${line} 行含有 NUL 字符`,
      { code: 'NOT_TEXT' },
    );
  }
  const head = content.slice(0, 65_536);
  let bad = 0;
  for (let index = 0; index < head.length; index += 1) {
    const code = head.charCodeAt(index);
    const isBlank = code === 9 || code === 10 || code === 13 || code === 27;
    if ((code < 32 && !isBlank) || code === 127 || code === 0xfffd) bad += 1;
  }
  return bad <= head.length / 10
    ? null
    : error(
        null,
        'The content is not text: it holds binary data, or text in an encoding other than UTF-8',
        '内容不是文本：含有二进制数据，或编码不是 UTF-8',
        { code: 'NOT_TEXT' },
      );
}

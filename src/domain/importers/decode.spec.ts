import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decode } from './decode.js';

const LIMIT = 1024 * 1024;

/** The text of bytes, or the code of the problem; then the codes of the notes. */
function told(bytes: Buffer, limit = LIMIT): readonly unknown[] {
  const decoded = decode(bytes, limit);
  if ('problem' in decoded) return [decoded.problem.code, decoded.problem.line, decoded.problem.message.en];
  return [decoded.text, ...decoded.notes.map(({ code, line, value }) => `${code} ${line ?? '-'} ${value ?? ''}`)];
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bigEndian = (text: string): Buffer => utf16(text).swap16();

describe('the text of bytes', () => {
  it.each([
    ['ASCII', Buffer.from('speed 12 ms\n'), ['speed 12 ms\n']],
    ['UTF-8', Buffer.from('12 µs 步\n'), ['12 µs 步\n']],
    ['UTF-16 LE with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('speed 步')]), ['speed 步']],
    ['UTF-16 BE with a mark', Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian('speed 步')]), ['speed 步']],
    ['UTF-16 LE', utf16('speed: 12 ms'), ['speed: 12 ms', 'ENCODING_ASSUMED - UTF-16 LE']],
    ['UTF-16 BE', bigEndian('speed: 12 ms'), ['speed: 12 ms', 'ENCODING_ASSUMED - UTF-16 BE']],
    ['gzip', gzipSync('speed 12 ms'), ['speed 12 ms']],
    ['gzip of UTF-16', gzipSync(utf16('speed: 12 ms')), ['speed: 12 ms', 'ENCODING_ASSUMED - UTF-16 LE']],
    // 吞吐量 延迟 in GBK
    ['GB18030', Buffer.from('cdcccdc2c1bf20d1d3b3d9203132206d730a', 'hex'), ['吞吐量 延迟 12 ms\n', 'ENCODING_ASSUMED - GB18030']],
    ['Latin-1', Buffer.from('speed\n12 \u00b5s\n', 'latin1'), ['speed\n12 \uFFFDs\n', 'NOT_UTF8 2 0xB5']],
  ])('is read from %s', (_, bytes, expected) => {
    expect(told(bytes)).toEqual(expected);
  });

  it.each([
    ['zip', '504b030414', 'ARCHIVE', 'zip archive'],
    ['xz', 'fd377a585a00', 'ARCHIVE', 'xz archive'],
    ['zstd', '28b52ffd04', 'ARCHIVE', 'zstd archive'],
    ['7z', '377abcaf271c', 'ARCHIVE', '7z archive'],
    ['bzip2', Buffer.from('BZh91AY&SY').toString('hex'), 'ARCHIVE', 'bzip2 archive'],
    ['gzip in gzip', gzipSync(gzipSync('x')).toString('hex'), 'ARCHIVE', 'gzip archive'],
    ['a cut gzip', gzipSync('speed 12 ms'.repeat(99)).subarray(0, 30).toString('hex'), 'TRUNCATED', 'its end is missing'],
    ['a damaged gzip', '1f8b08000000000000ffffffff', 'DAMAGED_ARCHIVE', 'is damaged'],
  ])('is refused for %s', (_, hex, code, message) => {
    expect(told(Buffer.from(hex, 'hex'))).toEqual([code, null, expect.stringContaining(message)]);
  });

  it('is refused for a NUL byte, with its place', () => {
    expect(told(Buffer.from('a\nb\0c'))).toEqual([
      'NOT_TEXT',
      2,
      'The content is not text: line 2 holds a NUL byte, at byte 4',
    ]);
  });

  it('is not unpacked beyond the limit', () => {
    const bomb = gzipSync(Buffer.alloc(50 * LIMIT, 'a'));
    expect(bomb.length).toBeLessThan(LIMIT);
    expect(told(bomb)).toEqual(['TOO_LARGE', null, 'The gzip file unpacks to more than 1 MiB: send a part of it']);
    expect(told(Buffer.alloc(LIMIT + 1, 'a'))).toEqual(['TOO_LARGE', null, 'The content is larger than 1 MiB']);
  });

  it('names the line of the first byte that is no UTF-8 in a long text', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `步 ${index}`).join('\n');
    const bytes = Buffer.concat([Buffer.from(`${lines}\n12 `), Buffer.from([0xb5]), Buffer.from('s 步\n')]);
    expect(told(bytes).at(-1)).toBe('NOT_UTF8 20001 0xB5');
  });
}); // prettier-ignore

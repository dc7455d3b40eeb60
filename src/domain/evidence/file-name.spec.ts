import { describe, expect, it } from '@jest/globals';
import { attachmentNamed, cleanFileName } from './file-name.js';

describe('cleanFileName', () => {
  it.each([
    ['trace.json', 'trace.json'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['  run 1.txt  ', 'run 1.txt'],
    ['显存分析.json', '显存分析.json'],
    ['e\u0301.txt', 'é.txt'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['a\u2066b\u2069.txt', 'ab.txt'],
    ['a\r\nSet-Cookie: x\0.txt', 'aSet-Cookie: x.txt'],
    ['a\uD800.txt', 'a.txt'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['folder/', 'file'],
    ['\u200B', 'file'],
    ['.bashrc', '.bashrc'],
  ])('makes %j %j', (given, clean) => {
    expect(cleanFileName(given)).toBe(clean);
  });

  it('cuts a long name in the middle, and through no character', () => {
    expect(cleanFileName(`${'a'.repeat(300)}.json`)).toBe(`${'a'.repeat(250)}.json`);
    expect(cleanFileName(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(253)}`);
    expect(cleanFileName(`${'😀'.repeat(200)}.gz`)).toBe(`${'😀'.repeat(126)}.gz`);
  });
});

describe('attachmentNamed', () => {
  it.each([
    ['a.txt', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
    ['a"b\\c.txt', `attachment; filename="a_b_c.txt"; filename*=UTF-8''a%22b%5Cc.txt`],
    ['显存.json', `attachment; filename="__.json"; filename*=UTF-8''%E6%98%BE%E5%AD%98.json`],
    ["(it's)*!.txt", `attachment; filename="(it's)*!.txt"; filename*=UTF-8''%28it%27s%29%2A!.txt`],
  ])('of %j is %j', (name, header) => {
    expect(attachmentNamed(name)).toBe(header);
  });
});

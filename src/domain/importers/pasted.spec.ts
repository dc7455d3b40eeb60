import { describe, expect, it } from '@jest/globals';
import { fixture, fixtures } from '../../../test/support/tool-output.js';
import { readContent } from './index.js';
import { withoutPaste } from './pasted.js';

const json = fixtures.filter(({ name }) => /^[{[]/.test(fixture(name).trimStart()));
const around: readonly (readonly [string, (text: string) => string])[] = [
  ['a code fence', (text) => `\`\`\`json\n${text}\n\`\`\`\n`],
  ['lines of a shell', (text) => `alice@gpu7:~/bench$ cat result.json\n${text}\nalice@gpu7:~/bench$ \n`],
  ['a prompt', (text) => `\n$ cat result.json\n${text}\n`],
  ['quotes', (text) => text.replace(/^/gm, '> ')],
];

describe('what was pasted', () => {
  it.each(around)('is read as what stands within: %s', (_, paste) => {
    expect(json.length).toBeGreaterThan(20);
    for (const { name, tool } of json) {
      const [own, pasted] = [readContent(fixture(name), tool), readContent(paste(fixture(name)), tool)];
      expect([name, pasted.reading.runs]).toEqual([name, own.reading.runs]);
    }
  });

  it('is recognized, of consoles too', () => {
    const table = fixture('llama-bench-md/two-settings.txt');
    for (const paste of [around[0], around[3]].flatMap((each) => each?.[1] ?? [])) {
      expect(readContent(paste(table))).toMatchObject({ format: 'llama-bench-md' });
    }
  });

  it('keeps the numbers of lines', () => {
    const text = '\n$ cat x\n{"a": 1}\n\n$ \n';
    expect(withoutPaste(text)).toBe('\n\n{"a": 1}\n\n$ \n');
    expect(withoutPaste('```\n{"a": 1}\n```')).toBe('\n{"a": 1}\n');
  });

  it('leaves the command above a console, a list, and a fence inside of a text', () => {
    for (const text of ['$ llama-bench -r 3\n| a | b |\n', '> a\nb\n', 'a\n```\nb\n', '```\n']) {
      expect(withoutPaste(text)).toBe(text);
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../../test/support/ends.js';
import { seeded } from '../../../../test/support/mutated-text.js';
import { jsonBlocks } from './json-blocks.js';
import type { JsonBlock } from './reader.js';

const blocksOf = (text: string) =>
  jsonBlocks(text.split('\n')).map(({ value, firstLine, lastLine }) => [value, firstLine, lastLine]);

/** The same by trying every end of every line: slow, and plainly right. */
function triedOut(lines: readonly string[]): readonly JsonBlock[] {
  const blocks: JsonBlock[] = [];
  for (let first = 0; first < lines.length; first += 1) {
    const block = /^[ \t]*[[{]/.test(lines[first] ?? '') ? triedAt(lines, first) : null;
    if (!block) continue;
    blocks.push(block);
    first = block.lastLine - 1;
  }
  return blocks;
}

function triedAt(lines: readonly string[], first: number): JsonBlock | null {
  for (let last = first; last < lines.length; last += 1) {
    for (const { index } of (lines[last] ?? '').matchAll(/[}\]]/g)) {
      const text = [...lines.slice(first, last), (lines[last] ?? '').slice(0, index + 1)].join('\n');
      try {
        const value: unknown = JSON.parse(text);
        return { value, firstLine: first + 1, lastLine: last + 1 };
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
  }
  return null;
}

describe('jsonBlocks', () => {
  it.each<[string, string, readonly (readonly [unknown, number, number])[]]>([
    ['an object in one line', '{"a": 1}', [[{ a: 1 }, 1, 1]]],
    ['a value over several lines, indented', ' $ cmd\n\t[\n\t  {"a": null},\n\t  []\n\t]\nend', [[[{ a: null }, []], 2, 5]]],
    ['what follows in the last line left aside', '{"a": "}"} }] "x\n[2]', [[{ a: '}' }, 1, 1], [[2], 2, 2]]],
    ['values one after another', '{}\n[]\n{"a": {}}', [[{}, 1, 1], [[], 2, 2], [{ a: {} }, 3, 3]]],
    ['every kind of token', '[-1.5e+3, 0, true, false, "\\u00e9\\"\\\\", {"": []}]', [[[-1500, 0, true, false, 'é"\\', { '': [] }], 1, 1]]],
    ['nothing that begins within a line', 'data: {"a": 1}', []],
    ['a plain value not at all', '12\n"a"\ntrue', []],
    ['a value after one that never closes', '{\n"a": [\n{"b": 1}', [[{ b: 1 }, 3, 3]]],
    ['the values of a broken list', '[\n{"a": 1},\n{"b": 2}\n{"c": 3}\n]', [[{ a: 1 }, 2, 2], [{ b: 2 }, 3, 3], [{ c: 3 }, 4, 4]]],
    ['the outer of two', '[\n[\n1\n]\n,\n{}]', [[[[1], {}], 1, 6]]],
    ['values after lines of a log', '[INFO] begin\n[2026-01-05 10:00:00] {"a": 1}\n{"a": 1}', [[{ a: 1 }, 3, 3]]],
  ])('finds %s', (_, text, expected) => expect(blocksOf(text)).toEqual(expected)); // prettier-ignore

  it.each([
    ['{"a": 1,}'],
    ['[1,]'],
    ['[,1]'],
    ['{"a"}'],
    ['{"a": }'],
    ['{a: 1}'],
    ["{'a': 1}"],
    ['[1 2]'],
    ['{"a": 1]'],
    ['[01]'],
    ['[1.]'],
    ['[+1]'],
    ['[tru]'],
    ['["\\x"]'],
    ['["\t"]'],
    ['["a\nb"]'],
    ['[NaN]'],
    ['{"a": 1'],
    ['[\u00a01]'],
  ])('finds no value in %j', (text) => expect(blocksOf(text)).toEqual([]));

  it('takes no value with more levels than a tool prints', () => {
    expect(blocksOf('['.repeat(100) + ']'.repeat(100))).toHaveLength(1);
    expect(blocksOf('['.repeat(101) + ']'.repeat(101))).toEqual([]);
  });

  it('finds what trying every place finds', () => {
    const random = seeded(5);
    const parts = ['[', '{', ']', '}', ',', ':', '"a"', '"k": 1', '1', 'x', '"', ' ', '\n', '\n[', '\n{', '\n]', '\n}', '\n{"a": [1]},', '\n[]']; // prettier-ignore
    const texts = Array.from({ length: 3_000 }, () =>
      Array.from({ length: 1 + random() * 25 }, () => parts[Math.floor(random() * parts.length)]).join(''),
    );
    const different = texts.filter(
      (text) => JSON.stringify(jsonBlocks(text.split('\n'))) !== JSON.stringify(triedOut(text.split('\n'))),
    );
    expect(different).toEqual([]);
  });

  it.each([
    ['lists that never close', '[\n', 0],
    ['objects that never close', '{\n', 0],
    ['members that never close', '{"a":\n', 0],
    ['a list that goes on', '[1,\n', 0],
    ['brackets in one line', '[', 0],
    ['strings that never close', '["a", "b\n', 0],
    ['quotes', '["', 0],
    ['small values', '{}\n', 200_000],
  ])('takes time in proportion to the text: %s', (_, part, count) => {
    const lines = part.repeat(200_000).split('\n');
    // Trying each line would take minutes
    expect(ends(() => jsonBlocks(lines))).toHaveLength(count);
  });

  it('takes time in proportion where values close after all, each in a broken one', () => {
    const lines = `${'[\n'.repeat(100_000)}x\n${']\n'.repeat(100_000)}`.split('\n');
    expect(ends(() => jsonBlocks(lines))).toEqual([]);
    const broken = [...'['.repeat(50), ...Array.from({ length: 100_000 }, () => '{},'), 'x'];
    expect(ends(() => jsonBlocks(broken))).toHaveLength(100_000);
  });
});

import { describe, expect, it } from '@jest/globals';
import { toolText } from './tool-text.js';

describe('toolText', () => {
  it.each<[string, string, readonly string[]]>([
    ['any ends of lines', 'a\nb\r\nc\rd\n', ['a', 'b', 'c', 'd', '']],
    ['a byte order mark', '\uFEFFa\n\uFEFFb', ['a', '\uFEFFb']],
    ['colors', '\u001b[1;32mok\u001b[0m \u001b[?25lx\u001b[K', ['ok x']],
    ['brackets that are no colors', '[0m [1;32m', ['[0m [1;32m']],
    ['nothing', '', ['']],
  ])('splits lines: %s', (_, content, lines) => expect(toolText(content).lines).toEqual(lines));

  it('finds JSON behind colors, a byte order mark, and with the ends of lines of Windows', () => {
    expect(toolText('\uFEFF{"a": 1}').json).toEqual([{ value: { a: 1 }, firstLine: 1, lastLine: 1 }]);
    expect(toolText('$ cmd\r\n[\r\n  \u001b[33m1\u001b[0m\r\n]\r\n').json).toEqual([
      { value: [1], firstLine: 2, lastLine: 4 },
    ]);
  });
});

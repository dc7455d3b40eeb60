import { describe, expect, it } from '@jest/globals';
import { cut, wholeCells } from './cells.js';

describe('the cells of a line', () => {
  it.each([
    ['a,b', ['a', 'b']],
    ['"a","b,c"', ['a', 'b,c']],
    ['"a", b ,', ['a', 'b', '']],
    ['"",""', ['', '']],
    [',"a"', ['', 'a']],
  ])('are whole: %s', (line, cells) => {
    expect(wholeCells(line, ',')?.map((cell) => cell.trim())).toEqual(cells);
    expect(cut(line, ',')).toEqual(cells);
  });

  it.each([
    ['"a ""b"" c",d', ['a "b" c', 'd']],
    ['a "b, c",d', ['a b, c', 'd']],
    ['"a" b,c', ['a b', 'c']],
    ['a,"b,c', ['a', 'b,c']],
    ['"a"",b"', ['a",b']],
  ])('are looked at one character after another where a quotation mark stands elsewhere: %s', (line, cells) => {
    expect(wholeCells(line, ',')).toBeNull();
    expect(cut(line, ',')).toEqual(cells);
  });
});

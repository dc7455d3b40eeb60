import { describe, expect, it } from '@jest/globals';
import { csvRecords } from './csv-records.js';

describe('the rows of a CSV', () => {
  it('have the numbers of their lines, with quotation marks around whole cells or without', () => {
    expect(csvRecords('a,"b,c"\n\n"1",2\n,""\n \n"",3\n', ',').records).toEqual([
      { line: 1, cells: ['a', 'b,c'] },
      { line: 3, cells: ['1', '2'] },
      { line: 6, cells: ['', '3'] },
    ]);
  });

  it('may go over several lines', () => {
    expect(csvRecords('a,"b"\n"1\n2",3\n4,"5"', ',').records).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1\n2', '3'] },
      { line: 4, cells: ['4', '5'] },
    ]);
  });

  it('keep quotation marks inside a cell', () => {
    expect(csvRecords('a;"b ""c"""\n5" disk;"x"', ';').records).toEqual([
      { line: 1, cells: ['a', 'b "c"'] },
      { line: 2, cells: ['5" disk', 'x'] },
    ]);
  });

  it('name the line of a quotation mark that is never closed', () => {
    const { records, problem } = csvRecords('a,"b"\n"c,d\n', ',');
    expect(records).toEqual([]);
    expect(problem?.message.en).toBe('The CSV cannot be read: a quotation mark is opened and never closed');
  });
});

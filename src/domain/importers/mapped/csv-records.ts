import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { wholeCells } from '../cells.js';
import { error, type ImportProblem } from '../importer.js';
import { MAX_ROWS } from './table.js';

/** A row and the line where it begins, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvReading {
  readonly records: readonly CsvRecord[];
  readonly problem: ImportProblem | null;
}

/** The rows of a CSV, blank lines left out, at most 200,000 and one. Rows may have different numbers of cells. */
export function csvRecords(text: string, delimiter: string): CsvReading {
  if (!text.includes('"')) return { records: plainRecords(text, delimiter), problem: null };
  const records = wholeCellRecords(text, delimiter);
  return records ? { records, problem: null } : quotedRecords(text, delimiter);
}

/** Where nothing is quoted every line is a row, which is found many times faster. */
function plainRecords(text: string, delimiter: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 0;
  for (let start = 0; start <= text.length && records.length <= MAX_ROWS;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    line += 1;
    const whole = text.slice(start, end);
    if (whole.trim() !== '') records.push({ line, cells: whole.split(delimiter) });
    start = end + 1;
  }
  return records;
}

/** Where quotation marks stand around whole cells alone, every line is a row as well; null where they do not. */
function wholeCellRecords(text: string, delimiter: string): readonly CsvRecord[] | null {
  if (text.includes('\r')) return null;
  const records: CsvRecord[] = [];
  let [line, rows] = [0, 0];
  for (let start = 0; start < text.length && rows <= MAX_ROWS;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    line += 1;
    if (end > start) {
      const cells = wholeCells(text.slice(start, end), delimiter);
      if (cells === null) return null;
      rows += 1;
      if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells });
    }
    start = end + 1;
  }
  return records;
}

/** What the parser gives with `info`; `lines` is where a row ends. */
const withLines = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

function quotedRecords(text: string, delimiter: string): CsvReading {
  try {
    const rows: unknown = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 1,
    });
    const records = withLines.parse(rows).map(({ record, info }): CsvRecord => {
      const inner = record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
      return { line: info.lines - inner, cells: record };
    });
    return { records: records.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')), problem: null };
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    const line = typeof fault.lines === 'number' ? fault.lines : null;
    const en = 'The CSV cannot be read: a quotation mark is opened and never closed';
    return { records: [], problem: error(line, en, 'CSV 无法读取：引号没有闭合') };
  }
}

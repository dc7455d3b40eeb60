import { error, leftOut, type ImportProblem } from '../importer.js';
import { linesOf } from '../labeled-lines.js';
import { numberOf } from '../number.js';
import { cellsOf } from '../piped-table.js';
import { csvRecords, type CsvRecord } from './csv-records.js';
import { distinct, MAX_ROWS, noTable, sizeProblem, type Cell, type Table } from './table.js';

const separators = [',', '\t', ';', '|'];
/** As many lines show the separator. */
const LOOKED_AT = 50;

/** The table of a CSV with a header and any separator, or of Markdown. Lines with # above it are passed over. */
export function csvTable(text: string): Table {
  const { body, comment } = withoutComments(text);
  const separator = separatorOf(body);
  const { records, problem } =
    separator === '|' ? { records: barred(body), problem: null } : csvRecords(body, separator);
  if (problem) return noTable('csv', problem);
  const [first, ...others] = records;
  if (!first) return noTable('csv', error(null, 'The content holds no table', '内容中没有表格', { code: 'NO_TABLE' }));
  const commented = comment && numbersIn(first.cells) > 0 ? headerIn(comment, separator, first.cells.length) : null;
  const header = commented ?? first;
  const rows = commented ? records : others;
  if (header.cells.length < 2 && !isColumnOfNumbers(rows)) return noTable('csv', noSeparator(header.line));
  if (numbersIn(header.cells) * 2 > header.cells.length) return noTable('csv', noHeader(header.line));
  const tooLarge = sizeProblem(header.cells.length, rows.length, header.line);
  if (tooLarge) return noTable('csv', tooLarge);
  return { kind: 'csv', line: header.line, ...fitted(distinct(header.cells), rows) };
}

interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Without the lines with # above the table, of which the last may be its header. Lines keep their numbers. */
function withoutComments(text: string): { readonly body: string; readonly comment: Comment | null } {
  let [at, line] = [0, 0];
  let comment: Comment | null = null;
  for (const each of linesOf(text)) {
    if (each.trim() !== '' && !each.startsWith('#')) break;
    line += 1;
    if (each.startsWith('#')) comment = { line, text: each.replace(/^#+\s{0,20}/, '') };
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return { body: '\n'.repeat(line) + text.slice(at), comment };
}

function headerIn({ line, text }: Comment, separator: string, count: number): CsvRecord | null {
  const cells = separator === '|' ? cellsOf(text) : text.split(separator);
  return cells.length === count && numbersIn(cells) === 0 ? { line, cells } : null;
}

/** The separator that most lines have as often as the first one; where two do, the one that makes more columns. */
function separatorOf(text: string): string {
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    if (line.trim() !== '') lines.push(line.replace(/"[^"]{0,5000}"/g, ''));
    if (lines.length >= LOOKED_AT) break;
  }
  const scored = separators.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length);
    const columns = counts[0] ?? 1;
    const score = columns < 2 ? 0 : counts.filter((count) => count === columns).length;
    return { separator, score, columns };
  });
  scored.sort((a, b) => b.score - a.score || b.columns - a.columns);
  return scored[0]?.separator ?? ',';
}

function barred(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 0;
  for (const each of linesOf(text)) {
    line += 1;
    const cells = each.includes('|') ? cellsOf(each) : [];
    if (cells.some((cell) => !/^:?-*:?$/.test(cell))) records.push({ line, cells });
    if (records.length > MAX_ROWS) break;
  }
  return records;
}

function numbersIn(cells: readonly string[]): number {
  return cells.filter((cell) => numberOf(cell) !== null || numberOf(cell, ',') !== null).length;
}

function isColumnOfNumbers(rows: readonly CsvRecord[]): boolean {
  return rows.length > 0 && rows.every(({ cells }) => cells.length === 1 && numbersIn(cells) === 1);
}

const MAX_WARNED = 1_000;

/** A row with too many cells cannot be told apart from one that is out of step; one with too few ends early. */
function fitted(columns: readonly string[], records: readonly CsvRecord[]) {
  const rows: { line: number; cells: readonly Cell[] }[] = [];
  const problems: ImportProblem[] = [];
  records.forEach(({ line, cells }, index) => {
    const isCut = cells.length < columns.length && index === records.length - 1 && index > 0;
    if (cells.length > columns.length && cells.slice(columns.length).every((cell) => cell.trim() === '')) {
      rows.push({ line, cells: cells.slice(0, columns.length).map((cell) => cell.trim()) });
    } else if (cells.length > columns.length || isCut) problems.push(otherCount(line, cells.length, columns.length));
    else rows.push({ line, cells: columns.map((_, at) => cells[at]?.trim() ?? '') });
  });
  return { columns, rows, problems: problems.slice(0, MAX_WARNED), leftOut: problems.length };
}

function otherCount(line: number, found: number, expected: number): ImportProblem {
  return leftOut(
    line,
    `The row was left out: it has ${found} cells, the header ${expected}`,
    `该行未采用：有 ${found} 个单元格，而表头有 ${expected} 个`,
  );
}

function noSeparator(line: number): ImportProblem {
  return error(
    line,
    'No separator was found: a table needs a header and columns set apart by comma, semicolon, tab or bar',
    '没有找到分隔符：表格需要表头，并以逗号、分号、制表符或竖线分列',
    { code: 'NO_TABLE' },
  );
}

function noHeader(line: number): ImportProblem {
  return error(
    line,
    'The first row holds numbers: put the names of the columns above it',
    '首行是数字：请在其上方加上列名',
    { code: 'NO_HEADER' },
  );
}

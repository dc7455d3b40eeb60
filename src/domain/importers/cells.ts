import { error, incomplete, type ImportProblem } from './importer.js';
import type { DecimalMark } from './number.js';
import { decimalMarkIn } from './quantity.js';

/** One line of a file, cut into its cells. */
export interface Cells {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What parts the cells. */
  readonly separator: Separator;
}

export type Separator = ',' | ';' | '\t';

/**
 * The lines of a text that are not blank, cut at the separator: that which is given, else that which the first line has
 * outside quotes. There a tab counts before a semicolon and a semicolon before a comma, which can be a decimal one.
 */
export function csvLines(text: string, separator?: Separator): readonly Cells[] {
  return [...eachCsvLine(text, separator)];
}

/** As `csvLines`, one after another. */
export function* eachCsvLine(text: string, separator?: Separator): Iterable<Cells> {
  let number = 0;
  let used = separator;
  let isFirst = true;
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end);
    number += 1;
    start = end + 1;
    if (line.trim() === '') continue;
    // How Excel tells itself the separator
    const said = isFirst ? /^"?sep=([,;\t])"?$/i.exec(line)?.[1] : undefined;
    isFirst = false;
    used ??= separatorOf(said ?? line);
    if (said === undefined) yield { line: number, cells: cut(line, used), separator: used };
  }
}

/** The separator of the cells of a line. */
export function separatorOf(line: string): Separator {
  const outside = line.split('"').filter((_, index) => index % 2 === 0);
  const has = (mark: string) => outside.some((part) => part.includes(mark));
  return has('\t') ? '\t' : has(';') ? ';' : ',';
}

/** By RFC 4180: a cell in quotes may hold the separator, and doubled quotes. */
export function cut(line: string, separator: string): readonly string[] {
  const whole = wholeCells(line, separator);
  if (whole) return whole.map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}

/**
 * The cells of a line in which quotation marks stand around whole cells alone, which is found many times faster; null
 * where one stands inside a cell, or something follows behind one.
 */
export function wholeCells(line: string, separator: string): readonly string[] | null {
  if (!line.includes('"')) return line.split(separator);
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at += separator.length) {
    const isQuoted = line.startsWith('"', at);
    const start = isQuoted ? at + 1 : at;
    const found = line.indexOf(isQuoted ? '"' : separator, start);
    if (isQuoted && found === -1) return null;
    const end = found === -1 ? line.length : found;
    const cell = line.slice(start, end);
    at = isQuoted ? end + 1 : end;
    if ((at < line.length && !line.startsWith(separator, at)) || cell.includes('"')) return null;
    cells.push(cell);
  }
  return cells;
}

/**
 * The mark of the decimals that the cells of a table tell. Semicolons part cells where commas are decimal, and a point may
 * part thousands there: a table of them that tells nothing leaves neither mark for granted.
 */
export function markOf(lines: readonly Cells[]): DecimalMark {
  const told = decimalMarkIn(lines.flatMap(({ cells }) => cells));
  return told === 'UNKNOWN' && lines.some(({ separator }) => separator === ';') ? 'BOTH' : told;
}

/** How many cells a line has up to the last one that is not empty. */
export function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '') + 1;
}

/** A line with more cells than there are columns: a comma inside a number may have cut it. */
export function tooManyCells({ line, cells }: Pick<Cells, 'line' | 'cells'>, columns: number): ImportProblem {
  const width = widthOf(cells);
  return error(
    line,
    `There are ${width} cells here, and ${columns} are expected: put a number with a comma into quotes, or part the cells with ";"`,
    `此行有 ${width} 个单元格，应为 ${columns} 个：含逗号的数字请加引号，或改用“;”分隔单元格`,
  );
}

/** A line with fewer cells than there are columns: its end is lost, and perhaps part of its last number. */
export function tooFewCells(line: number, cells: number, columns: number): ImportProblem {
  return incomplete(
    line,
    `The row was left out: it has ${cells} cells, and ${columns} are expected`,
    `未采用该行：只有 ${cells} 个单元格，应为 ${columns} 个`,
  );
}

/** What stands in the first brackets of a name that hold a word, such as the unit of `Kernel (us)`. */
export function bracketed(name: string): string | null {
  const open = name.indexOf('(');
  const close = open < 0 ? -1 : name.indexOf(')', open);
  return close < 0 ? null : name.slice(open + 1, close).trim();
}

/** A table whose cells stand between bars: of Markdown, of psql, or drawn with box characters. */
export interface PipedTable {
  /** Line of the names of the columns, from 1. */
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

const bar = /[|│┃║]/;

/**
 * The tables whose line of names `isHeader` knows by its cells. A row whose first cell is blank goes on with the row above
 * where `joins` says so: terminals break long names.
 */
export function pipedTables(
  text: string,
  isHeader: (cells: readonly string[]) => boolean,
  joins: 'JOINED' | 'AS_THEY_ARE' = 'AS_THEY_ARE',
): readonly PipedTable[] {
  const tables: { line: number; columns: readonly string[]; rows: { line: number; cells: readonly string[] }[] }[] = [];
  let open: (typeof tables)[number] | null = null;
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (isRule(line)) continue;
    const cells = bar.test(line) ? cellsOf(line) : null;
    if (cells === null) {
      open = null;
      continue;
    }
    if (isHeader(cells)) {
      open = { line: number, columns: cells, rows: [] };
      tables.push(open);
      continue;
    }
    if (open === null) continue;
    const above = open.rows.at(-1);
    if (joins === 'JOINED' && above && isContinuation(cells, above.cells)) {
      above.cells = above.cells.map((cell, index) => [cell, cells[index] ?? ''].filter(Boolean).join(' '));
    } else open.rows.push({ line: number, cells });
  }
  return tables;
}

/** Longer than any row of a tool. */
const MAX_LINE = 20_000;

/** The cells of a line between bars, without blanks around them. */
export function cellsOf(line: string): readonly string[] {
  const cells = line.slice(0, MAX_LINE).split(bar);
  const inner = cells.slice(cells[0]?.trim() === '' ? 1 : 0, cells.at(-1)?.trim() === '' ? -1 : undefined);
  return inner.map((cell) => cell.trim());
}

/** Dashes, box characters and bars alone. */
function isRule(line: string): boolean {
  return line.trim() !== '' && /^[\s|:+=\-\u2500-\u257f]{1,20000}$/.test(line) && !/^[\s|│┃║]*$/.test(line);
}

/** No value stands under a value that is there: only names go on. */
function isContinuation(cells: readonly string[], above: readonly string[]): boolean {
  return cells.slice(1).every((cell) => cell === '') || (cells[0] === '' && above.length === cells.length);
}

/** A row of a table, put together where it was broken over lines; `line` is its first one, from 0. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly Row[];
  /** The index of the first line after the table. */
  readonly end: number;
}

/** A row that is broken is looked for over this many lines. */
const MOST_LINES = 8;

/** The cells of a line, without those that its outer | would make. */
export function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '');
  const text = inner.endsWith('|') && !inner.endsWith('\\|') ? inner.slice(0, -1) : inner;
  return text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The table that starts at `start` with a header and a separator, or null. */
export function tableAt(lines: readonly string[], start: number, stop: number): Table | null {
  const [head = '', rule = ''] = [lines[start], lines[start + 1]];
  if (start + 1 >= stop || !head.includes('|') || !rule.includes('|') || !isSeparator(rule)) return null;
  const header = cellsOf(head);
  const rows: Row[] = [];
  let index = start + 2;
  while (index < stop) {
    const row = rowAt(lines, index, stop, header.length);
    if (!row) break;
    rows.push({ line: index, cells: row.cells });
    index = row.end;
  }
  return { header, rows, end: index };
}

const isSeparator = (line: string): boolean => cellsOf(line).every((cell) => /^:?-+:?$/.test(cell));

function rowAt(lines: readonly string[], start: number, stop: number, columns: number) {
  const first = lines[start] ?? '';
  if (first.trim() === '') return null;
  let text = first.trim();
  const isWhole = (row: string) => cellsOf(row).length >= columns;
  if (first.includes('|') && isWhole(text)) return { cells: fitted(cellsOf(text), columns), end: start + 1 };
  for (let end = start + 1; end < Math.min(stop, start + MOST_LINES); end += 1) {
    const next = (lines[end] ?? '').trim();
    // a whole row, or the end of the table, is no continuation
    if (next === '' || (next.startsWith('|') && text.startsWith('|') && text.endsWith('|'))) break;
    if (next.startsWith('|') && isWhole(next)) break;
    text = `${text} ${next}`;
    if (text.includes('|') && isWhole(text)) return { cells: fitted(cellsOf(text), columns), end: end + 1 };
  }
  return first.includes('|') ? { cells: cellsOf(first), end: start + 1 } : null;
}

/** What is too much stays in the last cell. */
function fitted(cells: readonly string[], columns: number): string[] {
  if (cells.length <= columns) return [...cells];
  return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(' | ')];
}

import { error, type ImportProblem } from '../importer.js';

export type Cell = string | number | boolean | null;

/** Rows under names, from any file that holds such. `cells` are as many as `columns`. */
export interface Table {
  readonly kind: 'csv' | 'json';
  /** Each name once. */
  readonly columns: readonly string[];
  /** Line of the names; null for JSON. */
  readonly line: number | null;
  readonly rows: readonly { readonly line: number; readonly cells: readonly Cell[] }[];
  readonly problems: readonly ImportProblem[];
  /** How many rows were left out. */
  readonly leftOut: number;
}

/** More rows than can be stored. */
export const MAX_ROWS = 200_000;

/** A file in which no table was found, and why. */
export function noTable(kind: Table['kind'], problem: ImportProblem): Table {
  return { kind, columns: [], line: null, rows: [], problems: [problem], leftOut: 0 };
}

/** Names without blanks around them; one that is missing or stands twice is told apart by its place. */
export function distinct(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((found, index) => {
    const name = found.trim().replace(/\s+/g, ' ').slice(0, MAX_NAME) || `column ${index + 1}`;
    let count = (counts.get(normalized(name)) ?? 0) + 1;
    let shown = count === 1 ? name : `${name} (${count})`;
    while (seen.has(normalized(shown))) {
      count += 1;
      shown = `${name} (${count})`;
    }
    counts.set(normalized(name), count);
    seen.add(normalized(shown));
    return shown;
  });
}

const MAX_NAME = 200;

/** Names that differ in letter case or blanks alone are the same. */
export function normalized(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Why a table of this size is not read, or null. */
export function sizeProblem(columns: number, rows: number, line: number | null): ImportProblem | null {
  if (columns > MAX_COLUMNS) {
    return error(line, `The table has more than ${MAX_COLUMNS} columns`, `表格超过 ${MAX_COLUMNS} 列`);
  }
  if (rows <= MAX_ROWS && rows * columns <= MAX_CELLS) return null;
  const [most, cells] = [MAX_ROWS, MAX_CELLS].map((number) => number.toLocaleString('en-US'));
  return error(
    line,
    `The table is too large: at most ${most} rows and ${cells} cells are read. Split it`,
    `表格过大：最多读取 ${most} 行、${cells} 个单元格，请拆分`,
  );
}

const MAX_COLUMNS = 1_000;
const MAX_CELLS = 5_000_000;

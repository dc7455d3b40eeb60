import { labeledLines, type LabeledLine } from '../labeled-lines.js';

/** A table of a terminal: dashes under the names of the columns, blanks between them. */
export interface DashedTable {
  /** Line of the names, from 1. */
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** The first lines behind the table. */
  readonly footer: readonly string[];
  /** Which of several processes printed it; null where nothing tells. */
  readonly label: string | null;
  /** Whether something stands behind the last row: dashes or a blank line. */
  readonly isClosed: boolean;
}

const FOOTER_LINES = 4;
/** No tool prints more: each row is cut once for each of them. */
const MOST_COLUMNS = 100;

/** From each run of dashes to the end of it; the last column goes on to the end of the line. */
export type Spans = readonly (readonly [number, number | undefined])[];

interface OpenTable {
  readonly line: number;
  readonly label: string | null;
  readonly columns: readonly string[];
  readonly spans: Spans;
  readonly rows: { line: number; cells: readonly string[] }[];
  readonly footer: string[];
  /** How many lines behind the table are still to come; null inside of it. */
  left: number | null;
}

/**
 * The tables whose line of names is one that `isHeader` knows. The dashes say where each column begins and ends. Several
 * processes may have printed at the same time.
 */
export function dashedTables(text: string, isHeader: (line: string) => boolean): readonly DashedTable[] {
  const tables: OpenTable[] = [];
  const streams = new Map<string | null, { above: LabeledLine | null; table: OpenTable | null }>();
  for (const line of labeledLines(text)) {
    let stream = streams.get(line.label);
    if (!stream) streams.set(line.label, (stream = { above: null, table: null }));
    const { above } = stream;
    const spans = above === null ? null : spansBelow(above, line, isHeader);
    if (above !== null && spans !== null) {
      // what began as a row of the table before was the line of names
      if (stream.table?.left === null && stream.table.rows.at(-1)?.line === above.number) stream.table.rows.pop();
      const { number, text: names, label } = above;
      stream.table = { line: number, label, columns: namesIn(names, spans), spans, rows: [], footer: [], left: null };
      tables.push(stream.table);
    } else if (stream.table) add(stream.table, line);
    stream.above = line;
  }
  return tables.map(({ spans: _, left, ...table }) => ({ ...table, isClosed: left !== null }));
}

/** Whether one of the lines of names is one that `isHeader` knows. */
export function hasDashedTable(text: string, isHeader: (line: string) => boolean): boolean {
  const above = new Map<string | null, LabeledLine>();
  for (const line of labeledLines(text)) {
    const names = above.get(line.label);
    if (names && spansBelow(names, line, isHeader)) return true;
    above.set(line.label, line);
  }
  return false;
}

/** Where the columns stand whose names are in the line above; null where no table begins. */
function spansBelow(above: LabeledLine, { text }: LabeledLine, isHeader: (line: string) => boolean): Spans | null {
  const spans = isDashes(text) && isHeader(above.text) ? spansOf(text) : [];
  return spans.length > 0 && spans.length <= MOST_COLUMNS ? spans : null;
}

function add(table: OpenTable, { number, text }: LabeledLine): void {
  const isNoRow = text.trim() === '' || isDashes(text);
  if (table.left === null && !isNoRow) table.rows.push({ line: number, cells: cutAt(text, table.spans) });
  else if (table.left !== 0) {
    table.left = (table.left ?? FOOTER_LINES) - 1;
    if (!isNoRow) table.footer.push(text);
  }
}

export function isDashes(line: string): boolean {
  return /^\s*-{3}[-\s]*$/.test(line);
}

export function spansOf(dashes: string): Spans {
  const runs = [...dashes.matchAll(/-+/g)];
  return runs.map((run, index) => [run.index, index === runs.length - 1 ? undefined : run.index + run[0].length]);
}

/** The cells of a row. What a launcher put before a line may have eaten a blank: the gap before a column belongs to it. */
export function cutAt(row: string, spans: Spans): readonly string[] {
  // Tools count characters, not code units
  const characters = /\p{Surrogate}|[^\0-\uffff]/u.test(row) ? [...row] : null;
  const part = (start: number, end: number | undefined) =>
    characters === null ? row.slice(start, end) : characters.slice(start, end).join('');
  return spans.map(([start, end]) => part(Math.max(0, start - 1), end).trim());
}

/** Names stand two blanks apart. They may be longer than their columns, and push the others away. */
function namesIn(header: string, spans: Spans): readonly string[] {
  const names = header.trim().split(/\s{2,}/);
  return names.length === spans.length ? names : cutAt(header, spans);
}

import { eachCsvLine, markOf, widthOf, type Cells, type Separator } from '../cells.js';
import type { DecimalMark } from '../number.js';
import { dashedTables, hasDashedTable } from './dashed-table.js';

/** The reports that are read. `BOTH` has kernels and copies, `SIZES` what copies transfer, `CALLS` the processor's calls. */
export type NsysReport = 'KERNELS' | 'COPIES' | 'BOTH' | 'SIZES' | 'CALLS';

/** A summary of `nsys stats`. */
export interface NsysTable {
  readonly line: number;
  /** Null for a report that is not read. */
  readonly report: NsysReport | null;
  readonly columns: readonly string[];
  readonly rows: readonly Cells[];
  readonly mark: DecimalMark;
  /** A line that follows the rows and has too many cells. */
  readonly torn: Cells | null;
}

/** The summaries of a text, drawn as tables. */
export function nsysDrawnTables(text: string): readonly NsysTable[] {
  if (!drawnHeader.test(text)) return [];
  return dashedTables(text, isDrawnHeader).map(({ line, columns, rows }) =>
    asTable({ line, columns, rows: rows.map((row) => ({ ...row, separator: ',' as const })), torn: null }),
  );
}

/** Whether a text holds a summary drawn as a table. */
export function hasNsysDrawn(text: string): boolean {
  return drawnHeader.test(text) && hasDashedTable(text, isDrawnHeader);
}

const drawnHeader = /Time ?\(%\) {1,20}Total Time|Total(?: \(\w{1,3}\))? {1,20}(?:Count|Operations) /;
const isDrawnHeader = (line: string): boolean => isHeader(line.trim().split(/\s{2,}/));

/** Whether a text holds a summary as CSV: the names of its columns show it. */
export function hasNsysCsv(text: string): boolean {
  const separator = separatorIn(text);
  if (separator === null) return false;
  for (const { cells } of eachCsvLine(text, separator)) if (isHeader(cells)) return true;
  return false;
}

function separatorIn(text: string): Separator | null {
  const found = csvHeader.exec(text)?.[1];
  return ([',', ';', '\t'] as const).find((one) => one === found) ?? null;
}

/** The summaries of a text as CSV. The output of one command may hold several, with lines of other kinds between them. */
export function nsysCsvTables(text: string): readonly NsysTable[] {
  const separator = separatorIn(text);
  if (separator === null) return [];
  const tables: { line: number; columns: readonly string[]; rows: Cells[]; torn: Cells | null }[] = [];
  let last: number | null = null;
  for (const one of eachCsvLine(text, separator)) {
    const table = tables.at(-1);
    if (looksLikeHeader(one.cells)) {
      const isTable = isHeader(one.cells);
      last = isTable ? one.line : null;
      if (isTable) tables.push({ line: one.line, columns: one.cells, rows: [], torn: null });
    } else if (table && last === one.line - 1) {
      if (one.cells.length === table.columns.length) {
        table.rows.push(one);
        last = one.line;
      } else if (widthOf(one.cells) > table.columns.length) table.torn ??= one;
    }
  }
  return tables.map(asTable);
}

/** `[1]` is the separator. */
const csvHeader =
  /^"?(?:Time ?\(%\)"?(?=[,;\t]"?Total Time)|Total(?: ?\(\w{1,3}\))?"?(?=[,;\t]"?(?:Count|Operations)))([,;\t])/m;

function looksLikeHeader([first = '']: readonly string[]): boolean {
  return /^(?:Time ?\(%\)|Total(?: ?\(\w{1,3}\))?)$/.test(first);
}

function isHeader([first = '', second = '', ...others]: readonly string[]): boolean {
  if (/^Time ?\(%\)$/.test(first)) return /^Total Time/.test(second);
  return looksLikeHeader([first]) && /^(?:Count|Operations)$/.test(second) && others.includes('Operation');
}

function asTable(found: Omit<NsysTable, 'report' | 'mark'>): NsysTable {
  // nsys itself parts thousands with commas, whatever the language of the machine
  const told = markOf(found.rows);
  return { ...found, report: reportOf(found.columns), mark: told === 'UNKNOWN' ? 'POINT' : told };
}

function reportOf(columns: readonly string[]): NsysReport | null {
  const has = (name: string) => columns.includes(name);
  if (columns[0]?.startsWith('Total')) return 'SIZES';
  if (has('Category') && has('Operation')) return 'BOTH';
  if (has('Operation')) return 'COPIES';
  if (!has('Name') || has('Style')) return null;
  return has('Instances') ? 'KERNELS' : has('Num Calls') ? 'CALLS' : null;
}

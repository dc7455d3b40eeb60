import { createHash } from 'node:crypto';
import type { ImportProblem } from '../importer.js';
import { normalized, type Cell, type Table } from './table.js';
import { tableOf } from './table-of.js';

export interface Column {
  readonly name: string;
  /** The first values that differ, at most five. */
  readonly examples: readonly string[];
}

export interface Columns {
  readonly kind: Table['kind'];
  readonly columns: readonly Column[];
  /** The same for files of the same kind with the same columns in any order, so that a mapping can be kept. */
  readonly signature: string;
  readonly problems: readonly ImportProblem[];
}

/** What a table holds, for a person who says what its columns mean. Of the same prepared text as importers get. */
export function columnsOf(text: string, rowsAt?: string): Columns {
  return columnsOfTable(tableOf(text, rowsAt));
}

/** As `columnsOf`, of a table that was read. */
export function columnsOfTable({ kind, columns, rows, problems }: Table): Columns {
  return {
    kind,
    columns: columns.map((name, at) => ({ name, examples: examplesOf(rows, at) })),
    signature: signatureOf(kind, columns),
    problems,
  };
}

/** The same for the same kind and columns, in any order, letter case and blanks. */
export function signatureOf(kind: Table['kind'], columns: readonly string[]): string {
  const names = columns.map(normalized).sort();
  return createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest('hex');
}

const MAX_EXAMPLES = 5;
const MAX_EXAMPLE = 80;

function examplesOf(rows: Table['rows'], at: number): readonly string[] {
  const examples = new Set<string>();
  for (const { cells } of rows) {
    const text = textOf(cells[at] ?? null).slice(0, MAX_EXAMPLE);
    if (text !== '') examples.add(text);
    if (examples.size >= MAX_EXAMPLES) break;
  }
  return [...examples];
}

/** As a person would write it; nothing for no value. */
export function textOf(cell: Cell): string {
  return cell === null ? '' : String(cell).trim();
}

import { startsLikeJson } from '../json.js';
import { csvTable } from './csv-table.js';
import { jsonTable } from './json-table.js';
import type { Table } from './table.js';

/** The table that a text holds, as CSV or JSON; problems say why there is none. `rowsAt` names the list of a JSON text. */
export function tableOf(text: string, rowsAt?: string): Table {
  return startsLikeJson(text) ? jsonTable(text, rowsAt) : csvTable(text);
}

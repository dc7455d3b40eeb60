import { callerWords } from '../caller-words.js';
import { error, type ImportProblem } from '../importer.js';
import { otherContent } from '../other-content.js';
import { withoutPaste } from '../pasted.js';
import { columnsOfTable, type Columns } from './columns.js';
import { guessMapping } from './guess-mapping.js';
import type { ColumnMapping } from './mapping.js';
import { openUnits, type MetricUnits } from './mapping-problems.js';
import { tableOf } from './table-of.js';

/** A table that no importer knows, with what its columns may mean. */
export interface UnknownTable {
  readonly columns: Columns;
  readonly suggestion: ColumnMapping;
}

/** What a text that no importer knows is as a table, and what is to be said of it. Null where it is none. */
export function unknownTable(
  text: string,
  units: MetricUnits,
): { readonly table: UnknownTable | null; readonly problems: readonly ImportProblem[] } | null {
  if (otherContent(withoutPaste(text)) !== null) return null;
  const table = tableOf(text);
  const severalLists = table.problems.find(({ code }) => code === 'SEVERAL_LISTS');
  if (severalLists) return { table: null, problems: [severalLists] };
  const columns = columnsOfTable(table);
  if (columns.columns.length === 0) return null;
  const metrics = [...units].map(([key, unit]) => ({ key, unit }));
  const suggestion = guessMapping(table, metrics);
  const problems = [mappingNeeded(columns.columns.length), ...openUnits(suggestion, units)];
  return { table: { columns, suggestion }, problems };
}

function mappingNeeded(count: number): ImportProblem {
  const { en, zh } = callerWords.mappingGiven.api;
  return error(
    null,
    `No format is known for this table of ${count} columns: ${en}`,
    `未知格式的表格，共 ${count} 列：${zh}`,
    { code: 'MAPPING_NEEDED' },
  );
}

import { warning, type ImportProblem } from '../importer.js';
import type { ColumnMapping, ColumnRole } from './mapping.js';
import { shown } from './mapping-problems.js';
import { normalized, type Cell, type Table } from './table.js';

/** Roles that tell rows apart: rows that agree in all of them are repetitions of each other where rows are grouped. */
const telling: ReadonlySet<ColumnRole['role']> = new Set([
  'WORKLOAD', 'ENVIRONMENT', 'DIMENSION', 'VARIANT', 'SESSION', 'BLOCK', 'METRIC_NAME',
]); // prettier-ignore

/**
 * Columns that nothing is made of and that differ between rows which grouping takes as repetitions: what they say would be
 * lost, and rows of several settings may become one.
 */
export function pooledColumns({ columns }: Pick<ColumnMapping, 'columns'>, table: Table): readonly string[] {
  const placeOf = new Map(table.columns.map((name, at) => [normalized(name), at]));
  const placesOf = (names: readonly string[]) => names.flatMap((name) => placeOf.get(normalized(name)) ?? []);
  const keys = placesOf(columns.flatMap(({ column, role }) => (telling.has(role) ? [column] : [])));
  const used = columns.flatMap((role) => {
    if (role.role === 'IGNORED') return [];
    return role.role === 'METRIC' && role.unitColumn ? [role.column, role.unitColumn] : [role.column];
  });
  const taken = new Set(placesOf(used));
  const open = new Set([...table.columns.keys()].filter((at) => !taken.has(at)));
  const first = new Map<string, readonly Cell[]>();
  const pooled = new Set<number>();
  for (const { cells } of table.rows) {
    if (open.size === 0) break;
    const key = JSON.stringify(keys.map((at) => cellText(cells[at])));
    const known = first.get(key);
    if (known === undefined) first.set(key, cells);
    else {
      for (const at of open) {
        if (cellText(cells[at]) === cellText(known[at])) continue;
        pooled.add(at);
        open.delete(at);
      }
    }
  }
  return table.columns.filter((_, at) => pooled.has(at));
}

function cellText(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '' : String(cell).trim();
}

/** Told where rows are grouped over such columns. */
export function pooledProblems(mapping: ColumnMapping, table: Table): readonly ImportProblem[] {
  const names = mapping.rows === 'GROUPED' ? pooledColumns(mapping, table) : [];
  if (names.length === 0) return [];
  return [
    warning(
      table.line,
      `Rows that differ in these columns were taken as repetitions of each other, since the mapping makes nothing of them: ${shown(names)}. Say what they are, or take a run for each row with EACH_ROW`,
      `以下列取值不同的行被当作同一配置的重复测量，因为映射没有使用这些列：${shown(names)}。请说明其含义，或用 EACH_ROW 让每行成为一次运行`,
      { code: 'ROWS_POOLED', value: shown(names) },
    ),
  ];
}

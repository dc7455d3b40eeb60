export { columnsOf, columnsOfTable, signatureOf, type Column, type Columns } from './columns.js';
export { givenMapping } from './given-mapping.js';
export { guessMapping, type KnownMetric } from './guess-mapping.js';
export { columnMapping, type ColumnMapping, type ColumnRole } from './mapping.js';
export { mappingProblems, openUnits, type MetricUnits } from './mapping-problems.js';
export { readMapped } from './read-mapped.js';
export { tableOf } from './table-of.js';
export type { Table } from './table.js';
export { unknownTable, type UnknownTable } from './unknown-table.js';

export { columnsOf, type Column, type Columns } from './columns.js';
export { columnMapping, type ColumnMapping, type ColumnRole } from './mapping.js';
export type { MetricUnits } from './mapping-problems.js';
export { readMapped } from './read-mapped.js';

import type { Importer } from '../importer.js';
import { nsysReading } from './nsys-runs.js';
import { nsysDrawnTables } from './nsys-tables.js';

/** Tables that `nsys stats` prints without separators of thousands, and `nsys profile --stats=true` with them. */
export const nsysStatsText: Importer = {
  tool: 'nsys-stats-text',
  what: 'nsys stats, or nsys profile --stats=true',
  recognizes: (text) => nsysDrawnTables(text).length > 0,
  read: (text) => nsysReading('nsys-stats-text', nsysDrawnTables(text), text),
};

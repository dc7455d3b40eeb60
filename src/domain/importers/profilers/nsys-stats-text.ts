import type { Importer } from '../importer.js';
import { nsysReading } from './nsys-runs.js';
import { hasNsysDrawn, nsysDrawnTables } from './nsys-tables.js';

/** Tables that `nsys stats` prints without separators of thousands, and `nsys profile --stats=true` with them. */
export const nsysStatsText: Importer = {
  tool: 'nsys-stats-text',
  what: 'nsys stats, or nsys profile --stats=true',
  readsCommas: true,
  recognizes: hasNsysDrawn,
  read: (text) => nsysReading('nsys-stats-text', nsysDrawnTables(text), text),
};

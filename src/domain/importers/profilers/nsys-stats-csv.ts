import type { Importer } from '../importer.js';
import { nsysNearMiss, nsysReading } from './nsys-runs.js';
import { hasNsysCsv, nsysCsvTables } from './nsys-tables.js';

/** Summaries of `nsys stats --format csv`, one report or several one below another. */
export const nsysStatsCsv: Importer = {
  tool: 'nsys-stats-csv',
  what: 'nsys stats --format csv (cuda_gpu_kern_sum, cuda_gpu_mem_time_sum, cuda_api_sum ...)',
  readsCommas: true,
  recognizes: hasNsysCsv,
  nearMiss: nsysNearMiss,
  read: (text) => nsysReading('nsys-stats-csv', nsysCsvTables(text), text),
};

import type { Importer } from '../importer.js';
import { dcgmiDmon } from './dcgmi-dmon.js';
import { dstat } from './dstat.js';
import { iostat } from './iostat.js';
import { nvidiaSmiDmon } from './nvidia-smi-dmon.js';
import { nvidiaSmiQ } from './nvidia-smi-q.js';
import { nvidiaSmiQueryCsv } from './nvidia-smi-query-csv.js';
import { nvidiaSmiTable } from './nvidia-smi-table.js';
import { prometheusExposition } from './prometheus-exposition.js';
import { prometheusQueryRange } from './prometheus-query-range.js';
import { vmstat } from './vmstat.js';

/** What machines and servers report while they work. */
export const monitoringImporters: readonly Importer[] = [
  nvidiaSmiQueryCsv,
  nvidiaSmiDmon,
  nvidiaSmiQ,
  nvidiaSmiTable,
  dcgmiDmon,
  prometheusExposition,
  prometheusQueryRange,
  dstat,
  vmstat,
  iostat,
];

import type { Importer } from '../importer.js';
import { ncuCsv } from './ncu-csv.js';
import { ncuText } from './ncu-text.js';
import { nsysStatsCsv } from './nsys-stats-csv.js';
import { nsysStatsText } from './nsys-stats-text.js';
import { torchBenchmarkCompare } from './torch-benchmark-compare.js';
import { torchBenchmarkTimer } from './torch-benchmark-timer.js';
import { torchMemorySummary } from './torch-memory-summary.js';
import { torchProfilerTable } from './torch-profiler-table.js';
import { torchProfilerTrace } from './torch-profiler-trace.js';

/** Profilers of frameworks and devices. */
export const profilerImporters: readonly Importer[] = [
  torchProfilerTable,
  torchProfilerTrace,
  torchBenchmarkCompare,
  torchBenchmarkTimer,
  torchMemorySummary,
  nsysStatsCsv,
  nsysStatsText,
  ncuCsv,
  ncuText,
];

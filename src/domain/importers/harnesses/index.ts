import type { Importer } from '../importer.js';
import { bencherMetricFormat } from './bencher-metric-format.js';
import { criterionEstimates } from './criterion-estimates.js';
import { criterionRaw } from './criterion-raw.js';
import { criterionText } from './criterion-text.js';
import { goBench } from './go-bench.js';
import { googleBenchmarkConsole } from './google-benchmark-console.js';
import { googleBenchmarkJson } from './google-benchmark-json.js';
import { hyperfine } from './hyperfine.js';
import { pytestBenchmark } from './pytest-benchmark.js';
import { tunebookLab } from './tunebook-lab.js';

/** Harnesses that time commands, functions and single operations. */
export const harnessImporters: readonly Importer[] = [
  tunebookLab,
  hyperfine,
  pytestBenchmark,
  googleBenchmarkJson,
  googleBenchmarkConsole,
  goBench,
  criterionEstimates,
  criterionRaw,
  criterionText,
  bencherMetricFormat,
];

import type { Importer } from '../importer.js';
import { aiperfConsole } from './aiperf-console.js';
import { aiperfCsv } from './aiperf-csv.js';
import { aiperfJson } from './aiperf-json.js';
import { aiperfRecords } from './aiperf-records.js';
import { benchServingConsole } from './bench-serving-console.js';
import { genaiPerfConsole } from './genai-perf-console.js';
import { genaiPerfCsv } from './genai-perf-csv.js';
import { genaiPerfJson } from './genai-perf-json.js';
import { gptmanagerBenchmark } from './gptmanager-benchmark.js';
import { guidellmConsole } from './guidellm-console.js';
import { guidellmCsv } from './guidellm-csv.js';
import { guidellmJson } from './guidellm-json.js';
import { llamaBenchCsv } from './llama-bench-csv.js';
import { llamaBenchJson } from './llama-bench-json.js';
import { llamaBenchMd } from './llama-bench-md.js';
import { llamaBenchSql } from './llama-bench-sql.js';
import { mlperfLoadgenSummary } from './mlperf-loadgen-summary.js';
import { perfAnalyzerConsole } from './perf-analyzer-console.js';
import { perfAnalyzerCsv } from './perf-analyzer-csv.js';
import { sglangBenchServing } from './sglang-bench-serving.js';
import { trtexec } from './trtexec.js';
import { trtllmBench } from './trtllm-bench.js';
import { trtllmBenchJson } from './trtllm-bench-json.js';
import { vllmBenchOffline } from './vllm-bench-offline.js';
import { vllmBenchServe } from './vllm-bench-serve.js';

/** Benchmarks of inference servers and of inference alone. */
export const servingImporters: readonly Importer[] = [
  vllmBenchServe,
  benchServingConsole,
  vllmBenchOffline,
  sglangBenchServing,
  trtllmBench,
  trtllmBenchJson,
  gptmanagerBenchmark,
  mlperfLoadgenSummary,
  genaiPerfJson,
  genaiPerfCsv,
  genaiPerfConsole,
  aiperfJson,
  aiperfCsv,
  aiperfConsole,
  aiperfRecords,
  perfAnalyzerConsole,
  perfAnalyzerCsv,
  guidellmJson,
  guidellmCsv,
  guidellmConsole,
  llamaBenchMd,
  llamaBenchJson,
  llamaBenchCsv,
  llamaBenchSql,
  trtexec,
];

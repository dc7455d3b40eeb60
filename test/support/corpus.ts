import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { metricsFile } from '../../src/domain/content/schema.js';
import { pathTo, textAt } from './tool-output.js';

/** Real outputs of tools, which are not part of the repository. */
export const corpus = '../../shared/corpus';
export const hasCorpus = existsSync(pathTo(`${corpus}/INDEX.tsv`));
/** For the title of what is skipped without them. */
export const becauseNoCorpus = hasCorpus ? '' : ' (skipped: ../shared is not there)';

/** A value that stands in a file. Null where the file gives none, and an importer must not either. */
export interface Truth {
  readonly metric: string;
  readonly value: number | null;
  readonly unit: string;
  readonly direction: 'higher' | 'lower' | 'context';
  /** What the value is of, in words. */
  readonly label: string;
}

export interface StoredFile {
  readonly path: string;
  readonly format: string;
  readonly truths: readonly Truth[];
}

/** The importer of each kind of file; null for what tells of the machine and measures nothing. */
export const importerOf: Readonly<Record<string, string | null>> = {
  'aiperf-json': 'aiperf-json',
  'bmf-json': 'bencher-metric-format',
  'criterion-estimates-json': 'criterion-estimates',
  'criterion-raw-csv': 'criterion-raw',
  'criterion-text': 'criterion-text',
  'dataloader-dlio': 'dlio',
  'dcgm-exporter-prom': 'prometheus-exposition',
  'dcgmi-dmon': 'dcgmi-dmon',
  'deepspeed-flops-profiler': 'deepspeed-flops-profiler',
  'dllogger-text': 'dllogger',
  'dstat-csv': 'dstat',
  'fio-json': 'fio-json',
  'fio-text': 'fio-text',
  'genai-perf-csv': 'genai-perf-csv',
  'genai-perf-json': 'genai-perf-json',
  'go-bench-text': 'go-bench',
  'google-benchmark-console': 'google-benchmark-console',
  'google-benchmark-json': 'google-benchmark-json',
  'gptmanager-benchmark': 'gptmanager-benchmark',
  'hf-trainer': 'hf-trainer',
  'hyperfine-json': 'hyperfine',
  iostat: 'iostat',
  'iperf-text': 'iperf-text',
  'iperf3-json': 'iperf3-json',
  'llama-bench-csv': 'llama-bench-csv',
  'llama-bench-json': 'llama-bench-json',
  'llama-bench-jsonl': 'llama-bench-json',
  'llama-bench-md': 'llama-bench-md',
  'llama-bench-sql': 'llama-bench-sql',
  'megatron-log': 'megatron-log',
  'mlperf-loadgen-summary': 'mlperf-loadgen-summary',
  'mlperf-mllog': 'mlperf-mllog',
  'nccl-tests': 'nccl-tests',
  'ncu-csv': 'ncu-csv',
  'ncu-text': 'ncu-text',
  'nemo-log': 'nemo-log',
  'nsys-stats-csv': 'nsys-stats-csv',
  'nsys-stats-text': 'nsys-stats-text',
  'nvbandwidth-text': 'nvbandwidth-text',
  'nvidia-smi-dmon': 'nvidia-smi-dmon',
  'nvidia-smi-q': 'nvidia-smi-q',
  'nvidia-smi-query-csv': 'nvidia-smi-query-csv',
  'nvidia-smi-table': 'nvidia-smi-table',
  'nvidia-smi-topo': null,
  'other-speedrun-log': 'speedrun-log',
  'other-tensorrt': 'trtexec',
  'perf-analyzer-console': 'perf-analyzer-console',
  'perf-analyzer-csv': 'perf-analyzer-csv',
  perftest: 'perftest',
  'prometheus-exposition': 'prometheus-exposition',
  'prometheus-query-range': 'prometheus-query-range',
  'pytest-benchmark-json': 'pytest-benchmark',
  'sglang-bench-serving-console': 'bench-serving-console',
  'sglang-bench-serving-jsonl': 'sglang-bench-serving',
  'torch-benchmark-compare': 'torch-benchmark-compare',
  'torch-profiler-table': 'torch-profiler-table',
  'torch-profiler-trace-json': 'torch-profiler-trace',
  'trtllm-bench-report': 'trtllm-bench',
  'vllm-bench-serve-console': 'bench-serving-console',
  'vllm-bench-serve-json': 'vllm-bench-serve',
  'vllm-bench-throughput-console': 'vllm-bench-offline',
  vmstat: 'vmstat',
};

/** The files of these importers, or all; none where the corpus is missing. */
export function storedFiles(tools?: readonly string[]): readonly StoredFile[] {
  if (!hasCorpus) return [];
  const rows = textAt(`${corpus}/INDEX.tsv`).trim().split('\n').slice(1);
  const all = rows.map((row): StoredFile => {
    const columns = row.split('\t');
    return { path: columns[0] ?? '', format: columns[1] ?? '', truths: JSON.parse(columns[6] ?? '[]') };
  });
  return tools ? all.filter(({ format }) => tools.includes(importerOf[format] ?? '')) : all;
}

const directions = { HIGHER_IS_BETTER: 'higher', LOWER_IS_BETTER: 'lower', TARGET: 'target' } as const;
const metrics = new Map(
  metricsFile.parse(parse(textAt('../content/metrics.yaml'))).map((metric) => [metric.key, metric]),
);

/** Which way is better by the catalog, as the corpus says it; `context` where neither is. */
export function directionOf(metric: string): string {
  const direction = metrics.get(metric)?.direction ?? null;
  return direction === null ? 'context' : directions[direction];
}

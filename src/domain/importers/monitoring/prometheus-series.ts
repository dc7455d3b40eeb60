import { isBlank } from './dcgmi-dmon.js';
import { gpu } from './gpu-columns.js';
import type { Labels } from './prometheus-text.js';
import type { Column } from './ticks.js';

/** What a counter counts, and what its growth over a known time means. */
export interface Counter {
  readonly total: Column;
  readonly rate?: Column;
}

const running = { metric: 'serving.requests_running', unit: 'count' };
const waiting = { metric: 'serving.requests_waiting', unit: 'count' };
const cacheUsed = { metric: 'serving.kv_cache_utilization', unit: 'ratio' };
const acceptance = { metric: 'serving.acceptance_length', unit: '' };

/** What an inference server or the exporter of DCGM shows at the moment of a scrape. */
export const gauges: Readonly<Record<string, Column>> = {
  'vllm:num_requests_running': running,
  'vllm:num_requests_waiting': waiting,
  // 0 to 1 in spite of its name
  'vllm:kv_cache_usage_perc': cacheUsed,
  'vllm:gpu_cache_usage_perc': cacheUsed,
  'sglang:num_running_reqs': running,
  'sglang:num_queue_reqs': waiting,
  'sglang:token_usage': cacheUsed,
  'sglang:spec_accept_length': acceptance,
  DCGM_FI_DEV_GPU_UTIL: gpu.utilization,
  DCGM_FI_DEV_GPU_UTIL_RATIO: gpu.utilization,
  DCGM_FI_DEV_MEM_COPY_UTIL: gpu.memoryUtilization,
  DCGM_FI_DEV_ENC_UTIL: gpu.encoder,
  DCGM_FI_DEV_DEC_UTIL: gpu.decoder,
  DCGM_FI_DEV_FB_USED: gpu.memoryUsed,
  DCGM_FI_DEV_POWER_USAGE: gpu.power,
  DCGM_FI_DEV_GPU_TEMP: gpu.temperature,
  DCGM_FI_DEV_GPU_TEMP_CELSIUS: gpu.temperature,
  DCGM_FI_DEV_MEMORY_TEMP: gpu.memoryTemperature,
  DCGM_FI_DEV_MEMORY_TEMP_CELSIUS: gpu.memoryTemperature,
  DCGM_FI_DEV_SM_CLOCK: gpu.coreClock,
  DCGM_FI_DEV_MEM_CLOCK: gpu.memoryClock,
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: gpu.uncorrectedErrors,
  DCGM_FI_PROF_GR_ENGINE_ACTIVE: gpu.engineActive,
  DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO: gpu.engineActive,
  DCGM_FI_PROF_SM_ACTIVE: gpu.smActive,
  DCGM_FI_PROF_SM_UTIL_RATIO: gpu.smActive,
  DCGM_FI_PROF_SM_OCCUPANCY: gpu.smOccupancy,
  DCGM_FI_PROF_SM_OCCUPANCY_RATIO: gpu.smOccupancy,
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: gpu.tensorActive,
  DCGM_FI_PROF_TENSOR_UTIL_RATIO: gpu.tensorActive,
  DCGM_FI_PROF_DRAM_ACTIVE: gpu.dramActive,
  DCGM_FI_PROF_DRAM_UTIL_RATIO: gpu.dramActive,
  DCGM_FI_PROF_PIPE_FP64_ACTIVE: gpu.fp64Active,
  DCGM_FI_PROF_PIPE_FP32_ACTIVE: gpu.fp32Active,
  DCGM_FI_PROF_PIPE_FP16_ACTIVE: gpu.fp16Active,
  DCGM_FI_PROF_PCIE_TX_BYTES: gpu.pcieSent,
  DCGM_FI_PROF_PCIE_RX_BYTES: gpu.pcieReceived,
  DCGM_FI_PROF_NVLINK_TX_BYTES: gpu.nvlinkSent,
  DCGM_FI_PROF_NVLINK_RX_BYTES: gpu.nvlinkReceived,
};

const prompts = { metric: 'serving.prompt_tokens_total', unit: 'count' };
const generated = { metric: 'serving.generation_tokens_total', unit: 'count' };
const outputRate = { metric: 'serving.output_token_throughput', unit: 'tokens/s' };
const completed = { metric: 'serving.completed_requests', unit: 'count' };
const completedRate = { metric: 'serving.request_throughput', unit: 'requests/s' };
const failed = { metric: 'serving.failed_requests', unit: 'count' };
const preempted = { metric: 'serving.preemptions', unit: 'count' };

/** What counts from the start of a server, or of a driver. */
export const counters: Readonly<Record<string, Counter>> = {
  'vllm:prompt_tokens_total': { total: prompts },
  'vllm:generation_tokens_total': { total: generated, rate: outputRate },
  'vllm:num_preemptions_total': { total: preempted },
  'vllm:request_success_total': { total: completed, rate: completedRate },
  'sglang:prompt_tokens_total': { total: prompts },
  'sglang:generation_tokens_total': { total: generated, rate: outputRate },
  'sglang:num_requests_total': { total: completed, rate: completedRate },
  'sglang:num_aborted_requests_total': { total: failed },
  'sglang:num_retracted_requests_total': { total: preempted },
  DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION: { total: gpu.energy, rate: gpu.power },
};

/** Times of requests in seconds, by the name of the histogram. */
export const histograms: Readonly<Record<string, string>> = {
  'vllm:time_to_first_token_seconds': 'serving.ttft.mean',
  'vllm:inter_token_latency_seconds': 'serving.itl.mean',
  // the name of the same before 0.11
  'vllm:time_per_output_token_seconds': 'serving.itl.mean',
  'vllm:request_time_per_output_token_seconds': 'serving.tpot.mean',
  'vllm:e2e_request_latency_seconds': 'serving.e2e_latency.mean',
  'vllm:request_queue_time_seconds': 'serving.queue_time',
  'vllm:request_prefill_time_seconds': 'serving.prefill_time',
  'vllm:request_decode_time_seconds': 'serving.decode_time',
  'sglang:time_to_first_token_seconds': 'serving.ttft.mean',
  'sglang:inter_token_latency_seconds': 'serving.itl.mean',
  'sglang:e2e_request_latency_seconds': 'serving.e2e_latency.mean',
  'sglang:queue_time_seconds': 'serving.queue_time',
};

/** A metric that is the quotient of two counters: parts of a whole, or tokens of a draft. */
export interface Quotient {
  readonly column: Column;
  readonly part: readonly string[];
  readonly whole: readonly string[];
  readonly plus: number;
  readonly dimensions: Readonly<Record<string, string>>;
}

const hitRatio = { metric: 'serving.kv_hit_ratio', unit: 'ratio' };

export const quotients: readonly Quotient[] = [
  {
    column: hitRatio,
    part: ['vllm:prefix_cache_hits_total', 'vllm:gpu_prefix_cache_hits_total'],
    whole: ['vllm:prefix_cache_queries_total', 'vllm:gpu_prefix_cache_queries_total'],
    plus: 0,
    dimensions: {},
  },
  {
    column: hitRatio,
    part: ['vllm:external_prefix_cache_hits_total'],
    whole: ['vllm:external_prefix_cache_queries_total'],
    plus: 0,
    dimensions: { tier: 'external' },
  },
  {
    column: hitRatio,
    part: ['sglang:cached_tokens_total'],
    whole: ['sglang:prompt_tokens_total'],
    plus: 0,
    dimensions: {},
  },
  {
    column: acceptance,
    part: ['vllm:spec_decode_num_accepted_tokens_total'],
    whole: ['vllm:spec_decode_num_drafts_total'],
    // the token of the target model
    plus: 1,
    dimensions: {},
  },
];

/** Requests of vLLM by the reason that ended them: these were not completed. */
export function isFailed(labels: Labels): boolean {
  return /^(?:abort|error)$/.test(labels.get('finished_reason') ?? '');
}

export const failedRequests: Column = failed;

/** What stands for no value in an exposition: DCGM's blanks, and what is not finite. */
export function isValue(name: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (name.startsWith('DCGM_')) return !isBlank(value);
  // a server that does not speculate shows zero
  return name !== 'sglang:spec_accept_length' || value > 0;
}

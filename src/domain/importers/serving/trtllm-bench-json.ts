import type { Importer, ImportProblem } from '../importer.js';
import { badRun } from '../importer.js';
import { isObject, objectsOf, readJson, startsLikeJson, type Json, type JsonObject } from '../json.js';
import { readingOf, type Result } from './requests.js';
import { trtllmRun } from './trtllm-run.js';
import { finite, textOf } from './workload.js';

/** What `trtllm-bench --report_json` writes: one object, with times in milliseconds. */
export const trtllmBenchJson: Importer = {
  tool: 'trtllm-bench-json',
  what: 'trtllm-bench --report_json',

  recognizes: (text) =>
    startsLikeJson(text) &&
    ['"request_throughput_req_s"', '"world_info"', '"request_info"', '"performance"'].every((key) =>
      text.includes(key),
    ),

  read(text) {
    const json = readJson(text);
    if (json.problem) return { runs: [], problems: [json.problem] };
    return readingOf(objectsOf(json).map(({ object, line }) => readReport(object, line)));
  },
};

function readReport(found: JsonObject, line: number): Result {
  const part = (key: string): JsonObject => partOf(found[key]);
  const performance = part('performance');
  if (finite(performance.request_throughput_req_s) === null) {
    return { run: null, refusal: notAReport(line), problems: [] };
  }
  const [engine, world, info, streaming] = ['engine', 'world_info', 'request_info', 'streaming_metrics'].map(part);
  const [machine, decoding, energy] = ['machine', 'decoding_stats', 'energy'].map(part);
  const share = finite(world?.kv_cache_percentage);
  const result = trtllmRun('trtllm-bench-json', {
    line,
    version: textOf(engine?.version),
    gpu: textOf(machine?.name),
    model: textOf(engine?.model),
    backend: textOf(engine?.backend)?.toLowerCase() ?? null,
    dtype: textOf(engine?.dtype),
    quantization: textOf(engine?.quantization),
    settings: {
      kv_cache_dtype: textOf(engine?.kv_cache_dtype),
      max_batch_size: finite(world?.max_batch_size),
      max_num_tokens: finite(world?.max_num_tokens),
      max_sequence_length: finite(engine?.max_sequence_length),
      scheduling_policy: textOf(world?.scheduling_policy)?.toLowerCase().replaceAll(' ', '_') ?? null,
      kv_memory_percent: share === null ? null : Number((100 * share).toPrecision(6)),
      decoding_mode: textOf(decoding?.mode),
    },
    parallelism: { tp: finite(world?.tp_size), pp: finite(world?.pp_size), ep: finite(world?.ep_size) },
    requestCount: finite(info?.num_requests),
    inputLength: finite(info?.avg_input_length),
    outputLength: finite(info?.avg_output_length),
    issueRate: world?.issue_rate === Infinity ? Infinity : finite(world?.issue_rate),
    values: [
      ['serving.request_throughput', 'requests/s', finite(performance.request_throughput_req_s)],
      ['serving.output_token_throughput', 'tokens/s', finite(performance.system_output_throughput_tok_s)],
      ['serving.total_token_throughput', 'tokens/s', finite(performance.system_total_throughput_tok_s)],
      ['serving.output_token_throughput_per_user', 'tokens/s', finite(performance.output_throughput_per_user_tok_s)],
      ['serving.output_token_throughput_per_gpu', 'tokens/s', finite(performance.output_throughput_per_gpu_tok_s)],
      ['serving.generation_speed', 'tokens/s', finite(streaming?.token_output_speed_tok_s)],
      ['serving.mean_concurrent_requests', 'count', finite(info?.avg_num_concurrent_requests)],
      ['serving.acceptance_length', '', finite(partOf(decoding?.acceptance_length_percentiles).average)],
      ['serving.total_latency', 'ms', finite(performance.total_latency_ms)],
      ['serving.e2e_latency.mean', 'ms', finite(performance.avg_request_latency_ms)],
      ['serving.ttft.mean', 'ms', finite(streaming?.avg_ttft_ms)],
      ['serving.tpot.mean', 'ms', finite(streaming?.avg_tpot_ms)],
      ['power.average', 'W', finite(energy?.average_gpu_power)],
      ['energy.tokens_per_joule', 'tokens/J', finite(energy?.output_tps_per_w)],
    ],
    latencies: {
      e2e_latency: numbersOf(performance.request_latency_percentiles_ms),
      ttft: numbersOf(streaming?.ttft_percentiles),
      tpot: numbersOf(streaming?.tpot_percentiles),
    },
    startedAt: null,
    isClosed: true,
  });
  return { run: result.run, refusal: null, problems: result.problems };
}

function partOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function numbersOf(value: Json | undefined): Readonly<Record<string, number | null>> {
  return Object.fromEntries(Object.entries(partOf(value)).map(([key, each]) => [key, finite(each)]));
}

function notAReport(line: number): ImportProblem {
  return badRun(
    line,
    'Not a report of trtllm-bench: performance.request_throughput_req_s is missing or no number',
    '不是 trtllm-bench 的报告：缺少 performance.request_throughput_req_s 或其不是数字',
  );
}

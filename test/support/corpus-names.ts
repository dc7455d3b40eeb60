import { directionOf, type Truth } from './corpus.js';

// What the corpus calls its metrics, units and directions, and what we call them: one place for all specs.

/** By the importer and the name of the corpus, or by that name alone. */
const names: Readonly<Record<string, string>> = {
  // serving: AIPerf takes the inter-token latency per request, as GenAI-Perf does, which is the time per output token
  'aiperf-json serving.itl.mean': 'serving.tpot.mean',
  'run.total_latency': 'serving.total_latency',
  'serving.server_queue_time': 'serving.queue_time',
  'serving.num_requests_running': 'serving.requests_running',
  'serving.kv_cache_usage': 'serving.kv_cache_utilization',
  'llm.pp_throughput': 'inference.prompt_throughput',
  'llm.tg_throughput': 'inference.generation_throughput',
  'llm.pp_time': 'inference.prompt_time',
  'kernel.gpu_compute_mean': 'inference.gpu_compute_time.mean',
  'run.gpu_compute_total': 'inference.gpu_compute_total',
  // links and storage
  'network.throughput': 'network.bandwidth',
  'network.received_throughput': 'network.bandwidth',
  'network.sent_throughput': 'network.sent_bandwidth',
  'pcie.d2h_bw_sum': 'io.d2h_bandwidth',
  'pcie.h2d_bw': 'io.h2d_bandwidth',
  'pcie.h2d_bw_sum': 'io.h2d_bandwidth',
  'pcie.latency': 'io.host_device_latency',
  'storage.read_bw': 'io.read_bandwidth',
  'storage.read_clat_mean': 'io.read_latency',
  'storage.read_iops': 'io.read_iops',
  'storage.write_iops': 'io.write_iops',
  'iostat storage.await': 'io.device_latency',
  'iostat storage.read_iops': 'io.device_read_iops',
  'iostat storage.tps': 'io.device_iops',
  'iostat storage.read_bw': 'io.device_read_bandwidth',
  // training: the Trainer counts the tokens of one process; at 2 GPUs the rows of the collection have half of them
  'train.iter_time': 'training.step_time',
  'train.flops_per_gpu': 'training.flops_per_gpu',
  'train.samples_per_second': 'training.throughput',
  'train.tokens_per_second': 'training.token_throughput_per_gpu',
  'train.runtime': 'training.run_time',
  'train.total_flos': 'training.total_flops',
  'train.time_to_train': 'training.run_time',
  'mlperf-mllog train.time_to_train': 'training.time_to_quality',
  'gpu.peak_memory_allocated': 'memory.peak_allocated',
  'quality.eval_loss': 'quality.loss',
  'quality.val_loss': 'quality.loss',
  'context.global_batch_size': 'training.effective_batch_size',
  // profilers
  'kernel.duration': 'kernel.time',
  'kernel.time_avg': 'kernel.time_mean',
  'gpu.dram_throughput_pct': 'kernel.dram_throughput',
  'gpu.memory_throughput_pct': 'kernel.memory_throughput',
  'gpu.memory_throughput': 'kernel.dram_bandwidth',
  'gpu.achieved_occupancy': 'kernel.achieved_occupancy',
  'latency.median': 'time.median',
  compile_time: 'compile.time',
  'gpu.cuda_time_total': 'gpu.profiled_time',
  'cpu.self_cpu_time_total': 'host.profiled_time',
  'trace.kernel_time_total': 'kernel.time_total',
  'trace.event_count': 'profile.events',
  // monitors
  'gpu.sm_clock': 'gpu.sm_clock_mean',
  'gpu.utilization_sm': 'gpu.utilization',
  'gpu.utilization_enc': 'gpu.encoder_utilization',
  'host.net_recv': 'host.network_received',
  'host.cpu_usr': 'host.cpu_user',
  'host.cpu_sys': 'host.cpu_system',
  'host.csw': 'host.context_switches',
  up: 'monitor.value',
  // harnesses
  'rate.ops': 'throughput.operations',
  'time.real': 'time.per_operation',
  'time.cpu': 'time.cpu_per_operation',
  'time.op': 'time.per_operation',
  throughput: 'throughput.bytes',
  'alloc.bytes_op': 'memory.bytes_per_operation',
  'alloc.allocs_op': 'memory.allocations_per_operation',
  'time.relative_change.mean': 'time.relative_change',
  'time.relative_change.median': 'time.relative_change',
  'time.sample': 'time.per_operation',
  'criterion-text time.mean': 'time.per_operation',
  latency: 'time.latency',
};

/** Our metric of a truth. Where one name of the corpus is of several things, its unit or its label tells which. */
export function metricOf({ metric, unit, label }: Truth, tool: string): string {
  const isBits = unit === 'Gbit/s';
  if (metric === 'fabric.bw_avg') return isBits ? 'network.rdma_bandwidth' : 'network.rdma_data_rate';
  if (metric === 'fabric.bw_peak') return isBits ? 'network.rdma_bandwidth_peak' : 'network.rdma_data_rate_peak';
  if (metric === 'train.step_time') {
    return label.includes('warm-up') ? 'training.first_step_time' : 'training.step_time';
  }
  if (metric === 'dataloader.load_time') {
    return label.includes('first') ? 'training.first_data_load_time' : 'training.data_load_time';
  }
  return names[`${tool} ${metric}`] ?? names[metric] ?? metric;
}

const units: Readonly<Record<string, string>> = {
  'tok/s': 'tokens/s',
  'req/s': 'requests/s',
  // a sequence of BERT is a sample of its training
  'seq/s': 'samples/s',
  bytes: 'B',
  loss: '',
  'ns/op': 'ns',
  // powers of 1024 by another name
  'perftest MB/s': 'MiB/s',
  'fio-text KB/s': 'KiB/s',
  'iostat kB/s': 'KiB/s',
  'iostat 1/s': 'IOPS',
  'pytest-benchmark 1/s': 'operations/s',
};

/** The unit of a truth as ours. */
export function unitOf({ unit }: Truth, tool: string): string {
  return units[`${tool} ${unit}`] ?? units[unit] ?? unit;
}

/**
 * By formats.md, which the corpus contradicts twice: utilization of a GPU is context (section 0), and a loss is a guard that
 * is better where it is lower (1.9, 8.1).
 */
const otherwise: Readonly<Record<string, string>> = {
  'gpu.utilization': 'context',
  'gpu.encoder_utilization': 'context',
  'quality.loss': 'lower',
};

/** The direction that the catalog gives our metric of a truth, and the one that it must be. */
export function directionsOf(truth: Truth, tool: string): { readonly found: string; readonly expected: string } {
  const metric = metricOf(truth, tool);
  return { found: directionOf(metric), expected: otherwise[metric] ?? truth.direction };
}

/** Measures that the file gives no direction, so that a column mapping must say what they are. */
export const isToBeMapped = (path: string): boolean => path === 'bmf-json/bencher-report-dhat.json';

/** Files whose text is refused as a whole, though the corpus tells what stands in them. */
export const isRefused = (path: string): boolean => path.includes('handedited');

/** What stands in a file and is no result: averages since boot, and what a receiver says of the sender. */
export const isNoResult = ({ value, label }: Truth): boolean =>
  value === null || /do not import|: skip$|first report$/.test(label);

/** Whether a number of ours, in the unit of the truth, is its value: to the last digit, unless the corpus shortened it. */
export function isValueOf({ value, label, metric, unit }: Truth, found: number): boolean {
  if (value === null) return false;
  // a sample of criterion is the time of several iterations
  const iterations = Number(/(?:covers|iteration_count) (\d+)/.exec(label)?.[1] ?? 1);
  if (Math.abs(found - value / iterations) <= 1e-12 * Math.abs(value)) return true;
  // fio cuts a rate to whole KiB/s beside the one in bytes that is read
  if (metric === 'storage.read_bw' && unit === 'KiB/s') return Math.floor(found) === value;
  // of a bound, and of a quotient that the corpus worked out, it gives the first digits
  if (label.endsWith('lower bound')) return String(found).startsWith(String(value));
  return /_sum \/ _count/.test(label) && Math.abs(found - value) < 1e-6;
}

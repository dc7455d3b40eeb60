import { dimensionOf } from '../../measurement/unit.js';
import { groupedBy } from '../grouped.js';

/** What a value of ncu is; counts and plain numbers have no unit, whatever ncu writes beside them. */
type Kind = 'time' | 'frequency' | 'percent' | 'ratio' | 'rate' | 'size' | 'count' | 'number';

interface Known {
  readonly metric: string;
  readonly kind: Kind;
  /** Where several names of ncu mean one metric, the lowest is taken. */
  readonly rank: number;
}

/** Metric, kind, and the names of the details page and of the raw page in the order of preference. */
const table: readonly (readonly [string, Kind, ...string[]])[] = [
  ['kernel.time', 'time', 'Duration', 'gpu__time_duration.sum', 'gpu__time_duration.avg', 'gpu__time_duration.max'],
  ['kernel.cycles', 'count', 'Elapsed Cycles', 'gpc__cycles_elapsed.max', 'sm__cycles_elapsed.max', 'sm__cycles_elapsed.avg'],
  ['kernel.sm_frequency', 'frequency', 'SM Frequency', 'gpc__cycles_elapsed.avg.per_second', 'smsp__cycles_elapsed.avg.per_second', 'sm__cycles_elapsed.avg.per_second'],
  ['kernel.dram_frequency', 'frequency', 'DRAM Frequency', 'Memory Frequency', 'dram__cycles_elapsed.avg.per_second'],
  ['kernel.memory_throughput', 'percent', 'Memory Throughput', 'Memory [%]', 'SOL Memory', 'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed'],
  ['kernel.dram_throughput', 'percent', 'DRAM Throughput', 'SOL DRAM', 'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed', 'dram__throughput.avg.pct_of_peak_sustained_elapsed'],
  ['kernel.l1_throughput', 'percent', 'L1/TEX Cache Throughput', 'SOL L1/TEX Cache', 'l1tex__throughput.avg.pct_of_peak_sustained_active'],
  ['kernel.l2_throughput', 'percent', 'L2 Cache Throughput', 'SOL L2 Cache', 'lts__throughput.avg.pct_of_peak_sustained_elapsed'],
  ['kernel.compute_throughput', 'percent', 'Compute (SM) Throughput', 'Compute (SM) [%]', 'SM [%]', 'SOL SM', 'sm__throughput.avg.pct_of_peak_sustained_elapsed'],
  ['kernel.dram_bandwidth', 'rate', 'Memory Throughput', 'dram__bytes.sum.per_second'],
  ['kernel.dram_bytes', 'size', 'dram__bytes.sum'],
  ['kernel.achieved_occupancy', 'percent', 'Achieved Occupancy', 'sm__warps_active.avg.pct_of_peak_sustained_active'],
  ['kernel.theoretical_occupancy', 'percent', 'Theoretical Occupancy', 'sm__maximum_warps_per_active_cycle_pct'],
  ['kernel.registers_per_thread', 'count', 'Registers Per Thread', 'launch__registers_per_thread'],
  ['kernel.waves_per_sm', 'number', 'Waves Per SM', 'launch__waves_per_multiprocessor'],
  ['kernel.l1_hit_ratio', 'percent', 'L1/TEX Hit Rate', 'l1tex__t_sector_hit_rate.pct'],
  ['kernel.l2_hit_ratio', 'percent', 'L2 Hit Rate', 'lts__t_sector_hit_rate.pct'],
  ['kernel.instructions_per_cycle', 'number', 'Executed Ipc Active', 'sm__inst_executed.avg.per_cycle_active'],
  ['kernel.instructions', 'count', 'Executed Instructions', 'smsp__inst_executed.sum', 'sm__inst_executed.sum'],
  ['kernel.active_threads_per_warp', 'count', 'Avg. Active Threads Per Warp', 'smsp__thread_inst_executed_per_inst_executed.ratio'],
  ['kernel.tensor_active', 'percent', 'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active', 'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed'],
  ['kernel.bank_conflicts', 'count', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum'],
  ['kernel.sectors_per_request', 'count', 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio'],
  ['kernel.memory_stall', 'ratio', 'smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio'],
  ['kernel.barrier_stall', 'ratio', 'smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio'],
]; // prettier-ignore

const byName: ReadonlyMap<string, readonly Known[]> = groupedBy(
  table.flatMap(([metric, kind, ...names]) => names.map((name, rank) => ({ name, metric, kind, rank }))),
  ({ name }) => name,
);

/** Whether a name is of a metric that is kept. */
export function isKnownName(name: string): boolean {
  return byName.has(name);
}

/**
 * What a value is of, and its unit as units are written here; null for what is not kept. "Memory Throughput" is a share in
 * one section and a rate in another: the unit tells.
 */
export function metricOf(
  name: string,
  unit: string,
): { readonly metric: string; readonly unit: string; readonly rank: number } | null {
  for (const { metric, kind, rank } of byName.get(name) ?? []) {
    const found = unitOf(kind, unit);
    if (found !== null) return { metric, unit: found, rank };
  }
  return null;
}

/** Names of units changed: `nsecond` became `ns`, `cycle/nsecond` became `Ghz`. ncu counts in powers of 1000. */
function unitOf(kind: Kind, unit: string): string | null {
  switch (kind) {
    case 'time':
      return dimensionOf(unit) === 'time' ? unit.replace(/(?<=^[num]?s)econd$/, '') : null;
    case 'percent':
      return unit === '%' || unit === 'percent' ? '%' : null;
    case 'frequency':
      return frequencies[unit.toLowerCase()] ?? null;
    case 'rate':
    case 'size': {
      const [, prefix, per] = /^([KMGT]?)bytes?(\/s|\/second|)$/i.exec(unit) ?? [];
      if (prefix === undefined || (per !== '') !== (kind === 'rate')) return null;
      return `${prefix === 'K' ? 'k' : prefix}B${kind === 'rate' ? '/s' : ''}`;
    }
    case 'ratio':
      return 'ratio';
    case 'count':
      // a prefix would count thousands
      return /^[KMGT][a-z]/.test(unit) ? null : 'count';
    case 'number':
      return '';
  }
}

const frequencies: Readonly<Record<string, string>> = {
  'cycle/nsecond': 'GHz',
  'cycle/usecond': 'MHz',
  'cycle/msecond': 'kHz',
  'cycle/second': 'Hz',
  'cycle/s': 'Hz',
  ghz: 'GHz',
  mhz: 'MHz',
  khz: 'kHz',
  hz: 'Hz',
};

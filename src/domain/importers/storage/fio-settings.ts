import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { ownValue } from '../../own-value.js';

/** Options that change what is measured. Names of files, hosts and logs are left out on purpose. */
const kept = new Set([
  'bs', 'bsrange', 'bssplit', 'blockalign', 'iodepth', 'iodepth_batch', 'iodepth_batch_submit', 'iodepth_batch_complete_min',
  'iodepth_batch_complete_max', 'iodepth_low', 'io_submit_mode', 'numjobs', 'ioengine', 'direct', 'buffered', 'atomic',
  'size', 'filesize', 'io_size', 'nrfiles', 'openfiles', 'file_service_type', 'runtime', 'time_based', 'ramp_time',
  'loops', 'number_ios', 'rwmixread', 'rwmixwrite', 'percentage_random', 'random_distribution', 'norandommap', 'randrepeat',
  'sync', 'fsync', 'fdatasync', 'end_fsync', 'fsync_on_close', 'create_on_open', 'invalidate', 'pre_read', 'rate',
  'rate_iops', 'rate_min', 'thinktime', 'thread', 'hipri', 'fixedbufs', 'registerfiles', 'sqthread_poll', 'nonvectored',
  'uncached', 'zero_buffers', 'refill_buffers', 'scramble_buffers', 'buffer_compress_percentage', 'dedupe_percentage', 'mem',
  'iomem', 'hugepage-size', 'gpu_dev_ids', 'cuda_io', 'numa_cpu_nodes', 'numa_mem_policy', 'cpus_allowed',
  'cpus_allowed_policy', 'prio', 'prioclass', 'cmdprio_percentage', 'zonemode', 'zonesize', 'unified_rw_reporting', 'kb_base',
  'latency_target', 'verify', 'do_verify', 'fadvise_hint', 'fallocate', 'cmd_type', 'steadystate',
]); // prettier-ignore

const aliases: Readonly<Record<string, string>> = {
  blocksize: 'bs',
  readwrite: 'rw',
  io_limit: 'io_size',
  iomem: 'mem',
  ss: 'steadystate',
};
const sizes = new Set(['bs', 'size', 'filesize', 'io_size', 'zonesize']);
const durations = new Set(['runtime', 'ramp_time']);

/**
 * Options of a job as facts of the workload: sizes in bytes and durations in seconds, so that `4k` and `4096`, `1m` and
 * `60` are the same.
 */
export function settingsOf(options: Readonly<Record<string, string | number>>): Facts {
  const facts: Record<string, FactValue> = {};
  for (const [given, value] of Object.entries(options)) {
    const name = ownValue(aliases, given) ?? given;
    const text = String(value).trim();
    if (name === 'rw') facts['workload.operation'] = text.slice(0, 100);
    else if (kept.has(name)) facts[`workload.settings.${name.replace(/\W/g, '_')}`] = settingOf(name, text);
  }
  return facts;
}

function settingOf(name: string, text: string): FactValue {
  // an option without a value is switched on
  if (text === '') return 1;
  const size = sizes.has(name) ? bytesOf(text) : durations.has(name) ? secondsOf(text) : null;
  if (size !== null) return size;
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text.slice(0, 200);
}

const factors: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40, p: 2 ** 50 };

/** `4k`, `4096B` and `4KiB` by the default of fio, in which k is 1024; a range of equal ends is one size. Else null. */
export function bytesOf(text: string): number | null {
  const parts = text.split(/[-/,]/).map((part) => part.replace(/\([RWT]\)/g, '').trim());
  const values = new Set(parts.map(sizeOf));
  const [only] = values;
  return values.size === 1 ? (only ?? null) : null;
}

function sizeOf(text: string): number | null {
  const found = /^(\d{1,15}(?:\.\d{1,10})?)\s?([kmgtp]?)(?:i?b)?$/i.exec(text);
  const factor = factors[(found?.[2] ?? '').toLowerCase()];
  return found && factor !== undefined ? Number(found[1]) * factor : null;
}

const lengths: Readonly<Record<string, number>> = { '': 1, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(text: string): number | null {
  const found = /^(\d{1,12})\s?(us|ms|s|m|h|d)?$/.exec(text);
  const length = lengths[found?.[2] ?? ''];
  return found && length !== undefined ? Number(found[1]) * length : null;
}

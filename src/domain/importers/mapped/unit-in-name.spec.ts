import { describe, expect, it } from '@jest/globals';
import { unitDifference, unitInName } from './unit-in-name.js';

describe('unitInName', () => {
  it.each([
    ['latency_ms', 'ms'],
    ['latency_s', 's'],
    ['LATENCY_US', 'us'],
    ['time us', 'us'],
    ['Latency (ms)', 'ms'],
    ['Latency(s)', 's'],
    ['首 token 延迟（ms）', 'ms'],
    ['延迟【毫秒】', 'ms'],
    ['time [us]', 'us'],
    ['results.latency_ns', 'ns'],
    ['latencyMs', 'ms'],
    ['totalTimeSeconds', 's'],
    ['elapsedMicros', 'us'],
    ['ttft_ms_p99', 'ms'],
    ['ttft_us_p99_9', 'us'],
    ['wall_seconds', 'seconds'],
    ['throughput_MBps', 'MBps'],
    ['bandwidthGBps', 'GBps'],
    ['Throughput GB/s', 'GB/s'],
    ['rate (MiB/s)', 'MiB/s'],
    ['tokens_per_s', 'tokens/s'],
    ['out_tok_per_sec', 'tok/s'],
    ['MB_per_s', 'MB/s'],
    ['ms_per_token', 'ms/token'],
    ['peak_MiB', 'MiB'],
    ['memoryGB', 'GB'],
    ['gpu_util_pct', 'pct'],
    ['gpu_util (%)', '%'],
    ['power_w', 'W'],
    ['Power draw (W)', 'W'],
    ['achieved_tflops', 'TFLOPS'],
    ['latency_ms (2)', 'ms'],
  ])('is told by %j: %s', (name, unit) => {
    expect(unitInName(name)).toBe(unit);
  });

  it.each([
    'requests_s', 'batch_s', 'users_s', 'MB_s', 'gb_s', 'throughput_s', 'Request(s)', 'mem_gb', 'gb', 'bytes', 'ms', 'latency_min',
    'latency (min)', 'count', 'n_count', 'accept_ratio', 'dim_d', 'matrix_c', 'block_w', 'latency 99 %', 'bw_gbps', 'latency_us_east',
    'things_per_box', 'status', 'iterations', 'x1 (2)', '', 'throughput_tps', 'loss', 'size_b', 'total_ops', 'tok_sec',
  ])('is not told for certain by %j', (name) => {
    expect(unitInName(name)).toBeNull();
  }); // prettier-ignore
});

describe('unitDifference', () => {
  it.each([
    ['s', 'ms', 'SCALE'],
    ['us', 's', 'SCALE'],
    ['MBps', 'GB/s', 'SCALE'],
    ['MB', 'GiB', 'SCALE'],
    ['MB/s', 'MiB/s', 'SCALE'],
    ['pct', 'ratio', 'SCALE'],
    ['ms', 's/token', 'SCALE'],
    ['ms/token', 's', 'SCALE'],
    ['ms/token', 's/token', 'SCALE'],
    ['ms', 'MB/s', 'DIMENSION'],
    ['GiB', 'percent', 'DIMENSION'],
    ['GBps', 'Gbps', 'DIMENSION'],
    ['tokens/s', 'requests/s', 'DIMENSION'],
  ])('of %s and %s is %s', (named, read, difference) => {
    expect(unitDifference(named, read)).toBe(difference);
  });

  it.each([
    ['ms', 'ms'],
    ['ms', 'milliseconds'],
    ['GBps', 'GB/s'],
    ['tok/s', 'tokens/s'],
    ['ms', 'ms/token'],
    ['ms/token', 'ms'],
    ['GB', 'GiB'],
    ['GB', '10^9 B'],
    ['%', 'percent'],
    ['rps', 'queries/s'],
    ['s', 'requests/s'],
    ['TFLOPS', 'TFLOP'],
    ['ms', 'furlong'],
  ])('of %s and %s is none', (named, read) => {
    expect(unitDifference(named, read)).toBeNull();
  });
});

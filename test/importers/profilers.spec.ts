import { describe, expect, it } from '@jest/globals';
import type { ReadObservation } from '../../src/domain/importers/importer.js';
import { readContent, recognize } from '../../src/domain/importers/index.js';
import { profilerImporters } from '../../src/domain/importers/profilers/index.js';
import { workName } from '../../src/domain/importers/profilers/profile-run.js';
import { fixture, fixtures, messages, observation, onlyRun, readFixture } from '../support/tool-output.js';

const mine = profilerImporters.map(({ tool }) => tool);

/** `metric | point | value unit`, with the number of samples (s) or repeats (x) behind. */
function lines(observations: readonly ReadObservation[]): readonly string[] {
  return observations.map(({ metric, dimensions, value, unit, samples, repeats }) =>
    [
      metric,
      Object.values(dimensions).join(' / '),
      `${value} ${unit}`,
      samples ? `s${samples.length}` : '',
      repeats ? `x${repeats.length}` : '',
    ]
      .filter((part) => part !== '')
      .join(' | '),
  );
}

const linesOf = (name: string): readonly (readonly string[])[] =>
  readFixture(name).reading.runs.map(({ observations }) => lines(observations));
const of = (name: string, metric: string): readonly string[] =>
  linesOf(name).flat().filter((line) => line.startsWith(`${metric} |`)); // prettier-ignore

describe('torch-profiler-table', () => {
  it('reads totals, the step, kernels and operators, each in the unit of its cell', () => {
    const read = readFixture('torch-profiler-table/with-memory-and-flops.txt');
    expect(messages(read)).toEqual([]);
    const { observations, ...run } = onlyRun(read);
    expect(run).toEqual({
      status: 'OK',
      tool: 'torch-profiler-table',
      toolVersion: null,
      variant: null,
      startedAt: null,
      command: null,
      environment: {},
      workload: { 'workload.tool': 'torch-profiler-table', 'workload.settings.profiled_device': 'cuda' },
      session: null,
      block: null,
    });
    expect(lines(observations).slice(0, 22)).toEqual([
      'host.profiled_time | 20 ms',
      'gpu.profiled_time | 10 ms',
      'time.profiled_step | 1.8 ms',
      'operator.self_host_time | aten::mm | 2 ms',
      'operator.host_time | aten::mm | 4 ms',
      'operator.self_device_time | aten::mm | 6 ms',
      'operator.device_time | aten::mm | 6 ms',
      'operator.self_device_memory | aten::mm | 12.5 MiB',
      'operator.device_memory | aten::mm | 12.5 MiB',
      'operator.self_host_memory | aten::mm | 0 B',
      'operator.host_memory | aten::mm | 0 B',
      'operator.flops | aten::mm | 1.6 GFLOP',
      'operator.calls | aten::mm | 100 count',
      'kernel.time_total | sm90_gemm_bf16_128x128x64_tn | 6 ms',
      'kernel.time_mean | sm90_gemm_bf16_128x128x64_tn | 60 us',
      'kernel.instances | sm90_gemm_bf16_128x128x64_tn | 100 count',
      'kernel.time_total | ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKer... | 3.5 ms',
      'kernel.time_mean | ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKer... | 350 us',
      'kernel.instances | ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKer... | 10 count',
      'kernel.time_total | Memcpy HtoD (Pinned -> Device) | 500 us',
      'kernel.time_mean | Memcpy HtoD (Pinned -> Device) | 50 us',
      'kernel.instances | Memcpy HtoD (Pinned -> Device) | 10 count',
    ]);
  });

  it('takes no range on the device for a kernel, and what was released for less than nothing', () => {
    expect(JSON.stringify(onlyRun(readFixture('torch-profiler-table/with-memory-and-flops.txt')))).not.toContain('nccl:');
    expect(of('torch-profiler-table/with-memory-and-flops.txt', 'operator.self_device_memory')).toEqual([
      'operator.self_device_memory | aten::mm | 12.5 MiB',
      'operator.self_device_memory | ProfilerStep* | -1.5 KiB',
      'operator.self_device_memory | [memory] | -12.5 MiB',
    ]);
  }); // prettier-ignore

  it('makes each table of a terminal a run, with its heading and the rate of tokens that the program prints', () => {
    const { runs } = readFixture('torch-profiler-table/before-and-after.txt').reading;
    expect(runs.map(({ variant }) => variant)).toEqual(['Part 1: float32', 'Part 2: bfloat16']);
    expect(runs.map(({ observations }) => lines(observations).slice(0, 3))).toEqual([
      ['host.profiled_time | 20 ms', 'gpu.profiled_time | 40 ms', 'serving.output_token_throughput | 128 tokens/s'],
      ['host.profiled_time | 18 ms', 'gpu.profiled_time | 12 ms', 'serving.output_token_throughput | 512 tokens/s'],
    ]);
    expect(messages(readFixture('torch-profiler-table/before-and-after.txt'))).toEqual([
      'WARNING 4 The rows lack 25 % of the device time. The totals hold all of it; print the table with row_limit=-1 for the rest',
    ]);
  });

  it('reads the tables that two ranks printed at the same time', () => {
    const { runs } = readFixture('torch-profiler-table/two-ranks-mixed.txt').reading;
    expect(runs.map(({ variant, observations }) => [variant, lines(observations)[1]])).toEqual([
      ['source 1', 'gpu.profiled_time | 40 ms'],
      ['source 2', 'gpu.profiled_time | 12 ms'],
    ]);
  });

  it('tells equal operators apart by their shapes, and says where no device was profiled', () => {
    expect(of('torch-profiler-table/processor-by-shape.txt', 'operator.self_host_time')).toEqual([
      'operator.self_host_time | aten::addmm / [[64], [32, 64], [64, 64]] | 1.2 s',
      'operator.self_host_time | aten::addmm / [[32], [32, 32], [32, 32]] | 600 ms',
      'operator.self_host_time | aten::relu / [[32, 64]] | 200 ms',
    ]);
    expect(messages(readFixture('torch-profiler-table/processor-by-shape.txt'))).toEqual([
      'WARNING 2 The table has no times of a device: only the processor was profiled. Add ProfilerActivity.CUDA for kernels',
    ]);
  });

  it('says that a table without its totals is not complete', () => {
    const read = readFixture('torch-profiler-table/cut-off.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(messages(read)).toEqual(['WARNING 2 The table ends without its totals: the output is not complete']);
  });

  it('says that nothing ran on the device', () => {
    const text = fixture('torch-profiler-table/cut-off.txt').replace(/30\.000ms/g, '0.000us').replace(/300\.000us/g, '0.000us'); // prettier-ignore
    expect(messages(readContent(`${text}Self CPU time total: 1.000ms\n`))).toContain(
      'WARNING 2 Nothing in the table ran on the device: another process may have launched the kernels',
    );
  });
});

describe('torch-profiler-trace', () => {
  it('reads kernels, copies, steps and communication of one rank', () => {
    const read = readFixture('torch-profiler-trace/rank-of-eight.json');
    expect(messages(read)).toEqual([]);
    const { observations, ...run } = onlyRun(read);
    expect(run).toEqual({
      status: 'OK',
      tool: 'torch-profiler-trace',
      toolVersion: null,
      variant: null,
      startedAt: '2026-01-01T01:00:00.000Z',
      command: null,
      environment: {
        vendor: 'nvidia',
        architecture: 'hopper',
        'gpu.name': 'NVIDIA H200',
        'gpu.sku': 'H200',
        'gpu.computeCapability': '9.0',
        'gpu.multiprocessors': 132,
        'gpu.count': 8,
        cuda: '12.8',
        'driver.cuda': '12.9',
      },
      workload: {
        'workload.tool': 'torch-profiler-trace',
        'workload.settings.record_shapes': true,
        'workload.settings.with_stack': false,
        'workload.settings.world_size': 8,
        'workload.settings.distributed_backend': 'nccl',
      },
      session: null,
      block: null,
    });
    const nccl = 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)';
    expect(lines(observations)).toEqual([
      'profile.events | 3 | 13 count',
      'time.profiled_step | 3 | 1000 us | s2',
      'kernel.time_total | 3 | 815.75 us',
      // 705.5 µs of 2 ms: the collective overlaps with a kernel for 110.25 µs
      'gpu.utilization | 3 | 0.35275 ratio',
      `gpu.communication_share | 3 | ${200 / 815.75} ratio`,
      'gpu.exposed_communication_time | 3 | 89.75 us',
      'kernel.time_total | gemm_kernel / 3 | 615.75 us',
      'kernel.time | gemm_kernel / 3 | 205.25 us | s3',
      'kernel.instances | gemm_kernel / 3 | 3 count',
      `kernel.time_total | ${nccl} / 3 | 200 us`,
      `kernel.time | ${nccl} / 3 | 200 us`,
      `kernel.instances | ${nccl} / 3 | 1 count`,
      'gpu.copy_time | Memcpy HtoD (Pinned -> Device) / 3 | 25.5 us',
      'gpu.copies | Memcpy HtoD (Pinned -> Device) / 3 | 1 count',
      'gpu.copy_time | Memset (Device) / 3 | 1.5 us',
      'gpu.copies | Memset (Device) / 3 | 1 count',
    ]);
  });

  it('reads what stands before the end of a truncated file, and says so', () => {
    const read = readFixture('torch-profiler-trace/cut-off.json');
    expect(onlyRun(read)).toMatchObject({ status: 'PARTIAL', environment: { 'gpu.sku': 'H200', 'gpu.count': 8 } });
    expect(observation(onlyRun(read), 'kernel.time_total', { rank: 3 }).value).toBe(610.5);
    expect(messages(read)).toEqual([
      'WARNING 21 The JSON is truncated: it ends in line 21, inside a text. What stands before is read: every total is too small',
    ]);
  });

  it('reads the names of older versions, and tells several devices apart', () => {
    const read = readFixture('torch-profiler-trace/older-two-devices.json');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read)).toMatchObject({ startedAt: '2022-04-15T05:20:00.000Z', environment: { 'gpu.count': 2 } });
    expect(of('torch-profiler-trace/older-two-devices.json', 'kernel.time_total')).toEqual([
      'kernel.time_total | 0 | 100 us',
      'kernel.time_total | 1 | 300 us',
      'kernel.time_total | gemm_kernel / 1 | 300 us',
      'kernel.time_total | gemm_kernel / 0 | 100 us',
    ]);
  });

  it('says that there are no kernels, and counts the events', () => {
    expect(linesOf('torch-profiler-trace/no-kernels.json')).toEqual([['profile.events | 1 count']]);
    expect(messages(readFixture('torch-profiler-trace/no-kernels.json'))[0]).toContain('WARNING - The trace holds no kernels');
  }); // prettier-ignore

  it('refuses JSON that is broken in its middle, and a trace without events', () => {
    const text = fixture('torch-profiler-trace/rank-of-eight.json');
    expect(messages(readContent(text.replace('"ph": "M"', '"ph": M')))).toEqual([
      expect.stringContaining('ERROR 12 This is not valid JSON'),
    ]);
    expect(messages(readContent('{"schemaVersion": 1, "traceEvents": []}'))).toEqual([
      'ERROR - The trace holds no events',
    ]);
  });

  it('keeps no more of a large trace than the times of its kernels', () => {
    const event = (at: number) =>
      JSON.stringify({
        ph: 'X',
        cat: at % 10 === 0 ? 'kernel' : 'cpu_op',
        name: `work_${at % 40}`,
        pid: 0,
        tid: 7,
        ts: at * 10,
        dur: 5,
        args: { device: 0, 'Call stack': 'x'.repeat(200), 'Input Dims': [[1, 2], [3]] },
      });
    const text = `{"schemaVersion": 1, "traceEvents": [${Array.from({ length: 20_000 }, (_, at) => event(at)).join(',\n')}]}`;
    const run = onlyRun(readContent(text));
    expect(observation(run, 'profile.events', {}).value).toBe(20_000);
    expect(observation(run, 'kernel.time_total', {}).value).toBe(10_000);
    expect(observation(run, 'kernel.time', { kernel: 'work_10' })).toMatchObject({
      value: 5,
      distribution: { count: 500, mean: expect.closeTo(5, 9) },
    });
  });
});

describe('torch-benchmark-compare', () => {
  it('reads each table in the unit that stands below it', () => {
    const read = readFixture('torch-benchmark-compare/two-tables-two-units.txt');
    expect(messages(read)).toEqual([]);
    expect(read.reading.runs.map(({ variant }) => variant)).toEqual(['Softmax', 'Attention']);
    expect(linesOf('torch-benchmark-compare/two-tables-two-units.txt')).toEqual([
      [
        'time.median | x: (128, 1024) / eager / 1 | 12.5 us',
        'time.median | x: (128, 1024) / compiled / 1 | 6.25 us',
        'time.median | x: (4096, 1024) / eager / 1 | 1210 us',
        'time.median | x: (4096, 1024) / compiled / 1 | 600.5 us',
        'time.median | x: (128, 1024) / eager / 4 | 4.5 us',
      ],
      [
        'time.median | baseline / Inference time / 1 | 3.5 ms',
        'time.median | compiled / Inference time / 1 | 2.25 ms',
        'compile.time | compiled / Compile time / 1 | 850 ms',
      ],
    ]);
  });

  it('takes no ratio for a time, and keeps bars that stand in a label', () => {
    const read = readFixture('torch-benchmark-compare/ratios-and-noise.md');
    expect(onlyRun(read).environment).toEqual({ torch: '2.9.0' });
    expect(linesOf('torch-benchmark-compare/ratios-and-noise.md')).toEqual([
      [
        'time.median | uint8 | (1, 3, 64, 64) | bilinear / main / 1 | 40.125 us',
        'time.median | uint8 | (1, 3, 64, 64) | bilinear / pull request / 1 | 20.5 us',
        'time.median | uint8 | (1, 3, 64, 64) | bicubic / main / 1 | 55 us',
        'time.median | uint8 | (1, 3, 64, 64) | bicubic / pull request / 1 | 50 us',
      ],
    ]);
    expect(messages(read)).toEqual([
      'WARNING - Left out, since these are no times: speed-up PR vs main',
      'WARNING 10 PyTorch marks 1 rows with a high variance: the interquartile range is over a tenth of the median',
    ]);
  });

  it('leaves out a table whose unit is lost, and refuses a file of such tables', () => {
    const text = fixture('torch-benchmark-compare/unit-lost.txt');
    const lost = 'The table ends without the line that states its unit, "Times are in ...": it was left out';
    expect(readContent(text).reading.runs.map(({ variant }) => variant)).toEqual(['Sort']);
    expect(messages(readContent(text))).toEqual([`WARNING 8 ${lost}`]);
    expect(messages(readContent(text.slice(text.indexOf('[', 1))))[0]).toBe(`ERROR 1 ${lost}`);
  });
});

describe('torch-benchmark-timer', () => {
  it('reads the median of each measurement, and warns of a wide spread', () => {
    const read = readFixture('torch-benchmark-timer/several-measurements.txt');
    expect(lines(onlyRun(read).observations)).toEqual([
      'time.median | Batched dot: bmm / (8, 64) / 1 | 12.5 us',
      'time.median | Batched dot: einsum / (8, 64) / 4 | 1.75 ms',
      'time.median | once(x) / 1 | 2.5 s',
    ]);
    expect(onlyRun(read).observations.map(({ distribution }) => distribution?.count)).toEqual([160, 20, 1]);
    expect(messages(read)).toEqual([
      'WARNING 12 PyTorch warns of a wide spread: the interquartile range is over a tenth of the median. Batched dot: einsum',
    ]);
  });

  it('makes what is measured again a repeat, also without the line that names the object', () => {
    const { observations } = onlyRun(readFixture('torch-benchmark-timer/repeated-without-object.txt'));
    expect(observations).toMatchObject([
      { dimensions: { benchmark: 'model(x): fp16', threads: 1 }, value: 4.4, unit: 'ms', repeats: [4.3, 4.5, 4.4] },
    ]);
  });
});

describe('torch-memory-summary', () => {
  it('makes the devices of one moment a run, and a device that comes again the next', () => {
    const read = readFixture('torch-memory-summary/two-devices.txt');
    const [first, second] = read.reading.runs;
    expect(lines(first?.observations ?? []).slice(0, 9)).toEqual([
      'memory.oom_count | 0 | 0 count',
      'memory.alloc_retries | 0 | 0 count',
      'memory.allocated | 0 | 5624 MiB',
      'memory.peak_allocated | 0 | 5673 MiB',
      'memory.peak_active | 0 | 5675 MiB',
      'memory.peak_requested | 0 | 5670 MiB',
      'memory.reserved | 0 | 6100 MiB',
      'memory.peak_reserved | 0 | 6144 MiB',
      'memory.peak_non_releasable | 0 | 260 MiB',
    ]);
    expect(lines(second?.observations ?? []).filter((line) => line.includes('peak_reserved'))).toEqual([
      'memory.peak_reserved | 0 | 6200 MiB',
      'memory.peak_reserved | 1 | 6090 MiB',
    ]);
    expect(messages(read)).toEqual(['WARNING 54 Device 0 ran out of memory in this run']);
  });

  it('reads KB and MB of older versions as powers of 1024', () => {
    const run = onlyRun(readFixture('torch-memory-summary/units-before-2.0.txt'));
    expect(observation(run, 'memory.allocated', { gpu: 0 })).toMatchObject({ value: 146_836, unit: 'KiB' });
    expect(observation(run, 'memory.peak_allocated', { gpu: 0 })).toMatchObject({ value: 4261, unit: 'MiB' });
  });

  it('says that a summary is not complete', () => {
    const read = readFixture('torch-memory-summary/cut-off.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(messages(read)).toEqual([
      'WARNING 2 The summary of device 0 is not complete: it does not tell the reserved memory',
    ]);
  });
});

describe('nsys-stats-csv', () => {
  it('reads kernels, copies by time and size, and calls of CUDA', () => {
    const read = readFixture('nsys-stats-csv/three-reports.csv');
    expect(messages(read)).toEqual([]);
    const run = onlyRun(read);
    expect(run.toolVersion).toBe('2025.3.2');
    expect(lines(run.observations)).toEqual([
      'kernel.time_total | 1000000 ns',
      'kernel.time_total | void gemm<float, int>(const T1 *, T2) | 750000 ns',
      'kernel.time | void gemm<float, int>(const T1 *, T2) | 2400 ns',
      'kernel.time_mean | void gemm<float, int>(const T1 *, T2) | 2500 ns',
      'kernel.instances | void gemm<float, int>(const T1 *, T2) | 300 count',
      'kernel.time_share | void gemm<float, int>(const T1 *, T2) | 75 %',
      'kernel.time_total | ncclDevKernel_AllReduce_Sum_bf16_RING_LL | 250000 ns',
      'kernel.time | ncclDevKernel_AllReduce_Sum_bf16_RING_LL | 4900 ns',
      'kernel.time_mean | ncclDevKernel_AllReduce_Sum_bf16_RING_LL | 5000 ns',
      'kernel.instances | ncclDevKernel_AllReduce_Sum_bf16_RING_LL | 50 count',
      'kernel.time_share | ncclDevKernel_AllReduce_Sum_bf16_RING_LL | 25 %',
      'gpu.copy_time | [CUDA memcpy Host-to-Device] | 80000 ns',
      'gpu.copies | [CUDA memcpy Host-to-Device] | 10 count',
      'gpu.copied_bytes | [CUDA memcpy Host-to-Device] | 640 MB',
      'host.api_time | cudaLaunchKernel | 900000 ns',
      'host.api_calls | cudaLaunchKernel | 350 count',
      'host.api_time | cudaDeviceSynchronize | 100000 ns',
      'host.api_calls | cudaDeviceSynchronize | 2 count',
    ]);
    expect(observation(run, 'kernel.time', { kernel: 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL' }).distribution).toEqual({
      count: 50, mean: 5000, sd: 220, min: 4700, p50: 4900, p90: null, p99: null, max: 6100,
    });
  }); // prettier-ignore

  it('reads columns without units and medians, as older versions write them', () => {
    expect(linesOf('nsys-stats-csv/older-columns.csv')[0]?.slice(0, 5)).toEqual([
      'kernel.time_total | 1000 ns',
      'kernel.time_total | first_kernel | 600 ns',
      'kernel.time_mean | first_kernel | 200 ns',
      'kernel.instances | first_kernel | 3 count',
      'kernel.time_share | first_kernel | 60 %',
    ]);
  });

  it('reads decimal commas where the file tells them', () => {
    expect(of('nsys-stats-csv/decimal-commas.csv', 'kernel.time')).toEqual([
      'kernel.time | gemm_kernel | 2400 ns',
      'kernel.time | copy_kernel | 2950 ns',
    ]);
  });

  it('makes a report that comes again the next run', () => {
    const text = fixture('nsys-stats-csv/older-columns.csv');
    expect(readContent(`${text}\n${text.replace('600', '700')}`).reading.runs.map(({ observations }) => observations[0]?.value)).toEqual([1000, 1100]); // prettier-ignore
  });

  it('refuses rows that a comma in a name or number has torn', () => {
    expect(messages(readFixture('nsys-stats-csv/name-not-quoted.csv'))).toEqual([
      'ERROR 2 There are 10 cells here, and 9 are expected: put a number with a comma into quotes, or part the cells with ";"',
    ]);
  });

  it('says what to send instead of a trace', () => {
    const trace = 'Start (ns),Duration (ns),CorrId,Device,Name\n1000,50,1,0,gemm_kernel\n';
    expect(recognize(trace)).toEqual([]);
    expect(messages(readContent(trace))).toEqual([
      expect.stringContaining('ERROR - There is no summary of kernels, copies or CUDA calls here: run nsys stats with'),
    ]);
  });
});

describe('nsys-stats-text', () => {
  it('reads tables with separators of thousands, and no ranges or calls of the operating system', () => {
    const read = readFixture('nsys-stats-text/profile-with-stats.txt');
    expect(messages(read)).toEqual([]);
    expect(lines(onlyRun(read).observations)).toEqual([
      'host.api_time | cudaLaunchKernel | 1980000 ns',
      'host.api_calls | cudaLaunchKernel | 1020 count',
      'host.api_time | cudaFree | 20000 ns',
      'host.api_calls | cudaFree | 2 count',
      'kernel.time_total | 2000000 ns',
      'kernel.time_total | void work<float, 4>(const float *, float *, int)… | 1800000 ns',
      'kernel.time | void work<float, 4>(const float *, float *, int)… | 1790 ns',
      'kernel.time_mean | void work<float, 4>(const float *, float *, int)… | 1800 ns',
      'kernel.instances | void work<float, 4>(const float *, float *, int)… | 1000 count',
      'kernel.time_share | void work<float, 4>(const float *, float *, int)… | 90 %',
      'kernel.time_total | reduce_kernel | 200000 ns',
      'kernel.time | reduce_kernel | 9990 ns',
      'kernel.time_mean | reduce_kernel | 10000 ns',
      'kernel.instances | reduce_kernel | 20 count',
      'kernel.time_share | reduce_kernel | 10 %',
    ]);
  });

  it('reads the titles and columns of older versions', () => {
    expect(linesOf('nsys-stats-text/older-report.txt')).toEqual([
      [
        'kernel.time_total | 222080 ns',
        'kernel.time_total | offload_main_l20 | 222080 ns',
        'kernel.time_mean | offload_main_l20 | 222080 ns',
        'kernel.instances | offload_main_l20 | 1 count',
        'kernel.time_share | offload_main_l20 | 100 %',
        'gpu.copy_time | [CUDA memcpy HtoD] | 4194961 ns',
        'gpu.copies | [CUDA memcpy HtoD] | 4 count',
      ],
    ]);
  });

  it('refuses a report of system calls alone', () => {
    const read = readFixture('nsys-stats-text/system-calls-only.txt');
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)[0]).toContain('ERROR - There is no summary of kernels, copies or CUDA calls here');
  });
});

describe('ncu-csv', () => {
  const norm = 'void norm<float, 4>(const T1 *, T1 *, int)';

  it('reads the details page: launches of one kernel are its samples', () => {
    const read = readFixture('ncu-csv/details-page.csv');
    expect(messages(read)).toEqual([]);
    const run = onlyRun(read);
    expect(run.environment).toEqual({ vendor: 'nvidia', architecture: 'hopper', 'gpu.computeCapability': '9.0' });
    expect(lines(run.observations).filter((line) => line.includes(norm))).toEqual([
      `kernel.dram_frequency | ${norm} | 2.62 GHz | s3`,
      `kernel.sm_frequency | ${norm} | 1.5 GHz | s3`,
      `kernel.cycles | ${norm} | 18900 count | s3`,
      `kernel.memory_throughput | ${norm} | 85.5 % | s3`,
      `kernel.dram_throughput | ${norm} | 84.25 % | s3`,
      `kernel.time | ${norm} | 12.6 us | s3`,
      `kernel.l1_throughput | ${norm} | 41.5 % | s3`,
      `kernel.l2_throughput | ${norm} | 38.25 % | s3`,
      `kernel.compute_throughput | ${norm} | 22.75 % | s3`,
      `kernel.dram_bandwidth | ${norm} | 2.8 TB/s | s3`,
      `kernel.l2_hit_ratio | ${norm} | 71.2 % | s3`,
      `kernel.registers_per_thread | ${norm} | 40 count | s3`,
      `kernel.waves_per_sm | ${norm} | 2.5  | s3`,
      `kernel.theoretical_occupancy | ${norm} | 75 % | s3`,
      `kernel.achieved_occupancy | ${norm} | 68.4 % | s3`,
    ]);
    expect(observation(run, 'kernel.time', { kernel: 'gemm_kernel' })).toMatchObject({ value: 1.2, unit: 'ms' });
  });

  it('reads the raw page with its row of units, and tells launches of several shapes apart', () => {
    expect(messages(readFixture('ncu-csv/raw-page.csv'))).toEqual([]);
    expect(linesOf('ncu-csv/raw-page.csv')[0]?.slice(0, 7)).toEqual([
      'kernel.dram_bytes | gemm_kernel / (128, 2, 1)x(384, 1, 1) | 64.5 MB',
      'kernel.dram_bandwidth | gemm_kernel / (128, 2, 1)x(384, 1, 1) | 1250.25 GB/s',
      'kernel.time | gemm_kernel / (128, 2, 1)x(384, 1, 1) | 51.6 us',
      'kernel.registers_per_thread | gemm_kernel / (128, 2, 1)x(384, 1, 1) | 168 count',
      'kernel.tensor_active | gemm_kernel / (128, 2, 1)x(384, 1, 1) | 61.25 %',
      'kernel.compute_throughput | gemm_kernel / (128, 2, 1)x(384, 1, 1) | 70.5 %',
      'kernel.dram_bytes | gemm_kernel / (256, 2, 1)x(384, 1, 1) | 129 MB',
    ]);
    expect(of('ncu-csv/raw-page.csv', 'kernel.dram_bytes')).toHaveLength(2);
  });

  it('takes the mean of --print-summary', () => {
    expect(linesOf('ncu-csv/summary-per-kernel.csv')).toEqual([
      ['kernel.time | saxpy(float *, int) | 10.75 us', 'kernel.achieved_occupancy | saxpy(float *, int) | 75 %'],
    ]);
  });

  it('reads decimal commas where the file tells them, and asks where it does not', () => {
    expect(linesOf('ncu-csv/decimal-commas.csv')).toEqual([
      ['kernel.time | norm_kernel | 21058944 ns', 'kernel.dram_throughput | norm_kernel | 61.84 %'],
    ]);
    expect(messages(readFixture('ncu-csv/commas-tell-nothing.csv'))).toEqual([
      'ERROR 2 "152,192" may be a fraction or thousands, and nothing else in the file tells: run ncu with LC_ALL=C',
    ]);
  });

  it.each([
    ['==PROF== Connected to process 1\n==PROF== Report: /tmp/a.ncu-rep\n', 'There is no table of ncu here'],
    ['==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission', 'ncu was not permitted'],
  ])('says why there is nothing in %j', (text, message) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(`ERROR - ${message}`)]);
  });

  it('refuses metrics of which none is kept', () => {
    const text = fixture('ncu-csv/commas-tell-nothing.csv').replace('gpu__time_duration.sum', 'smsp__unknown.sum');
    expect(messages(readContent(text))).toEqual([
      'ERROR 2 None of the metrics here has a counterpart: profile with --set basic, or add gpu__time_duration.sum',
    ]);
  });
});

describe('ncu-text', () => {
  it('reads the sections of each kernel', () => {
    const read = readFixture('ncu-text/details-page.txt');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read)).toMatchObject({ toolVersion: '2025.2', environment: { 'gpu.computeCapability': '9.0' } });
    expect(lines(onlyRun(read).observations).slice(3, 10)).toEqual([
      'kernel.memory_throughput | void norm<(int)4, float>(T2 *, int) | 82.5 %',
      'kernel.dram_throughput | void norm<(int)4, float>(T2 *, int) | 80.25 %',
      'kernel.time | void norm<(int)4, float>(T2 *, int) | 9.6 us',
      'kernel.compute_throughput | void norm<(int)4, float>(T2 *, int) | 12.5 %',
      'kernel.theoretical_occupancy | void norm<(int)4, float>(T2 *, int) | 100 %',
      'kernel.achieved_occupancy | void norm<(int)4, float>(T2 *, int) | 71 %',
      'kernel.dram_frequency | square_kernel_0d1d234 | 2.62 GHz | s2',
    ]);
  });

  it('reads tables without a line of names, and no value for n/a', () => {
    expect(linesOf('ncu-text/no-line-of-names.txt')).toEqual([
      ['kernel.dram_bytes | copy(float*) | 9.45 MB', 'kernel.time | copy(float*) | 8.25 us', 'kernel.dram_bytes | fill(float*) | 4 MB'],
    ]);
  }); // prettier-ignore
});

it('keeps the names of kernels apart that differ behind 300 characters', () => {
  const [one, other] = [workName(`${'k'.repeat(400)}1`), workName(`${'k'.repeat(400)}2`)];
  expect(one).not.toBe(other);
  expect([one.length, workName('a  b\n c')]).toEqual([300, 'a b c']);
});

describe('output of profilers that went through other hands', () => {
  const files = fixtures.filter(({ tool }) => mine.includes(tool));

  it.each(files)('$name is read alike with CRLF, colors and a byte order mark', ({ name }) => {
    const text = fixture(name);
    const expected = readContent(text);
    for (const other of [text.replaceAll('\n', '\r\n'), text.replace(/(\d)(?=\D*$)/, '\u001b[92m$1\u001b[0m'), `\uFEFF${text}`]) {
      expect(readContent(other)).toEqual(expected);
    }
  }); // prettier-ignore

  it.each(files.filter(({ name }) => /torch-profiler-table|compare|timer|memory|nsys-stats-text|ncu-text/.test(name)))(
    '$name is read alike with the prefix of a launcher',
    ({ name }) => {
      const text = fixture(name);
      if (text.includes('<stdout>')) return;
      const values = (content: string) => readContent(content).reading.runs.map(({ observations }) => observations);
      for (const prefix of ['[1,0]<stdout>:', '(Worker pid=411) ', '[rank0]: ', '# ']) {
        expect(values(text.replace(/^(?=.)/gm, prefix))).toEqual(values(text));
      }
    },
  );
});

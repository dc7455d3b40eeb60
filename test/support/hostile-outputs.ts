import { fixture } from './tool-output.js';

/** A text that begins like the output of a tool and goes on with one piece, again and again. */
export interface Hostile {
  readonly head: string;
  readonly piece: string;
}

export function hostileText({ head, piece }: Hostile, size: number): string {
  return head + piece.repeat(Math.ceil(size / piece.length));
}

const pieces = [
  // of any text
  ' ', '\n', '-', '[', '[\n', '{', '"', "'", '= ', 'A ', '1 ', ', ', '|', '| ', ': ', '( ', '\t', '#\n', '```\n', '{"a":', '"a":1,', '{\n"a": 1\n}\n', '1,234 ',
  // serving
  '============ Serving Benchmark Result ============\n', 'Mean TTFT (ms): 1\n', 'vllm bench serve --model \\\n', 'Processed prompts: 100%|', '= PERFORMANCE OVERVIEW\n',
  '[BENCHMARK] num_samples 1\n', 'MLPerf Results Summary\nScenario : x\n', 'Throughput: 1.0 requests/s, 2.0 tokens/s\n', '{"backend":"output_throughput":1,"median_e2e_latency_ms"',
  'Concurrency,Inferences/Second,"', 'NVIDIA GenAI-Perf | LLM Metrics\n┃ Statistic ┃ avg ┃\n│ Request Latency (ms) │ 1.00 │\n', 'Request concurrency: 1\n    Throughput: 1 infer/sec\n',
  'Concurrency: 1, throughput: 1 infer/sec, latency 1 usec\n', 'Request Latency Statistics (Completed Requests)\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  '{"build_commit":1,"avg_ts":1,"n_prompt":1,"n_gen":1}', '{"metadata":{"request_start_ns":1,"benchmark_phase":"x"},"metrics":{}}\n', '[02/03/2026-04:05:06] [I] === Performance summary ===\n',
  '&&&& RUNNING TensorRT.trtexec # trtexec\n[I] Precision: FP32\n',
  // links and storage
  'size algbw busbw\n', 'BW average[Gb/sec] ', ' #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n', ' 65536 5000 1.0 1.0 1.0\n', ' RDMA_Write BW Test\n',
  'memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n', 'memcpy CE ', '0 ', 'Running host_to_device_memcpy_ce.\n', 'SUM ', '[  5]   0.00-1.00   sec  1.00 GBytes  8.60 Gbits/sec \n',
  '[ ID] Interval           Transfer     Bitrate\n', '[ ID] ', 'j: (groupid=0, jobs=1): err= 0: pid=1: x\n', 'j: (groupid=0, jobs=', '  read: IOPS=1, BW=1KiB/s (1kB/s)(1KiB/1msec)\n',
  '     | 99.00th=[ 1],', ' 1.00th=[', '    clat (usec): min=1, max=1, avg=1, stdev=1\n', '3;fio-3.28;', '{"fio version" : "fio-3", "jobs" : [', '{"nvbandwidth": {"testcases": [', '{"event":"interval","data":{}}\n',
  // training
  'iteration 1/ 1 | elapsed time per iteration (ms): 1 |', 'iteration 1/ 1 | elapsed time per iteration (ms): 1 |\n', ' iteration 1/ 1 |', '[Rank 0] (after 1 iterations) memory (MB) | ', 'time (ms) | a: 1 | ',
  '-------------------------- DeepSpeed Flops Profiler ', 'steps: 1 loss: ', 'RunningAvgSamplesPerSec=1, ', 'Epoch 0:  10%|█         | 1/10 [00:00<00:01, 1.00it/s, v_num=0', '1/1 [00:00',
  'train_step_timing in s=', 'Training epoch 0, iteration 1/2 | train_step_timing in s: 1 | ', ':::MLLOG {', ':::MLLOG {"key": "run_start", "time_ms": 1}', ':::MLLOG {"key": "run_start", "time_ms": 1}\n',
  'DLL 2026-02-03 04:05:06 - a : 1 ', 'DLLL {"timestamp": "1", "data": {', "{'train_runtime': 1, 'train_samples_per_second': 1", "{'train_runtime': 1, 'train_samples_per_second': 1}\n", 'train_samples_per_second = 1 ',
  '"train_samples_per_second": 1, ', 'step:1/1 train_time:1ms step_avg:', '{"load": {"block1": [', 'using world size: 1, a-size: 1 ', 'a .... ',
  // profilers
  'Name  Self CPU %  Self CPU  # of Calls\n-----  -----  -----  -----\n', `${'-'.repeat(15_000)} # of Calls\n`, `# of Calls${' '.repeat(15_000)}x\n`,
  '{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "a", "ts": 1, "dur": 1}]}\n', `[${'-'.repeat(15_000)}\n1 threads: ---\n`, '[--- a ---]\n | x\n1 threads: ---\na | 1\n',
  '  Median: 1.00 us\n  2 measurements, 1 runs per measurement, 1 thread\n', 'PyTorch CUDA memory summary, device ID 0\n| Allocated memory | 1 B | 1 B |\n', 'Time (%),Total Time (ns),Instances,Name\n1,1,1,"',
  `Time (%),Total Time (ns),Instances,Name\n${'"'.repeat(15_000)}\n`, ' Time (%)  Total Time (ns)  Instances  Name\n -----  -----  -----  -----\n 1  1  1  a\n',
  '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n', '"Process ID","Kernel Name",', 'a, Context 1, Stream 7\n--- --- ---\nDuration  us  1\n', ', Context 1, Stream 7',
  // monitors
  'index, power.draw [W]\nindex, memory.used [MiB]\n', '# gpu pwr ', '| NVIDIA-SMI 575.57.08    Driver Version: 575.57.08   CUDA Version: 12.9     |\n', '[rank1]: | NVIDIA-SMI 1\n[rank2]: |\n',
  'vllm:num_requests_running{engine="0"} 1.0\n', '"Dstat 0.7.3 CSV output"\n"\n', 'Device tps kB_read/s kB_wrtn/s\n',
  // harnesses
  'Benchmark', 'Benchmark ', 'BenchmarkA-1 1 1 ns/op ', 'BenchmarkA-1 1 1 ns/op\n', 'BenchmarkA\n', 'Benchmark Time CPU Iterations\n', 'Benchmark Time CPU Iterations\nBM 1 ns 1 ns 1 a=1/s\n', 'BM 1 ns 1 ns ',
  'time:   [', 'time:   [1 ns 1 ns ', 'a time:   [1 ns 1 ns 1 ns]\n', 'Benchmarking a: ', 'group,function,value,sample_time_nanos,iteration_count\n', '{"iters":[1,', '"mean":{"point_estimate":', '{"a":{"b":{"value":1',
  '{"\\\\', '{"machine_info" "benchmarks" "fullname" "stats" "rounds"',
]; // prettier-ignore

const begun: readonly (readonly [head: string, piece: string])[] = [
  ['Namespace(', "a='b', "],
  ['Metric,avg,min,max,p99,p95,p90,p75,p50,p25\n', 'Request Latency (ms),1.00,'],
  ['Metric,avg,min,max,p99,p95,p90,p75,p50,p25\n', 'Request Latency (ms),1\n'],
  [`Type,Run Id,Id,Name,Start Time,End Time,Duration,${'x,'.repeat(30_000)}\n`, 'a\n'],
  ['Benchmarks Stats:\n', '='],
  ['Benchmarks Stats:\nTot Tok/sec|\n', 'synchronous| 1| '],
  ['| model | size | params | backend | test | t/s |\n', '| m | 1 | 1 | CUDA | pp512 | 1.00 ± 0.00 |\n'],
  ['| model | size | params | backend | test | t/s |\n| m | 1 | 1 | CUDA | pp512 | ', '± '],
  ['INSERT INTO test (build_commit, ', "', '"],
  ['{"benchmarks":[', '{"type_":"generative_benchmark","metrics":{"requests_per_second":{}}},'],
  ['GPU Compute Time: ', 'min = 1 ms, '],
  ['{"results":[{"command":"', '/a'],
  [' #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]\n', ' 65536 5000 1.0 1.0 1.0\n'],
  ['Running a.\nmemcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n 0\n', '0 '],
  ['Running a.\nmemcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n 0\n', 'SUM '],
  ['j: (groupid=0, jobs=1): err= 0: pid=1: x\n  read: IOPS=1, BW=1KiB/s (1\n', ' 1.00th=['],
  ['j: (groupid=0, jobs=1): err= 0: pid=1: x\n  read: IOPS=1, BW=1KiB/s (1\n', '    clat (usec): min=1, max=1, avg=1, stdev=1\n'],
  ['index, power.draw [W]\n', '0, 1.0 W\n'],
  ['index, power.draw [W]\n', ', '],
  ['index, power.draw [W]\n', 'power.draw [W], '],
  ['# gpu    pwr\n# Idx      W\n', '    0    630\n'],
  ['# gpu    pwr\n', '# gpu pwr '],
  ['# gpu pid type sm command\n# Idx # C/G % name\n', '0 1 C 5 x/ '],
  ['==============NVSMI LOG==============\n', 'GPU 00000000:01:00.0\n'],
  ['==============NVSMI LOG==============\nGPU 00000000:01:00.0\n', '    Clocks\n      SM : 1 MHz\n'],
  ['| NVIDIA-SMI ', '| N/A   50C    P0 '],
  ['#Entity   POWER\nID\n', 'GPU 0     1.0\n'],
  ['#Entity   ', 'POWER '],
  ['vllm:num_requests_running{', 'a="b",'],
  ['vllm:num_requests_running{a="', '\\'],
  ['vllm:num_requests_running', ' '],
  ['{"status":"success","data":{"resultType":"matrix","result":[', '{"metric":{"__name__":"up"},"values":[[1,"1"]]},'],
  ['{"status":"success","data":{"resultType":"matrix","result":[', '[['],
  ['"Dstat 0.7.3 CSV output"\n"total cpu usage",\n"usr","sys"\n', '1,2\n'],
  ['"Dstat 0.7.3 CSV output"\n', '"total cpu usage",'],
  [fixture('vmstat/interval.txt'), ' 6  2    128 870000  10000 520000    8   16  2048   512 6000 9500 50 10 35  5  0\n'],
  ['procs -----------memory---------- ---swap--\n', ' r  b   swpd   free '],
  [fixture('iostat/devices-only-old-names.txt'), 'sda 0.00 0.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00\n'],
  ['Device tps kB_read/s kB_wrtn/s\n', '1,234 '],
]; // prettier-ignore

/** What an importer could take far too long for: nested, endless, or the same beginning over and over. */
export const hostileOutputs: readonly Hostile[] = [
  ...pieces.map((piece) => ({ head: '', piece })),
  ...begun.map(([head, piece]) => ({ head, piece })),
];

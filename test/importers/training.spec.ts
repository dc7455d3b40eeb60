import { describe, expect, it } from '@jest/globals';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { readContent, recognize, type ContentReading } from '../../src/domain/importers/index.js';
import { fixture, fixtures, messages, observation, onlyRun, readFixture } from '../support/tool-output.js';

const tools = ['hf-trainer', 'megatron-log', 'deepspeed-flops-profiler', 'nemo-log', 'mlperf-mllog', 'dllogger', 'dlio', 'speedrun-log']; // prettier-ignore

/** Observations as `metric {dimensions} value unit`, with the number of samples where there are any. */
const lines = ({ observations }: ReadRun): readonly string[] =>
  observations.map(({ metric, dimensions, value, unit, samples }) => {
    const point = Object.entries(dimensions).map(([name, at]) => ` ${name}=${at}`).join(''); // prettier-ignore
    return `${metric}${point}: ${value} ${unit}${samples ? ` (${samples.length})` : ''}`;
  });

const all = ({ reading }: ContentReading): readonly (readonly string[])[] => reading.runs.map(lines);
const statuses = ({ reading }: ContentReading): readonly string[] => reading.runs.map(({ status }) => status);

const PROFILE = 'A profile is one step, slowed down by the profiler: compare runs by logs without it';
const WARM_UP = (dropped: number, total: number) =>
  `Left out as warm-up: the first ${dropped} of ${total} logged steps`;
const ENDS = (reached: number, planned: number) => `The log ends at step ${reached} of ${planned}: the training was stopped, or the log is not complete`; // prettier-ignore

describe('hf-trainer', () => {
  it('reads all_results.json, with tokens of one process and the growth of the memory', () => {
    const read = readFixture('hf-trainer/all-results.json');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read)).toMatchObject({ status: 'OK', environment: {}, variant: null, startedAt: null });
    expect(onlyRun(read).workload).toEqual({
      'workload.tool': 'hf-trainer',
      'workload.phase': 'training',
      'workload.framework': 'pytorch',
      'workload.settings.epochs': 2,
      'workload.settings.train_samples': 6408,
    });
    expect(lines(onlyRun(read))).toEqual([
      'training.throughput: 32 samples/s',
      'training.step_rate: 0.5 steps/s',
      'training.token_throughput_per_gpu: 4096.5 tokens/s',
      'training.run_time: 400.5 s',
      'training.total_flops: 1500000000000000 FLOP',
      'quality.loss split=train: 1.9 ',
      'quality.loss split=validation: 1.75 ',
      'quality.score split=validation score=accuracy: 0.8125 ',
      'memory.peak_growth: 3145728000 B',
    ]);
  });

  it('takes the last speed and the last evaluation of trainer_state.json', () => {
    const run = onlyRun(readFixture('hf-trainer/trainer-state.json'));
    expect(lines(run)).toEqual([
      'training.throughput: 7.967 samples/s',
      'training.step_rate: 0.498 steps/s',
      'training.run_time: 60.25 s',
      'training.total_flops: 200000000000000 FLOP',
      'quality.loss split=train: 2.8 ',
      'quality.loss split=validation: 2.5 ',
    ]);
    expect(run.workload).toMatchObject({ 'workload.settings.max_steps': 30, 'workload.settings.train_batch_size': 4 });
    expect(JSON.stringify(run)).not.toContain('alice');
  });

  it('makes one result of the lines of all ranks and of the block, and another of the next training', () => {
    const read = readFixture('hf-trainer/ranks-and-two-trainings.txt');
    expect(messages(read)).toEqual([]);
    expect(all(read)).toEqual([
      [
        'training.throughput: 12.8 samples/s',
        'training.step_rate: 0.25 steps/s',
        'training.run_time: 40.0012 s',
        'quality.loss split=train: 2.125 ',
      ],
      [
        'training.throughput: 12.78 samples/s',
        'training.step_rate: 0.25 steps/s',
        'training.token_throughput_per_gpu: 13090 tokens/s',
        'training.run_time: 40.05 s',
        'quality.loss split=train: 2.131 ',
      ],
    ]);
    expect(read.reading.runs[0]?.workload['workload.settings.train_samples']).toBe(512);
  });

  it('makes two results of ranks that disagree', () => {
    const read = readContent("{'train_runtime': 40.0, 'train_samples_per_second': 12.8}\n{'train_runtime': 50.0, 'train_samples_per_second': 10.24}"); // prettier-ignore
    expect(all(read).map(([first]) => first)).toEqual(['training.throughput: 12.8 samples/s', 'training.throughput: 10.24 samples/s']); // prettier-ignore
  });

  it('reads the block for people, times and MB of 2^20 bytes included', () => {
    const read = readFixture('hf-trainer/metrics-block-only.txt');
    expect(messages(read)).toEqual([
      'WARNING 2 train_steps_per_second of 0.005 was left out: it is rounded to three decimals',
    ]);
    expect(lines(onlyRun(read))).toEqual([
      'training.throughput: 48.342 samples/s',
      'training.run_time: 3723.5 s',
      'quality.loss split=train: 0.5123 ',
      `memory.peak_growth: ${700 * 2 ** 20} B`,
    ]);
  });

  it('makes each row of a collection a run, without folders of a model', () => {
    const read = readFixture('hf-trainer/collected.csv');
    expect(messages(read)).toEqual(['WARNING 4 Rows without a result (train_samples_per_second) left out: 1']);
    expect(read.reading.runs).toMatchObject([
      { variant: 'none', environment: { 'gpu.count': 1 }, workload: { 'workload.model': 'acme/small-model', 'workload.precision': 'bf16', 'workload.settings.per_device_train_batch_size': 4 } },
      { variant: 'accelerated', environment: { 'gpu.count': 2 }, workload: { 'workload.model': 'private-model', 'workload.settings.fp16': true, 'workload.settings.peft_method': 'lora' } },
    ]); // prettier-ignore
    expect(all(read)[1]).toEqual([
      'training.throughput: 16.5 samples/s',
      'training.step_rate: 2.0625 steps/s',
      'training.token_throughput_per_gpu: 8448.25 tokens/s',
      'training.run_time: 30.25 s',
      'quality.loss split=train: 2.25 ',
      'memory.peak_allocated: 2097152000 B',
    ]);
  });

  it('asks whether 1,234 is a thousand', () => {
    const read = readFixture('hf-trainer/ambiguous-thousands.csv');
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)).toEqual([
      'ERROR 2 "1,234" may be a thousand or a decimal: send the file with decimal points',
    ]);
  });

  it.each([
    ['{"global_step": 10, "log_history": [{"loss": 2.5, "step": 10}]}', 'ERROR 1 This trainer_state.json is of a training that is not over: it has no train_runtime. Send the last one'],
    ["x\n{'loss': 2.5, 'grad_norm': 1.0, 'learning_rate': 1e-05, 'epoch': 0.1}\n", 'ERROR 2 This log of the Trainer has no summary (train_runtime): the training is not over, or the end is missing'],
  ])('says what is missing in %j', (text, message) => {
    expect(messages(readContent(text))).toEqual([message]);
  }); // prettier-ignore
});

describe('megatron-log', () => {
  it('takes the median of the steps behind the first, the slowest rank of each timer, and the memory of each rank', () => {
    const read = readFixture('megatron-log/iterations.txt');
    const run = onlyRun(read);
    expect(messages(read)).toEqual([`WARNING 23 ${WARM_UP(1, 12)}`]);
    expect(run).toMatchObject({ status: 'OK', startedAt: '2026-02-03T04:05:06.000Z', environment: { 'gpu.count': 8 } });
    expect(run.workload).toEqual({
      'workload.tool': 'megatron-log',
      'workload.phase': 'training',
      'workload.framework': 'megatron',
      'workload.precision': 'bf16',
      'workload.parallelism.tp': 4,
      'workload.parallelism.pp': 1,
      'workload.parallelism.dp': 2,
      'workload.parallelism.cp': 1,
      'workload.batch_size': 64,
      'workload.settings.micro_batch_size': 4,
      'workload.settings.seq_length': 4096,
      'workload.settings.num_layers': 24,
      'workload.settings.hidden_size': 2048,
      'workload.settings.recompute_granularity': 'selective',
      'workload.settings.sequence_parallel': true,
      'workload.settings.use_distributed_optimizer': true,
    });
    expect(lines(run)).toEqual([
      'training.step_time: 1020 ms (11)',
      'training.flops_per_gpu: 392.2 TFLOP/s (11)',
      'training.first_step_time: 9000 ms',
      'quality.loss split=train: 8.8 ',
      'quality.overflow_count: 0 count',
      'training.phase_time phase=forward-backward: 867 ms (11)',
      'training.phase_time phase=forward-compute: 316.2 ms (11)',
      'training.phase_time phase=optimizer: 50 ms (11)',
      'memory.peak_allocated rank=0: 1000.5 MiB',
      'memory.peak_reserved rank=0: 2000 MiB',
      'memory.peak_allocated rank=1: 1001.25 MiB',
      'memory.peak_reserved rank=1: 2002 MiB',
    ]);
    expect(observation(run, 'training.step_time')).toMatchObject({
      samples: [1020, 1030, 1040, 1000, 1010, 1020, 1030, 1040, 1000, 1010, 1020],
      distribution: { count: 11, min: 1000, p50: 1020, max: 1040 },
    });
    expect(observation(run, 'training.step_time').repeats).toBeUndefined();
    expect(JSON.stringify(run)).not.toContain('alice');
  });

  it('counts an iteration that several hosts print once, glued reports of memory included', () => {
    const read = readFixture('megatron-log/hosts-print-the-same.txt');
    const run = onlyRun(read);
    expect(run.environment).toEqual({ 'gpu.count': 8, deepspeed: '0.16.4', torch: '2.6.0+cu126', cuda: '12.6', vendor: 'nvidia' }); // prettier-ignore
    expect(lines(run).filter((line) => !line.startsWith('quality'))).toEqual([
      'training.step_time: 2008.5 ms (14)',
      `training.throughput: ${(31.857 + 31.873) / 2} samples/s (14)`,
      'training.flops_per_gpu: 149.365 TFLOP/s (14)',
      'training.first_step_time: 5000 ms',
      'training.phase_time phase=forward-compute: 502.125 ms (14)',
      'training.phase_time phase=backward-compute: 1004.25 ms (14)',
      'training.phase_time phase=optimizer: 75 ms (14)',
      'memory.peak_allocated rank=0: 300 MiB',
      'memory.peak_reserved rank=0: 450 MiB',
      'memory.peak_allocated rank=1: 310 MiB',
      'memory.peak_reserved rank=1: 460 MiB',
    ]);
    expect(JSON.stringify(read)).not.toContain('node-a');
  });

  it('keeps the batch sizes of a ramp-up apart', () => {
    const read = readFixture('megatron-log/batch-ramp-up.txt');
    expect(messages(read)).toEqual([
      `WARNING 1 ${WARM_UP(1, 30)}`,
      'WARNING 1 The global batch size changes (2 sizes): each has its own values',
    ]);
    expect(lines(onlyRun(read)).slice(0, 2)).toEqual([
      'training.step_time batch_size=32: 640 ms (14)',
      'training.step_time batch_size=64: 1280 ms (15)',
    ]);
    expect(onlyRun(read).workload['workload.batch_size']).toBeUndefined();
  });

  it('counts what was skipped or had NaN', () => {
    const read = readFixture('megatron-log/skipped-and-nan.txt');
    expect(messages(read)[1]).toBe(
      'WARNING 1 Iterations that were skipped or had NaN: 3. They may be faster than the others',
    );
    expect(observation(onlyRun(read), 'quality.overflow_count').value).toBe(3);
    expect(lines(onlyRun(read)).join()).not.toContain('first_step_time');
  });

  it('makes each training of a log a run', () => {
    const { runs } = readFixture('megatron-log/two-trainings.txt').reading;
    expect(runs.map((run) => observation(run, 'training.step_time').value)).toEqual([811, 711]);
  });

  it('makes one run of two logs that hold the same iterations', () => {
    const text = fixture('megatron-log/batch-ramp-up.txt');
    const twice = readContent(`${text}# the other node\n${text}`);
    expect(twice.reading.runs).toEqual(readContent(text).reading.runs);
  });

  it('leaves out a line that ends in the middle of a number', () => {
    const read = readFixture('megatron-log/cut-in-a-number.txt');
    expect(statuses(read)).toEqual(['PARTIAL']);
    expect(messages(read)).toEqual([
      'WARNING 15 The last line of an iteration is cut: iteration 15 was left out',
      `WARNING 1 ${WARM_UP(1, 14)}`,
      `WARNING 14 ${ENDS(14, 100)}`,
    ]);
    expect(observation(onlyRun(read), 'training.step_time').samples).toHaveLength(13);
  });

  it('drops every slow step at the start, but no more than a tenth and one', () => {
    const line = (index: number, time: number) =>
      ` iteration ${index}/ 40 | elapsed time per iteration (ms): ${time}.0 |`;
    const text = [9000, 8000, 7000, ...Array.from({ length: 37 }, () => 100)].map((time, index) => line(index + 1, time)).join('\n'); // prettier-ignore
    expect(messages(readContent(text))).toEqual([`WARNING 1 ${WARM_UP(3, 40)}`]);
    const slow = Array.from({ length: 40 }, (_, index) => line(index + 1, index < 15 ? 900 : 100)).join('\n');
    expect(messages(readContent(slow))).toEqual([`WARNING 1 ${WARM_UP(5, 40)}`]);
  });

  it('says so where hardly a step is left', () => {
    const read = readContent(fixture('megatron-log/two-trainings.txt').split('\n').slice(0, 2).join('\n'));
    expect(messages(read)).toEqual([
      'WARNING 2 Only 1 logged step is left: the median says little',
      `WARNING 2 ${ENDS(1, 20)}`,
    ]);
    expect(observation(onlyRun(read), 'training.step_time').samples).toBeUndefined();
  });

  it('says that the start of a log has no iterations', () => {
    const start = fixture('megatron-log/iterations.txt').split('\n').slice(0, 18).join('\n');
    expect(messages(readContent(start))).toEqual([
      'ERROR 2 This is the start of a Megatron log: no line of an iteration is in it. Send it with the iterations',
    ]);
  });
});

describe('deepspeed-flops-profiler', () => {
  it('makes each profile a run, with units as they are printed', () => {
    const read = readFixture('deepspeed-flops-profiler/two-profiles.txt');
    expect(messages(read)).toEqual([`WARNING 3 ${PROFILE}`, `WARNING 42 ${PROFILE}`]);
    expect(all(read)[0]).toEqual([
      'training.phase_time phase=forward: 11.5 ms',
      'training.phase_time phase=backward: 18 ms',
      'training.phase_time phase=optimizer: 500 us',
      'training.step_time: 30 ms',
      'training.flops_per_gpu phase=forward: 208.7 TFLOPS',
      'training.flops_per_gpu phase=backward: 266.67 TFLOPS',
      'training.flops_per_gpu phase=forward and backward: 244.07 TFLOPS',
      'training.flops_per_gpu: 240 TFLOPS',
      'training.throughput: 266.67 samples/s',
    ]);
    expect(read.reading.runs.map(({ workload }) => workload['workload.settings.profiled_step'])).toEqual([5, 10]);
    expect(read.reading.runs[1]).toMatchObject({
      environment: { 'gpu.count': 2 },
      workload: { 'workload.parallelism.dp': 2, 'workload.settings.forward_macs_per_gpu': '1.2 TMACs' },
    });
  });

  it.each([
    ['model-parallel', 'OK', 'samples/second was left out: DeepSpeed counts each sample once for each of 2 model-parallel ranks', 'training.throughput'],
    ['altered-iter-latency', 'PARTIAL', 'The iter latency was left out: it is not the sum of the fwd, bwd and step latencies', 'training.step_time'],
  ])('leaves out what cannot be true: %s', (name, status, message, metric) => {
    const read = readFixture(`deepspeed-flops-profiler/${name}.txt`);
    expect(statuses(read)).toEqual([status]);
    expect(messages(read)).toEqual([`WARNING 2 ${PROFILE}`, `WARNING 2 ${message}`]);
    expect(onlyRun(read).observations.map((each) => each.metric)).not.toContain(metric);
  }); // prettier-ignore

  it('reads a profile of a model without an engine', () => {
    expect(lines(onlyRun(readFixture('deepspeed-flops-profiler/without-engine.txt')))).toEqual([
      'training.phase_time phase=forward: 21.39 ms',
      'training.flops_per_gpu phase=forward: 41.1 GFLOPS',
    ]);
  });

  it('reads the timers of DeepSpeed, whose GB are 2^30 bytes', () => {
    const read = readFixture('deepspeed-flops-profiler/timers.txt');
    expect(messages(read)).toEqual([`WARNING 2 ${WARM_UP(1, 12)}`]);
    expect(lines(onlyRun(read))).toEqual([
      'training.throughput: 207 samples/s (11)',
      'memory.peak_allocated: 38.5 GiB',
      'training.phase_time phase=fwd_microstep: 17.25 ms (11)',
      'training.phase_time phase=bwd_microstep: 27.5 ms (11)',
      'training.phase_time phase=bwd_allreduce_microstep: 3 ms (11)',
      'training.phase_time phase=step_microstep: 1.5 ms (11)',
    ]);
  });

  it('reads the lines of the pipeline engine', () => {
    expect(lines(onlyRun(readFixture('deepspeed-flops-profiler/pipeline-engine.txt')))).toEqual([
      'training.step_time: 0.9075 s (12)',
      'training.throughput: 141.047 samples/s (12)',
    ]);
  });

  it('is not guessed where a log has iterations of Megatron too, but by its profile', () => {
    const iterations = fixture('megatron-log/hosts-print-the-same.txt');
    const withTimers = `${fixture('deepspeed-flops-profiler/timers.txt')}${iterations}`;
    expect(recognize(withTimers).map(({ tool }) => tool)).toEqual(['megatron-log']);
    const read = readContent(withTimers, 'deepspeed-flops-profiler');
    expect(messages(read)).toEqual([
      'WARNING 2 SamplesPerSec of 206.5 was left out: the iterations of Megatron in the same log say 31.86 samples/s',
    ]);
    expect(lines(onlyRun(read))).toEqual(['memory.peak_allocated: 38.5 GiB']);
    const withProfile = `${fixture('deepspeed-flops-profiler/two-profiles.txt')}${iterations}`;
    expect(readContent(withProfile)).toMatchObject({
      format: null,
      candidates: [
        { format: 'megatron-log', runCount: 1 },
        { format: 'deepspeed-flops-profiler', runCount: 2 },
      ],
    });
    expect(all(readContent(withProfile, 'megatron-log'))[0]?.[0]).toBe('training.step_time: 2008.5 ms (14)');
    expect(readContent(withProfile, 'deepspeed-flops-profiler').reading.runs).toHaveLength(2);
  });
});

describe('nemo-log', () => {
  it('reads the lines of NeMo 2, whose first average has step 0 in it', () => {
    const read = readFixture('nemo-log/printed-by-ray.txt');
    expect(messages(read)).toEqual([`WARNING 2 ${WARM_UP(1, 12)}`]);
    expect(statuses(read)).toEqual(['OK']);
    expect(lines(onlyRun(read))).toEqual([
      'training.step_time: 4.56 s (11)',
      'training.flops_per_gpu: 306 TFLOP/s (11)',
      'quality.loss split=train: 9.9 ',
      'training.effective_batch_size: 256 count',
    ]);
    expect(onlyRun(read).workload['workload.batch_size']).toBe(256);
  });

  it('drops nothing of a part of a log that begins later', () => {
    const later = fixture('nemo-log/printed-by-ray.txt').split('\n').slice(4).join('\n');
    expect(observation(onlyRun(readContent(later)), 'training.step_time').samples?.[0]).toBe(4.53);
  });

  it('reads the bars of NeMo 1: one step for a bar that is drawn twice, the count where the step is rounded', () => {
    const read = readFixture('nemo-log/bars-glued.txt');
    expect(lines(onlyRun(read))).toEqual([
      'training.step_time: 2.08 s (13)',
      'training.first_step_time: 30 s',
      'quality.loss split=train: 9.6 ',
    ]);
    expect(observation(onlyRun(read), 'training.step_time').samples).toEqual([
      2.02, 2.03, 2.04, 2.05, 2.06, 2.07, 2.08, 2.09, 2.1, 2.11, 2.12, 2.13, 2.14,
    ]);
  });

  it('reads records of DLLogger with their configuration', () => {
    const run = onlyRun(readFixture('nemo-log/dllogger-records.txt'));
    expect(run.startedAt).toBe('2026-02-02T02:40:20.000Z');
    expect(run.workload).toMatchObject({
      'workload.precision': 'bf16',
      'workload.batch_size': 512,
      'workload.parallelism.tp': 2,
      'workload.parallelism.pp': 4,
      'workload.settings.encoder_seq_length': 4096,
    });
    expect(lines(run)).toEqual([
      'training.step_time: 5.07 s (13)',
      'training.first_step_time: 20 s',
      'quality.loss split=train: 9.7 ',
      'training.effective_batch_size: 512 count',
    ]);
    expect(JSON.stringify(run)).not.toContain('alice');
  });

  it('says so where the step times are a running mean, and gives the time between the records', () => {
    const read = readFixture('nemo-log/running-mean.txt');
    expect(messages(read)[1]).toBe(
      'WARNING 2 The step times are a running mean with warm-up in it: 8.750 s, where the records are 5.000 s apart, which is given too',
    );
    expect(lines(onlyRun(read)).slice(0, 3)).toEqual([
      'training.step_time: 8.75 s (17)',
      'training.step_time clock=time of the records: 5 s (16)',
      'training.first_step_time: 50 s',
    ]);
  });

  it.each([
    ['lightning-epochs', 'OK', ['training.step_time: 0.5128205128205129 s (3)'], []],
    ['lightning-slow-and-stopped', 'PARTIAL', ['training.step_time: 1.9 s'], [`WARNING 3 ${ENDS(40, 100)}`]],
  ])('takes the rate of bars as the time of a step, in s/it and it/s: %s', (name, status, expected, more) => {
    const read = readFixture(`nemo-log/${name}.txt`);
    expect(statuses(read)).toEqual([status]);
    expect(messages(read)[0]).toContain('The step time is the rate of a progress bar');
    expect(messages(read).slice(1)).toEqual(more);
    expect(lines(onlyRun(read))).toEqual(expected);
  });

  it('reads bars of anything only where the format is named', () => {
    const bars = 'loading: 100%|██████████| 900/900 [00:01<00:00, 900.00it/s]\ntrain:  50%|█████     | 50/100 [00:25<00:25,  2.00it/s]\rtrain: 100%|██████████| 100/100 [00:50<00:00,  2.50it/s]\n'; // prettier-ignore
    expect(messages(readContent(bars))).toEqual([
      'ERROR 1 These are progress bars, which do not say what an iteration is: name the format nemo-log to take their rate as the step time',
    ]);
    expect(lines(onlyRun(readContent(bars, 'nemo-log')))).toEqual(['training.step_time: 0.4 s']);
  });
});

describe('mlperf-mllog', () => {
  it('gives the time to train of a success, behind a prefix of mpirun', () => {
    const read = readFixture('mlperf-mllog/success.txt');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read)).toMatchObject({
      status: 'OK',
      variant: '1xExample8',
      startedAt: '2026-02-02T02:40:00.000Z',
      environment: {
        driver: '550.54.15',
        cuda: '12.4.1',
        nccl: '2.21.5',
        os: 'Ubuntu 24.04',
        'gpu.name': 'NVIDIA H100-SXM5-80GB',
        'gpu.count': 16,
        'gpu.per_node': 8,
        'nodes.count': 2,
        'cpu.name': 'Example CPU 9000',
      },
    });
    expect(onlyRun(read).workload).toEqual({
      'workload.tool': 'mlperf-mllog',
      'workload.phase': 'training',
      'workload.model': 'llama2_70b_lora',
      'workload.batch_size': 16,
      'workload.settings.gradient_accumulation_steps': 2,
      'workload.settings.opt_name': 'adamw',
    });
    expect(lines(onlyRun(read))).toEqual([
      'training.time_to_quality: 600000 ms',
      'training.throughput: 4.1 samples/s (3)',
      'quality.loss split=validation: 0.92 ',
      'training.effective_batch_size: 16 count',
    ]);
    expect(JSON.stringify(read)).not.toContain('alice');
  });

  it('takes the accuracy of other benchmarks as a score', () => {
    expect(lines(onlyRun(readFixture('mlperf-mllog/accuracy-is-better-higher.txt')))[2]).toBe('quality.score split=validation: 0.759 '); // prettier-ignore
    const errorRate = readContent(fixture('mlperf-mllog/success.txt').replaceAll('llama2_70b_lora', 'rnnt'));
    expect(lines(onlyRun(errorRate)).join()).not.toContain('quality.');
  });

  it.each([
    ['aborted', 'FAILED', ['WARNING 18 The run ended with the status "aborted": it did not reach the target, there is no time to train']],
    ['no-end', 'PARTIAL', ['WARNING 18 Lines of MLLOG that could not be read and were left out: 1', 'WARNING 11 The log has no end of the run (run_stop): there is no time to train']],
    ['ends-before-it-starts', 'FAILED', ['ERROR 18 The run ends before it starts: the times are broken']],
  ])('gives no time to train of %s', (name, status, expected) => {
    const read = readFixture(`mlperf-mllog/${name}.txt`);
    expect(statuses(read)).toEqual([status]);
    expect(messages(read)).toEqual(expected);
    expect(lines(onlyRun(read)).join()).not.toContain('time_to_quality');
  }); // prettier-ignore

  it('makes each seed a run', () => {
    const { runs } = readFixture('mlperf-mllog/two-seeds.txt').reading;
    expect(runs.map((run) => observation(run, 'training.time_to_quality').value)).toEqual([600000, 620000]);
    expect(runs[1]?.workload).toEqual(runs[0]?.workload);
  });

  it.each([
    [':::MLPv0.5.0 resnet 1541635777.047 (train.py:10) run_start', 'ERROR - This is a log of MLPerf training v0.5 or v0.6, which is not read'],
    [':::MLLOG {"key": "loadgen_version", "value": "5.0"}', 'ERROR - This is the detail log of LoadGen: send mlperf_log_summary.txt, which has the results'],
  ])('says what to send instead of %j', (text, message) => {
    expect(messages(readContent(text))).toEqual([message]);
  }); // prettier-ignore
});

describe('dllogger', () => {
  it('takes the summary, with the finest steps behind the first as samples', () => {
    const read = readFixture('dllogger/summary.txt');
    expect(messages(read)).toEqual([]);
    const run = onlyRun(read);
    expect(run.startedAt).toBe('2026-02-03T04:05:01.000Z');
    expect(run.workload).toMatchObject({ 'workload.settings.batch_size': 128, 'workload.settings.amp': true });
    expect(lines(run)).toEqual([
      'quality.loss split=train: 6.45 ',
      'training.throughput: 242.5 samples/s (5)',
      'training.compute_throughput: 253 samples/s (5)',
      'training.data_load_time: 0.0045 s (5)',
      'training.compute_time: 0.51 s (5)',
      'quality.score split=validation score=top1: 13 ',
      'quality.score split=validation score=top5: 31 ',
    ]);
    expect(observation(run, 'training.throughput').samples).toEqual([241, 242, 243, 244, 245]);
    expect(JSON.stringify(run)).not.toContain('alice');
  });

  it('finds records behind progress bars, and values without units', () => {
    expect(lines(onlyRun(readFixture('dllogger/glued-to-bars.txt')))).toEqual([
      'training.run_time: 21.5 s',
      'training.throughput: 512.25 samples/s',
      'quality.loss split=train: 1.5 ',
    ]);
  });

  it('takes medians where there is no summary, and tokens as tokens', () => {
    const read = readFixture('dllogger/steps-only.txt');
    expect(statuses(read)).toEqual(['PARTIAL']);
    expect(messages(read)).toEqual([
      'WARNING 6 The log has no summary: the values are medians of what was logged behind the first',
    ]);
    expect(lines(onlyRun(read))).toEqual([
      'training.token_throughput: 90002.5 tokens/s (4)',
      'training.epoch_time: 10.25 s (4)',
    ]);
  });

  it('reads JSON with the units of its metadata', () => {
    expect(lines(onlyRun(readFixture('dllogger/json.txt')))).toEqual([
      'quality.loss split=train: 5.5 ',
      'training.throughput: 1002.25 samples/s (3)',
      'training.run_time: 90500 ms',
    ]);
  });

  it('leaves out a value in a unit of something else', () => {
    const text = fixture('dllogger/glued-to-bars.txt').replace('512.25 ', '512.25 frames/s');
    expect(lines(onlyRun(readContent(text))).join()).not.toContain('throughput');
  });
});

describe('dlio', () => {
  it('keeps epochs and blocks apart, and the first load apart from the others', () => {
    const read = readFixture('dlio/output-of-one-process.json');
    expect(statuses(read)).toEqual(['OK']);
    expect(messages(read)).toEqual([
      'WARNING 1 The file is of one process: its throughput is that of one accelerator, and the first load of each epoch stands apart',
    ]);
    const run = onlyRun(read);
    expect(run.environment).toEqual({ 'host.memory': 252, 'cpu.cores': 64 });
    expect(lines(run)).toHaveLength(22);
    expect(lines(run).slice(0, 6)).toEqual([
      'training.data_load_time epoch=1 block=block1: 0.004 s (5)',
      'training.first_data_load_time epoch=1 block=block1: 3 s',
      'training.step_time epoch=1 block=block1: 0.504 s (5)',
      'training.compute_time epoch=1 block=block1: 0.5 s (6)',
      'training.throughput_per_gpu epoch=1 block=block1: 8.5 samples/s',
      'training.accelerator_utilization epoch=1 block=block1: 97.5 %',
    ]);
    expect(lines(run).join('\n')).not.toMatch(/accelerator_utilization epoch=\d block=eval/);
    expect(JSON.stringify(read)).not.toContain('node7');
  });

  it('warns of blocks without a step', () => {
    const read = readFixture('dlio/one-step-and-none.json');
    expect(statuses(read)).toEqual(['PARTIAL']);
    expect(messages(read)[1]).toBe('WARNING 1 Blocks without any step were left out: 1');
    expect(lines(onlyRun(read))).toEqual([
      'training.data_load_time epoch=1 block=block1: 3 s',
      'training.step_time epoch=1 block=block1: 3.5 s',
      'training.compute_time epoch=1 block=block1: 0.5 s',
    ]);
  });

  it('reads the summary of all processes, whose MB are 2^20 bytes', () => {
    const read = readFixture('dlio/summary-below-expectation.json');
    expect(messages(read)).toEqual([
      'WARNING 1 The accelerators were used less than the benchmark demands (train_au_meet_expectation: fail)',
      'WARNING 1 The data of a host fit in its memory: after the first epoch it may come from the page cache',
    ]);
    const run = onlyRun(read);
    expect(run).toMatchObject({ startedAt: '2026-02-03T04:05:06.000Z', environment: { 'nodes.count': 2 } });
    expect(run.workload['workload.settings.num_accelerators']).toBe(16);
    expect(lines(run)).toEqual([
      'training.accelerator_utilization: 85 % (2)',
      'training.throughput: 105 samples/s (2)',
      'io.aggregate_read_bandwidth: 14680.5 MiB/s',
    ]);
  });

  it('says which file has the results', () => {
    expect(messages(readContent('{"1": {"start": "2026", "block1": {"start": "2026", "end": "2026"}}}'))).toEqual([
      'ERROR 1 This is per_epoch_stats.json of DLIO, which holds no steps: send summary.json or N_output.json',
    ]);
  });

  it('says in which line the file is cut', () => {
    const cut = fixture('dlio/output-of-one-process.json').split('\n').slice(0, 40).join('\n');
    expect(messages(readContent(cut, 'dlio'))).toEqual([expect.stringContaining('ERROR 40 The JSON is truncated')]);
  });
});

describe('speedrun-log', () => {
  it('takes the average of the tool, times of steps from the clock that begins anew, and no source code', () => {
    const read = readFixture('speedrun-log/warm-up-resets-the-clock.txt');
    expect(messages(read)).toEqual([]);
    const run = onlyRun(read);
    expect(run).toMatchObject({ status: 'OK', environment: { python: '3.12.7', torch: '2.7.0.dev20250110+cu126', cuda: '12.6' } }); // prettier-ignore
    expect(lines(run)).toEqual([
      'training.step_time: 150.3 ms (9)',
      'training.run_time: 1503 ms',
      'quality.loss split=validation: 6 ',
      'quality.loss split=train: 5.8 ',
      'memory.peak_allocated: 29003 MiB',
      'memory.peak_reserved: 31796 MiB',
    ]);
    expect(observation(run, 'training.step_time').samples).toEqual([148, 151, 151, 148, 151, 151, 148, 151, 152]);
  });

  it('gives no time of a run that was stopped', () => {
    const read = readFixture('speedrun-log/stopped-early.txt');
    expect(statuses(read)).toEqual(['PARTIAL']);
    expect(messages(read)).toEqual([`WARNING 51 ${ENDS(50, 1000)}`]);
    expect(lines(onlyRun(read))).toEqual(['training.step_time: 100 ms (50)', 'quality.loss split=validation: 5.5 ']);
  });

  it('gives no average of steps of warm-up', () => {
    const read = readFixture('speedrun-log/ended-in-warm-up.txt');
    expect(messages(read)[1]).toBe(
      'WARNING 2 No step has an average time (step_avg): the training ended during its warm-up',
    );
    expect(lines(onlyRun(read))).toEqual(['quality.loss split=train: 10 ']);
  });

  it('reads the GPUs, the driver and a second training of the same file', () => {
    const table = [
      '| NVIDIA-SMI 560.35.03              Driver Version: 560.35.03      CUDA Version: 12.6     |',
      '|   0  NVIDIA H100 80GB HBM3          On  |   00000000:61:00.0 Off |                    0 |',
      '|   1  NVIDIA H100 80GB HBM3          On  |   00000000:62:00.0 Off |                    0 |',
    ].join('\n');
    const text = `${table}\n${fixture('speedrun-log/bits-per-byte.txt')}`;
    const { runs } = readContent(
      `${text}${text.replace('step:0/100 val_loss:5.0000', 'step:0/100 val_loss:5.1000').replace('train_time:2150ms', 'train_time:2151ms').replace('4300ms step_avg', '4301ms step_avg')}`,
      'speedrun-log',
    ).reading;
    const machine = { driver: '560.35.03', 'driver.cuda': '12.6', vendor: 'nvidia', 'gpu.name': 'NVIDIA H100 80GB HBM3', 'gpu.sku': 'H100 80GB HBM3', 'gpu.count': 2 }; // prettier-ignore
    expect(runs.map(({ environment }) => environment)).toEqual([machine, machine]);
    expect(runs.map(lines)[1]).toEqual([
      'training.step_time: 43 ms (2)',
      'training.run_time: 4301 ms',
      'quality.loss split=validation: 3 ',
    ]);
  });

  it('does not take the source of a training for its log', () => {
    expect(recognize("print0(f'step:{step}/{train_steps} train_time:{training_time_ms:.0f}ms step_avg:{x:.2f}ms')")).toEqual([]); // prettier-ignore
  });
});

describe('every format of training', () => {
  const own = fixtures.filter(({ tool }) => tools.includes(tool));

  it.each(own)('$name is read the same with \\r\\n and colors', ({ name, tool }) => {
    const text = fixture(name);
    const plain = readContent(text, tool);
    expect(readContent(text.replace(/(?<!\r)\n/g, '\r\n'), tool)).toEqual(plain);
    expect(readContent(text.replace(/^/gm, '\u001b[0;32m'), tool)).toEqual(plain);
  });

  const logs = own.filter(({ name }) => !/\.(json|csv)$/.test(name));
  it.each(logs)('$name gives the same values behind the prefixes of launchers', ({ name, tool }) => {
    const text = fixture(name)
      .replaceAll('\r', '\n')
      .replaceAll(/^\([^)]+\) |^\[1,0\]<stdout>:|^node-a-0[12]: /gm, '');
    const plain = all(readContent(text, tool));
    for (const prefix of ['[1,0]<stdout>:', '(train pid=12) ', '[rank0]: ']) {
      expect(all(readContent(text.replace(/^(?!$)/gm, prefix), tool))).toEqual(plain);
    }
  });
});

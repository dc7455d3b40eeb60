import { describe, expect, it } from '@jest/globals';
import { readContent } from '../../src/domain/importers/index.js';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { fixture, fixtures, messages, observation, onlyRun, readFixture, values } from '../support/tool-output.js';

const ours = [
  'genai-perf-json', 'genai-perf-csv', 'genai-perf-console', 'aiperf-json', 'aiperf-csv', 'aiperf-console', 'aiperf-records',
  'perf-analyzer-console', 'perf-analyzer-csv', 'guidellm-json', 'guidellm-csv', 'guidellm-console', 'llama-bench-md',
  'llama-bench-json', 'llama-bench-csv', 'llama-bench-sql', 'trtexec',
]; // prettier-ignore

const statuses = (name: string): readonly string[] => readFixture(name).reading.runs.map(({ status }) => status);
const runAt = (name: string, index: number): ReadRun => {
  const run = readFixture(name).reading.runs[index];
  if (!run) throw new Error(`${name} holds no run ${index}`);
  return run;
};
/** Values by metric and point. */
const points = (run: ReadRun): Readonly<Record<string, number>> =>
  Object.fromEntries(
    run.observations.map(({ metric, dimensions, value }) => [[metric, ...Object.entries(dimensions).flat()].join(' '), value]),
  ); // prettier-ignore

const EMPTY = 'No request was completed: there is nothing to compare';
const LOAD =
  'The file does not say at which concurrency or request rate it was measured: give workload.concurrency or workload.request_rate';
const RATES = 'The rates count requests that were not completed as well: they are no rates of completed requests';
const NO_SPREAD = 'a deviation of zero, or one repetition: nothing is known of the spread. Repeat with -r 5 or more';
const SHIFTED = 'The row has 31 values for 30 names: it was read from its end, and flags of backends were left out';

describe('what is wrong with a result of an inference benchmark', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['genai-perf-json/flat-config.json', ['OK'], []],
    ['genai-perf-json/nested-config-telemetry.json', ['OK'], []],
    ['genai-perf-json/none-completed.json', ['FAILED'], [`ERROR 1 ${EMPTY}`]],
    ['genai-perf-csv/thousands.csv', ['OK'], [`WARNING 1 ${LOAD}`]],
    [
      'genai-perf-csv/telemetry.csv',
      ['OK'],
      [
        'WARNING 1 Only 80 requests were completed: the p99 is close to the maximum',
        'WARNING 1 Left out, since not measured: time_to_second_token',
        'WARNING 12 A request throughput of 0.3 is rounded by up to 1.7 %: a file of the tool with all digits is better',
        `WARNING 1 ${LOAD}`,
      ],
    ],
    [
      'genai-perf-csv/ambiguous-separator.csv',
      [],
      ['ERROR 2 "1,234" may be 1234 or 1.234: send the file as the tool wrote it'],
    ],
    ['genai-perf-console/llm-metrics.txt', ['OK'], []],
    ['genai-perf-console/rates-below.txt', ['OK'], [`WARNING 3 ${LOAD}`]],
    [
      'genai-perf-console/two-loads-second-cut.txt',
      ['OK', 'PARTIAL'],
      [
        'WARNING 21 Only 40 requests were completed: the p99 is close to the maximum',
        'WARNING 21 The table has no lower border: the output is not complete',
      ],
    ],
    [
      'genai-perf-console/narrow-terminal.txt',
      ['OK'],
      [
        'WARNING 3 The terminal was too narrow and cut numbers of time_to_first_token: they were left out. The JSON file of the tool is better',
        `WARNING 3 ${LOAD}`,
      ],
    ],
    [
      'aiperf-json/telemetry-with-errors.json',
      ['PARTIAL'],
      ['WARNING 1 2 of 122 requests failed (1.6 %): latencies are those of the others'],
    ],
    [
      'aiperf-json/cancelled-altered-throughput.json',
      ['PARTIAL'],
      [
        'WARNING 1 The request throughput of 3 was left out: 120 requests in 60 s are 2 per second',
        'WARNING 1 The run was cancelled: it is not complete',
      ],
    ],
    ['aiperf-json/every-request-failed.json', ['FAILED'], [`ERROR 1 ${EMPTY}`]],
    [
      'aiperf-csv/telemetry.csv',
      ['PARTIAL'],
      ['WARNING 1 6 of 126 requests failed (4.8 %): latencies are those of the others', `WARNING 1 ${LOAD}`],
    ],
    [
      'aiperf-console/profile.txt',
      ['OK'],
      ['WARNING 5 Only 60 requests were completed: the p99 is close to the maximum'],
    ],
    [
      'aiperf-records/profile-export.jsonl',
      ['PARTIAL'],
      [
        'WARNING 1 1 of 4 requests failed (25.0 %): latencies are those of the others',
        'WARNING 1 Only 3 requests were completed: the p99 is close to the maximum',
        'WARNING 6 A line that is no record of a request was left out: the file may be cut off',
        `WARNING 1 ${LOAD}`,
      ],
    ],
    [
      'perf-analyzer-console/sweep-last-unstable.txt',
      ['OK', 'OK'],
      ['WARNING 55 perf_analyzer found no stable measurement for a load, which is therefore missing'],
    ],
    [
      'perf-analyzer-console/batch-at-request-rate.txt',
      ['OK'],
      [
        'WARNING 16 perf_analyzer could not keep up with the load that it was asked for: the client may have been the limit, not the server',
      ],
    ],
    ['perf-analyzer-console/summary-alone.txt', ['OK', 'OK'], []],
    [
      'perf-analyzer-console/ensemble-cut-off.txt',
      ['OK', 'PARTIAL'],
      [
        'WARNING 11 Only 90 requests were completed: the p99 is close to the maximum',
        'WARNING 32 The block has no throughput or no latency: the output is not complete',
      ],
    ],
    ['perf-analyzer-csv/verbose-with-gpus.csv', ['OK', 'OK'], []],
    [
      'perf-analyzer-csv/part-of-ensemble-with-bad-row.csv',
      ['OK'],
      [
        'WARNING 1 The table has no latencies: it is of a model inside an ensemble, and its throughput is derived from that of the whole',
        'WARNING 3 The row was left out: it has no load and throughput, or fewer cells than the header',
      ],
    ],
    [
      'guidellm-json/sweep-0-3.json',
      ['OK', 'PARTIAL', 'FAILED'],
      [
        'WARNING 1 synchronous: Only 3 requests were completed: the p99 is close to the maximum',
        'WARNING 1 synchronous: 1 request was in flight at the end and not counted, 3 completed: measure for longer',
        'WARNING 1 constant@2.5: 30 of 180 requests failed (16.7 %): latencies are those of the others',
        `WARNING 1 throughput: ${EMPTY}`,
      ],
    ],
    ['guidellm-json/concurrent-0-6.json', ['OK'], []],
    [
      'guidellm-json/second-cut-off.json',
      ['OK'],
      ['WARNING 565 The JSON is truncated: it ends in line 565, inside a value'],
    ],
    ['guidellm-csv/one-line-of-names.csv', ['OK', 'OK'], []],
    [
      'guidellm-csv/three-lines-of-names.csv',
      ['OK'],
      [
        'WARNING 1 concurrent@16: 40 requests were in flight at the end and not counted, 120 completed: measure for longer',
      ],
    ],
    [
      'guidellm-console/tables-0-3.txt',
      ['OK', 'PARTIAL'],
      ['WARNING 24 poisson@2.5: 30 of 180 requests failed (16.7 %): latencies are those of the others'],
    ],
    [
      'guidellm-console/wrapped-at-80-cut-off.txt',
      ['OK'],
      [
        'WARNING 37 A benchmark was left out: its row ends in the middle, the output is not complete',
        'WARNING 38 Line 38 is the last one and breaks off: others of its kind go on. Send the whole file',
      ],
    ],
    ['guidellm-console/tables-0-4.txt', ['OK', 'OK'], [`WARNING 32 concurrent: ${LOAD}`]],
    [
      'guidellm-console/tables-0-6.txt',
      ['OK', 'OK'],
      [`WARNING 42 ${RATES}`, `WARNING 32 concurrent: ${LOAD}`, `WARNING 43 ${RATES}`],
    ],
    ['llama-bench-md/two-settings.txt', ['OK', 'OK'], []],
    [
      'llama-bench-md/lost-sign-bad-row-no-build.txt',
      ['OK'],
      [
        'WARNING 5 The row "tg 256 failed" was left out: its numbers cannot be read',
        `WARNING 4 A test has ${NO_SPREAD}`,
        'WARNING 1 The line "build:" after the table is missing: the build is not known, and rows may be missing',
      ],
    ],
    ['llama-bench-json/array.json', ['OK', 'OK'], []],
    [
      'llama-bench-json/messages-before-lines.jsonl',
      ['OK'],
      [`WARNING 3 2 tests have ${NO_SPREAD}`, 'WARNING 5 The JSON is truncated: it ends in line 5, inside a text'],
    ],
    [
      'llama-bench-json/altered-throughput.json',
      ['OK'],
      [
        'WARNING 1 The throughput of 20480 was left out: 512 tokens in 50000000 ns are 10240 per second',
        'WARNING 1 The test was left out: it has no tokens or no throughput',
      ],
    ],
    ['llama-bench-csv/two-tests.csv', ['OK'], []],
    [
      'llama-bench-csv/one-value-too-many.csv',
      ['OK'],
      [
        `WARNING 2 ${SHIFTED}`,
        `WARNING 3 ${SHIFTED}`,
        'WARNING 4 The row was left out: its values do not fit the names of the columns',
      ],
    ],
    ['llama-bench-sql/apostrophe.sql', ['OK'], []],
    [
      'trtexec/one-line-summary.txt',
      ['OK'],
      ['WARNING 39 trtexec calls the GPU compute time unstable (coefficient of variation 2.5 %): lock the clocks'],
    ],
    ['trtexec/multi-line-summary.txt', ['OK'], []],
    [
      'trtexec/few-queries-cut-off.txt',
      ['PARTIAL'],
      [
        'WARNING 31 The summary is not complete: the log is cut off',
        'WARNING 31 Only 60 queries were measured: the p99 is close to the maximum',
      ],
    ],
    [
      'trtexec/build-only-then-failed.txt',
      [],
      [
        'ERROR 1 There is no performance summary: trtexec only built the engine, or the log is cut off before it',
        'ERROR 23 trtexec failed: this is no measurement',
      ],
    ],
  ])('is said of %s', (name, expected, problems) => {
    expect(messages(readFixture(name))).toEqual(problems);
    expect(statuses(name)).toEqual(expected);
  });

  it.each(fixtures.filter(({ tool }) => ours.includes(tool)))(
    'never tells of a person or a machine: $name',
    ({ name }) => {
      expect(JSON.stringify(readFixture(name))).not.toMatch(/alice|private|sk-|node17|GPU-aaaa|\/home\//);
    },
  );

  it.each([
    ['{"experiments":[{"requests":[{"response_timestamps":[1]}]}],"service_kind":"openai"}', 'profile_export_genai_perf.json'],
    ['{"timeslices":[{"timeslice_index":0}]}', 'profile_export_aiperf.json'],
    ['*** Measurement Settings ***\n  Service Kind: TRITON\n', 'measured nothing'],
    ['{"benchmarks":[{"results":[{"first_token_set":true,"decode_times":{}}]}]}', 'before 0.2 is not read'],
    ['| llama 8B | 4.58 GiB | 8.03 B | CUDA | 99 | pp512 | 11500.25 ± 45.50 |', 'without the line of names'],
  ])('is said of what comes near: %s', (text, message) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(message)]);
  }); // prettier-ignore
});

describe('genai-perf', () => {
  it('reads the distributions, and the latency between tokens as the time per output token', () => {
    const run = onlyRun(readFixture('genai-perf-json/flat-config.json'));
    expect(values(run)).toMatchObject({
      'serving.request_throughput': 9.75,
      'serving.ttft.mean': 100.25,
      'serving.ttft.p99': 140,
      'serving.tpot.mean': 10.5,
      'serving.tpot.std': 0.5,
      'serving.e2e_latency.p95': 840,
      'serving.output_token_throughput': 650.5,
      'serving.output_token_throughput_per_user': 82.5,
    });
    expect(Object.keys(values(run)).filter((metric) => metric.includes('.itl.'))).toEqual([]);
  });

  it('reads the workload from the configuration of any version', () => {
    expect(onlyRun(readFixture('genai-perf-json/flat-config.json')).workload).toMatchObject({
      'workload.tool': 'genai-perf',
      'workload.model': 'example/Model-8B',
      'workload.backend': 'chat',
      'workload.concurrency': 8,
      'workload.input_tokens': 200,
      'workload.output_tokens': 67,
      'workload.settings.output_tokens_mean': 64,
    });
    expect(onlyRun(readFixture('genai-perf-json/nested-config-telemetry.json')).workload).toMatchObject({
      'workload.model': 'Model-70B',
      'workload.request_rate': 5,
      'workload.settings.input_tokens_mean': 512,
      'workload.settings.output_tokens_stddev': 2,
    });
  });

  it('reads each GPU, a goodput of zero, and the count behind the distributions', () => {
    const run = onlyRun(readFixture('genai-perf-json/nested-config-telemetry.json'));
    expect(points(run)).toMatchObject({
      'gpu.power_draw gpu 0': 310.5,
      'gpu.power_draw gpu 1': 305.25,
      'gpu.utilization gpu 1': 0,
      'serving.request_goodput': 0,
      'serving.generation_speed': 95.25,
    });
    expect(observation(run, 'serving.ttft.mean').distribution).toEqual({
      count: 270, mean: 100.25, sd: 10.5, min: 80, p50: 99, p90: 115, p99: 140, max: 150,
    }); // prettier-ignore
    expect(Object.keys(points(run)).filter((point) => point.startsWith('energy'))).toEqual([]);
  });

  it('reads separators of thousands in CSV', () => {
    expect(values(onlyRun(readFixture('genai-perf-csv/thousands.csv')))).toMatchObject({
      'serving.ttft.mean': 1016.5,
      'serving.e2e_latency.p99': 4347.5,
      'serving.output_token_throughput': 2030.75,
      'serving.request_throughput': 29.25,
    });
  });

  it('reads the table of the console with the command before it', () => {
    const run = onlyRun(readFixture('genai-perf-console/llm-metrics.txt'));
    expect(values(run)).toEqual({
      'serving.ttft.mean': 1100.25,
      'serving.ttft.p90': 1150.25,
      'serving.ttft.p99': 1400.5,
      'serving.tpot.mean': 10.5,
      'serving.tpot.p90': 11.25,
      'serving.tpot.p99': 12.25,
      'serving.e2e_latency.mean': 1800.25,
      'serving.e2e_latency.p90': 1830.25,
      'serving.e2e_latency.p99': 1880.5,
      'serving.generation_speed': 95.25,
      'serving.output_token_throughput': 650.25,
      'serving.request_throughput': 9.75,
      'serving.completed_requests': 585,
    });
    expect(run.workload).toMatchObject({ 'workload.concurrency': 8, 'workload.settings.input_tokens_mean': 200 });
    expect(run.command).toContain('genai-perf profile -m example/Model-8B');
  });

  it('gives each table the load of the command before it', () => {
    const { runs } = readFixture('genai-perf-console/two-loads-second-cut.txt').reading;
    expect(runs.map(({ workload }) => workload['workload.concurrency'])).toEqual([8, 16]);
  });

  it('leaves out what the terminal cut', () => {
    const run = onlyRun(readFixture('genai-perf-console/narrow-terminal.txt'));
    expect(Object.keys(values(run)).filter((metric) => metric.includes('ttft'))).toEqual([]);
  });

  it.each([
    ['colors', (text: string) => text.replaceAll('avg', '\u001b[32mavg\u001b[0m')],
    ['\\r\\n', (text: string) => text.replaceAll('\n', '\r\n')],
    ['the box of an old terminal', (text: string) => text.replace(/[┃│]/g, '|').replace(/[┏┓┳┡┩╇└┘┴]/g, '+').replace(/[━─]/g, '-')],
    ['a progress bar', (text: string) => `Progress:   0%|  | 0/9\rProgress: 100%|##| 9/9\r\n${text}`],
  ])('reads the same in spite of %s', (_, change) => {
    const text = fixture('genai-perf-console/llm-metrics.txt');
    expect(values(onlyRun(readContent(change(text))))).toEqual(values(onlyRun(readContent(text))));
  }); // prettier-ignore
});

describe('aiperf', () => {
  it('reads both latencies between tokens, the load and the engine of the profile', () => {
    const run = onlyRun(readFixture('aiperf-json/telemetry-with-errors.json'));
    expect(points(run)).toMatchObject({
      'serving.tpot.mean': 10.5,
      'serving.itl.mean': 10.75,
      'serving.itl.p99': 16,
      'serving.time_to_second_token.mean': 11.5,
      'serving.prefill_throughput_per_user': 1280.5,
      'serving.duration': 60,
      'serving.completed_requests': 120,
      'serving.failed_requests': 2,
      'gpu.temperature gpu 1': 61.5,
    });
    expect(run).toMatchObject({
      toolVersion: '0.3.0',
      startedAt: '2026-02-03T04:05:06.250Z',
      environment: { 'gpu.name': 'NVIDIA H200', 'gpu.sku': 'H200', vendor: 'nvidia' },
    });
    expect(run.workload).toMatchObject({ 'workload.concurrency': 4, 'workload.input_tokens': 128 });
  });

  it('reads what the monitor says of a GPU, memory in MiB and energy between its first and last reading', () => {
    const run = onlyRun(readFixture('aiperf-json/telemetry-with-errors.json'));
    const ofFirst = run.observations.filter(({ metric, dimensions }) => metric.startsWith('gpu.') && dimensions.gpu === 0);
    expect(ofFirst.map(({ metric, value, unit }) => [metric, value, unit]).sort()).toEqual([
      ['gpu.energy', 125_000, 'J'],
      ['gpu.memory_clock', 3201, 'MHz'],
      ['gpu.memory_used', 63_000, 'MiB'],
      ['gpu.memory_used_peak', 64_000, 'MiB'],
      ['gpu.memory_utilization', 0, 'percent'],
      ['gpu.power_draw', 410.5, 'W'],
      ['gpu.power_draw_peak', 500, 'W'],
      ['gpu.sm_clock_mean', 1755.5, 'MHz'],
      ['gpu.temperature', 61.5, '°C'],
      ['gpu.utilization', 88.5, 'percent'],
    ]);
    const ofSecond = points(run);
    expect(ofSecond['gpu.energy gpu 1']).toBe(121_000);
    // in another unit than the tool writes
    expect(Object.keys(ofSecond)).not.toContain('gpu.sm_clock_mean gpu 1');
  }); // prettier-ignore

  it('counts a GPU once that two exporters show', () => {
    const run = onlyRun(readFixture('aiperf-json/telemetry-with-errors.json'));
    const powers = run.observations.filter(({ metric }) => metric === 'gpu.power_draw');
    expect(powers.map(({ dimensions, value }) => [dimensions.gpu, value])).toEqual([[0, 410.5], [1, 405.25]]); // prettier-ignore
  });

  it('reads the load of the phase that is measured', () => {
    const run = onlyRun(readFixture('aiperf-json/cancelled-altered-throughput.json'));
    expect(run.workload).toMatchObject({ 'workload.model': 'example/Model-8B', 'workload.request_rate': 2.5 });
    expect(run.workload).not.toHaveProperty(['workload.concurrency']);
  });

  it('reads the same from CSV and from the console, as far as they go', () => {
    const csv = points(onlyRun(readFixture('aiperf-csv/telemetry.csv')));
    expect(csv).toMatchObject({
      'serving.ttft.p95': 120,
      'serving.failed_requests': 6,
      'gpu.power_draw gpu 1': 405.25,
    });
    const run = onlyRun(readFixture('aiperf-console/profile.txt'));
    expect(values(run)).toMatchObject({ 'serving.ttft.median': 99.5, 'serving.e2e_latency.mean': 1800.25 });
    expect(run.workload).toMatchObject({ 'workload.concurrency': 4, 'workload.input_tokens': 128 });
  });

  it('computes what the records of single requests say, without warm-up and failures', () => {
    const run = onlyRun(readFixture('aiperf-records/profile-export.jsonl'));
    expect(values(run)).toMatchObject({
      'serving.request_throughput': 1.5,
      'serving.output_token_throughput': 6,
      'serving.duration': 2,
      'serving.ttft.mean': 110,
      'serving.e2e_latency.median': 143,
      'serving.tpot.mean': 11,
      'serving.itl.p90': 12,
      'serving.completed_requests': 3,
      'serving.failed_requests': 1,
    });
    expect(observation(run, 'serving.ttft.mean').samples).toEqual([100, 110, 120]);
    expect(observation(run, 'serving.itl.mean').samples).toHaveLength(9);
    expect(run.startedAt).toBe('2026-02-03T04:05:06.000Z');
  });

  it('reads more records than one JSON file may hold values', () => {
    const record = fixture('aiperf-records/profile-export.jsonl').split('\n')[1] ?? '';
    const { reading } = readContent(`${record}\n`.repeat(12_000));
    const run = reading.runs[0];
    expect(run?.observations.find(({ metric }) => metric === 'serving.completed_requests')?.value).toBe(12_000);
    expect(run?.observations.find(({ metric }) => metric === 'serving.itl.mean')?.samples).toHaveLength(10_000);
  });
});

describe('perf-analyzer', () => {
  it('joins a block with its line of the summary, and gives the last three windows as repeats', () => {
    const run = runAt('perf-analyzer-console/sweep-last-unstable.txt', 0);
    expect(values(run)).toEqual({
      'serving.request_throughput': 250.25,
      'serving.e2e_latency.mean': 4000,
      'serving.e2e_latency.std': 120,
      'serving.e2e_latency.median': 3950,
      'serving.e2e_latency.p90': 4100,
      'serving.e2e_latency.p95': 4200,
      'serving.e2e_latency.p99': 4500,
      'serving.queue_time': 400,
      'serving.compute_input_time': 30,
      'serving.compute_time': 3000,
      'serving.compute_output_time': 50,
      'serving.completed_requests': 4502,
    });
    expect(observation(run, 'serving.request_throughput').repeats).toEqual([249.75, 250.25, 250.5]);
    expect(observation(run, 'serving.e2e_latency.mean')).toMatchObject({ unit: 'us', repeats: [4010, 4000, 3990] });
    expect(run.workload).toEqual({
      'workload.tool': 'perf-analyzer',
      'workload.model': 'densenet_onnx',
      'workload.backend': 'triton',
      'workload.batch_size': 1,
      'workload.concurrency': 1,
    });
  });

  it('takes inferences of batches for no requests', () => {
    const run = onlyRun(readFixture('perf-analyzer-console/batch-at-request-rate.txt'));
    expect(values(run)).toMatchObject({ 'serving.inference_throughput': 380.5, 'serving.e2e_latency.p95': 18000 });
    expect(Object.keys(values(run))).not.toContain('serving.request_throughput');
    expect(run.workload).toMatchObject({ 'workload.request_rate': 50, 'workload.batch_size': 8 });
  });

  it('reads which latency a summary is about', () => {
    expect(values(runAt('perf-analyzer-console/summary-alone.txt', 1))).toEqual({
      'serving.request_throughput': 974.5,
      'serving.e2e_latency.p99': 16977,
    });
  });

  it('keeps the times of an ensemble apart from those of its parts', () => {
    expect(values(runAt('perf-analyzer-console/ensemble-cut-off.txt', 0))).toMatchObject({
      'serving.queue_time': 900,
      'serving.compute_time': 47000,
    });
  });

  it('reads microseconds and GPUs of each row of CSV', () => {
    const { runs } = readFixture('perf-analyzer-csv/verbose-with-gpus.csv').reading;
    expect(runs.map(({ workload }) => workload['workload.concurrency'])).toEqual([1, 2]);
    const run = runAt('perf-analyzer-csv/verbose-with-gpus.csv', 1);
    expect(points(run)).toEqual({
      'serving.request_throughput': 300.75,
      'serving.e2e_latency.mean': 6610,
      'serving.queue_time': 2900,
      'serving.compute_input_time': 30,
      'serving.compute_time': 3100,
      'serving.compute_output_time': 50,
      'serving.network_time': 520,
      'serving.e2e_latency.median': 6500,
      'serving.e2e_latency.p90': 6900,
      'serving.e2e_latency.p95': 7100,
      'serving.e2e_latency.p99': 7500,
      'gpu.utilization gpu 0': 0.925,
      'gpu.utilization gpu 1': 0,
      'gpu.power_draw gpu 0': 330.25,
      'gpu.power_draw gpu 1': 90.5,
    });
    expect(observation(run, 'gpu.utilization', { gpu: 0 }).unit).toBe('ratio');
  });
});

describe('guidellm', () => {
  it('reads each benchmark of a report with its load, and requests where all are there', () => {
    const { runs } = readFixture('guidellm-json/sweep-0-3.json').reading;
    const loads = runs.map(({ variant, workload }) => [variant, workload['workload.concurrency'], workload['workload.request_rate']]);
    expect(loads).toEqual([
      ['synchronous', 1, undefined],
      ['constant@2.5', undefined, 2.5],
      ['throughput', undefined, 'unlimited'],
    ]);
    const run = runAt('guidellm-json/sweep-0-3.json', 0);
    expect(observation(run, 'serving.e2e_latency.mean')).toMatchObject({ value: 1.5, unit: 's', samples: [1.2, 1.4, 2.5] });
    expect(observation(run, 'serving.ttft.mean').samples).toEqual([50, 58.5, 99]);
    expect(run.workload).toMatchObject({ 'workload.dataset': 'synthetic', 'workload.settings.input_tokens_mean': 256 });
  }); // prettier-ignore

  it('reads a report of a later version', () => {
    const run = onlyRun(readFixture('guidellm-json/concurrent-0-6.json'));
    expect(values(run)).toMatchObject({
      'serving.request_throughput': 4,
      'serving.input_token_throughput': 1024.5,
      'serving.mean_concurrent_requests': 15.5,
      'serving.ttft.median': 58.5,
      'serving.tpot.mean': 11.25,
      'serving.normalized_latency.mean': 11.75,
      'serving.time_to_first_output_token.p99': 97.5,
      'serving.completed_requests': 120,
      'serving.failed_requests': 0,
    });
    expect(observation(run, 'serving.tpot.mean')).toMatchObject({ distribution: { count: 120, max: 13 } });
    expect(observation(run, 'serving.e2e_latency.mean')).not.toHaveProperty('samples', [1.4]);
    expect(run).toMatchObject({
      toolVersion: '0.6.1',
      startedAt: '2026-02-03T04:05:06.250Z',
      variant: 'concurrent@16',
    });
    expect(run.workload).toMatchObject({ 'workload.concurrency': 16, 'workload.dataset': 'chat-prompts.jsonl' });
  });

  it('reads the tables of both layouts of CSV', () => {
    const old = runAt('guidellm-csv/one-line-of-names.csv', 1);
    expect(old.workload).toMatchObject({ 'workload.model': 'example/Model-8B', 'workload.request_rate': 2.5 });
    expect(values(old)).toMatchObject({ 'serving.request_throughput': 2.25, 'serving.ttft.p95': 80, 'serving.tpot.median': 11 });
    const run = onlyRun(readFixture('guidellm-csv/three-lines-of-names.csv'));
    expect(run.workload).toMatchObject({ 'workload.concurrency': 16, 'workload.settings.output_tokens_mean': 128 });
    expect(values(run)).toMatchObject({
      'serving.request_throughput': 4,
      'serving.e2e_latency.p99': 2.4,
      'serving.total_token_throughput': 1536,
      'serving.duration': 30,
    });
    expect(observation(run, 'serving.ttft.mean').distribution).toMatchObject({ count: 120, min: 50, p50: 58.5, max: 99 });
  }); // prettier-ignore

  it('takes the request latency of the console for seconds, whatever 0.2 says of it', () => {
    const run = runAt('guidellm-console/tables-0-3.txt', 1);
    expect(observation(run, 'serving.e2e_latency.p99')).toMatchObject({ value: 3.6, unit: 's' });
    expect(values(run)).toMatchObject({ 'serving.failed_requests': 30, 'serving.output_token_throughput': 288 });
  });

  it('reads the same rows that a pipe broke after 80 characters', () => {
    expect(runAt('guidellm-console/wrapped-at-80-cut-off.txt', 0)).toEqual(runAt('guidellm-console/tables-0-3.txt', 0));
  });

  it.each(['tables-0-4', 'tables-0-6'])('reads the columns of the console by their three lines of names: %s', (name) => {
    const run = runAt(`guidellm-console/${name}.txt`, 1);
    expect(values(run)).toEqual({
      'serving.request_throughput': 4,
      'serving.input_token_throughput': 1024.5,
      'serving.output_token_throughput': 512.5,
      'serving.total_token_throughput': 1537,
      'serving.mean_concurrent_requests': 15.5,
      'serving.e2e_latency.median': 2.8,
      'serving.e2e_latency.p95': 4,
      'serving.ttft.median': 99.5,
      'serving.ttft.p95': 180,
      'serving.tpot.median': 21,
      'serving.tpot.p95': 22.5,
      'serving.normalized_latency.median': 21.5,
      'serving.normalized_latency.p95': 22.8,
      'serving.duration': 30,
    });
    expect(run.workload).toMatchObject({ 'workload.input_tokens': 256, 'workload.output_tokens': 128 });
  }); // prettier-ignore
});

describe('llama-bench', () => {
  it('makes the tests of each setting one run, with a point for each test', () => {
    const { runs } = readFixture('llama-bench-md/two-settings.txt').reading;
    expect(runs.map(points)).toEqual([
      { 'inference.prompt_throughput n_prompt 512': 11500.25, 'inference.generation_throughput n_gen 128': 205.75 },
      {
        'inference.prompt_throughput n_prompt 512': 12600.5,
        'inference.prompt_throughput n_prompt 512 n_depth 1024': 12100.75,
        'inference.mixed_throughput n_prompt 512 n_gen 128': 3100.25,
      },
    ]);
    expect(runs.map(({ workload }) => workload['workload.settings.flash_attn'])).toEqual([false, true]);
    expect(runs[0]).toMatchObject({
      toolVersion: 'b6543 (0123abcd)',
      environment: { 'gpu.sku': 'H200', 'gpu.count': 2 },
      workload: { 'workload.framework': 'llama.cpp', 'workload.model': 'llama 8B Q4_K - Medium' },
    });
  });

  it('reads each repetition as a repeat', () => {
    const run = runAt('llama-bench-json/array.json', 0);
    expect(observation(run, 'inference.prompt_throughput', { n_prompt: 512 }).repeats).toEqual([10240, 12800, 10240]);
    expect(observation(run, 'inference.prompt_time', { n_prompt: 512 })).toMatchObject({
      value: 46666666,
      unit: 'ns',
      repeats: [50000000, 40000000, 50000000],
    });
    expect(runAt('llama-bench-json/array.json', 1).workload['workload.settings.n_ubatch']).toBe(1024);
    expect(run).toMatchObject({ startedAt: '2026-02-03T04:05:06.000Z', environment: { 'cpu.name': 'Example CPU' } });
  });

  it.each(['llama-bench-csv/two-tests.csv', 'llama-bench-csv/one-value-too-many.csv', 'llama-bench-sql/apostrophe.sql'])(
    'says the same in %s as in JSON, without the repetitions',
    (name) => {
      const json = runAt('llama-bench-json/array.json', 0);
      const run = onlyRun(readFixture(name));
      expect(json.observations).toMatchObject(
        run.observations.map(({ metric, dimensions, value, unit }) => ({ metric, dimensions, value, unit })).concat(
          json.observations.slice(4).map(({ metric, dimensions, value, unit }) => ({ metric, dimensions, value, unit })),
        ),
      );
      expect(run.workload).toEqual(json.workload);
    },
  ); // prettier-ignore

  it('reads a sign between mean and deviation that lost its encoding', () => {
    expect(points(onlyRun(readFixture('llama-bench-md/lost-sign-bad-row-no-build.txt')))).toEqual({
      'inference.prompt_throughput n_prompt 512': 2405.5,
      'inference.generation_throughput n_gen 128': 131.25,
    });
  });
});

describe('trtexec', () => {
  it('leaves out a fact that is beyond all bounds', () => {
    const text = fixture('trtexec/one-line-summary.txt').replace(/SMs: \d+/g, `SMs: ${'9'.repeat(400)}`);
    const { environment } = onlyRun(readContent(text));
    expect(environment['gpu.name']).toBeDefined();
    expect(environment).not.toHaveProperty('gpu.multiprocessors');
  });

  it('reads the summary of one line for each time', () => {
    const run = onlyRun(readFixture('trtexec/one-line-summary.txt'));
    expect(values(run)).toMatchObject({
      'inference.query_throughput': 500,
      'inference.gpu_compute_time.median': 1.9,
      'inference.gpu_compute_time.mean': 1.925,
      'inference.gpu_compute_time.p99': 2.5,
      'inference.latency.p95': 2.7,
      'inference.enqueue_time.median': 0.4,
      'inference.h2d_time.mean': 0.35,
      'inference.d2h_time.median': 0.225,
      'inference.gpu_compute_total': 2.8875,
      'inference.duration': 3,
      'inference.engine_build_time': 42.5,
    });
    expect(observation(run, 'inference.gpu_compute_time.mean').distribution).toMatchObject({ count: 1500, max: 2.75 });
    expect(run).toMatchObject({
      toolVersion: '8.6.1',
      startedAt: '2026-02-03T04:05:06.000Z',
      command: 'trtexec --onnx=~/models/resnet50.onnx --fp16',
      environment: { 'gpu.sku': 'H200', 'gpu.computeCapability': '9.0', 'gpu.multiprocessors': 132, tensorrt: '8.6.1' },
      workload: { 'workload.model': 'resnet50.onnx', 'workload.precision': 'fp32+fp16' },
    });
  });

  it('reads the summary of several lines, with the wait for the query before', () => {
    expect(values(onlyRun(readFixture('trtexec/multi-line-summary.txt')))).toEqual({
      'inference.query_throughput': 320,
      'inference.gpu_compute_time.median': 0.475,
      'inference.gpu_compute_time.mean': 0.5,
      'inference.gpu_compute_time.p99': 0.65,
      'inference.latency.median': 0.625,
      'inference.latency.mean': 0.65,
      'inference.latency.p99': 0.85,
      'inference.end_to_end_latency.median': 1.05,
      'inference.end_to_end_latency.mean': 1.1,
      'inference.end_to_end_latency.p99': 1.4,
      'inference.enqueue_time.median': 0.2,
      'inference.gpu_compute_total': 2.9625,
      'inference.duration': 3,
      'inference.engine_build_time': 109.5,
    });
  });

  it('leaves out a throughput that the queries contradict', () => {
    const read = readContent(fixture('trtexec/multi-line-summary.txt').replace('320 qps', '400 qps'));
    expect(messages(read)).toEqual(['WARNING 22 The throughput of 400 was left out: 960 queries in 3 s are 320 per second']);
  }); // prettier-ignore

  it('reads several executions of one log', () => {
    const text = fixture('trtexec/one-line-summary.txt');
    expect(
      readContent(text + text.replace('Throughput: 500.0 qps', 'Throughput: 501.0 qps')).reading.runs,
    ).toHaveLength(2);
    expect(readContent(text.replaceAll('\n', '\r\n'))).toEqual(readContent(text));
  });
});

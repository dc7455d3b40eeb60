import { describe, expect, it } from '@jest/globals';
import { readContent } from '../src/domain/importers/index.js';
import type { ReadRun } from '../src/domain/importers/importer.js';
import { declaredVariable } from '../src/domain/importers/harnesses/tunebook-lab.js';
import { fixture, messages, observation, onlyRun, readFixture, values } from './support/tool-output.js';

const summaries = (run: ReadRun, metric: string): readonly string[] =>
  run.observations.filter((each) => each.metric === metric).map((each) => `${each.dimensions.bytes} ${each.value}`);

const UNNAMED = 'The output does not name the collective: give it as workload.operation';
const EDITED =
  'The table was edited by hand: columns are missing or numbers carry underscores. Send the output as it was written';

describe('tunebook-lab', () => {
  it('makes the median of each round one value, and interleaved rounds blocks', () => {
    const read = readFixture('tunebook-lab/rounds-interleaved.json');
    expect(read.format).toBe('tunebook-lab');
    expect(read.reading.problems).toEqual([]);
    expect(onlyRun(read)).toEqual({
      status: 'OK',
      tool: 'tunebook-lab',
      toolVersion: '1',
      variant: 'baseline',
      startedAt: '2026-02-03T04:05:06.000Z',
      command: 'python3 ~/lab/run.py --budget 10',
      environment: {
        vendor: 'nvidia',
        architecture: 'hopper',
        'gpu.name': 'NVIDIA H200',
        'gpu.sku': 'H200',
        'gpu.count': 1,
        'gpu.computeCapability': '9.0',
        'gpu.multiprocessors': 132,
        driver: '575.57.08',
        cuda: '12.9',
        cudnn: '8.9.2',
        torch: '2.8.0+cu129',
        triton: '3.4.0',
        python: '3.12.4',
        os: 'Linux',
        'cpu.name': 'Example CPU',
        'cpu.cores': 8,
        'host.virtual': false,
      },
      workload: {
        'workload.operation': 'example_step',
        'workload.settings.batch': 8,
        'workload.settings.shape': '[4,4]',
        'workload.settings.pinned': false,
      },
      session: null,
      block: null,
      observations: [
        {
          metric: 'training.step_time',
          dimensions: {},
          value: 10.7,
          unit: 'ms',
          repeats: [10.2, 11.2],
          blocks: ['round-1', 'round-2'],
          samples: [10, 10.4, 10.2, 11, 11.6, 11.2],
          distribution: {
            count: 6,
            mean: expect.closeTo(10.7333, 4),
            sd: expect.closeTo(0.6282, 4),
            min: 10,
            p50: 10.7,
            p90: expect.closeTo(11.4, 9),
            p99: expect.closeTo(11.58, 9),
            max: 11.6,
          },
        },
      ],
    });
  });

  it.each([
    ['samples-interleaved', 'time.elapsed', { steps: 30 }, [1600, 1580, 1620], ['sample-1', 'sample-2', 'sample-3']],
    ['processes-interleaved', 'time.first_request', {}, [200, 220, 210, 230], undefined],
    ['rounds-without-size', 'time.elapsed', {}, [101, 111], undefined],
    ['unequal-rounds', 'time.elapsed', {}, [1, 1.2, 1.1], ['sample-1', 'sample-2', 'sample-3']],
    ['transfer-bandwidth', 'io.h2d_bandwidth', {}, [6.5, 6.7], undefined],
  ])('reads %s as %s', (name, metric, dimensions, repeats, blocks) => {
    const found = observation(onlyRun(readFixture(`tunebook-lab/${name}.json`)), metric, dimensions);
    expect(found.repeats).toEqual(repeats);
    expect(found.blocks).toEqual(blocks);
  });

  it('reads several results of one file', () => {
    const { runs } = readFixture('tunebook-lab/two-results.jsonl').reading;
    expect(runs.map(values)).toEqual([{ 'memory.peak_allocated': 512.5 }, { 'throughput.images': 255 }]);
  });

  it.each([
    ['unknown-metric', 'ERROR 1 There is no metric for elegance (points).'],
    [
      'contrary-direction',
      'ERROR 1 The file says that higher is better for time, the metric time.elapsed says the opposite',
    ],
    ['later-version', 'ERROR 1 Not a result of format version 1. Bad or missing: format_version'],
    ['sample-is-text', 'ERROR 1 Not a result of format version 1. Bad or missing: samples.1'],
  ])('refuses %s', (name, message) => {
    const read = readFixture(`tunebook-lab/${name}.json`);
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)).toEqual([expect.stringContaining(message)]);
  });

  it('declares the variant and every setting that differs', () => {
    const before = onlyRun(readFixture('tunebook-lab/rounds-interleaved.json'));
    const after = onlyRun(readFixture('tunebook-lab/rounds-without-size.json'));
    expect(declaredVariable(before, after)).toEqual(['variant', 'workload.settings.pinned', 'workload.settings.shape']);
    expect(declaredVariable(before, before)).toEqual(['variant']);
  });
});

describe('the date of a run', () => {
  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00', '2026-13-01T00:00:00Z'])(
    'is left out with a warning where tunebook-lab says %s',
    (date) => {
      const text = fixture('tunebook-lab/samples-interleaved.json');
      const found = /"date":\s*"[^"]*"/.exec(text)?.[0] ?? '"environment": {';
      const read = readContent(text.replace(found, found.endsWith('{') ? `${found}"date": "${date}",` : `"date": "${date}"`));
      expect(onlyRun(read).startedAt).toBeNull();
      expect(messages(read)).toEqual([`WARNING 1 The date "${date}" was left out: it is no time between 1970 and 2100`]);
    },
  ); // prettier-ignore

  it.each([
    ['00000101-000000', null],
    ['19691231-235959', null],
    ['19700101-000000', '1970-01-01T00:00:00.000Z'],
    ['21001231-235959', '2100-12-31T23:59:59.000Z'],
    ['21010101-000000', null],
  ])('of vllm bench serve %s is %s', (date, startedAt) => {
    const read = readContent(fixture('vllm-bench-serve/summary.json').replace(/\d{8}-\d{6}/, date));
    expect(onlyRun(read).startedAt).toBe(startedAt);
    expect(messages(read)).toHaveLength(startedAt === null ? 1 : 0);
  });
});

describe('vllm-bench-serve', () => {
  it('reads all metrics of a summary', () => {
    const read = readFixture('vllm-bench-serve/summary.json');
    const run = onlyRun(read);
    expect(read.reading.problems).toEqual([]);
    expect({ ...run, observations: [] }).toEqual({
      status: 'OK',
      tool: 'vllm-bench-serve',
      toolVersion: null,
      variant: 'chunked prefill',
      startedAt: '2026-02-03T04:05:06.000Z',
      command: null,
      environment: {},
      workload: {
        'workload.tool': 'vllm-bench-serve',
        'workload.model': 'example/Model-7B',
        'workload.backend': 'openai',
        'workload.concurrency': 32,
        'workload.request_rate': 'unlimited',
        'workload.burstiness': 1,
        'workload.num_prompts': 120,
        'workload.input_tokens': 512,
        'workload.output_tokens': 128,
      },
      session: null,
      block: null,
      observations: [],
    });
    expect(values(run)).toEqual({
      'serving.request_throughput': 6,
      'serving.output_token_throughput': 768,
      'serving.total_token_throughput': 3840,
      'serving.peak_output_token_throughput': 900,
      'serving.peak_concurrent_requests': 40,
      'serving.duration': 20,
      'serving.ttft.mean': 50.5,
      'serving.ttft.median': 48.25,
      'serving.ttft.std': 5.5,
      'serving.ttft.p99': 80.75,
      'serving.tpot.mean': 12.5,
      'serving.tpot.median': 12.25,
      'serving.tpot.std': 0.5,
      'serving.tpot.p99': 14,
      'serving.itl.mean': 12.5,
      'serving.itl.median': 12,
      'serving.itl.std': 2,
      'serving.itl.p99': 20,
      'serving.e2e_latency.mean': 1600,
      'serving.e2e_latency.p99': 1800,
      'serving.completed_requests': 120,
      'serving.failed_requests': 0,
    });
  });

  it('keeps the answered requests of the arrays as samples, in milliseconds, and no text of them', () => {
    const read = readFixture('vllm-bench-serve/per-request-arrays.json');
    const run = onlyRun(read);
    expect(run.status).toBe('PARTIAL');
    expect(observation(run, 'serving.ttft.mean').samples).toEqual(
      [50, 60, 70].map((value) => expect.closeTo(value, 9)),
    );
    expect(observation(run, 'serving.itl.mean').distribution?.count).toBe(6);
    expect(observation(run, 'serving.e2e_latency.mean')).toMatchObject({
      value: expect.closeTo(84, 9),
      samples: [72, 84, 96].map((value) => expect.closeTo(value, 9)),
      distribution: { count: 3, sd: expect.closeTo(12, 9) },
    });
    expect(messages(read)).toEqual([
      'WARNING 1 1 of 4 requests failed (25.0 %): latencies are those of the others',
      'WARNING 1 Only 3 requests were completed: the p99 is close to the maximum',
    ]);
    expect(JSON.stringify(read)).not.toMatch(/private|Traceback|node17/);
  });

  it('refuses a run in which no request was completed', () => {
    const read = readFixture('vllm-bench-serve/all-failed.json');
    expect(onlyRun(read).status).toBe('FAILED');
    expect(values(onlyRun(read))).toEqual({ 'serving.completed_requests': 0, 'serving.failed_requests': 120 });
    expect(messages(read)).toEqual(['ERROR 1 No request was completed: there is nothing to compare']);
  });

  it.each([
    ['half-failed', 'PARTIAL', '60 of 120 requests failed (50.0 %)'],
    ['one-in-two-hundred-failed', 'OK', '1 of 200 requests failed (0.5 %)'],
  ])('warns of the failed requests in %s', (name, status, message) => {
    const read = readFixture(`vllm-bench-serve/${name}.json`);
    expect(onlyRun(read).status).toBe(status);
    expect(messages(read)[0]).toContain(message);
  });

  it('reads the goodput key with a colon, and null as no limit', () => {
    const run = onlyRun(readFixture('vllm-bench-serve/goodput-key-with-colon.json'));
    expect(observation(run, 'serving.request_goodput').value).toBe(4.5);
    expect(run.workload).toMatchObject({ 'workload.concurrency': 'unlimited', 'workload.request_rate': 5 });
  });

  it('takes a bare Infinity as no limit and leaves out what is not a number', () => {
    const read = readFixture('vllm-bench-serve/infinity-and-nan.jsonl');
    const [first, second] = read.reading.runs;
    expect(first?.workload['workload.request_rate']).toBe('unlimited');
    expect(second?.observations.map(({ metric }) => metric)).not.toContain('serving.itl.mean');
    expect(messages(read)).toEqual([
      'WARNING 2 Left out, since not measured or no known metric: mean_itl_ms, p99_itl_ms',
    ]);
  });

  it('reads each object of an array, and a latency of zero as not measured', () => {
    const read = readFixture('vllm-bench-serve/sweep-array.json');
    expect(read.reading.runs.map(({ workload }) => workload['workload.concurrency'])).toEqual([1, 8]);
    expect(Object.keys(values(read.reading.runs[1] ?? onlyRun(read))).filter((key) => key.includes('tpot'))).toEqual(
      [],
    );
    expect(messages(read)[0]).toContain('mean_tpot_ms, median_tpot_ms, std_tpot_ms, p99_tpot_ms, p75_itl_ms');
  });

  it('names a local model by its folder, and takes other keys as settings', () => {
    const { workload } = onlyRun(readFixture('vllm-bench-serve/local-model-path.json'));
    expect(workload).toMatchObject({
      'workload.model': 'Model-7B',
      'workload.parallelism.tp': 4,
      'workload.settings.max_num_seqs': 256,
    });
    expect(Object.keys(workload)).not.toContain('workload.settings.run_number');
  });
});

describe('nccl-tests', () => {
  it('reads times, bandwidths, versions and the launch, and no host', () => {
    const read = readFixture('nccl-tests/all-reduce.txt');
    const run = onlyRun(read);
    expect(messages(read)).toEqual([]);
    expect(run).toMatchObject({ status: 'OK', toolVersion: null });
    expect(run.command).toBe('mpirun -np 4 --host [redacted]:4 ~/nccl-tests/build/all_reduce_perf -b 1M -e 4M -f 2');
    expect(run.environment).toEqual({
      vendor: 'nvidia',
      'gpu.name': 'NVIDIA H100 80GB HBM3',
      'gpu.sku': 'H100 80GB HBM3',
      'gpu.count': 4,
      'nodes.count': 1,
      nccl: '2.27.3',
      cuda: '12.9',
    });
    expect(run.workload).toEqual({
      'workload.tool': 'nccl-tests',
      'workload.operation': 'all_reduce',
      'workload.data_type': 'float',
      'workload.reduction': 'sum',
      'workload.min_bytes': 1048576,
      'workload.max_bytes': 4194304,
      'workload.size_step': '2(factor)',
      'workload.warmup_iterations': 5,
      'workload.iterations': 20,
      'workload.aggregated_iterations': 1,
      'workload.cuda_graph_launches': 0,
    });
    expect(run.observations).toHaveLength(20);
    expect(summaries(run, 'fabric.time.out_of_place')).toEqual(['1048576 30', '2097152 40', '4194304 60']);
    expect(summaries(run, 'fabric.algbw.in_place')).toEqual(['1048576 33.83', '2097152 51.15', '4194304 67.65']);
    expect(summaries(run, 'fabric.busbw.out_of_place')).toEqual(['1048576 52.43', '2097152 78.64', '4194304 104.86']);
    expect(observation(run, 'fabric.busbw.avg').value).toBe(77.3513);
    expect(observation(run, 'fabric.wrong_values').value).toBe(0);
    expect(JSON.stringify(read)).not.toMatch(/node7|alice|400[0-3]/);
  });

  it.each([
    ['mpirun-prefix', 'OK', 3, [`WARNING 2 ${UNNAMED}`]],
    ['rows-cut-by-log', 'OK', 3, []],
    ['rows-left-out', 'PARTIAL', 2, ['WARNING 2 Rows were left out of the file ("...")', `WARNING 2 ${UNNAMED}`]],
    ['rest-of-row-lost', 'PARTIAL', 2, ['WARNING 15 Rows that could not be read and were left out: 1']],
    ['host-begins-with-digit', 'PARTIAL', 2, [expect.stringContaining('could not be read and were left out: 1')]],
    [
      'altered-number',
      'PARTIAL',
      2,
      [
        'WARNING 15 The row of 2097152 B was left out: the out-of-place busbw of 98.64 GB/s is not the algbw of 52.43 GB/s times 1.5, as in the other rows',
      ],
    ],
    [
      'altered-time',
      'PARTIAL',
      2,
      [
        'WARNING 16 The row of 4194304 B was left out: the out-of-place algbw of 69.91 GB/s is not size / time (4194304 B / 80 us)',
      ],
    ],
    ['no-summary', 'PARTIAL', 3, ['WARNING 12 The table ends without its average: the output is not complete']],
    ['summary-only', 'PARTIAL', 0, ['WARNING 1 There is an average but no rows', `WARNING 1 ${UNNAMED}`]],
    ['wrong-values', 'FAILED', 3, ['WARNING 12 The check failed: 3 wrong values. The run is invalid']],
    [
      'alltoall-without-reduction',
      'OK',
      3,
      ['WARNING 3 Rows of 0 bytes left out, which transfer nothing: 1', `WARNING 3 ${UNNAMED}`],
    ],
  ])('reads %s', (name, status, rows, expected) => {
    const read = readFixture(`nccl-tests/${name}.txt`);
    const run = onlyRun(read);
    expect(run.status).toBe(status);
    expect(summaries(run, 'fabric.busbw.in_place')).toHaveLength(rows);
    expect(messages(read)).toEqual(expected);
  });

  it('joins a row that log messages cut into three', () => {
    const run = onlyRun(readFixture('nccl-tests/rows-cut-by-log.txt'));
    expect(observation(run, 'fabric.busbw.in_place', { bytes: 1048576 }).value).toBe(50.74);
    expect(run.environment['env.NCCL_ALGO']).toBe('Ring');
  });

  it('leaves out an average that the rows contradict', () => {
    const table = fixture('nccl-tests/all-reduce.txt');
    const read = readContent(table.replace('77.3513', '97.3513'));
    expect(messages(read)).toEqual([
      'WARNING 13 The average of 97.3513 GB/s was left out: the busbw of the rows has a mean of 77.48 GB/s',
    ]);
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(onlyRun(read).observations.map(({ metric }) => metric)).not.toContain('fabric.busbw.avg');
    expect(messages(readContent(table.replace('77.3513', '78.1')))).toEqual([]);
  });

  it('refuses a table of more than 20,000 observations', () => {
    const row = /^ +2097152.*$/m;
    const rows = Array.from({ length: 150_000 }, () => '1 1 float sum -1 30.0 0 0 0 31.0 0 0 0').join('\n');
    const repeated = readContent(fixture('nccl-tests/all-reduce.txt').replace(row, rows));
    expect(repeated.reading.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
    const sizes = Array.from({ length: 4_000 }, (_, size) => `${size + 1} 1 float sum -1 3000.0 0 0 0 3000.0 0 0 0`);
    expect(messages(readContent(fixture('nccl-tests/all-reduce.txt').replace(row, sizes.join('\n'))))).toContain(
      'ERROR - The file holds 24,013 observations; at most 20,000 are taken: split it',
    );
  });

  it('counts wrong values', () => {
    expect(observation(onlyRun(readFixture('nccl-tests/wrong-values.txt')), 'fabric.wrong_values').value).toBe(3);
  });

  it('takes rows of one size as repetitions', () => {
    const run = onlyRun(readFixture('nccl-tests/repeated-sizes.txt'));
    expect(observation(run, 'fabric.time.out_of_place', { bytes: 4194304 })).toMatchObject({
      value: 61,
      repeats: [60, 64, 61],
    });
  });

  it('takes the name of the collective from the last line, for the table before it alone', () => {
    const read = readFixture('nccl-tests/collective-named-at-the-end.txt');
    const named = read.reading.runs.map(({ status, workload }) => [status, workload['workload.operation']]);
    expect(named).toEqual([
      ['OK', 'all_reduce'],
      ['OK', undefined],
    ]);
    expect(messages(read)).toEqual([expect.stringContaining(UNNAMED)]);
  });

  it('makes each collective of a file a run', () => {
    const { runs } = readFixture('nccl-tests/two-collectives.txt').reading;
    expect(runs.map(({ workload }) => workload['workload.operation'])).toEqual(['all_reduce', 'all_gather']);
    expect(runs.map((run) => observation(run, 'fabric.busbw.avg').value)).toEqual([77.3513, 38.6757]);
    expect(runs.map((run) => run.environment['gpu.count'])).toEqual([4, 4]);
  });

  it.each([
    ['columns-removed', 2],
    ['underscores', 14],
  ])('refuses the hand-edited %s', (name, line) => {
    const read = readFixture(`nccl-tests/${name}.txt`);
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)).toEqual([`ERROR ${line} ${EDITED}`]);
  });
});

describe('hyperfine', () => {
  it('makes each command a run and each time a repetition', () => {
    const read = readFixture('hyperfine/two-commands.json');
    expect(messages(read)).toEqual([]);
    expect(read.reading.runs.map(values)).toEqual([
      { 'time.median': 1.25, 'time.mean': 1.25, 'time.user': 0.25, 'time.system': 0.05 },
      { 'time.median': 0.75, 'time.mean': 0.75, 'time.user': 0.25, 'time.system': 0.05 },
    ]);
    expect(read.reading.runs[1]).toMatchObject({
      status: 'OK',
      variant: 'python3 train.py --workers 8',
      workload: { 'workload.command': 'python3 train.py --workers 8', 'workload.settings.workers': '8' },
    });
    expect(read.reading.runs[0]?.observations[0]?.repeats).toEqual([1, 1.25, 1.5]);
  });

  it.each([
    ['some-executions-failed', 'PARTIAL', ['WARNING 4 2 of 4 executions (50.0 %) ended with an error or a signal']],
    [
      'mean-contradicts-times',
      'OK',
      ['WARNING 4 The mean of 0.9 s was left out: the 3 times of the file have a mean of 1.2 s'],
    ],
    [
      'marked-as-error',
      'PARTIAL',
      [
        'WARNING 4 The command is marked [ERROR]: it probably failed',
        expect.stringContaining('WARNING 4 The mean is below 5 ms'),
        'WARNING 4 A time of zero cannot be true',
      ],
    ],
  ])('warns about %s', (name, status, expected) => {
    const read = readFixture(`hyperfine/${name}.json`);
    expect(onlyRun(read).status).toBe(status);
    expect(messages(read)).toEqual(expected);
  });

  it('leaves out a mean that the times contradict', () => {
    expect(values(onlyRun(readFixture('hyperfine/mean-contradicts-times.json')))).toEqual({
      'time.median': 1.2,
      'time.user': 0.25,
      'time.system': 0.05,
    });
  });

  it('refuses a command of which no execution succeeded', () => {
    const read = readFixture('hyperfine/every-execution-failed.json');
    expect(onlyRun(read).status).toBe('FAILED');
    expect(messages(read)).toEqual([
      'ERROR 4 Every execution ended with an error or a signal (4 of 4): this is no measurement',
    ]);
  });

  it('names the line of each of many results', () => {
    const times = Array.from({ length: 20 }, () => '1').join(',\n');
    const result = (index: number) => `{"command": "run ${index === 999 ? 'x' : ''}", "user": ${index},\n"mean": 0.001, "median": 1, "system": 0, "times": [${times}]}`;
    const text = `{"results": [${Array.from({ length: 1_000 }, (_, index) => result(index)).join(',\n')}]}`;
    const { problems } = readContent(text).reading;
    expect([problems.at(0)?.line, problems.at(-1)?.line]).toEqual([1, 999 * 21 + 1]);
  }); // prettier-ignore

  it('keeps commands for different hosts different', () => {
    const command = (host: string) =>
      onlyRun(readContent(fixture('hyperfine/memory-usage.json').replaceAll('node7', host))).workload['workload.command'];
    expect(command('node8')).not.toBe(command('node9'));
  }); // prettier-ignore

  it('reads the memory and redacts the command', () => {
    const run = onlyRun(readFixture('hyperfine/memory-usage.json'));
    expect(observation(run, 'memory.host_peak')).toMatchObject({ value: 2097152, unit: 'B' });
    expect(run.command).toBe('HF_TOKEN=[redacted] ~/bin/convert --host [redacted] model');
    expect(JSON.stringify(run)).not.toMatch(/alice|hf_|node7/);
  });
});

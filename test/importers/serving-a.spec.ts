import { describe, expect, it } from '@jest/globals';
import { readContent } from '../../src/domain/importers/index.js';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { fixture, fixtures, messages, observation, onlyRun, readFixture, values } from '../support/tool-output.js';

const ours = [
  'vllm-bench-serve', 'bench-serving-console', 'vllm-bench-offline', 'sglang-bench-serving', 'trtllm-bench',
  'trtllm-bench-json', 'gptmanager-benchmark', 'mlperf-loadgen-summary',
]; // prettier-ignore

const statuses = (name: string): readonly string[] => readFixture(name).reading.runs.map(({ status }) => status);
const runAt = (name: string, index: number): ReadRun => {
  const run = readFixture(name).reading.runs[index];
  if (!run) throw new Error(`${name} holds no run ${index}`);
  return run;
};
const firstRun = (name: string): ReadRun => runAt(name, 0);

const QUEUED =
  'All requests were sent at once: their latencies include the wait in the queue, and are no latencies of a service';
const EMPTY = 'No request was completed: there is nothing to compare';
const OFFLINE = 'Latencies of the Offline scenario count from the start of the run: judge by the throughput';
const TEMPLATE = 'The block holds placeholders and no numbers';

describe('what is wrong with a result of a serving benchmark', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['vllm-bench-serve/one-point-failed.jsonl', ['OK', 'FAILED'], [`WARNING 2 ${EMPTY}`]],
    ['vllm-bench-serve/one-point-without-numbers.jsonl', ['OK', 'FAILED'], [`WARNING 2 ${EMPTY}`]],
    [
      'vllm-bench-serve/non-streaming.json',
      ['OK'],
      [
        'WARNING 1 Left out, since not measured or no known metric: mean_tpot_ms, median_tpot_ms, std_tpot_ms, p99_tpot_ms, mean_itl_ms, median_itl_ms, std_itl_ms, p99_itl_ms',
      ],
    ],
    [
      'vllm-bench-serve/slow-client.json',
      ['OK'],
      ['WARNING 1 The client sent 10 requests/s where 20 were asked for: it may have been the limit, not the server'],
    ],
    ['vllm-bench-serve/speculative-decoding.json', ['OK'], []],
    ['bench-serving-console/vllm-with-arguments.txt', ['OK'], []],
    ['bench-serving-console/mpirun-prefix.txt', ['OK'], []],
    ['bench-serving-console/notes-behind-values.txt', ['OK'], []],
    ['bench-serving-console/thousands-separators.txt', ['OK'], []],
    ['bench-serving-console/speculative-decoding.txt', ['OK'], []],
    [
      'bench-serving-console/sglang-sweep.txt',
      ['OK', 'PARTIAL'],
      ['WARNING 41 6 of 400 requests failed (1.5 %): latencies are those of the others'],
    ],
    [
      'bench-serving-console/broken-stream.txt',
      ['OK'],
      [
        'WARNING 24 Left out, since a mean or median of zero shows that answers did not arrive token by token: TPOT, ITL. The TTFT is then the time of whole answers',
      ],
    ],
    [
      'bench-serving-console/cut-off.txt',
      ['PARTIAL'],
      ['WARNING 1 The block ends without its closing line of "=": the output is not complete'],
    ],
    ['bench-serving-console/placeholders-and-result.txt', ['OK'], [`WARNING 3 ${TEMPLATE}`]],
    ['bench-serving-console/placeholders-only.txt', [], [`ERROR 1 ${TEMPLATE}`]],
    [
      'bench-serving-console/ambiguous-separator.txt',
      [],
      ['ERROR 4 "25,600" may be 25600 or 25.600: write the numbers of the block without separators of thousands'],
    ],
    [
      'bench-serving-console/altered-throughput.txt',
      ['OK'],
      ['WARNING 10 The output token throughput of 1524 was left out: 25600 in 25 s are 1024 per second'],
    ],
    ['bench-serving-console/none-completed.txt', ['FAILED'], [`ERROR 1 ${EMPTY}`]],
    [
      'bench-serving-console/few-requests.txt',
      ['OK'],
      [
        'WARNING 1 Only 10 requests were completed: the p99 is close to the maximum',
        'WARNING 9 A request throughput of 0.2 is rounded by up to 2.5 %: a file of the tool with all digits is better',
      ],
    ],
    ['vllm-bench-offline/throughput.txt', ['OK'], []],
    ['vllm-bench-offline/throughput-without-output-tokens.txt', ['OK'], []],
    ['vllm-bench-offline/throughput.json', ['OK'], []],
    [
      'vllm-bench-offline/throughput-contradicting.txt',
      ['OK'],
      [
        'WARNING 1 The output token throughput of 420 was left out: by the counts of tokens it is 320 of 960 tokens/s',
        'WARNING 1 A request throughput of 0.25 is rounded by up to 2.0 %: a file of the tool with all digits is better',
      ],
    ],
    [
      'vllm-bench-offline/throughput-altered.json',
      ['OK'],
      ['WARNING 1 The request throughput of 7.5 was left out: 100 requests in 20 s are 5 per second'],
    ],
    [
      'vllm-bench-offline/latency-sweep.txt',
      ['OK', 'OK'],
      [
        'WARNING 5 The percentiles are those of 30 iterations: the p99 is close to the maximum',
        'WARNING 18 The percentiles are those of 30 iterations: the p99 is close to the maximum',
      ],
    ],
    [
      'vllm-bench-offline/latency-cut-off.txt',
      ['PARTIAL'],
      [
        'WARNING 4 Percentiles are missing: the output is not complete',
        'WARNING 4 The percentiles are those of 30 iterations: the p99 is close to the maximum',
      ],
    ],
    [
      'vllm-bench-offline/latency-mean-altered.json',
      ['OK'],
      [
        'WARNING 1 The mean of 0.9 s was left out: the 5 latencies of the file have a mean of 0.5 s',
        'WARNING 1 The percentiles are those of 5 iterations: the p99 is close to the maximum',
      ],
    ],
    ['sglang-bench-serving/old-keys-infinity.jsonl', ['OK', 'OK'], []],
    ['sglang-bench-serving/server-info.jsonl', ['OK'], []],
    [
      'sglang-bench-serving/details.jsonl',
      ['PARTIAL'],
      [
        'WARNING 1 1 of 4 requests failed (25.0 %): latencies are those of the others',
        'WARNING 1 Only 3 requests were completed: the p99 is close to the maximum',
      ],
    ],
    [
      'sglang-bench-serving/last-line-cut.jsonl',
      ['OK'],
      ['WARNING 3 The JSON is truncated: it ends in line 3, inside a text'],
    ],
    ['sglang-bench-serving/one-point-failed.jsonl', ['OK', 'FAILED'], [`WARNING 2 ${EMPTY}`]],
    ['sglang-bench-serving/none-completed.jsonl', ['FAILED'], [`ERROR 1 ${EMPTY}`]],
    ['trtllm-bench/pytorch-backend.txt', ['OK'], [`WARNING 49 ${QUEUED}`]],
    ['trtllm-bench/engine-0-16.txt', ['OK'], []],
    ['trtllm-bench/overview-only.txt', ['OK'], []],
    ['trtllm-bench/streaming-at-a-rate.txt', ['OK'], []],
    ['trtllm-bench/two-reports.txt', ['OK', 'OK'], [`WARNING 38 ${QUEUED}`, `WARNING 109 ${QUEUED}`]],
    ['trtllm-bench/cut-off.txt', ['PARTIAL'], ['WARNING 38 The report ends in the middle: the log is not complete']],
    [
      'trtllm-bench/altered-throughput.txt',
      ['OK'],
      [
        'WARNING 38 The request throughput of 26 was left out: 1000 requests in 50 s are 20 per second',
        `WARNING 38 ${QUEUED}`,
      ],
    ],
    ['trtllm-bench-json/throughput.json', ['OK'], [`WARNING 1 ${QUEUED}`]],
    ['trtllm-bench-json/streaming-speculative-energy.json', ['OK'], []],
    [
      'trtllm-bench-json/without-throughput.json',
      [],
      ['ERROR 1 Not a report of trtllm-bench: performance.request_throughput_req_s is missing or no number'],
    ],
    ['gptmanager-benchmark/offline.txt', ['OK'], []],
    ['gptmanager-benchmark/streaming-acceptance.txt', ['OK'], []],
    ['gptmanager-benchmark/old-unit-of-samples.txt', ['OK'], []],
    [
      'gptmanager-benchmark/two-runs-with-errors.txt',
      ['OK', 'PARTIAL'],
      [
        'WARNING 16 10 of 100 requests failed (10.0 %): latencies are those of the others',
        'WARNING 16 Only 90 requests were completed: the p99 is close to the maximum',
      ],
    ],
    [
      'gptmanager-benchmark/cut-off.txt',
      ['PARTIAL'],
      ['WARNING 1 The latencies of sequences are missing: the output is not complete'],
    ],
    [
      'gptmanager-benchmark/altered-throughput.txt',
      ['OK'],
      ['WARNING 1 The sequence throughput of 9 was left out: 200 samples in 40000 ms are 5 per second'],
    ],
    ['mlperf-loadgen-summary/offline-llm.txt', ['OK'], [`WARNING 2 ${OFFLINE}`]],
    ['mlperf-loadgen-summary/server-llm.txt', ['OK'], []],
    [
      'mlperf-loadgen-summary/server-contradicting.txt',
      ['OK'],
      ['WARNING 33 "Completed tokens per second" stands twice with different values and was left out'],
    ],
    [
      'mlperf-loadgen-summary/single-stream.txt',
      ['OK'],
      ['WARNING 2 Only 80 samples: the p99 is close to the maximum'],
    ],
    ['mlperf-loadgen-summary/multi-stream.txt', ['OK'], []],
    [
      'mlperf-loadgen-summary/invalid.txt',
      ['FAILED'],
      [
        'ERROR 8 LoadGen calls the result INVALID (no: Min duration satisfied, Early stopping satisfied): it is no measurement',
        'WARNING 2 Only 80 samples: the p99 is close to the maximum',
      ],
    ],
    ['mlperf-loadgen-summary/cut-off.txt', ['PARTIAL'], ['WARNING 2 The summary is not complete']],
    [
      'mlperf-loadgen-summary/accuracy-mode.txt',
      [],
      ['ERROR 1 There is no performance result in this file: LoadGen ran in accuracy mode'],
    ],
    [
      'mlperf-loadgen-summary/accuracy-mode-with-warnings.txt',
      [],
      ['ERROR 1 There is no performance result in this file: LoadGen ran in accuracy mode'],
    ],
    [
      'vllm-bench-offline/latency.json',
      ['OK'],
      ['WARNING 1 The percentiles are those of 5 iterations: the p99 is close to the maximum'],
    ],
  ])('is said of %s', (name, expected, problems) => {
    expect(messages(readFixture(name))).toEqual(problems);
    expect(statuses(name)).toEqual(expected);
  });

  it.each(fixtures.filter(({ tool }) => ours.includes(tool)))(
    'never tells of a person or a machine: $name',
    ({ name }) => {
      expect(JSON.stringify(readFixture(name))).not.toMatch(/alice|10\.1\.2\.3|private|sk-|node17|\/home\//);
    },
  );
});

describe('vllm-bench-serve', () => {
  it('reads what speculative decoding gained as metrics, not as settings', () => {
    const run = onlyRun(readFixture('vllm-bench-serve/speculative-decoding.json'));
    expect(observation(run, 'serving.acceptance_length')).toMatchObject({ value: 1.94, unit: '' });
    expect(observation(run, 'serving.acceptance_rate')).toMatchObject({ value: 31.25, unit: 'percent' });
    expect(Object.keys(run.workload).filter((key) => key.includes('settings'))).toEqual([]);
  });

  it('gives the end-to-end latency of each request where the file has none', () => {
    const run = onlyRun(readFixture('vllm-bench-serve/slow-client.json'));
    expect(observation(run, 'serving.e2e_latency.p99').value).toBeCloseTo(70, 9);
    expect(observation(run, 'serving.e2e_latency.mean').samples).toHaveLength(120);
  });

  it('passes over answers and errors, whatever they are', () => {
    const text = fixture('vllm-bench-serve/per-request-arrays.json').replace(
      '"private answer one"',
      '{"private": [1, {}]}',
    );
    expect(messages(readContent(text))[0]).toContain('1 of 4 requests failed');
  });
});

describe('bench-serving-console', () => {
  const complete = {
    'serving.duration': 25,
    'serving.request_throughput': 8,
    'serving.output_token_throughput': 1024,
    'serving.peak_output_token_throughput': 1400,
    'serving.peak_concurrent_requests': 18,
    'serving.total_token_throughput': 5120,
    'serving.ttft.mean': 120.5,
    'serving.ttft.median': 110.25,
    'serving.ttft.p99': 300.75,
    'serving.tpot.mean': 12.5,
    'serving.tpot.median': 12.25,
    'serving.tpot.p99': 15,
    'serving.itl.mean': 12.5,
    'serving.itl.median': 12,
    'serving.itl.p99': 40,
    'serving.e2e_latency.mean': 1708,
    'serving.e2e_latency.median': 1700,
    'serving.e2e_latency.p99': 2200,
    'serving.completed_requests': 200,
    'serving.failed_requests': 0,
  };

  it('reads the block, and the arguments that the client prints before it', () => {
    const run = onlyRun(readFixture('bench-serving-console/vllm-with-arguments.txt'));
    expect(values(run)).toEqual(complete);
    expect({ ...run, observations: [] }).toEqual({
      status: 'OK',
      tool: 'bench-serving-console',
      toolVersion: null,
      variant: null,
      startedAt: null,
      command: null,
      environment: {},
      workload: {
        'workload.tool': 'vllm-bench-serve',
        'workload.model': 'example/Model-7B',
        'workload.dataset': 'random',
        'workload.concurrency': 16,
        'workload.request_rate': 8,
        'workload.burstiness': 1,
        'workload.num_prompts': 200,
        'workload.input_tokens': 512,
        'workload.output_tokens': 128,
        'workload.settings.random_input_len': 512,
        'workload.settings.random_output_len': 128,
        'workload.settings.random_range_ratio': 0,
      },
      session: null,
      block: null,
      observations: [],
    });
  });

  it.each(['mpirun-prefix', 'notes-behind-values', 'thousands-separators', 'placeholders-and-result'])(
    'reads the same in %s',
    (name) => {
      expect(values(onlyRun(readFixture(`bench-serving-console/${name}.txt`)))).toEqual(complete);
    },
  );

  it.each([
    ['\\r\\n', (text: string) => text.replaceAll('\n', '\r\n')],
    ['colors', (text: string) => text.replaceAll('Mean', '\u001b[1mMean\u001b[0m')],
    ['a quotation', (text: string) => text.replace(/^/gm, '# ')],
    ['a list of Markdown', (text: string) => text.replace(/^/gm, '    ')],
    ['a progress bar', (text: string) => `  0%|   | 0/200\r100%|###| 200/200\r${text}`],
    ['a decimal comma', (text: string) => text.replace(/(\d)\.(\d\d)\b/g, '$1,$2')],
  ])('reads the same in spite of %s', (_, change) => {
    const read = readContent(change(fixture('bench-serving-console/notes-behind-values.txt')));
    expect(values(onlyRun(read))).toEqual(complete);
  });

  it('makes each block of a sweep a run with its heading and command', () => {
    const { runs } = readFixture('bench-serving-console/sglang-sweep.txt').reading;
    expect(runs.map(({ variant, workload }) => [variant, workload['workload.request_rate']])).toEqual([
      ['request rate = 4', 4],
      ['request rate = 8', 8],
    ]);
    expect(runs.map(({ command }) => command?.slice(0, 75))).toEqual([
      'python3 -m sglang.bench_serving --backend sglang --num-prompts 400 --reques',
      'python3 -m sglang.bench_serving --backend sglang --num-prompts 400 --reques',
    ]);
    expect(runs[1]?.workload).toMatchObject({
      'workload.tool': 'sglang-bench-serving',
      'workload.concurrency': 'unlimited',
      'workload.num_prompts': 400,
    });
    expect(values(runAt('bench-serving-console/sglang-sweep.txt', 1))).toMatchObject({
      'serving.input_token_throughput': 2017.28,
      'serving.mean_concurrent_requests': 9.5,
      'serving.acceptance_length': 2.5,
      'serving.itl.p95': 18,
      'serving.itl.max': 360,
      'serving.failed_requests': 6,
    });
  });

  it('joins a command of several lines, and takes no variable of the shell for a value', () => {
    const run = onlyRun(readFixture('bench-serving-console/speculative-decoding.txt'));
    expect(run.command).toContain('vllm bench serve --model example/Model-7B --dataset-name random');
    expect(run.variant).toBe('MTP with 3 tokens');
    expect(run.workload).toMatchObject({
      'workload.model': 'example/Model-7B',
      'workload.settings.random_input_len': 512,
    });
    expect(Object.keys(run.workload)).not.toContain('workload.settings.random_output_len');
    expect(values(run)).toMatchObject({ 'serving.acceptance_rate': 31.25, 'serving.acceptance_length': 1.94 });
  });

  it('does not say that none failed where the block does not', () => {
    const run = onlyRun(readFixture('bench-serving-console/broken-stream.txt'));
    expect(Object.keys(values(run))).not.toContain('serving.failed_requests');
  });

  it('reads the rate from the heading where the block has none', () => {
    const text = fixture('bench-serving-console/few-requests.txt').replace(/^Request rate configured.*\n/m, '');
    const run = onlyRun(readContent(`## max concurrency: 4, request rate: 2\n${text}`));
    expect(run.workload).toMatchObject({ 'workload.concurrency': 16 });
    const other = onlyRun(readContent(`# QPS=2.5\n${text}`));
    expect(other.workload).toMatchObject({ 'workload.request_rate': 2.5 });
  });

  it('says what is missing where the first line was not sent', () => {
    const text = fixture('bench-serving-console/notes-behind-values.txt').split('\n').slice(1).join('\n');
    expect(messages(readContent(text))).toEqual([expect.stringContaining('without its first line')]);
  });

  it('keeps blocks of two processes apart that printed at the same time', () => {
    const [one = '', two = ''] = [16, 32].map((concurrency) =>
      fixture('bench-serving-console/notes-behind-values.txt').replace(/16$/m, String(concurrency)),
    );
    const mixed = one
      .split('\n')
      .flatMap((line, index) => [`[1,0]<stdout>:${line}`, `[1,1]<stdout>:${two.split('\n')[index] ?? ''}`]);
    const { runs } = readContent(mixed.join('\n')).reading;
    expect(runs.map(values)).toEqual([complete, complete]);
  });
});

describe('vllm-bench-offline', () => {
  it('reads a throughput, and the engine of the log', () => {
    const run = onlyRun(readFixture('vllm-bench-offline/throughput.txt'));
    expect(values(run)).toEqual({
      'serving.request_throughput': 5,
      'serving.total_token_throughput': 960,
      'serving.output_token_throughput': 320,
    });
    expect(run).toMatchObject({ toolVersion: '0.11.0', environment: { vllm: '0.11.0' } });
    expect(run.workload).toEqual({
      'workload.tool': 'vllm-bench-throughput',
      'workload.model': 'example/Model-7B',
      'workload.precision': 'bf16',
      'workload.num_prompts': 100,
      'workload.input_tokens': 128,
      'workload.output_tokens': 64,
      'workload.settings.quantization': 'fp8',
      'workload.parallelism.tp': 2,
      'workload.parallelism.pp': 1,
    });
  });

  it('takes the only rate of tokens of old versions for all tokens', () => {
    const run = onlyRun(readFixture('vllm-bench-offline/throughput-without-output-tokens.txt'));
    expect(values(run)).toEqual({ 'serving.request_throughput': 5, 'serving.total_token_throughput': 1600 });
    expect(run.workload).toMatchObject({ 'workload.input_tokens': 256, 'workload.parallelism.tp': 4 });
  });

  it('reads the JSON of a throughput with the time that it took', () => {
    expect(values(onlyRun(readFixture('vllm-bench-offline/throughput.json')))).toEqual({
      'serving.request_throughput': 5,
      'serving.total_token_throughput': 960,
      'serving.total_latency': 20,
    });
  });

  it('takes each iteration of a latency for a repetition, in seconds', () => {
    const run = onlyRun(readFixture('vllm-bench-offline/latency.json'));
    expect(observation(run, 'time.batch_latency')).toMatchObject({
      value: 0.5,
      unit: 's',
      repeats: [0.5, 0.52, 0.48, 0.51, 0.49],
      distribution: { count: 5, min: 0.48, max: 0.52 },
    });
    expect(observation(run, 'time.batch_latency_p99').value).toBe(0.5196);
  });

  it('uses the mean of the latencies where the stated one contradicts them', () => {
    const run = onlyRun(readFixture('vllm-bench-offline/latency-mean-altered.json'));
    expect(observation(run, 'time.batch_latency').value).toBeCloseTo(0.5, 12);
  });

  it('makes each batch size a run', () => {
    const { runs } = readFixture('vllm-bench-offline/latency-sweep.txt').reading;
    expect(runs.map(({ workload }) => workload['workload.batch_size'])).toEqual([1, 8]);
    expect(runs.map(values)).toEqual([
      { 'time.batch_latency': 0.5021, 'time.batch_latency_p50': 0.501, 'time.batch_latency_p90': 0.508, 'time.batch_latency_p99': 0.515 },
      { 'time.batch_latency': 0.7021, 'time.batch_latency_p50': 0.701, 'time.batch_latency_p90': 0.708, 'time.batch_latency_p99': 0.715 },
    ]);
  }); // prettier-ignore

  it('warns where tokens of images were not counted', () => {
    const text = `\u001b[91mWARNING\u001b[0m: Multi-modal request with vllm backend detected. The following metrics are not accurate\n${fixture('vllm-bench-offline/throughput.txt')}`;
    expect(messages(readContent(text))).toEqual([expect.stringContaining('tokens of images were not counted')]);
  });

  it('asks for the file beside the copy for the PyTorch database', () => {
    const text =
      '[{"benchmark": {"name": "vLLM benchmark"}, "metric": {"name": "latency", "benchmark_values": [0.5]}}]';
    expect(messages(readContent(text))).toEqual([expect.stringContaining('*.pytorch.json')]);
  });
});

describe('sglang-bench-serving', () => {
  it('makes each line a run, and computes the rate of requests that old versions lack', () => {
    const { runs } = readFixture('sglang-bench-serving/old-keys-infinity.jsonl').reading;
    expect(runs.map(({ workload }) => workload['workload.request_rate'])).toEqual(['unlimited', 4]);
    expect(runs.map(values)).toEqual(
      [
        [8, 512, 50, 400],
        [4, 256, 75, 300],
      ].map(([rate, tokens, duration, completed]) => ({
        'serving.request_throughput': rate,
        'serving.output_token_throughput': tokens,
        'serving.duration': duration,
        'serving.e2e_latency.mean': 900.5,
        'serving.e2e_latency.median': 880.25,
        'serving.ttft.median': 80.5,
        'serving.itl.median': 12.25,
        'serving.completed_requests': completed,
      })),
    );
    expect(runs[0]?.workload).toMatchObject({
      'workload.dataset': 'random',
      'workload.settings.random_range_ratio': 0,
      'workload.input_tokens': 256,
    });
  });

  it('reads the settings of the server, and no key or path of it', () => {
    const run = onlyRun(readFixture('sglang-bench-serving/server-info.jsonl'));
    expect(run.environment).toEqual({ sglang: '0.5.1' });
    expect(run.variant).toBe('radix off');
    expect(run.workload).toEqual({
      'workload.tool': 'sglang-bench-serving',
      'workload.model': 'Model-7B',
      'workload.backend': 'sglang-oai',
      'workload.concurrency': 32,
      'workload.request_rate': 8,
      'workload.input_tokens': 256,
      'workload.output_tokens': 64,
      'workload.precision': 'bf16',
      'workload.dataset': 'sharegpt',
      'workload.parallelism.tp': 4,
      'workload.parallelism.dp': 1,
      'workload.settings.attention_backend': 'fa3',
      'workload.settings.disable_radix_cache': true,
    });
    expect(values(run)).toMatchObject({ 'serving.itl.max': 400.5, 'serving.mean_concurrent_requests': 7.2 });
  });

  it('keeps the latencies of the answered requests', () => {
    const run = onlyRun(readFixture('sglang-bench-serving/details.jsonl'));
    expect(observation(run, 'serving.ttft.mean').samples).toEqual(
      [50, 60, 70].map((value) => expect.closeTo(value, 9)),
    );
    expect(observation(run, 'serving.failed_requests').value).toBe(1);
  });
});

describe('trtllm-bench', () => {
  const throughput = {
    'serving.request_throughput': 20,
    'serving.output_token_throughput': 1280,
    'serving.total_token_throughput': 3840,
    'serving.output_token_throughput_per_user': 2.8,
    'serving.output_token_throughput_per_gpu': 1280,
    'serving.mean_concurrent_requests': 480.25,
    'serving.total_latency': 50000,
    'serving.e2e_latency.mean': 24000.5,
    'serving.e2e_latency.median': 24100.5,
    'serving.e2e_latency.p90': 45000.5,
    'serving.e2e_latency.p95': 47000.5,
    'serving.e2e_latency.p99': 49000.5,
    'serving.completed_requests': 1000,
  };
  const streaming = {
    'serving.generation_speed': 80.125,
    'serving.ttft.mean': 150.25,
    'serving.ttft.median': 140.5,
    'serving.ttft.p99': 380.5,
    'serving.tpot.mean': 12.5,
    'serving.tpot.p99': 18.5,
  };

  it('reads the report, the GPU and the settings', () => {
    const run = onlyRun(readFixture('trtllm-bench/pytorch-backend.txt'));
    expect(values(run)).toEqual(throughput);
    expect(run).toMatchObject({ toolVersion: '1.0.0', startedAt: '2026-02-03T04:04:00.000Z' });
    expect(run.environment).toEqual({
      tensorrtLlm: '1.0.0',
      vendor: 'nvidia',
      'gpu.name': 'NVIDIA H200',
      'gpu.sku': 'H200',
    });
    expect(run.workload).toEqual({
      'workload.tool': 'trtllm-bench',
      'workload.framework': 'tensorrt-llm',
      'workload.model': 'example/Model-7B',
      'workload.precision': 'fp8',
      'workload.request_rate': 'unlimited',
      'workload.num_prompts': 1000,
      'workload.input_tokens': 128,
      'workload.output_tokens': 64,
      'workload.parallelism.tp': 1,
      'workload.parallelism.pp': 1,
      'workload.settings.kv_cache_dtype': 'FP8',
      'workload.settings.max_batch_size': 2048,
      'workload.settings.max_num_tokens': 8192,
      'workload.settings.scheduling_policy': 'guaranteed_no_evict',
      'workload.settings.kv_memory_percent': 90,
    });
    expect(observation(run, 'serving.e2e_latency.mean').distribution).toEqual({
      count: 1000,
      mean: 24000.5,
      sd: null,
      min: 900.5,
      p50: 24100.5,
      p90: 45000.5,
      p99: 49000.5,
      max: 49500.5,
    });
  });

  it('reads the layout of 0.16, whose token throughput is that of the output', () => {
    const run = onlyRun(readFixture('trtllm-bench/engine-0-16.txt'));
    expect(values(run)).toEqual({
      'serving.request_throughput': 20,
      'serving.output_token_throughput': 1280,
      'serving.total_latency': 50000,
      'serving.completed_requests': 1000,
    });
    expect(run.workload).toMatchObject({ 'workload.precision': 'fp16', 'workload.parallelism.tp': 8 });
    expect(Object.keys(run.workload)).not.toContain('workload.settings.kv_cache_dtype');
  });

  it('reads a report of streaming, and calls a rate that held requests back not unlimited', () => {
    const run = onlyRun(readFixture('trtllm-bench/streaming-at-a-rate.txt'));
    expect(values(run)).toMatchObject(streaming);
    expect(Object.keys(run.workload)).not.toContain('workload.request_rate');
  });

  it('makes each report of a file a run', () => {
    const { runs } = readFixture('trtllm-bench/two-reports.txt').reading;
    expect(runs.map(({ workload }) => workload['workload.output_tokens'])).toEqual([64, 32]);
    expect(runs.map((run) => observation(run, 'serving.request_throughput').value)).toEqual([20, 25]);
  });

  it('says that a log which ends before the report holds no result', () => {
    const [log = ''] = fixture('trtllm-bench/pytorch-backend.txt').split('= PYTORCH BACKEND');
    expect(messages(readContent(log))).toEqual([expect.stringContaining('ends before its report')]);
  });

  it('says of the layout of older versions that it is not read', () => {
    const text =
      '= THROUGHPUT OVERVIEW\nRequest Throughput (req/sec):\t\t1.5\n= LATENCY OVERVIEW\nTotal Latency (ms):\t\t9.5\n';
    expect(messages(readContent(text))).toEqual([expect.stringContaining('layout of older versions')]);
  });

  it('reads the same from JSON', () => {
    const run = onlyRun(readFixture('trtllm-bench-json/throughput.json'));
    expect(values(run)).toEqual({ ...throughput, 'serving.output_token_throughput_per_gpu': 640 });
    expect(run.workload).toMatchObject({ 'workload.parallelism.tp': 2, 'workload.settings.backend': 'pytorch' });
    expect(run.environment).toMatchObject({ tensorrtLlm: '1.0.0', 'gpu.sku': 'H200' });
  });

  it('reads streaming, speculative decoding and energy from JSON', () => {
    const run = onlyRun(readFixture('trtllm-bench-json/streaming-speculative-energy.json'));
    expect(values(run)).toMatchObject({
      ...streaming,
      'serving.acceptance_length': 2.5,
      'power.average': 690.5,
      'energy.tokens_per_joule': 1.85,
    });
    expect(run.workload['workload.settings.decoding_mode']).toBe('MTP');
  });
});

describe('gptmanager-benchmark', () => {
  it('reads times, rates and the distribution of latencies', () => {
    const run = onlyRun(readFixture('gptmanager-benchmark/offline.txt'));
    expect(values(run)).toEqual({
      'serving.request_throughput': 5,
      'serving.output_token_throughput': 640,
      'serving.total_latency': 40000,
      'serving.e2e_latency.mean': 2239.2,
      'serving.e2e_latency.median': 2230.25,
      'serving.e2e_latency.p90': 2350.5,
      'serving.e2e_latency.p99': 2390.75,
      'serving.completed_requests': 200,
      'serving.failed_requests': 0,
    });
    expect(observation(run, 'serving.e2e_latency.mean').distribution).toMatchObject({
      count: 200,
      min: 2100.25,
      max: 2400.5,
    });
  });

  it('reads the average gap of each request as its time per output token', () => {
    expect(values(onlyRun(readFixture('gptmanager-benchmark/streaming-acceptance.txt')))).toMatchObject({
      'serving.ttft.mean': 65.25,
      'serving.ttft.p99': 88.75,
      'serving.tpot.mean': 17.25,
      'serving.tpot.median': 17,
      'serving.output_token_throughput_per_user': 58,
      'serving.acceptance_length': 2.5,
      'serving.queue_time': 3.5,
    });
  });

  it('reads the count of samples that old builds gave a unit of time', () => {
    const run = onlyRun(readFixture('gptmanager-benchmark/old-unit-of-samples.txt'));
    expect(values(run)).toMatchObject({ 'serving.completed_requests': 100, 'serving.e2e_latency.mean': 2239.2 });
    expect(Object.keys(values(run))).not.toContain('serving.failed_requests');
  });
});

describe('mlperf-loadgen-summary', () => {
  it('reads the scenarios by what each is judged by', () => {
    expect(values(firstRun('mlperf-loadgen-summary/offline-llm.txt'))).toMatchObject({
      'serving.request_throughput': 92.5,
      'serving.output_token_throughput': 27800.5,
    });
    expect(values(firstRun('mlperf-loadgen-summary/single-stream.txt'))).toEqual({
      'serving.request_throughput': 52.25,
      'serving.e2e_latency.mean': 18691588,
      'serving.e2e_latency.median': 18500000,
      'serving.e2e_latency.p90': 20354752,
      'serving.e2e_latency.p95': 21000000,
      'serving.e2e_latency.p99': 22500000,
    });
    expect(values(firstRun('mlperf-loadgen-summary/multi-stream.txt'))).toMatchObject({
      'serving.e2e_latency.p99': 80354752,
    });
  });

  it('reads the latencies of tokens of the server scenario, in nanoseconds', () => {
    const run = onlyRun(readFixture('mlperf-loadgen-summary/server-llm.txt'));
    expect(run.variant).toBe('Example SUT');
    expect(run.workload).toEqual({
      'workload.tool': 'mlperf-loadgen',
      'workload.settings.scenario': 'Server',
      'workload.request_rate': 105,
      'workload.settings.ttft_limit_ns': 2000000000,
      'workload.settings.tpot_limit_ns': 200000000,
      'workload.settings.performance_sample_count': 5000,
    });
    expect(values(run)).toMatchObject({
      'serving.request_throughput': 99.86,
      'serving.scheduled_request_throughput': 104.15,
      'serving.output_token_throughput': 29522.56,
      'serving.ttft.mean': 963332124,
      'serving.ttft.p99': 1760966679,
      'serving.tpot.mean': 126269215,
      'serving.tpot.median': 132613828,
      'serving.tpot.p99': 164964162,
    });
    expect(observation(run, 'serving.ttft.p99').unit).toBe('ns');
  });

  it('leaves out a rate that stands twice with different values', () => {
    const run = onlyRun(readFixture('mlperf-loadgen-summary/server-contradicting.txt'));
    expect(Object.keys(values(run))).not.toContain('serving.output_token_throughput');
  });
});

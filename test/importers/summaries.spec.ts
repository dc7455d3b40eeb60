import { describe, expect, it } from '@jest/globals';
import { readContent } from '../../src/domain/importers/index.js';
import { fixture, fixtures, onlyRun, readFixture } from '../support/tool-output.js';

/** `metric point | value unit | mean ± sd (n)` of what has a summary. */
function summaries(text: string): readonly string[] {
  return readContent(text).reading.runs.flatMap(({ observations }) =>
    observations.flatMap(({ metric, dimensions, value, unit, summary }) =>
      summary
        ? [
            `${[metric, ...Object.values(dimensions)].join(' ')} | ${value} ${unit} | ${summary.mean} ± ${summary.sd} (${summary.n ?? 'unknown'})`,
          ]
        : [],
    ),
  );
}

const table = fixture('llama-bench-md/two-settings.txt');
const withCommand = (command: string): string => `$ ./build/bin/${command}\n${table}`;

describe('the mean and deviation of repetitions that a file does not list', () => {
  it('is of each row of a table of llama-bench, of an unknown number', () => {
    expect(summaries(table)).toEqual([
      'inference.prompt_throughput 512 | 11500.25 tokens/s | 11500.25 ± 45.5 (unknown)',
      'inference.generation_throughput 128 | 205.75 tokens/s | 205.75 ± 0.25 (unknown)',
      'inference.prompt_throughput 512 | 12600.5 tokens/s | 12600.5 ± 50.25 (unknown)',
      'inference.prompt_throughput 512 1024 | 12100.75 tokens/s | 12100.75 ± 40.5 (unknown)',
      'inference.mixed_throughput 512 128 | 3100.25 tokens/s | 3100.25 ± 9.75 (unknown)',
    ]);
  });

  it.each([
    ['llama-bench -m model.gguf -r 10 -p 512', '10'],
    ['llama-bench -m model.gguf --repetitions 7 | tee out.txt', '7'],
    ['llama-bench -m model.gguf', 'unknown'],
    ['llama-bench -m model.gguf -r many', 'unknown'],
  ])('is of as many as the command above says: %s', (command, count) => {
    expect(summaries(withCommand(command))[0]).toBe(
      `inference.prompt_throughput 512 | 11500.25 tokens/s | 11500.25 ± 45.5 (${count})`,
    );
  });

  it('is none of one repetition, and none of the table behind that of the command', () => {
    expect(summaries(withCommand('llama-bench -r 1'))).toEqual([]);
    const other = table.replaceAll('|  99 |', '|  10 |');
    const both = summaries(`${withCommand('llama-bench -r 10')}\n${other}`).map((line) => line.split(' (')[1]);
    expect(both).toEqual([...Array.from({ length: 5 }, () => '10)'), ...Array.from({ length: 5 }, () => 'unknown)')]);
  });

  it('is none where a deviation of zero was printed', () => {
    expect(summaries(table.replace('± 0.25', '± 0.00'))).not.toContainEqual(expect.stringContaining('generation'));
    expect(summaries(table.replace('± 0.25', '± 0.00'))).toHaveLength(4);
  });

  it.each([
    ['llama-bench-csv/two-tests.csv', '"46666666","0"', '"46666666","120000"'],
    ['llama-bench-sql/apostrophe.sql', "'46666666', '0'", "'46666666', '120000'"],
  ])('is of rate and time in %s', (name, zero, deviation) => {
    const text = fixture(name);
    expect(text).toContain(zero);
    expect(summaries(text.replace(zero, deviation))).toEqual([
      'inference.prompt_throughput 512 | 11093.333333 tokens/s | 11093.333333 ± 0.5 (unknown)',
      'inference.prompt_time 512 | 46666666 ns | 46666666 ± 120000 (unknown)',
      'inference.generation_throughput 128 | 200.000326 tokens/s | 200.000326 ± 0.5 (unknown)',
    ]);
  });

  it('is of JSON of llama-bench without samples, and of none that has them', () => {
    const lines = fixture('llama-bench-json/messages-before-lines.jsonl');
    const without = lines
      .replace(/, "samples_ns": \[\d+\], "samples_ts": \[[\d.]+\]/g, '')
      .replaceAll('"stddev_ts": 0.0', '"stddev_ts": 1.5');
    expect(summaries(`$ llama-bench -o jsonl -r 6\n${without}`)).toEqual([
      'inference.prompt_throughput 512 | 10240 tokens/s | 10240 ± 1.5 (6)',
      'inference.generation_throughput 128 | 200 tokens/s | 200 ± 1.5 (6)',
    ]);
    expect(summaries(lines.replaceAll('"stddev_ts": 0.0', '"stddev_ts": 1.5'))).toEqual([]);
    expect(summaries(fixture('llama-bench-json/array.json'))).toEqual([]);
  });

  it('is of real and CPU time of the aggregates of Google Benchmark, whose value is then the mean', () => {
    expect(summaries(fixture('google-benchmark-json/aggregates-only.json'))).toEqual([
      'time.per_operation BM_Copy | 15.5 us | 15.5 ± 0.5 (10)',
      'time.cpu_per_operation BM_Copy | 15.4 us | 15.4 ± 0.4 (10)',
    ]);
    expect(summaries(fixture('google-benchmark-json/repetitions.json'))).toEqual([]);
  });

  it('is of the repetitions of Google Benchmark that succeeded, and of an unknown number before version 1.5', () => {
    const text = fixture('google-benchmark-json/aggregates-only.json');
    expect(summaries(text.replaceAll('"iterations": 10', '"iterations": 8'))[0]).toContain('15.5 ± 0.5 (8)');
    const old = text.replaceAll('"repetitions": 10,', '').replaceAll('"iterations": 10', '"iterations": 450000');
    expect(summaries(old)[0]).toBe('time.per_operation BM_Copy | 15.5 us | 15.5 ± 0.5 (unknown)');
    expect(onlyRun(readContent(old)).observations[0]).not.toHaveProperty('distribution');
  });

  it('is none of a median without the deviation, nor where the units of mean and deviation differ', () => {
    const text = fixture('google-benchmark-json/aggregates-only.json');
    const withoutSpread = readContent(text.replaceAll('"stddev"', '"q10"').replace('BM_Copy_stddev', 'BM_Copy_q10'));
    expect(onlyRun(withoutSpread).observations.map(({ value, summary }) => [value, summary])).toEqual([
      [15, undefined],
      [14.9, undefined],
    ]);
    const [head, tail = ''] = text.split('"aggregate_name": "stddev"');
    expect(summaries(`${head}"aggregate_name": "stddev"${tail.replace('"us"', '"ns"')}`)).toEqual([]);
  });

  it('is of the rates on the console of Google Benchmark too, in one unit', () => {
    const rows = [
      'Benchmark                     Time             CPU   Iterations UserCounters...',
      '-------------------------------------------------------------------------------',
      'BM_Copy/4096_mean           312 ns          311 ns            5 bytes_per_second=12.5Gi/s items_per_second=3.15M/s',
      'BM_Copy/4096_median         310 ns          309 ns            5 bytes_per_second=12.25Gi/s items_per_second=3.2M/s',
      'BM_Copy/4096_stddev        2.83 ns         2.75 ns            5 bytes_per_second=256Mi/s items_per_second=70.5k/s',
      'BM_Copy/4096_cv            0.91 %          0.88 %             5 bytes_per_second=2.00% items_per_second=2.24%',
    ];
    expect(summaries(rows.join('\n'))).toEqual([
      'time.per_operation BM_Copy/4096 | 312 ns | 312 ± 2.83 (5)',
      'time.cpu_per_operation BM_Copy/4096 | 311 ns | 311 ± 2.75 (5)',
      'throughput.bytes BM_Copy/4096 | 12.5 GiB/s | 12.5 ± 0.25 (5)',
      'throughput.items BM_Copy/4096 | 3150000 items/s | 3150000 ± 70500 (5)',
    ]);
    // what stands under Iterations may be those of one repetition
    expect(summaries(rows.slice(0, 5).join('\n'))[0]).toContain('312 ± 2.83 (unknown)');
    expect(summaries(rows.slice(0, 5).join('\n').replaceAll('/4096_', '/4096/repeats:9_'))[0]).toContain('(9)');
  });

  it('is of the mean of hyperfine without its times, never of the median', () => {
    const result = (more: object): string =>
      JSON.stringify({
        results: [
          {
            command: 'sleep 1',
            mean: 1.02,
            stddev: 0.01,
            median: 1.01,
            user: 0.5,
            system: 0.1,
            min: 1,
            max: 1.2,
            ...more,
          },
        ],
      });
    expect(summaries(result({}))).toEqual(['time.mean | 1.02 s | 1.02 ± 0.01 (unknown)']);
    expect(summaries(result({ exit_codes: [0, 0, 0, 0] }))).toEqual(['time.mean | 1.02 s | 1.02 ± 0.01 (4)']);
    expect(summaries(result({ exit_codes: [0], stddev: null }))).toEqual([]);
    expect(summaries(result({ times: [1.01, 1.03, 1.01, 1.03] }))).toEqual([]);
  });

  it('is of the rounds of pytest-benchmark without their times', () => {
    expect(summaries(fixture('pytest-benchmark/saved-without-data.json'))).toEqual([
      'time.mean bench.py::test_load | 0.6 s | 0.6 ± 0.09999999999999998 (3)',
    ]);
    expect(summaries(fixture('pytest-benchmark/with-data.json'))).toEqual([]);
    expect(summaries(fixture('pytest-benchmark/old-without-ops.json'))).toEqual([]);
  });

  it('is of the mean of criterion, and not of the slope', () => {
    expect(summaries(fixture('criterion-estimates/with-slope.json'))).toEqual([
      'time.mean | 105.5 ns | 105.5 ± 4 (unknown)',
    ]);
    expect(summaries(fixture('criterion-text/throughput-and-change.txt'))).toEqual([]);
  });

  it('is of the batches that a copy of vllm bench latency printed a deviation of', () => {
    const [first] = readFixture('vllm-bench-offline/latency-sweep.txt').reading.runs;
    expect(first?.observations[0]?.summary).toEqual({ mean: 0.5021, sd: expect.closeTo(0.004 * Math.sqrt(30 / 29), 12), n: 30 });
    expect(summaries(fixture('vllm-bench-offline/latency-sweep.txt'))).toHaveLength(1);
  }); // prettier-ignore

  it('stands in no other fixture: requests, steps and samples inside a run are no repetitions of it', () => {
    const found = fixtures.filter(({ name }) => summaries(fixture(name)).length > 0).map(({ tool }) => tool);
    expect([...new Set(found)].sort()).toEqual([
      'criterion-estimates',
      'google-benchmark-json',
      'llama-bench-csv',
      'llama-bench-md',
      'llama-bench-sql',
      'pytest-benchmark',
      'vllm-bench-offline',
    ]);
  });

  it.each(fixtures)('is the value of an observation without repetitions: $name', ({ name }) => {
    const observations = readFixture(name).reading.runs.flatMap((run) => run.observations);
    for (const { value, repeats, summary } of observations.filter((each) => each.summary)) {
      expect([repeats, summary?.mean]).toEqual([undefined, value]);
      expect(summary?.sd).toBeGreaterThan(0);
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { harnessImporters } from '../../src/domain/importers/harnesses/index.js';
import { readContent } from '../../src/domain/importers/index.js';
import { fixture, fixtures, messages, observation, onlyRun, readFixture } from '../support/tool-output.js';

const mine = harnessImporters.map(({ tool }) => tool).filter((tool) => !['tunebook-lab', 'hyperfine'].includes(tool));

/** `metric point value unit`, and how many repeats there are. */
function lines(name: string): readonly string[] {
  return readFixture(name).reading.runs.flatMap(({ observations }) =>
    observations.map(({ metric, dimensions, value, unit, repeats }) =>
      [metric, Object.values(dimensions).join(' '), value, unit, repeats ? `x${repeats.length}` : '']
        .filter((part) => part !== '')
        .join(' | '),
    ),
  );
}

describe('pytest-benchmark', () => {
  it('makes each round a repeat where all rounds are in the file', () => {
    const read = readFixture('pytest-benchmark/with-data.json');
    expect(messages(read)).toEqual([]);
    const { observations, ...run } = onlyRun(read);
    expect(run).toEqual({
      status: 'OK',
      tool: 'pytest-benchmark',
      toolVersion: '5.1.0',
      variant: null,
      startedAt: '2026-01-05T09:30:00.250Z',
      command: null,
      environment: {
        python: '3.12.3',
        os: 'Linux',
        kernel: '6.8.0-40-generic',
        'cpu.architecture': 'x86_64',
        'cpu.name': 'Example CPU 9 @ 3.00GHz',
        'cpu.logical': 16,
      },
      workload: {
        'workload.settings.timer': 'perf_counter',
        'workload.settings.disable_gc': false,
        'workload.settings.warmup': false,
      },
      session: null,
      block: null,
    });
    expect(observations).toHaveLength(6);
    expect(observation(onlyRun(read), 'time.median', { benchmark: 'tests/test_sort.py::test_sort' })).toMatchObject({
      value: 0.0022,
      unit: 's',
      repeats: [0.002, 0.0022, 0.0021, 0.0024, 0.0023],
      distribution: { count: 5, min: 0.002, p50: 0.0022, max: 0.0024 },
    });
    expect(JSON.stringify(read)).not.toContain('build-17');
  });

  it('keeps what is stated where the rounds were not saved, and takes a time without zone as UTC', () => {
    const run = onlyRun(readFixture('pytest-benchmark/saved-without-data.json'));
    expect(run.startedAt).toBe('2026-01-05T09:30:00.250Z');
    expect(run.environment).toMatchObject({ python: 'PyPy 3.12.3', 'cpu.architecture': 'aarch64', 'cpu.name': 'Example A1' });
    const median = observation(run, 'time.median', { benchmark: 'bench.py::test_load' });
    expect(median).toEqual({
      metric: 'time.median',
      dimensions: { benchmark: 'bench.py::test_load' },
      value: 0.6,
      unit: 's',
      distribution: { count: 3, mean: 0.6, sd: expect.closeTo(0.1, 9), min: 0.5, p50: 0.6, p90: null, p99: null, max: 0.7 },
    });
  }); // prettier-ignore

  it('reads files of version 2.5, which state no rate, and warns of a single round', () => {
    expect(lines('pytest-benchmark/old-without-ops.json')).toEqual([
      'time.median | bench.py::test_once | 0.25 | s',
      'time.mean | bench.py::test_once | 0.25 | s',
    ]);
    expect(messages(readFixture('pytest-benchmark/old-without-ops.json'))).toEqual([
      'WARNING 1 Only one round was measured: test_once',
    ]);
  });

  it('takes no rounds where some were left out, and no setting in which the tests differ', () => {
    const read = readFixture('pytest-benchmark/data-shortened.json');
    expect(messages(read)).toEqual([
      'WARNING 1 The times of the rounds are incomplete, so only the stated statistics were taken: test_cut',
    ]);
    expect(onlyRun(read).workload).not.toHaveProperty('workload.settings.timer');
    expect(observation(onlyRun(read), 'time.median', { benchmark: 'bench.py::test_cut' }).repeats).toBeUndefined();
    expect(observation(onlyRun(read), 'time.median', { benchmark: 'bench.py::test_whole' }).repeats).toEqual([1, 3]);
  });

  it('refuses a benchmark of which a number is a text, and counts it as left out', () => {
    const read = readFixture('pytest-benchmark/mean-is-text.json');
    expect(onlyRun(read)).toMatchObject({ leftOut: 1 });
    expect(read.reading.problems.map(({ scope, code }) => [scope, code])).toEqual([['VALUE', 'UNREADABLE_VALUE']]);
    expect(messages(read)).toEqual([
      'ERROR 74 Not a result of pytest-benchmark: test_text. Bad or missing: stats.mean',
    ]);
  });
});

describe('google-benchmark-json', () => {
  it('makes each repetition a repeat and leaves the aggregates of the same out', () => {
    const read = readFixture('google-benchmark-json/repetitions.json');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read)).toMatchObject({
      status: 'OK',
      toolVersion: 'v1.9.1',
      startedAt: '2026-01-05T09:30:00.000Z',
      command: './bench/sort_bench',
      environment: { 'cpu.logical': 16 },
    });
    expect(lines('google-benchmark-json/repetitions.json')).toEqual([
      'time.per_operation | BM_Sort/64/real_time | 121.5 | ns | x3',
      'time.cpu_per_operation | BM_Sort/64/real_time | 120 | ns | x3',
      'throughput.bytes | BM_Sort/64/real_time | 1950000000 | B/s | x3',
      'throughput.items | BM_Sort/64/real_time | 490000000 | items/s | x3',
    ]);
    expect(JSON.stringify(read)).not.toContain('build-17');
  });

  it('takes the mean of repetitions of which only aggregates are reported, never a fit of the complexity', () => {
    const read = readFixture('google-benchmark-json/aggregates-only.json');
    expect(lines('google-benchmark-json/aggregates-only.json')).toEqual([
      'time.per_operation | BM_Copy | 15.5 | us',
      'time.cpu_per_operation | BM_Copy | 15.4 | us',
    ]);
    expect(onlyRun(read).observations[0]?.distribution).toEqual({
      count: 10,
      mean: 15.5,
      sd: 0.5,
      min: null,
      p50: 15,
      p90: null,
      p99: null,
      max: null,
    });
  });

  it('warns of debug builds, frequency scaling, failures and counters without a metric', () => {
    const read = readFixture('google-benchmark-json/debug-scaling-failed.json');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(messages(read)).toEqual([
      'WARNING 1 The benchmark library was built as debug: times are too long',
      'WARNING 1 CPU frequency scaling was on: real times vary with the clock',
      'WARNING 1 Failed: BM_Bad',
      'WARNING 1 Skipped: BM_Later',
      'WARNING - Left out, since no metric stands for them: flops',
    ]);
    expect(lines('google-benchmark-json/debug-scaling-failed.json')).toEqual([
      'time.per_operation | BM_Fast | 2.5 | ns',
      'time.cpu_per_operation | BM_Fast | 2.25 | ns',
      'memory.allocations_per_operation | BM_Fast | 3 | allocs/op',
    ]);
  });

  it('knows aggregates of old files by the names around them, and guesses no time zone', () => {
    expect(onlyRun(readFixture('google-benchmark-json/old-without-run-type.json')).startedAt).toBeNull();
    expect(lines('google-benchmark-json/old-without-run-type.json')).toEqual([
      'time.per_operation | BM_Hash/8 | 140 | ns | x2',
      'time.cpu_per_operation | BM_Hash/8 | 138 | ns | x2',
      'time.per_operation | BM_Read_mean | 2 | ms',
      'time.cpu_per_operation | BM_Read_mean | 1.5 | ms',
    ]);
  });

  it('refuses a file of which every benchmark failed', () => {
    const read = readFixture('google-benchmark-json/all-failed.json');
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)).toEqual(['WARNING 1 Failed: BM_Bad', 'ERROR 1 The file holds no benchmark that ran']);
  });
});

describe('google-benchmark-console', () => {
  it('reads repetitions, rates and names with blanks, and what the context warns of', () => {
    const read = readFixture('google-benchmark-console/counters-and-repetitions.txt');
    expect(onlyRun(read)).toMatchObject({
      status: 'PARTIAL',
      startedAt: '2026-01-05T09:30:00.000Z',
      command: './bench/copy_bench',
      environment: { 'cpu.logical': 16 },
    });
    expect(lines('google-benchmark-console/counters-and-repetitions.txt')).toEqual([
      'time.per_operation | BM_Copy/4096/repeats:2 | 312 | ns | x2',
      'time.cpu_per_operation | BM_Copy/4096/repeats:2 | 311 | ns | x2',
      'throughput.bytes | BM_Copy/4096/repeats:2 | 12.375 | GiB/s | x2',
      'throughput.items | BM_Copy/4096/repeats:2 | 3150000 | items/s | x2',
      'time.per_operation | BM_Copy with spaces | 1.25 | ms',
      'time.cpu_per_operation | BM_Copy with spaces | 1.24 | ms',
    ]);
    expect(messages(read)).toEqual([
      'WARNING 10 The benchmark library was built as debug: times are too long',
      'WARNING 10 CPU frequency scaling was on: real times vary with the clock',
      'WARNING 10 Failed: BM_Broken',
      'WARNING 10 Skipped: BM_Later',
      'WARNING - Left out, since no metric stands for them: hits',
    ]);
  });

  it('makes each execution a run, and warns of a row that is cut', () => {
    const read = readFixture('google-benchmark-console/two-executables.txt');
    expect(messages(read)).toEqual(['WARNING 15 The table is cut: its last row has no result']);
    expect(read.reading.runs.map(({ command, status }) => [command, status])).toEqual([
      ['./bench/a', 'OK'],
      ['./bench/b', 'PARTIAL'],
    ]);
    expect(lines('google-benchmark-console/two-executables.txt')).toEqual([
      'time.per_operation | BM_A | 100000000000 | ns',
      'time.cpu_per_operation | BM_A | 95000000000 | ns',
      'time.per_operation | BM_B | 0.25 | us',
      'time.cpu_per_operation | BM_B | 0.24 | us',
    ]);
  });

  it('reads counters in columns of their own', () => {
    expect(lines('google-benchmark-console/tabular.txt').filter((line) => line.startsWith('throughput'))).toEqual([
      'throughput.bytes | BM_T/1 | 9.31 | GiB/s',
      'throughput.bytes | BM_T/2 | 4.66 | GiB/s',
    ]);
  });

  it('counts prefixes of old rates by 1024, of items too, and takes the unit from the header', () => {
    expect(lines('google-benchmark-console/old-header-with-unit.txt')).toEqual([
      'time.per_operation | BM_Insert/8 | 1500 | ns',
      'time.cpu_per_operation | BM_Insert/8 | 1480 | ns',
      'throughput.bytes | BM_Insert/8 | 2 | KiB/s',
      'throughput.items | BM_Insert/8 | 3072 | items/s',
      'time.per_operation | BM_Insert/16 | 3100 | ns',
      'time.cpu_per_operation | BM_Insert/16 | 3050 | ns',
      'throughput.bytes | BM_Insert/16 | 4 | MiB/s',
      'throughput.items | BM_Insert/16 | 500 | items/s',
    ]);
  });
});

describe('go-bench', () => {
  it('makes lines of -count repeats and tells packages apart', () => {
    const read = readFixture('go-bench/count-and-packages.txt');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read).environment).toEqual({
      os: 'linux',
      'cpu.architecture': 'x86_64',
      'cpu.name': 'Example CPU 9 @ 3.00GHz',
    });
    expect(onlyRun(read).observations[0]).toMatchObject({
      metric: 'time.per_operation',
      dimensions: { benchmark: 'Get/size=1k', gomaxprocs: 8, package: 'example.com/cache' },
      value: 242.5,
      unit: 'ns',
      repeats: [240.5, 250.5, 242.5],
    });
    expect(lines('go-bench/count-and-packages.txt').slice(1)).toEqual([
      'throughput.bytes | Get/size=1k 8 example.com/cache | 4100 | MB/s | x3',
      'memory.bytes_per_operation | Get/size=1k 8 example.com/cache | 16 | B/op | x3',
      'memory.allocations_per_operation | Get/size=1k 8 example.com/cache | 1 | allocs/op | x3',
      'time.per_operation | Once example.com/cache | 2000000000 | ns',
      'time.per_operation | Get/size=1k 8 example.com/store | 10500 | ns',
    ]);
  });

  it('reads rates of its own, a result behind output of the benchmark, and names what failed', () => {
    const read = readFixture('go-bench/custom-units-and-failure.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(lines('go-bench/custom-units-and-failure.txt')).toEqual([
      'time.per_operation | Serve 4 example.com/server | 950000 | ns',
      'throughput.requests | Serve 4 example.com/server | 1052 | req/s',
      'time.per_operation | Noisy 4 example.com/server | 41000 | ns',
    ]);
    expect(messages(read)).toEqual([
      'WARNING 8 BenchmarkBroken-4 failed',
      'WARNING 12 example.com/server failed',
      'WARNING - Left out, since no metric stands for them: p99-ns',
    ]);
  });

  it('makes a run for each setting that the lines above the results change', () => {
    const { runs } = readFixture('go-bench/two-settings.txt').reading;
    expect(runs.map(({ variant, observations }) => [variant, observations[0]?.value])).toEqual([
      ['table lookup', 1100],
      ['vector instructions', 310],
    ]);
  });

  it('warns of a row that is cut, and reads what a quotation has before each line', () => {
    const read = readFixture('go-bench/cut-in-a-row.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(messages(read)).toEqual(['WARNING 4 "64" of BenchmarkB-2 is no value with a unit']);
    expect(lines('go-bench/in-a-prefixed-log.txt')).toEqual([
      'time.per_operation | A 2 example.com/a | 7050 | ns | x2',
    ]);
  });
});

describe('criterion', () => {
  it.each([
    ['with-slope', [103.25, 105.5, 104.5]],
    ['flat-sampling', [2_500_000.5, 2_500_000.5, 2_450_000]],
    ['capitals', [80.125, 80.5, 80.25]],
  ])('takes the slope, else the mean, of estimates.json as the time: %s', (name, [typical, mean, median]) => {
    expect(lines(`criterion-estimates/${name}.json`)).toEqual([
      `time.per_operation | ${typical} | ns`,
      `time.mean | ${mean} | ns`,
      `time.median | ${median} | ns`,
    ]);
  });

  it('says that a file of changes holds no time', () => {
    const read = readFixture('criterion-estimates/change.json');
    expect(messages(read)).toEqual([expect.stringContaining('WARNING 1 This is change/estimates.json')]);
    expect(lines('criterion-estimates/change.json')).toEqual([
      'time.relative_change | mean estimate | -0.125 | ratio',
      'time.relative_change | mean lower | -0.15 | ratio',
      'time.relative_change | mean upper | -0.1 | ratio',
      'time.relative_change | median estimate | -0.12 | ratio',
      'time.relative_change | median lower | -0.14 | ratio',
      'time.relative_change | median upper | -0.11 | ratio',
    ]);
  });

  it('divides the time of each sample by its iterations', () => {
    const { observations } = onlyRun(readFixture('criterion-raw/two-benchmarks.csv'));
    expect(observations.map(({ dimensions, value, repeats }) => [dimensions.benchmark, value, repeats])).toEqual([
      ['parse/fast/1024', 510, [500, 520, 510]],
      ['parse, slow', 4600, [4500, 4700]],
    ]);
    expect(onlyRun(readFixture('criterion-raw/sample.json')).observations[0]).toMatchObject({
      dimensions: {},
      value: 105,
      unit: 'ns',
      repeats: [100, 105, 110],
    });
    expect(lines('criterion-raw/old-columns.csv')).toEqual(['time.per_operation | sum | 69 | ns | x2']);
  });

  it('refuses samples that are no times, and leaves out a row that is cut', () => {
    expect(messages(readFixture('criterion-raw/cycles.csv'))[0]).toBe(
      'ERROR 2 The samples are no times: their unit is "cycles"',
    );
    const cut = readFixture('criterion-raw/cut-row.csv');
    expect(onlyRun(cut).status).toBe('PARTIAL');
    expect(messages(cut)).toEqual(['WARNING 4 The row is incomplete or its numbers are none']);
  });

  it('reads the middle of three values, names on a line of their own, and no change', () => {
    const read = readFixture('criterion-text/throughput-and-change.txt');
    expect(messages(read)).toEqual([]);
    expect(lines('criterion-text/throughput-and-change.txt')).toEqual([
      'time.per_operation | parse/fast | 4.025 | us',
      'throughput.bytes | parse/fast | 242.6 | MiB/s',
      'time.per_operation | parse/with a long name of several words | 815.1 | ps',
      'throughput.items | parse/with a long name of several words | 1226.8 | Mitems/s',
      'time.per_operation | short | 1.525 | s',
      'throughput.bytes | short | 65 | B/s',
    ]);
  });

  it.each(['us', '\u00b5s', '\u03bcs', '\u00c2\u00b5s', '\uFFFDs'])('knows microseconds written as %s', (unit) => {
    const text = fixture('criterion-text/throughput-and-change.txt').replaceAll('\u00b5s', unit);
    expect(onlyRun(readContent(text)).observations[0]).toMatchObject({ value: 4.025, unit: 'us' });
  });

  it('warns of a benchmark that has no result, and merges what was measured again', () => {
    const read = readFixture('criterion-text/failed-benchmark.txt');
    expect(onlyRun(read)).toMatchObject({ status: 'PARTIAL', observations: [{ value: 10.3, repeats: [10.2, 10.4] }] });
    expect(messages(read)).toEqual(['WARNING 5 Without a result, since they failed or the output is cut: b']);
    expect(messages(readFixture('criterion-text/other-measurement.txt'))).toEqual([
      'WARNING - Left out, since no metric stands for them: Kcycles',
    ]);
  });

  it('reads what overwrites its own line', () => {
    const text =
      'Benchmarking a\rBenchmarking a: Warming up for 3.0000 s\r\u001b[Ka                       time:   [\u001b[2m1.0000 ns\u001b[0m \u001b[1m2.0000 ns\u001b[0m \u001b[2m3.0000 ns\u001b[0m]\n';
    expect(onlyRun(readContent(text)).observations).toEqual([
      { metric: 'time.per_operation', dimensions: { benchmark: 'a' }, value: 2, unit: 'ns' },
    ]);
  });
});

describe('bencher-metric-format', () => {
  it('reads the two measures whose units are known', () => {
    expect(messages(readFixture('bencher-metric-format/latency-and-throughput.json'))).toEqual([]);
    expect(lines('bencher-metric-format/latency-and-throughput.json')).toEqual([
      'time.latency | parser::small | 88.5 | ns',
      'throughput.operations | parser::small | 5.5 | operations/s',
      'time.latency | parser::large | 9100 | ns',
    ]);
  });

  it('names the measures that it must be told about', () => {
    const read = readFixture('bencher-metric-format/other-measures.json');
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)).toEqual([
      expect.stringContaining(
        'ERROR 1 The file says neither unit nor direction of these measures: file-size, build-time',
      ),
    ]);
  });

  it.each([
    '{"a":{"b":{"value":1},"c":{"mean":2}}}',
    '{"a":{"b":{"value":"1"}}}',
    '{"a":{"b":{"value":1,"unit":"ns"}}}',
    '{"a":{"b":{"lower_value":1}}}',
    '{"a":{"b":{"value":1}},"c":[]}',
  ])('is no other JSON: %s', (text) => {
    expect(readContent(text).format).toBeNull();
  });
});

describe('what resembles the output of a harness', () => {
  it.each([
    ['------------ benchmark: 2 tests ------------\nName (time in us)   Min   Max\ntest_a   1.0   2.0\n', '--benchmark-json=FILE'],
    ['name,iterations,real_time,cpu_time,time_unit,bytes_per_second\n"BM_A",10,1,1,ns,\n', '--benchmark_out_format=json'],
    ['{"Time":"2026-01-05T09:30:00Z","Action":"output","Output":"1000 12 ns/op\\n"}\n', 'without -json'],
    ['{"reason":"benchmark-complete","id":"a"}\n', 'estimates.json'],
  ])('is answered with what to send: %j', (text, hint) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(hint)]);
  }); // prettier-ignore
});

describe('output as people send it', () => {
  const names = fixtures.filter(({ tool }) => mine.includes(tool)).map(({ name }) => name);

  it.each(names)('means the same with \\r\\n and colors: %s', (name) => {
    const text = fixture(name);
    expect(readContent(text.replaceAll('\n', '\r\n'))).toEqual(readContent(text));
    if (text.startsWith('{')) return;
    expect(readContent(text.replace(/^(?=\S)/gm, '\u001b[32m').replaceAll('\n', '\u001b[0m\n'))).toEqual(readContent(text));
  }); // prettier-ignore
});

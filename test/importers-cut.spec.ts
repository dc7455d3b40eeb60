import { describe, expect, it } from '@jest/globals';
import type { Reading } from '../src/domain/importers/importer.js';
import { importers, readContent } from '../src/domain/importers/index.js';
import { columnMapping, readMapped } from '../src/domain/importers/mapped/index.js';
import { seeded } from './support/mutated-text.js';
import { addedTo, foreignValues } from './support/same-values.js';
import { fixture, fixtures, messages, onlyRun, readFixture, values } from './support/tool-output.js';

/** Where a value sums up all lines, a text that ends at the end of a line looks like a whole one of a shorter run. */
const shorterLooksWhole = new Set([
  'vllm-bench-offline', 'iperf-text', 'dllogger', 'speedrun-log', 'nsys-stats-csv', 'nsys-stats-text', 'ncu-csv',
  'nvidia-smi-query-csv', 'nvidia-smi-dmon', 'nvidia-smi-table', 'prometheus-exposition', 'google-benchmark-console',
]); // prettier-ignore
const tools = importers.map(({ tool }) => tool);

describe('a text that ends early', () => {
  const check = (tool: string): void => {
    for (const { name } of fixtures.filter((each) => each.tool === tool)) {
      const text = fixture(name);
      const whole = readContent(text, tool);
      const random = seeded(text.length);
      for (let round = 0; round < 60; round += 1) {
        const at = Math.floor(random() * text.length);
        const cut = readContent(text.slice(0, at), tool);
        const isSaid =
          addedTo(whole, cut).length > 0 || cut.reading.problems.some(({ severity }) => severity === 'ERROR');
        expect([name, at, ...(isSaid ? [] : foreignValues(whole, cut))]).toEqual([name, at]);
      }
    }
  };

  it.each(tools.filter((tool) => !shorterLooksWhole.has(tool)))(
    'of %s gives values of the whole text, or a problem',
    check,
  );

  it.each([
    ['nvidia-smi-dmon/two-gpus.txt', 1],
    ['nvidia-smi-query-csv/two-gpus-over-time.csv', 1],
    ['vmstat/interval.txt', 1],
  ])('loses the last tick of %s with its end', (name, cut) => {
    const text = fixture(name).trimEnd();
    const whole = onlyRun(readContent(`${text}\n`));
    const read = readContent(text.slice(0, -cut));
    const [longest, kept] = [whole, onlyRun(read)].map(({ observations }) => Math.max(...observations.map(({ samples }) => samples?.length ?? 1)));
    expect(kept).toBeLessThanOrEqual(longest ?? 0);
    const line = text.split('\n').length;
    expect(messages(read)).toContain(`WARNING ${line} Line ${line} is the last one and does not end: it may be cut, and was left out`);
  }); // prettier-ignore

  it('says that a number at the very end may be cut', () => {
    const text = fixture('nccl-tests/no-summary.txt').trimEnd();
    const line = text.split('\n').length;
    expect(messages(readContent(text)).filter((each) => each.includes(` ${line} `) && each.includes('may be cut')).length).toBeLessThanOrEqual(1); // prettier-ignore
    const bench =
      'goos: linux\npkg: example.com/p\nBenchmarkSum-8   \t    1000\t    126640.6 ns/op\t  12 allocs/op\t 3.25 rows';
    expect(messages(readContent(`${bench}\n`, 'go-bench')).join()).not.toContain('may be cut');
  });

  it.each([
    ['genai-perf-csv/thousands.csv', /\r?\n\r?\nMetric,Value[^]*/, 'The table of rates is missing'],
    [
      'nvidia-smi-q/two-gpus.txt',
      /\n {4}Max Clocks(?![^]*\n {4}Max Clocks)[^]*/,
      'The page of the last GPU ends before its processes',
    ],
    [
      'perf-analyzer-console/sweep-last-unstable.txt',
      /\nInferences\/Second vs[^]*/,
      'The summary at the end is missing',
    ],
    ['nvbandwidth-text/two-gpus-verbose.txt', /\nSUM (?![^]*\nSUM )[^]*/, 'Tests without a whole result'],
  ])('is PARTIAL where the tool has a known end: %s', (name, rest, said) => {
    const read = readContent(fixture(name).replace(rest, '\n'));
    expect(read.reading.runs.at(-1)?.status).toBe('PARTIAL');
    expect(messages(read).join('\n')).toContain(said);
  });
});

/** Their lines hold several values, each of which is read as far as the line goes. */
const linesInParts = new Set([
  'iperf-text', 'megatron-log', 'dllogger', 'speedrun-log', 'nvidia-smi-query-csv', 'dcgmi-dmon',
]); // prettier-ignore

describe('a number that is cut at the end of a text', () => {
  const wholeLines = (text: string, at: number): readonly string[] => {
    const next = text.indexOf('\n', at);
    return [text.slice(0, text.lastIndexOf('\n', at - 1) + 1), text.slice(0, next === -1 ? text.length : next + 1)];
  };
  const insideNumbers = (text: string): readonly number[] =>
    [...text.matchAll(/\d(?=[\d.,]?\d)/g)].map(({ index }) => index + 1);

  it.each(tools.filter((tool) => !linesInParts.has(tool)))('is in no reading of %s', (tool) => {
    for (const { name } of fixtures.filter((each) => each.tool === tool)) {
      const text = fixture(name).replace(/\r\n?/g, '\n');
      if (readContent(text, tool).reading.runs.length === 0) continue;
      const places = insideNumbers(text);
      const random = seeded(text.length);
      for (let round = 0; round < 40 && places.length > 0; round += 1) {
        const at = places[Math.floor(random() * places.length)] ?? 0;
        const cut = readContent(text.slice(0, at), tool);
        // what the whole text says, or its whole lines with or without the one that is cut
        const others = [...wholeLines(text, at), text].map((part) => foreignValues(readContent(part, tool), cut));
        const isForeign = others.every((values) => values.length > 0);
        expect([name, at, ...(isForeign ? (others[1] ?? []) : [])]).toEqual([name, at]);
      }
    }
  });

  const serving = fixture('bench-serving-console/vllm-with-arguments.txt');
  const nameless =
    '[BENCHMARK] num_samples 200\n[BENCHMARK] total_latency(ms) 40000.00\n[BENCHMARK] seq_throughput(seq/sec) 5.00\n';

  it('is named by an ERROR, and the other numbers stay', () => {
    const whole = onlyRun(readContent(serving));
    const at = serving.indexOf('2200.00') + 2;
    const read = readContent(serving.slice(0, at));
    const line = serving.slice(0, at).split('\n').length;
    const problem = read.reading.problems.find(({ code }) => code === 'LAST_LINE_OPEN');
    expect(problem).toEqual({
      line,
      severity: 'ERROR',
      scope: 'VALUE',
      code: 'LAST_LINE_OPEN',
      value: '22',
      message: {
        en: `Line ${line} is the last one and does not end: what stands at its end, "22", may be cut and was left out. Send the whole file, or end the line where it is whole`,
        zh: `第 ${line} 行是最后一行且没有换行：末尾的“22”可能被截断，未采用。请上传完整文件；若内容已完整，请在末尾加上换行`,
      },
    });
    const kept = onlyRun(read);
    expect(whole.observations.length - kept.observations.length).toBe(1);
    expect(values(kept)).toEqual(Object.fromEntries(Object.entries(values(whole)).filter(([key]) => key !== 'serving.e2e_latency.p99')));
    expect(kept.leftOut).toBe(1);
  }); // prettier-ignore

  it.each([['22'], ['2239'], ['2239.'], ['2239.2'], ['2,239']])('is not taken: avg_sequence_latency(ms) %s', (number) => {
    const read = readContent(`${nameless}[BENCHMARK] avg_sequence_latency(ms) ${number}`);
    expect(Object.keys(values(onlyRun(read)))).not.toContain('serving.e2e_latency.mean');
    expect(read.reading.problems.filter(({ severity }) => severity === 'ERROR').map(({ code }) => code)).toEqual(['LAST_LINE_OPEN']);
  }); // prettier-ignore

  it('takes no number of another line with it', () => {
    const text = fixture('gptmanager-benchmark/offline.txt').trimEnd();
    const [whole, cut] = [onlyRun(readContent(`${text}\n`)), onlyRun(readContent(text))].map(({ observations }) => observations.map(({ metric }) => metric));
    expect(whole?.filter((metric) => !cut?.includes(metric))).toEqual(['serving.e2e_latency.median']);
  }); // prettier-ignore

  it('leaves out a row of a table whose workload it is', () => {
    const units = new Map([['serving.ttft.mean', 'ms']]);
    const mapping = columnMapping.parse({
      layout: 'WIDE',
      rows: 'EACH_ROW',
      columns: [
        { column: 'ttft_ms', role: 'METRIC', metric: 'serving.ttft.mean', unit: 'ms' },
        { column: 'concurrency', role: 'WORKLOAD', key: 'workload.concurrency' },
      ],
    });
    const { runs, problems } = readMapped('ttft_ms,concurrency\n120.5,1\n130.5,2\n150.25,1', mapping, units);
    expect(runs.map(({ workload }) => workload['workload.concurrency'])).toEqual([1, 2]);
    expect(problems.map(({ line, severity, code }) => [line, severity, code])).toEqual([[4, 'ERROR', 'LAST_LINE_OPEN']]);
  }); // prettier-ignore

  it('is not taken where one more digit changes nothing, and several do', () => {
    const text = fixture('bench-serving-console/sglang-sweep.txt');
    const read = readContent(text.slice(0, text.lastIndexOf('25216') + 1));
    // a run whose workload is open cannot be compared
    expect(read.reading.runs).toHaveLength(readContent(text).reading.runs.length - 1);
    expect(read.reading.problems.map(({ code, severity }) => `${severity} ${code}`)).toContain('ERROR LAST_LINE_OPEN');
  }); // prettier-ignore

  it('is taken where the line ends, or something stands behind it', () => {
    for (const end of ['\n', ' ', '\r\n']) {
      const read = readContent(`${nameless}[BENCHMARK] avg_sequence_latency(ms) 2239.20${end}`);
      expect([values(onlyRun(read))['serving.e2e_latency.mean'], read.reading.problems]).toEqual([2239.2, []]);
    }
  });
});

describe('a table of somebody that is cut in its last number', () => {
  const units = new Map([['time.latency', 'ms'], ['throughput.requests', 'req/s']]); // prettier-ignore
  const read = (text: string, rows: 'EACH_ROW' | 'GROUPED') =>
    readMapped(
      text,
      columnMapping.parse({
        layout: 'WIDE',
        rows,
        columns: [
          { column: 'rate', role: 'METRIC', metric: 'throughput.requests', unit: 'req/s' },
          { column: 'latency', role: 'METRIC', metric: 'time.latency', unit: 'ms' },
        ],
      }),
      units,
    );
  const told = ({ problems }: Reading) =>
    problems.map(({ line, severity, code, value }) => [line, severity, code, value]);

  it('lacks that number', () => {
    const reading = read('rate,latency\n8,2239.20\n9,22', 'EACH_ROW');
    expect(reading.runs.map(values)).toEqual([{ 'throughput.requests': 8, 'time.latency': 2239.2 }, { 'throughput.requests': 9 }]);
    expect(told(reading)).toEqual([[3, 'ERROR', 'LAST_LINE_OPEN', '9,22']]);
    expect(told(read('rate,latency\n8,2239.20\n9,2240\n', 'EACH_ROW'))).toEqual([]);
  }); // prettier-ignore

  it('lacks its row where rows are repetitions', () => {
    const reading = read('rate,latency\n8,2239.20\n9,2240.00\n10,22', 'GROUPED');
    expect(reading.runs.map((run) => run.observations.map(({ repeats }) => repeats))).toEqual([[[8, 9], [2239.2, 2240]]]);
    expect(told(reading).filter(([, severity]) => severity === 'ERROR')).toEqual([[4, 'ERROR', 'LAST_LINE_OPEN', '10,22']]);
  }); // prettier-ignore

  it('lacks its row where it is long', () => {
    const rows = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(10_000)},${index + 1},${index}.5\n`).join('');
    const reading = read(`note,rate,latency\n${rows}x,7,22`, 'GROUPED');
    expect(reading.runs[0]?.observations.map(({ repeats }) => repeats?.length)).toEqual([500, 500]);
    expect(told(reading).filter(([, severity]) => severity === 'ERROR')).toEqual([[502, 'ERROR', 'LAST_LINE_OPEN', 'x,7,22']]);
  }); // prettier-ignore
});

describe('a content that was pasted again', () => {
  it.each(fixtures.map(({ name }) => name))('counts once: %s', (name) => {
    const text = fixture(name);
    const once = readFixture(name);
    if (once.reading.runs.length === 0 || text.split('\n').filter((line) => line.trim() !== '').length < 3) return;
    const again = readContent(`${text.trimEnd()}\n\n`.repeat(4), once.format ?? undefined);
    const lines = text.trimEnd().split('\n').filter((line) => line.trim() !== '');
    // a text that begins anew within itself is no block of its own
    if (lines.filter((line) => line === lines[0]).length > 1) return;
    expect(again.reading.runs.map(values)).toEqual(once.reading.runs.map(values));
    expect(again.reading.problems.map(({ code }) => code)).toContain('REPEATED_CONTENT');
  }); // prettier-ignore

  it('counts equal results of one file once, and others each', () => {
    const [line = ''] = fixture('vllm-bench-serve/infinity-and-nan.jsonl').split('\n');
    const read = readContent(`${line}\n${line}\n${line}\n`);
    expect(read.reading.runs).toHaveLength(1);
    expect(messages(read)).toContain('WARNING - Results that are equal in every number, fact and start were counted once: 2 left out'); // prettier-ignore
  });
});

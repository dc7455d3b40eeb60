import { describe, expect, it } from '@jest/globals';
import { importers, readContent } from '../src/domain/importers/index.js';
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

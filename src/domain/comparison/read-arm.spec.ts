import { describe, expect, it } from '@jest/globals';
import type { MetricDefinition } from '../measurement/metric.js';
import { normalWords } from '../measurement/normal-facts.js';
import { readArm } from './read-arm.js';

const metric: MetricDefinition = {
  key: 'inference.generation_throughput', unit: 'tokens/s', dimension: 'token-rate', direction: 'HIGHER_IS_BETTER',
  target: null, isExact: false, smallestEffect: 0.02, role: 'PRIMARY',
}; // prettier-ignore

const precisions = [{ value: 'bf16', also: ['bfloat16'] }];
const words = normalWords(
  [{ key: 'workload.precision', unit: null, values: precisions, isClosed: false, least: null }],
  [{ slug: 'h100-sxm', name: 'H100 SXM', isGeneric: false, printed: ['NVIDIA H100 80GB HBM3'], facts: { 'gpu.sku': 'H100 SXM' } }],
); // prettier-ignore

describe('an arm of files', () => {
  it('has facts in the words of the catalog, whoever gave them', () => {
    const facts = { 'workload.precision': 'torch.bfloat16', 'workload.concurrency': '8', 'gpu.sku': 'NVIDIA H100 80GB HBM3' };
    const text = JSON.stringify({ results: [{ command: 'sort', mean: 0.5, stddev: 0.1, median: 0.5, user: 0.4, system: 0.1, min: 0.4, max: 0.6, times: [0.4, 0.5, 0.6], exit_codes: [0, 0, 0] }] });
    const { runs } = readArm([{ name: 'a.json', text }], {
      arm: 'BEFORE', format: null, session: null, sessions: 'AS_READ', pairs: 'NONE', facts, ownMetric: null,
      metrics: new Map(), words, maxBytes: 10_000,
    });
    expect(runs[0]?.environment).toMatchObject({ 'gpu.sku': 'H100 SXM' });
    expect(runs[0]?.workload).toMatchObject({ 'workload.precision': 'bf16', 'workload.concurrency': 8 });
  }); // prettier-ignore

  it('keeps what somebody says over the file, and tells it', () => {
    const text = [
      '# Collective test starting: all_reduce_perf',
      '# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0',
      '#  Rank  0 Group  0 Pid 4000 on      node7 device  0 [0000:10:00] NVIDIA H100 80GB HBM3',
      '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong',
      '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)',
      '           8             2     float     sum      -1     30.0   34.95   52.43      0     31.0   33.83   50.74      0',
      '# Out of bounds values : 0 OK',
      '# Avg bus bandwidth    : 51.585',
      '',
    ].join('\n');
    const { runs, problems } = readArm([{ name: 'a.txt', text }], {
      arm: 'BEFORE', format: null, session: null, sessions: 'AS_READ', pairs: 'NONE', ownMetric: null,
      facts: { 'gpu.sku': 'H200', 'gpu.count': '1' }, metrics: new Map(), words, maxBytes: 10_000,
    });
    expect(runs[0]?.environment).toMatchObject({ 'gpu.sku': 'H200', 'gpu.count': 1 });
    expect(problems.filter(({ message }) => message.en.startsWith('The file says'))).toMatchObject([
      { severity: 'WARNING', message: { en: 'The file says gpu.sku = "H100 SXM", you say "H200": yours is kept' } },
    ]);
  }); // prettier-ignore

  it('counts results that are equal in everything once, however their files are written', () => {
    const key = 'time.median';
    const elapsed: MetricDefinition = { ...metric, key, unit: 's', dimension: 'time', direction: 'LOWER_IS_BETTER' };
    const result = (mean: number) => ({ results: [{ command: 'sort', mean, stddev: 0.1, median: mean, user: 0.4, system: 0.1, min: mean - 0.1, max: mean + 0.1, times: [mean - 0.1, mean, mean + 0.1], exit_codes: [0, 0, 0] }] });
    const files = [
      { name: 'a.json', text: JSON.stringify(result(0.5)) },
      { name: 'b.json', text: JSON.stringify(result(0.5), null, 2) },
      { name: 'c.json', text: JSON.stringify(result(0.75)) },
    ];
    const options = {
      arm: 'BEFORE', format: null, session: null, sessions: 'AS_READ', pairs: 'NONE', facts: {}, ownMetric: null,
      words, maxBytes: 10_000,
    } as const;
    const read = readArm(files, { ...options, metrics: new Map([[key, elapsed]]) });
    expect(read.runs.map(({ id }) => id)).toEqual(['a.json#1', 'c.json#1']);
    expect(read.problems.filter(({ file }) => file === 'b.json').map(({ message }) => message.en)).toContain(
      'A result is that of a.json in every number, fact and start: it counts once',
    );
    const counted = readArm(files, { ...options, metrics: new Map([[key, { ...elapsed, isExact: true }]]) });
    expect(counted.runs).toHaveLength(3);
  }); // prettier-ignore

  it('leaves out a plain number that may be cut', () => {
    const options = {
      arm: 'BEFORE', format: null, session: null, sessions: 'AS_READ', pairs: 'NONE', facts: {}, ownMetric: metric,
      metrics: new Map([[metric.key, metric]]), words, maxBytes: 10_000,
    } as const;
    const read = (text: string) => readArm([{ name: 'a.txt', text }], options);
    const cut = read('2239.20\n2240.10\n22');
    expect(cut.runs[0]?.observations.map(({ repeats }) => repeats)).toEqual([[2239.2, 2240.1]]);
    expect(cut.problems.map(({ line, severity, message }) => `${severity} ${line} ${message.en}`)).toEqual([
      'ERROR 3 Line 3 is the last one and does not end: what stands at its end, "22", may be cut and was left out. Send the whole file, or end the line where it is whole',
    ]);
    expect(read('9 9.1 8.9 2').runs[0]?.observations.map(({ repeats }) => repeats)).toEqual([[9, 9.1, 8.9]]);
    expect(read('22').runs).toEqual([]);
    const whole = read('2239.20\n2240.10\n22\n');
    expect([whole.runs[0]?.observations.map(({ repeats }) => repeats), whole.problems]).toEqual([[[2239.2, 2240.1, 22]], []]);
  }); // prettier-ignore

  it('has the mean and deviation that a table prints, of repetitions in one session', () => {
    const text = [
      '$ llama-bench -m m.gguf -r 10',
      '| model | size | params | backend | test | t/s |',
      '| ----- | ---: | -----: | ------- | ---: | --: |',
      '| llama | 4 GiB | 8 B | CUDA | tg128 | 205.75 ± 0.25 |',
      '',
      'build: 0123abcd (6543)',
    ].join('\n');
    const { runs } = readArm([{ name: 'a.md', text }], {
      arm: 'BEFORE', format: null, session: null, sessions: 'AS_READ', pairs: 'NONE', facts: {}, ownMetric: null,
      metrics: new Map([[metric.key, metric]]), words, maxBytes: 10_000,
    }); // prettier-ignore
    expect(runs.flatMap(({ observations }) => observations)).toEqual([
      {
        metric: metric.key,
        dimensions: { n_gen: 128 },
        seriesKey: 'n_gen=128',
        value: 205.75,
        repeats: [],
        blocks: [],
        summary: { mean: 205.75, sd: 0.25, n: 10, sampling: 'ONE_SESSION' },
      },
    ]);
  });
});

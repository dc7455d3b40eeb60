import { describe, expect, it } from '@jest/globals';
import type { MetricDefinition } from '../measurement/metric.js';
import { readArm } from './read-arm.js';

const metric: MetricDefinition = {
  key: 'inference.generation_throughput', unit: 'tokens/s', dimension: 'token-rate', direction: 'HIGHER_IS_BETTER',
  target: null, isExact: false, smallestEffect: 0.02, role: 'PRIMARY',
}; // prettier-ignore

describe('an arm of files', () => {
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
      metrics: new Map([[metric.key, metric]]), maxBytes: 10_000,
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

import { describe, expect, it } from '@jest/globals';
import { withinBounds } from './bounds.js';
import type { ReadObservation, Reading } from './importer.js';
import { checked, readContent } from './index.js';

const reading = (...observations: readonly Partial<ReadObservation>[]): Reading => ({
  runs: [
    {
      status: 'OK', tool: 'x', toolVersion: null, variant: null, startedAt: null, command: null, environment: {}, workload: {},
      session: null, block: null,
      observations: observations.map((each) => ({ metric: 'time.mean', dimensions: {}, value: 1, unit: 's', ...each })),
    },
  ],
  problems: [],
}); // prettier-ignore

const kept = ({ runs }: Reading) => runs.flatMap(({ observations }) => observations);
const told = ({ problems }: Reading) => problems.map(({ code, message }) => [code, message.en]);

describe('what no measurement gives', () => {
  it.each<[string, Partial<ReadObservation>]>([
    ['a value', { value: 1e31 }],
    ['an infinite value', { value: Infinity }],
    ['no number', { value: NaN }],
    ['one of the repetitions', { repeats: [1, 1e31] }],
    ['a time below zero', { value: -0.001 }],
    ['a rate below zero', { value: 5, repeats: [5, -5], unit: 'tokens/s' }],
    ['a power below zero', { value: -1, unit: 'W' }],
  ])('leaves an observation out: %s', (_, change) => {
    const found = withinBounds(reading({ dimensions: { place: 1 } }, change));
    expect(kept(found).map(({ dimensions }) => dimensions)).toEqual([{ place: 1 }]);
    expect(told(found)).toEqual([
      ['LEFT_OUT', expect.stringMatching(/^Values that no measurement gives were left out: 1/)],
    ]);
  });

  it.each([
    ['memory that was freed', { value: -4096, unit: 'B' }],
    ['a temperature', { value: -5, unit: '°C' }],
    ['a plain number', { value: -0.3, unit: '' }],
  ])('may be below zero: %s', (_, change) => {
    expect(told(withinBounds(reading(change)))).toEqual([]);
  });

  it.each<[string, Partial<ReadObservation>]>([
    ['a deviation below zero', { summary: { mean: 1, sd: -1, n: 5 } }],
    ['a deviation that is too large', { summary: { mean: 1, sd: 1e31, n: 5 } }],
    ['a sample', { samples: [1, 1e31] }],
    [
      'a median below the smallest value',
      { distribution: { count: 2, mean: 1, sd: 1, min: 3, p50: 2, p90: null, p99: null, max: 4 } },
    ],
  ])('is left out beside the value: %s', (_, change) => {
    const found = withinBounds(reading(change));
    expect(kept(found)).toEqual([{ metric: 'time.mean', dimensions: {}, value: 1, unit: 's' }]);
    expect(told(found)).toHaveLength(1);
  });

  it('is no part of what any reader gives: also not of a table that a mapping explains', () => {
    const found = checked('mapped', reading({ value: 1e31 }, { value: 2 }));
    expect(kept(found).map(({ value }) => value)).toEqual([2]);
    expect(told(found)).toEqual([['LEFT_OUT', 'Values that no measurement gives were left out: 1, such as 1e+31']]);
  });

  it('leaves no result where nothing else was measured', () => {
    const text = JSON.stringify({
      results: [{ command: 'a', mean: 1e31, median: 1e31, user: 1e31, system: 1e31, times: [1e31] }],
    });
    const { reading: found } = readContent(text);
    expect(found.runs).toEqual([]);
    expect(told(found).map(([code]) => code)).toEqual(['LEFT_OUT', 'NO_RESULT']);
  });
});

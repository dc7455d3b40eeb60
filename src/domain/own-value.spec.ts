import { describe, expect, it } from '@jest/globals';
import { textAt } from '../../test/support/tool-output.js';
import { readContent } from './importers/index.js';
import { ownValue } from './own-value.js';

const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];

describe('ownValue', () => {
  it.each(names)('knows nothing of %s', (name) => {
    expect(ownValue({ a: 1 }, name)).toBeUndefined();
    expect(ownValue({ a: 1 }, 'a')).toBe(1);
  });
});

describe('importers', () => {
  it.each(names)('take %s for a name like any other', (name) => {
    const latency = textAt('fixtures/importers/perftest/read-lat.txt').replaceAll('usec', name);
    const units = readContent(latency, 'perftest').reading.runs.flatMap((run) =>
      run.observations.map(({ unit }) => unit),
    );
    expect(units.filter((unit) => typeof unit !== 'string')).toEqual([]);
    const go = `goos: linux\ngoarch: ${name}\nBenchmarkA-2 10 7000 ns/op\n`;
    expect(readContent(go, 'go-bench').reading.runs[0]?.environment['cpu.architecture']).toBe(name);
  });
});

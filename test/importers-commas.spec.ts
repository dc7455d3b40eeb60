import { describe, expect, it } from '@jest/globals';
import { importers, readContent } from '../src/domain/importers/index.js';
import { addedTo, changesOf } from './support/same-values.js';
import { fixture, fixtures, messages, onlyRun } from './support/tool-output.js';
import { seeded } from './support/mutated-text.js';

/** Not those of versions, times, addresses and names. */
const decimals = /(?<![\w.:/-])(\d+)\.(\d+)(?![\w]*\.)/g;
const withCommas = (text: string): string => text.replace(decimals, '$1,$2');

/** Numbers of a JSON list: `[1,5]` is a list of two for whoever reads it. */
const isJson = (text: string): boolean => /^\s*[[{]["\s{]/.test(text);

/** What is wrong with how a text is read of which these lines had decimal points. */
function faultsOf(tool: string, text: string, changed: string, lines: readonly number[]): readonly string[] {
  const [before, now] = [readContent(text, tool), readContent(changed, tool)];
  if (now.reading.problems.some(({ severity }) => severity === 'ERROR')) return [];
  const added = addedTo(before, now);
  const { other, lost } = changesOf(before, now);
  const isNamed = added.some(({ line }) => line !== null && lines.includes(line));
  return [...(isNamed ? [] : other), ...(lost > 0 && added.length === 0 ? [`${lost} lost`] : [])];
}

describe('decimal commas', () => {
  it.each(importers.map(({ tool }) => tool))('of %s give the value or a problem', (tool) => {
    for (const { name } of fixtures.filter((each) => each.tool === tool)) {
      const text = fixture(name);
      const lines = text.split('\n');
      const changed = lines.flatMap((line, index) => (withCommas(line) === line ? [] : [index + 1]));
      expect([name, ...faultsOf(tool, text, withCommas(text), changed)]).toEqual([name]);
      if (isJson(text)) continue;
      const random = seeded(name.length);
      for (const number of changed.filter(() => random() < 12 / changed.length)) {
        const one = lines.map((line, index) => (index + 1 === number ? withCommas(line) : line)).join('\n');
        expect([name, number, ...faultsOf(tool, text, one, [number])]).toEqual([name, number]);
      }
    }
  });

  it.each([
    ['126640,6', 126640.6],
    ['0,85', 0.85],
    ['1.234.567,25', 1234567.25],
  ])('are read where they can be nothing else: %s', (written, value) => {
    const text = `goos: linux\npkg: example.com/p\nBenchmarkSum-8   \t    1000\t    ${written} ns/op\nPASS\nok  \texample.com/p\t2s\n`;
    const run = onlyRun(readContent(text, 'go-bench'));
    expect(run.observations.map((each) => each.value)).toEqual([value]);
  });

  it('are asked for where nothing tells them from separators of thousands', () => {
    const text = fixture('megatron-log/iterations.txt');
    const changed = text.split('\n').map((line, index) => (index === 34 ? line.replace(/(iteration \(ms\): )[\d.]+/, '$11,234') : line)); // prettier-ignore
    expect(messages(readContent(changed.join('\n'))).join('\n')).toContain('ERROR 35 "1,234" can be 1234 or 1.234');
  });

  it('in a list of JSON are refused', () => {
    const text = fixture('hyperfine/memory-usage.json').replace(/"times": \[[^\]]*\]/, '"times": [1,5, 2,5]');
    expect(messages(readContent(text)).join('\n')).toContain('"1,5" in a list can be two numbers');
  });
});

import { describe, expect, it } from '@jest/globals';
import type { MetricDefinition } from '../measurement/metric.js';
import { plainValues } from './plain-values.js';

const metric: MetricDefinition = {
  key: 'my.latency', unit: 'ms', dimension: 'time', direction: 'LOWER_IS_BETTER',
  target: null, isExact: false, smallestEffect: 0.02, role: 'PRIMARY',
}; // prettier-ignore

const valuesOf = (text: string): readonly number[] | undefined => {
  const [observation] = plainValues(text, metric)?.runs[0]?.observations ?? [];
  return observation?.repeats ?? (observation ? [observation.value] : undefined);
};
const saidOf = (text: string): readonly string[] =>
  (plainValues(text, metric)?.problems ?? []).map(({ line, severity, message }) => `${severity} ${line} ${message.en}`);

describe('a file of plain numbers', () => {
  it.each([
    ['10\n10.1\n9.9\n', [10, 10.1, 9.9]],
    ['10, 15, 20', [10, 15, 20]],
    ['10,15,20', [10, 15, 20]],
    ['10.1,10.2', [10.1, 10.2]],
    ['1e3 2E-1 .5', [1000, 0.2, 0.5]],
    ['10,15\n10,17\n', [10.15, 10.17]],
    ['1,234.5\n1,240.25\n', [1234.5, 1240.25]],
    ['1.234,5\n1.240,25\n', [1234.5, 1240.25]],
    ['1,234.5\n1,234\n', [1234.5, 1234]],
    ['12,5\n1,234\n', [12.5, 1.234]],
    ['# before\n10 # cold\n11\n', [10, 11]],
    ['1\n2\n3\n', [1, 2, 3]],
    ['1 10.1\n3 10.2\n', [1, 10.1, 3, 10.2]],
  ])('%j has the values %j', (text, expected) => {
    expect(saidOf(`${text}\n`)).toEqual([]);
    expect(valuesOf(`${text}\n`)).toEqual(expected);
  });

  it.each([
    ['10,5\n10,6\n10,7', [10.5, 10.6], '3', '10,7'],
    ['12,345.1\n12,346.2\n12,347.3', [12345.1, 12346.2], '3', '12,347.3'],
    ['9 9.1 8.9', [9, 9.1], '1', '8.9'],
    ['10.1,10.2', [10.1], '1', '10.1,10.2'],
  ])('%j lacks its last number, which may be cut', (text, expected, line, word) => {
    expect(valuesOf(text)?.flat()).toEqual(expected);
    expect(saidOf(text)).toEqual([`ERROR ${line} Line ${line} is the last one and does not end: what stands at its end, "${word}", may be cut and was left out. Send the whole file, or end the line where it is whole`]);
  }); // prettier-ignore

  it('has a last number where a comment follows', () => {
    expect([valuesOf('10.1\n10.2\n10.3 # run 3'), saidOf('10.1\n10.2\n10.3 # run 3')]).toEqual([[10.1, 10.2, 10.3], []]);
  }); // prettier-ignore

  it.each([
    ['1,234\n1,240\n', '1 "1,234"'],
    ['10,15', '1 "10,15"'],
    ['10\n100,200,300\n', '2 "100,200,300"'],
    ['12.5\n10.5,11\n', '2 "10.5,11"'],
  ])('%j can be read in two ways', (text, named) => {
    expect(saidOf(text)).toEqual([expect.stringContaining(`ERROR ${named} can be read in more than one way`)]);
    expect(valuesOf(text)).toBeUndefined();
  });

  it.each(['1\t10.1\n2\t10.2\n3\t9.9\n', '0 10.1\n1 10.2\n', '1,10.1\n2,10.2\n', '# run\n1 10\n2 11\n'])(
    'asks for the values alone in %j',
    (text) => {
      expect(saidOf(text)).toEqual([expect.stringContaining('the first of each line counts the lines')]);
    },
  );

  it.each(['', '# nothing\n', '10 ms\n', 'name,value\n'])('is no such file: %j', (text) => {
    expect(plainValues(text, metric)).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors.js';
import { convertGiven } from './given-unit.js';
import { convert, dimensionOf, unitNames } from './unit.js';

describe('conversion within a dimension', () => {
  it.each([
    [1500, 'us', 'ms', 1.5],
    [500, 'µs', 'ms', 0.5],
    [2, 'h', 's', 7200],
    [1, 'min', 'sec', 60],
    [1, 'GiB', 'B', 1_073_741_824],
    [1, 'GB', 'MB', 1000],
    [1, 'TiB', 'GiB', 1024],
    [1, 'GiB/s', 'GB/s', 1.073741824],
    [100, 'GB/sec', 'MB/s', 100_000],
    [3600, 'MB/h', 'MB/s', 1],
    [400, 'Gb/s', 'Gbit/s', 400],
    [1, 'Gbit/s', 'Mbit/s', 1000],
    [12.5, '%', 'ratio', 0.125],
    [0.07, 'ratio', 'percent', 7],
    [1.98, 'GHz', 'MHz', 1980],
    [0.7, 'kW', 'W', 700],
    [1, 'kWh', 'kJ', 3600],
    [45, 'C', '°C', 45],
    [12, 'req/s', 'requests/s', 12],
    [1, 'tokens/s', 'tok/s', 1],
    [600, 'requests/min', 'requests/s', 10],
    [2, 'ktok/s', 'tokens/s', 2000],
    [7, 'IOPS', 'operations/s', 7],
    [0.989, 'PFLOP/s', 'TFLOPS', 989],
    [20, 'ms/token', 's/tok', 0.02],
    [1200, 'ns/op', 'us/op', 1.2],
    [2, 'tokens/J', 'tok/kJ', 2000],
    [5, 'tokens/kWh', 'tokens/Wh', 0.005],
  ])('turns %p %s into %s', (value, from, to, expected) => {
    expect(convert(value, from, to)).toBeCloseTo(expected, 12);
  });

  it('leaves an unknown unit alone when it stays the same', () => {
    expect(convert(3, 'blocks', 'blocks')).toBe(3);
    expect(dimensionOf('blocks')).toBeNull();
  });
});

describe('conversion that is refused', () => {
  it.each([
    ['Gbit/s', 'GB/s'],
    ['Gb/s', 'GB/s'],
    ['GiB', 'GB/s'],
    ['requests/s', 'tokens/s'],
    ['count', 'ratio'],
    ['', 'ratio'],
    ['ms', 'ms/token'],
    ['Hz', 'requests/s'],
  ])('names both units across dimensions: %p to %p', (from, to) => {
    const refused = () => convert(1, from, to);
    expect(refused).toThrow(DomainError);
    expect(refused).toThrow(`Cannot convert ${from} to ${to}`);
  });

  it.each([
    ['blocks', 'B', '"blocks"'],
    ['s', 'S', '"S"'],
    ['KB/s', 'MB/s', 'Write kB/s or KiB/s'],
  ])('names the unknown unit: %p to %p', (from, to, expected) => {
    expect(() => convert(1, from, to)).toThrow(expected);
  });
});

describe('dimensions', () => {
  it.each([
    ['ms', 'time'],
    ['MiB', 'data-size'],
    ['Gbit', 'bit-size'],
    ['GB/s', 'data-rate'],
    ['Gb/s', 'bit-rate'],
    ['ratio', 'ratio'],
    ['count', 'count'],
    ['', 'number'],
    ['W', 'power'],
    ['Wh', 'energy'],
    ['MHz', 'frequency'],
    ['°C', 'temperature'],
    ['samples/s', 'sample-rate'],
    ['queries/s', 'query-rate'],
    ['packets/s', 'packet-rate'],
    ['files/s', 'file-rate'],
    ['TFLOP/s', 'compute-rate'],
    ['ms/token', 'time-per-token'],
    ['B/op', 'data-per-operation'],
    ['gb/s', null],
  ])('of %p is %p', (unit, expected) => {
    expect(dimensionOf(unit)).toBe(expected);
  });
});

/** The refusal of a unit, as the caller gets it. */
function refusal(act: () => unknown): { text: DomainError['text']; suggestions: unknown; isAmbiguous: unknown } {
  try {
    act();
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    return { text: fault.text, suggestions: fault.details['suggestions'], isAmbiguous: fault.details['isAmbiguous'] };
  }
  throw new Error('it was not refused');
}

describe('a unit that can be read in more than one way', () => {
  it.each([
    ['Gb', 'GB', ['GB', 'GiB', 'Gbit']],
    ['Mb', 'MiB', ['MB', 'MiB', 'Mbit']],
    ['kb', 'B', ['kB', 'KiB', 'kbit']],
    ['Kb', 'B', ['kB', 'KiB', 'kbit']],
    ['mb', 'MiB', ['MB', 'MiB', 'Mbit']],
    ['gb', 'Gbit', ['Gbit', 'GB', 'GiB']],
    ['b', 'B', ['B', 'bit']],
    ['b/s', 'MB/s', ['B/s', 'bit/s']],
    ['kb/s', 'MB/s', ['kB/s', 'KiB/s', 'kbit/s']],
    ['mb/s', 'MB/s', ['MB/s', 'MiB/s', 'Mbit/s']],
    ['gbps', 'Gbit/s', ['Gbit/s', 'GB/s', 'GiB/s']],
    ['KB', 'B', ['kB', 'KiB']],
    ['KB/s', 'MB/s', ['kB/s', 'KiB/s']],
    ['KBps', 'MB/s', ['kB/s', 'KiB/s']],
    ['Gib', 'B', ['GiB', 'Gibit']],
    ['Mib/s', 'MB/s', ['MiB/s', 'Mibit/s']],
    ['K', 'count', ['count', 'kB', 'KiB']],
    ['M', 'MiB', ['MB', 'MiB', 'count']],
    ['G', 'GB', ['GB', 'GiB', 'count']],
    ['T/s', 'tokens/s', ['tokens/s', 'requests/s', 'TB/s']],
    ['tps', 'requests/s', ['requests/s', 'tokens/s']],
    ['TFLOPs', 'TFLOP/s', ['TFLOP/s', 'TFLOP']],
    ['ms/s', 'ms', ['ms', 's']],
    ['m', 's', ['min', 'ms']],
  ])('%s for %s is refused with suggestions', (unit, goal, suggestions) => {
    const { text, ...found } = refusal(() => convert(1, unit, goal));
    expect(found).toEqual({ suggestions, isAmbiguous: true });
    for (const suggestion of suggestions) expect(dimensionOf(suggestion)).not.toBeNull();
    expect(text.en).toContain(`"${unit}" can be read in more than one way. Write ${suggestions.join(' or ')}.`);
    expect(text.zh).toContain(`“${unit}”可以有多种读法。请写作 ${suggestions.join(' 或 ')}。`);
  });

  it.each([
    ['tok/sec', 'tokens/s', 1],
    ['token/s', 'tokens/s', 1],
    ['it/s', 'iterations/s', 1],
    ['imgs/s', 'images/s', 1],
    ['Gb/s', 'Gbit/s', 1],
    ['Gbps', 'Gbit/s', 1],
    ['GBps', 'GB/s', 1],
    ['mW', 'W', 0.001],
    ['MW', 'W', 1e6],
    ['10^9 B', 'GB', 1],
  ])('%s is none: it is %s', (unit, goal, factor) => {
    expect(convert(1, unit, goal)).toBeCloseTo(factor, 12);
  });

  it.each([
    ['B/S', 'MB/s', 'B/s'],
    ['Ms', 's', 'ms'],
    ['gb/S', 'GB/s', 'Gb/s'],
    ['tokns/s', 'tokens/s', 'tokens/s'],
    ['milisecond', 's', 'milliseconds'],
    ['requets/s', 'requests/s', 'requests/s'],
  ])('%s for %s is misspelt, and %s is suggested', (unit, goal, suggestion) => {
    const { suggestions, isAmbiguous } = refusal(() => convert(1, unit, goal));
    expect(isAmbiguous).toBe(false);
    expect(suggestions).toContain(suggestion);
  });

  it('suggests nothing for what resembles no unit', () => {
    expect(refusal(() => convert(1, 'parsec', 'ms')).suggestions).toEqual([]);
  });
});

describe('what a person gives', () => {
  const memory = { key: 'memory.peak_allocated', unit: 'MiB' };
  it.each([
    ['GB', ['GiB', '10^9 B']],
    ['MB', ['MiB', '10^6 B']],
    ['kB', ['KiB', '10^3 B']],
    ['TB', ['TiB', '10^12 B']],
  ])('in %s of memory is refused: tools print it for binary sizes too', (unit, suggestions) => {
    const { text, ...found } = refusal(() => convertGiven(80, unit, memory));
    expect(found).toEqual({ suggestions, isAmbiguous: true });
    expect(text.en).toContain(`80 ${unit} of "memory.peak_allocated" can be read in two ways`);
    expect(text.zh).toContain(`“memory.peak_allocated”的 80 ${unit} 有两种读法`);
  });

  it('in binary or in plain powers of ten is taken, and GB where no memory is meant', () => {
    expect(convertGiven(80, 'GiB', memory)).toBe(81_920);
    expect(convertGiven(2 ** 20, '10^6 B', memory)).toBe(1e6);
    expect(convertGiven(2, 'GB', { key: 'io.remote_bytes', unit: 'GB' })).toBe(2);
    expect(convertGiven(2, 'GB/s', { key: 'io.read', unit: 'MB/s' })).toBe(2_000);
  });

  it('as a ratio of 50 is refused, as a percentage taken', () => {
    const share = { key: 'gpu.utilization', unit: 'ratio' };
    expect(refusal(() => convertGiven(50, 'ratio', share)).text.en).toBe(
      '50 as a ratio of "gpu.utilization" is 5000 %. Write 50 percent or 0.5 ratio, whichever is meant.',
    );
    expect(convertGiven(50, '%', share)).toBe(0.5);
    expect(convertGiven(0.5, 'ratio', share)).toBe(0.5);
    expect(convertGiven(1.4, 'ratio', { key: 'facility.pue', unit: 'ratio' })).toBe(1.4);
  });
});

describe('every unit', () => {
  const names = unitNames();

  it('goes there and back through every other of its dimension', () => {
    for (const name of names) {
      for (const other of unitNames(dimensionOf(name) ?? '')) {
        expect(convert(convert(3, name, other), other, name) / 3).toBeCloseTo(1, 9);
      }
    }
  });

  it('gives the same through a third one', () => {
    for (const dimension of new Set(names.map(dimensionOf))) {
      const [first = '', second = '', third = ''] = unitNames(dimension ?? '');
      if (third === '') continue;
      const [whole, parts] = [convert(7, first, third), convert(convert(7, first, second), second, third)];
      expect(parts / whole).toBeCloseTo(1, 9);
    }
  });

  it.each([
    ['mW', 'MW', 1e-9],
    ['mJ', 'MJ', 1e-9],
  ])('of %s is no %s', (one, other, factor) => {
    expect(convert(1, one, other)).toBeCloseTo(factor, 20);
  });

  it.each([
    ['Gb/s', 'GB/s'],
    ['Gbps', 'GBps'],
    ['TOPS', 'TFLOPS'],
  ])('of %s is of another dimension than %s', (one, other) => {
    expect(dimensionOf(one)).not.toBe(dimensionOf(other));
  });
});

import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors.js';
import { convert, dimensionOf } from './unit.js';

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
    ['KB/s', 'MB/s', 'kB for 1000 bytes or KiB for 1024'],
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

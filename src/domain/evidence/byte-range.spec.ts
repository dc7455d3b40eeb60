import { describe, expect, it } from '@jest/globals';
import { rangeOf } from './byte-range.js';

describe('rangeOf', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-4', { start: 2, end: 4 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=2-1000', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-1000', { start: 0, end: 9 }],
    ['bytes=9-9', { start: 9, end: 9 }],
    ['bytes=10-', 'UNSATISFIABLE'],
    ['bytes=10-20', 'UNSATISFIABLE'],
    ['bytes=-0', 'UNSATISFIABLE'],
    ['bytes=4-2', 'WHOLE'],
    ['bytes=0-1,3-4', 'WHOLE'],
    ['bytes=-', 'WHOLE'],
    ['bytes=a-b', 'WHOLE'],
    ['bytes=0-99999999999999999999', 'WHOLE'],
    ['items=0-1', 'WHOLE'],
    ['', 'WHOLE'],
    [undefined, 'WHOLE'],
  ])('of 10 bytes by %j is %j', (header, range) => {
    expect(rangeOf(header, 10)).toEqual(range);
  });
});

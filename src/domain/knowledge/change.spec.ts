import { describe, expect, it } from '@jest/globals';
import { changeOf } from './change.js';

describe('changeOf', () => {
  it.each([
    [{}],
    [{ pin_memory: true, num_workers: 8, 'env.NCCL_ALGO': 'Ring', unset: null }],
    [{ sizes: [1, 2, 4], names: ['a', 'b'] }],
    [{ pin_memory: { before: false, after: true }, ring: { before: null, after: ['a', 1] } }],
  ])('keeps %j as it is', (change) => {
    expect(changeOf(change)).toEqual(change);
  });

  it.each([
    [{ HF_TOKEN: 'hf_abcdefghijklmnopqrst' }, { HF_TOKEN: '[redacted]' }],
    [{ hostname: { before: 'node7', after: 'node8' } }, { hostname: { before: '[redacted]', after: '[redacted]' } }],
    [{ cache_dir: '/home/alice/cache' }, { cache_dir: expect.stringMatching(/^~\[redacted:[0-9a-f]{8}\]\/cache$/) }],
    [
      { endpoint: 'http://10.1.2.3:8000' },
      { endpoint: expect.stringMatching(/^http:\/\/\[redacted:[0-9a-f]{8}\]:8000$/) },
    ],
    [{ paths: ['/home/alice/a', 'b'] }, { paths: '[redacted]' }],
  ])('takes secrets and names of people and machines out of %j', (change, kept) => {
    expect(changeOf(change)).toEqual(kept);
  });

  it.each([
    ['a text', 'pin_memory'],
    ['a list', [1]],
    ['nothing', null],
    ['a setting without a name', { '': 1 }],
    ['a name that is too long', { ['x'.repeat(201)]: 1 }],
    ['a value that is nested too deep', { a: { before: { b: 1 } } }],
    ['a list of objects', { a: [{ b: 1 }] }],
    ['too many settings', Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`s${index}`, 1]))],
    ['too much text', { a: 'x'.repeat(20_001) }],
  ])('refuses %s', (_, change) => {
    expect(() => changeOf(change)).toThrow(
      'change must be an object of at most 100 settings, each with a value, a list, or { before, after }',
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Predicate } from './predicate.js';
import { predicateKeys } from './predicate-keys.js';

describe('predicateKeys', () => {
  it.each<[Predicate | null, readonly string[], readonly string[]]>([
    [null, [], []],
    [{ vendor: 'amd' }, ['vendor'], []],
    [{ capability: 'nvlink' }, ['capability.nvlink'], []],
    [{ torch: { version: '>=2.9' } }, ['torch'], ['torch']],
    [{ image: { name: 'pytorch', version: '>=25.04' } }, ['image'], ['image']],
    [{ 'gpu.count': { atLeast: 2 } }, ['gpu.count'], []],
    [{ not: { driver: { version: '<550' } } }, ['driver'], ['driver']],
    [
      {
        all: [
          { any: [{ capability: 'nvswitch' }, { not: { all: [{ vendor: 'amd' }, { rocm: { version: '<6' } }] } }] },
          { vendor: { in: ['nvidia', 'amd'] } },
          { torch: { not: '2.9' } },
        ],
      },
      ['capability.nvswitch', 'vendor', 'rocm', 'torch'],
      ['rocm'],
    ],
  ])('of %j are %j, with versions of %j', (predicate, all, versions) => {
    const keys = predicateKeys(predicate);
    expect([[...keys.all], [...keys.versions]]).toEqual([all, versions]);
  });
});

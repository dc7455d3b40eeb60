import { describe, expect, it } from '@jest/globals';
import {
  comparabilityOf,
  type DifferenceTier,
  environmentDifferences,
  type Facts,
  factsOfArm,
} from './environment-diff.js';

const tiers = new Map<string, DifferenceTier>([
  ['gpu.sku', 'BLOCK'],
  ['gpu.count', 'BLOCK'],
  ['driver', 'WARN'],
  ['host', 'INFO'],
  ['env.*', 'WARN'],
  ['env.QUIET_<NAME>', 'INFO'],
  ['env.LOG.<NAME>', 'INFO'],
  ['workload.model', 'BLOCK'],
  ['workload.tool', 'WARN'],
  ['variant', 'INFO'],
]);

function differ(before: Facts, after: Facts, declared: readonly string[] = []) {
  return environmentDifferences({ before, after, declared, tiers });
}

describe('environment differences', () => {
  it('lists what differs, worst first, and leaves out what is equal', () => {
    const before = { host: 'a', driver: '550.54', 'gpu.sku': 'H100 SXM', torch: '2.9' };
    const after = { host: 'b', driver: '570.86', 'gpu.sku': 'H100 NVL', torch: '2.9' };
    expect(differ(before, after)).toEqual([
      { key: 'gpu.sku', before: 'H100 SXM', after: 'H100 NVL', tier: 'BLOCK', isDeclared: false },
      { key: 'driver', before: '550.54', after: '570.86', tier: 'WARN', isDeclared: false },
      { key: 'host', before: 'a', after: 'b', tier: 'INFO', isDeclared: false },
    ]);
  });

  it.each([
    ['workload.unheard_of', 'BLOCK'],
    ['unheard_of', 'WARN'],
    ['env.NCCL_ALGO', 'WARN'],
    ['env.LOG.LEVEL', 'INFO'],
    ['workload.tool', 'WARN'],
  ])('grades %s as %s', (key, tier) => {
    expect(differ({ [key]: 1 }, { [key]: 2 })).toMatchObject([{ key, tier }]);
  });

  it.each([
    [{ driver: '550' }, {}, '550', null],
    [{}, { driver: '550' }, null, '550'],
    [{ driver: '' }, { driver: '550' }, null, '550'],
  ])('calls a key that one side lacks unknown, not equal: %p and %p', (before, after, one, other) => {
    expect(differ(before, after)).toMatchObject([{ key: 'driver', before: one, after: other }]);
  });

  it.each([
    [8, '8'],
    [true, 'true'],
    [['a', 'b'], 'a, b'],
    [null, null],
  ])('takes %p and %p for the same', (before, after) => {
    expect(differ({ 'gpu.count': before }, { 'gpu.count': after })).toEqual([]);
  });

  it.each([
    ['workload.parallelism', 'workload.parallelism.tp', true],
    ['workload.parallelism.*', 'workload.parallelism.tp', true],
    ['parallelism', 'workload.parallelism.tp', true],
    ['model', 'workload.model', true],
    ['NCCL_ALGO', 'env.NCCL_ALGO', true],
    ['env.NCCL_ALGO', 'env.NCCL_ALGO', true],
    ['driver', 'driver', true],
    ['gpu', 'gpu.sku', true],
    ['workload', 'workload.model', false],
    ['workload.par', 'workload.parallelism', false],
    ['NCCL', 'env.NCCL_ALGO', false],
    ['', 'driver', false],
  ])('declared %p and %s: %p', (declared, key, isDeclared) => {
    expect(differ({ [key]: 1 }, { [key]: 2 }, [declared])).toMatchObject([{ key, isDeclared }]);
  });
});

describe('facts of an arm', () => {
  it('keeps what the runs agree on', () => {
    expect(factsOfArm([{ driver: '550', 'gpu.count': 8 }, { driver: '550' }])).toEqual({
      driver: '550',
      'gpu.count': 8,
    });
  });

  it('lists what the runs disagree on, sorted, so that it differs from a single value', () => {
    const merged = factsOfArm([{ driver: '570' }, { driver: '550' }, { driver: '570' }]);
    expect(merged).toEqual({ driver: ['550', '570'] });
    expect(differ(merged, { driver: '570' })).toMatchObject([{ before: '550, 570', after: '570' }]);
  });

  it('sorts numbers as numbers', () => {
    expect(factsOfArm([{ 'gpu.count': 16 }, { 'gpu.count': 8 }])).toEqual({ 'gpu.count': ['8', '16'] });
  });
});

describe('a SKU as a driver prints it', () => {
  const differing = (before: Facts, after: Facts) =>
    environmentDifferences({ before, after, declared: [], tiers: new Map([['gpu.sku', 'BLOCK']]) }).map(({ key }) => key);
  const printed = { 'gpu.sku': 'H200', 'gpu.name': 'NVIDIA H200' };

  it('is the one that the catalog has for the same name', () => {
    expect(differing(printed, { 'gpu.sku': 'H200 SXM', 'gpu.name': 'NVIDIA H200' })).toEqual([]);
  });

  it('is another one under another name, or where two products have the name', () => {
    expect(differing(printed, { 'gpu.sku': 'H200 NVL', 'gpu.name': 'NVIDIA H200 NVL' })).toEqual(['gpu.sku', 'gpu.name']);
    const large = { 'gpu.sku': 'GH200 144GB', 'gpu.name': 'NVIDIA GH200' };
    expect(differing({ ...large, 'gpu.sku': 'GH200 96GB' }, large)).toEqual(['gpu.sku']);
  });
}); // prettier-ignore

describe('what the verdict rule makes of differences', () => {
  const of = (before: Facts, after: Facts, declared: readonly string[] = []) =>
    comparabilityOf(
      environmentDifferences({
        before,
        after,
        declared,
        tiers: new Map([['gpu.sku', 'BLOCK'], ['driver', 'WARN'], ['variant', 'INFO']] as const),
      }),
    );

  it.each([
    ['nothing', { driver: '1' }, { driver: '1' }, 'COMPARABLE'],
    ['what is only shown', { variant: 'a' }, { variant: 'b' }, 'COMPARABLE'],
    ['a driver', { driver: '1' }, { driver: '2' }, 'CONFOUNDED'],
    ['a SKU that one side does not know', {}, { 'gpu.sku': 'H200' }, 'CONFOUNDED'],
    ['a SKU', { 'gpu.sku': 'H100' }, { 'gpu.sku': 'H200' }, 'NOT_COMPARABLE'],
  ])('in %s', (_, before, after, expected) => {
    expect(of({ ...before }, { ...after })).toBe(expected);
  });

  it('counts nothing that was declared', () => {
    expect(of({ 'gpu.sku': 'H100' }, { 'gpu.sku': 'H200' }, ['gpu.sku'])).toBe('COMPARABLE');
  });
}); // prettier-ignore

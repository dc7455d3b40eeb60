import { describe, expect, it } from '@jest/globals';
import type { DifferenceTier } from '../measurement/environment-diff.js';
import {
  agrees,
  beginnings,
  changesBetween,
  classifier,
  distinguishingKeys,
  type RunFacts,
} from './environment-class.js';
import { pointValue } from './point-value.js';

const tiers = new Map<string, DifferenceTier>([
  ['gpu.sku', 'BLOCK'],
  ['gpu.count', 'BLOCK'],
  ['driver', 'WARN'],
  ['env.*', 'WARN'],
  ['gpu.name', 'INFO'],
  ['variant', 'INFO'],
  ['workload.tool', 'BLOCK'],
  ['workload.tool_version', 'WARN'],
  ['workload.iterations', 'INFO'],
]);
const run = (environment: RunFacts['environment'], more: Partial<RunFacts> = {}): RunFacts => ({
  environment: { 'gpu.sku': 'H100', 'gpu.count': 8, driver: '570', ...environment },
  workload: { 'workload.model': 'llama' },
  tool: null,
  toolVersion: null,
  ...more,
});
const classOf = classifier(tiers);

describe('the class of a run', () => {
  it('is hardware and workload, as far as comparisons would refuse a difference', () => {
    expect(classOf(run({})).identity).toEqual({ 'gpu.count': '8', 'gpu.sku': 'H100', 'workload.model': 'llama' });
  });

  it.each([
    ['another driver', run({ driver: '580' })],
    ['another variable', run({ 'env.NCCL_ALGO': 'Ring' })],
    ['another version of the tool', run({}, { toolVersion: '2' })],
    ['a number that is text', run({ 'gpu.count': '8' })],
    ['an empty fact', run({ 'gpu.mig': '' })],
    ['another order of keys', { ...run({}), environment: { driver: '570', 'gpu.count': 8, 'gpu.sku': 'H100' } }],
  ])('is the same with %s', (_, other) => {
    expect(classOf(other).id).toBe(classOf(run({})).id);
  });

  it.each([
    ['other hardware', run({ 'gpu.sku': 'H200' })],
    ['hardware that is not known', run({ 'gpu.sku': null })],
    ['another model', run({}, { workload: { 'workload.model': 'qwen' } })],
    ['a workload key that nobody knows', run({}, { workload: { 'workload.model': 'llama', 'workload.seed': 1 } })],
    ['another tool', run({}, { tool: 'vllm' })],
  ])('is another one with %s', (_, other) => {
    expect(classOf(other).id).not.toBe(classOf(run({})).id);
  });

  it('has a segment for each state of versions and settings, whatever only tells runs apart', () => {
    const segments = [run({}), run({ 'gpu.name': 'NVIDIA H100' }), run({ driver: '580' })].map(
      (one) => classOf(one).segment,
    );
    expect(new Set(segments).size).toBe(2);
    expect(segments[0]).toBe(segments[1]);
  });
});

describe('changes between neighbors', () => {
  it('are what matters, the worst first', () => {
    const after = run(
      { driver: '580', 'gpu.name': 'x', 'env.NCCL_ALGO': 'Ring' },
      { workload: { 'workload.model': 'llama', 'workload.precision': 'fp8' } },
    );
    expect(changesBetween(run({}), after, tiers)).toEqual([
      { key: 'workload.precision', before: null, after: 'fp8', tier: 'BLOCK' },
      { key: 'driver', before: '570', after: '580', tier: 'WARN' },
      { key: 'env.NCCL_ALGO', before: null, after: 'Ring', tier: 'WARN' },
    ]);
  });
});

describe('histories that go on in another class', () => {
  it('are named by the class that they began with', () => {
    const beginning = beginnings([
      { before: ['b'], after: ['a'] },
      { before: ['a'], after: ['c'] },
    ]);
    expect(['a', 'b', 'c', 'd'].map(beginning)).toEqual(['b', 'b', 'b', 'd']);
  });

  it('do not depend on the order of the trials', () => {
    const links = [
      { before: ['a'], after: ['c'] },
      { before: ['c'], after: ['d', 'e'] },
      { before: ['b'], after: ['c'] },
    ];
    const [one, other] = [beginnings(links), beginnings([...links].reverse())];
    expect(['a', 'b', 'c', 'd', 'e'].map(one)).toEqual(['a', 'a', 'a', 'a', 'a']);
    expect(['a', 'b', 'c', 'd', 'e'].map(other)).toEqual(['a', 'a', 'a', 'a', 'a']);
  });

  it('begin somewhere in a circle, and where a trial stayed in its class', () => {
    const circle = beginnings([
      { before: ['b'], after: ['a'] },
      { before: ['a'], after: ['b'] },
    ]);
    expect(['a', 'b'].map(circle)).toEqual(['a', 'a']);
    expect(beginnings([{ before: ['x'], after: ['x'] }])('x')).toBe('x');
  });
});

describe('facts that are asked for', () => {
  it('agree as texts, and null is for what is not known', () => {
    expect(agrees({ 'gpu.count': 8 }, { 'gpu.count': '8' })).toBe(true);
    expect(agrees({ 'gpu.count': 8 }, { 'gpu.sku': null })).toBe(true);
    expect(agrees({ 'gpu.count': 8 }, { 'gpu.sku': 'H100' })).toBe(false);
    expect(agrees({}, { constructor: 'x' })).toBe(false);
  });

  it('tell apart what differs, and what one does not have', () => {
    expect(
      distinguishingKeys([
        { a: 1, b: 2 },
        { a: '1', b: 3, c: 1 },
      ]),
    ).toEqual(['b', 'c']);
    expect(distinguishingKeys([{ a: 1 }])).toEqual([]);
  });
});

describe('the value of a point', () => {
  it('is the median of what was repeated, with how far that spreads', () => {
    expect(pointValue(10, [1, 2, 9])).toEqual({ value: 2, n: 3, spread: Math.sqrt(19), low: 1, high: 9 });
    expect(pointValue(10, [7])).toEqual({ value: 7, n: 1, spread: null, low: null, high: null });
    expect(pointValue(10, [])).toEqual({ value: 10, n: 1, spread: null, low: null, high: null });
  });
}); // prettier-ignore

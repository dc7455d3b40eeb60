import { describe, expect, it } from '@jest/globals';
import type { DifferenceTier } from './environment-diff.js';
import { conflictText, joinedFacts } from './joined-facts.js';

const tiers = new Map<string, DifferenceTier>([
  ['gpu.sku', 'BLOCK'],
  ['driver', 'WARN'],
  ['workload.model', 'BLOCK'],
]);

describe('joinedFacts', () => {
  it('takes the file, what the caller adds, and what the environment knows beyond both', () => {
    expect(
      joinedFacts({ file: { driver: '570' }, caller: { cuda: '12.8' }, environment: { driver: '570', os: 'Linux' } }, tiers, []),
    ).toEqual({
      facts: { driver: '570', cuda: '12.8', os: 'Linux' },
      sources: { cuda: 'CALLER', os: 'ENVIRONMENT' },
      conflicts: [],
    });
  }); // prettier-ignore

  it('keeps what the caller says over the file, and tells that they differ', () => {
    const { facts, sources, conflicts } = joinedFacts(
      { file: { driver: '570' }, caller: { driver: '580' }, environment: { driver: '575' } },
      tiers,
      [],
    );
    expect({ facts, sources }).toEqual({ facts: { driver: '580' }, sources: { driver: 'CALLER' } });
    expect(conflicts).toEqual([{ key: 'driver', file: '570', said: '580', source: 'CALLER', isBlocking: false }]);
  });

  it('keeps the file over the environment, and tells that they differ', () => {
    const { facts, conflicts } = joinedFacts(
      { file: { 'gpu.sku': 'H200' }, caller: {}, environment: { 'gpu.sku': 'H100 SXM' } },
      tiers,
      [],
    );
    expect(facts).toEqual({ 'gpu.sku': 'H200' });
    expect(conflicts).toEqual([
      { key: 'gpu.sku', file: 'H200', said: 'H100 SXM', source: 'ENVIRONMENT', isBlocking: false },
    ]);
  });

  it.each([
    [[], true],
    [['gpu.sku'], false],
    [['model'], true],
  ])('blocks for a key that makes runs different things, unless %j are meant', (override, isBlocking) => {
    const { conflicts } = joinedFacts(
      { file: { 'gpu.sku': 'H200' }, caller: { 'gpu.sku': 'H100 SXM' }, environment: {} },
      tiers,
      override,
    );
    expect(conflicts.map((conflict) => conflict.isBlocking)).toEqual([isBlocking]);
  });

  it('takes letter case and a null for no difference', () => {
    expect(
      joinedFacts({ file: { driver: 'A' }, caller: { driver: 'a', cuda: null }, environment: {} }, tiers, []),
    ).toEqual({ facts: { driver: 'A' }, sources: {}, conflicts: [] });
  });

  it('names the key and both values in both languages', () => {
    const text = conflictText({ key: 'driver', file: '570', said: '580', source: 'CALLER', isBlocking: false });
    expect(text).toEqual({
      en: 'The file says driver = "570", you say "580": yours is kept',
      zh: '文件中 driver 为“570”，而给出的是“580”：保留给出的值',
    });
  });
});

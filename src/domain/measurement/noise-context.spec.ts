import { describe, expect, it } from '@jest/globals';
import { contextKeyOf, contextReader } from './noise-context.js';
import type { FactRules } from './normal-facts.js';

const factRules: FactRules = {
  tiers: new Map([['host.date', 'INFO']]),
  words: {
    amounts: new Set(),
    products: new Map(),
    values: new Map([['workload.precision', { values: [{ value: 'bf16', also: ['bfloat16'] }], isClosed: false, least: null }]]),
  },
}; // prettier-ignore

describe('the context of a noise floor that was stored', () => {
  const contextOf = contextReader(factRules);
  const now = contextKeyOf(
    [{ environment: { driver: '570', 'host.date': 'x' }, workload: { 'workload.precision': 'bf16' }, variant: 'a' }],
    factRules.tiers,
  );

  it.each([
    ['in the same words', { 'workload.precision': 'bf16', driver: '570' }],
    ['in older words, in another order', { driver: '570', 'workload.precision': 'torch.bfloat16' }],
  ])('is that of new runs which say the same: %s', (_, facts) => {
    expect(contextOf({ contextKey: 'as it was named', facts })).toBe(now);
  });

  it('is another one where the facts are others, and stays as it was named without facts', () => {
    expect(contextOf({ contextKey: 'k', facts: { driver: '570', 'workload.precision': 'fp8' } })).not.toBe(now);
    expect(contextOf({ contextKey: 'k', facts: { driver: '570' } })).not.toBe(now);
    expect(contextOf({ contextKey: 'k', facts: null })).toBe('k');
  });
});

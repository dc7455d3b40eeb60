import { createHash } from 'node:crypto';
import type { Facts } from './environment-diff.js';
import { storedFactsReader, type FactRules } from './normal-facts.js';
import { exactNoiseContextOf, noiseContextOf, type FactsOfRun } from './trial.js';

/** One name for what a noise floor holds for: SHA-256 over the facts of an arm that matter. */
export function contextKeyOf(runs: readonly FactsOfRun[], tiers: FactRules['tiers']): string {
  return hashOf(noiseContextOf(runs, tiers));
}

/** As `contextKeyOf`, as floors that keep no facts were named: with measured lengths to the token. */
export function exactContextKeyOf(runs: readonly FactsOfRun[], tiers: FactRules['tiers']): string {
  return hashOf(exactNoiseContextOf(runs, tiers));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What a noise floor is of, as it was stored; one of an older version keeps no facts. */
export interface StoredContext {
  readonly contextKey: string;
  readonly facts: Facts | null;
}

/** Names the contexts of stored floors as they are named now: their facts may have been written in other words. */
export function contextReader({ tiers, words }: FactRules): (floor: StoredContext) => string {
  const inWords = storedFactsReader(words);
  return ({ contextKey, facts }) =>
    facts === null ? contextKey : contextKeyOf([{ environment: inWords(facts), workload: {}, variant: null }], tiers);
}

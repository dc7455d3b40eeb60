import { inKnownWords, type KeyValues } from '../applicability/fact-values.js';
import { plainName } from '../applicability/match-profile.js';
import { DomainError } from '../errors.js';
import type { DifferenceTier, Facts, FactValue } from './environment-diff.js';
import { isVersionKey } from './redact.js';

/** What the registry and the catalog say of how values are written. */
export interface NormalWords {
  /** By key. */
  readonly values: ReadonlyMap<string, KeyValues>;
  /** Keys whose values are amounts in a unit. */
  readonly amounts: ReadonlySet<string>;
  /** The SKU of a product by a name that tools or people give it, as `plainName` writes that. */
  readonly products: ReadonlyMap<string, string>;
}

/** How facts are compared: how much a difference in a key matters, and how equal values are written. */
export interface FactRules {
  readonly tiers: ReadonlyMap<string, DifferenceTier>;
  readonly words: NormalWords;
}

/**
 * Facts as they are compared: `bfloat16` is `bf16`, `H100 80GB HBM3` the SKU that the catalog has for it, a version a text
 * and an amount a number. INVALID_INPUT, which names the place, for a word that a closed list does not have.
 */
export function normalFacts(facts: Facts, words: NormalWords, place: string): Facts {
  return inKnownWords(written(facts, words), words.values, place);
}

/** As `normalFacts`, of what a tool printed: a word that the list does not have stays as it is. */
export function normalPrintedFacts(facts: Facts, words: NormalWords): Facts {
  return Object.fromEntries(
    Object.entries(written(facts, words)).flatMap(([key, value]) => Object.entries(inWordsIfKnown(key, value, words))),
  );
}

/**
 * As `normalPrintedFacts`, of facts that are stored: they may have been written before a word was known. Each value is
 * looked at once.
 */
export function storedFactsReader(words: NormalWords): (facts: Facts) => Facts {
  const known = new Map<string, Facts>();
  return (facts) =>
    Object.fromEntries(
      Object.entries(facts).flatMap(([key, value]) => {
        const place = JSON.stringify([key, value]);
        const found = known.get(place) ?? normalPrintedFacts({ [key]: value }, words);
        known.set(place, found);
        return Object.entries(found);
      }),
    );
}

/** A run whose stored facts are written as those of new runs are. */
export function inNormalWords<R extends { readonly environment: Facts; readonly workload: Facts }>(
  run: R,
  read: (facts: Facts) => Facts,
): R {
  return { ...run, environment: read(run.environment), workload: read(run.workload) };
}

function inWordsIfKnown(key: string, value: FactValue, { values }: NormalWords): Facts {
  const fact = { [key]: value };
  try {
    return inKnownWords(fact, values, 'file');
  } catch (fault) {
    if (fault instanceof DomainError) return fact;
    throw fault;
  }
}

function written(facts: Facts, words: NormalWords): Facts {
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, writtenValue(key, value, words)]));
}

function writtenValue(key: string, value: FactValue, { amounts, products }: NormalWords): FactValue {
  if (key === 'gpu.sku' && typeof value === 'string') return products.get(plainName(value)) ?? value;
  if (key === 'workload.precision' && typeof value === 'string') return value.trim().replace(/^torch\./i, '');
  if (typeof value === 'number') return isVersionKey(key) || key === 'gpu.computeCapability' ? String(value) : value;
  const isAmount = amounts.has(key) || countedWorkload.test(key);
  return isAmount && typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)
    ? Number(value)
    : value;
}

const countedWorkload =
  /^workload\.(?:concurrency|request_rate|burstiness|input_tokens|output_tokens|num_prompts|batch_size|iterations|warmup_iterations|parallelism\.[a-z]+)$/;

/** A key of the registry as it says how values are written. */
export interface WordsOfKey extends KeyValues {
  readonly key: string;
  /** The unit of an amount; null where values are words. */
  readonly unit: string | null;
}

/** How values are written, by the registry and the products of the catalog. */
export function normalWords(keys: readonly WordsOfKey[], products: readonly Product[]): NormalWords {
  const listed = keys.filter(({ values, least }) => values.length > 0 || least !== null);
  return {
    values: new Map(listed.map(({ key, values, isClosed, least }) => [key, { values, isClosed, least }])),
    amounts: new Set(keys.filter(({ unit, least }) => unit !== null || least !== null).map(({ key }) => key)),
    products: productNames(products),
  };
}

export interface Product {
  readonly slug: string;
  readonly name: string;
  readonly isGeneric: boolean;
  readonly printed: readonly string[];
  readonly facts: Facts;
}

/** The SKU of each product by its names; a name that two products print is none of them. */
export function productNames(products: readonly Product[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | null>();
  for (const { slug, name, isGeneric, printed, facts } of products) {
    const sku = facts['gpu.sku'];
    if (isGeneric || typeof sku !== 'string') continue;
    const driver = facts['gpu.name'];
    const names = [slug, name, sku, ...(typeof driver === 'string' ? [driver] : []), ...printed];
    for (const one of new Set(names.filter((each) => !each.endsWith('*')).map(plainName))) {
      found.set(one, found.has(one) && found.get(one) !== sku ? null : sku);
    }
  }
  return new Map([...found].flatMap(([name, sku]) => (sku === null ? [] : [[name, sku] as const])));
}

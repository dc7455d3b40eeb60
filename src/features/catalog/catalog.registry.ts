import { z } from 'zod';
import type { KeyValues } from '../../domain/applicability/fact-values.js';
import type { Vocabulary } from '../../domain/applicability/reasons.js';
import type { BothLanguages } from '../../domain/locale.js';
import type { DifferenceTier } from '../../domain/measurement/environment-diff.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { normalWords, type NormalWords } from '../../domain/measurement/normal-facts.js';
import { factsOf } from '../../platform/database/json.js';
import type { EnvironmentKey } from './catalog.types.js';

/** The keys that rules may name, and what people call them. */
export interface Registry {
  readonly environmentKeys: readonly EnvironmentKey[];
  readonly facts: ReadonlySet<string>;
  readonly tiers: ReadonlyMap<string, DifferenceTier>;
  readonly capabilities: ReadonlySet<string>;
  /** The words of the keys that have a list of them. */
  readonly values: ReadonlyMap<string, KeyValues>;
  readonly vocabulary: Vocabulary;
  /** How values of facts are written. */
  readonly words: NormalWords;
}

const valuesShape = z.array(z.object({ value: z.string(), also: z.array(z.string()) }));
const tierShape = z.enum(['BLOCK', 'WARN', 'INFO']);

export async function readRegistry(db: Db): Promise<Registry> {
  const capabilities = await db.capability.findMany();
  const rows = await db.environmentKey.findMany();
  const environmentKeys = rows
    .map(({ values, isClosed, ...row }) => ({
      ...row,
      tier: tierShape.parse(row.tier),
      name: toLocalizedText(row.name),
      values: valuesShape.parse(values).map(({ value }) => value),
      isClosed,
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const products = await db.hardwareProfile.findMany();
  const words = normalWords(
    rows.map(({ key, unit, values, isClosed, least }) => ({
      key,
      unit,
      isClosed,
      least,
      values: valuesShape.parse(values),
    })),
    products.map((product) => ({ ...product, facts: factsOf(product.facts) })),
  );
  const [capabilityNames, factNames] = [namesOf(capabilities), namesOf(rows)];
  return {
    environmentKeys,
    facts: new Set(factNames.keys()),
    tiers: new Map(environmentKeys.map(({ key, tier }) => [key, tier])),
    capabilities: new Set(capabilityNames.keys()),
    values: words.values,
    words,
    vocabulary: {
      capabilityName: (key) => capabilityNames.get(key) ?? { en: key, zh: key },
      factName: (key) => factNames.get(key) ?? { en: key, zh: key },
    },
  };
}

function namesOf(rows: readonly { key: string; name: unknown }[]): ReadonlyMap<string, BothLanguages> {
  return new Map(
    rows.map(({ key, name }) => {
      const { en, zh } = toLocalizedText(name);
      return [key, { en: en ?? key, zh: zh ?? key }];
    }),
  );
}

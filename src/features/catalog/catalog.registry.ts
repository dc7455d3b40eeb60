import { z } from 'zod';
import type { Vocabulary } from '../../domain/applicability/reasons.js';
import type { BothLanguages } from '../../domain/locale.js';
import type { DifferenceTier } from '../../domain/measurement/environment-diff.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { EnvironmentKey } from './catalog.types.js';

/** The keys that rules may name, and what people call them. */
export interface Registry {
  readonly environmentKeys: readonly EnvironmentKey[];
  readonly facts: ReadonlySet<string>;
  readonly tiers: ReadonlyMap<string, DifferenceTier>;
  readonly capabilities: ReadonlySet<string>;
  readonly vocabulary: Vocabulary;
}

const tierShape = z.enum(['BLOCK', 'WARN', 'INFO']);

export async function readRegistry(db: Db): Promise<Registry> {
  const capabilities = await db.capability.findMany();
  const rows = await db.environmentKey.findMany();
  const environmentKeys = rows
    .map((row) => ({ ...row, tier: tierShape.parse(row.tier), name: toLocalizedText(row.name) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const [capabilityNames, factNames] = [namesOf(capabilities), namesOf(rows)];
  return {
    environmentKeys,
    facts: new Set(factNames.keys()),
    tiers: new Map(environmentKeys.map(({ key, tier }) => [key, tier])),
    capabilities: new Set(capabilityNames.keys()),
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

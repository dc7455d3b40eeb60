import type { CustomItem } from '../../domain/audit/custom-item.js';
import { checkDigestOf, translationStatus } from '../../domain/content/digest.js';
import { itemBody } from '../../domain/content/item-body.js';
import { textFields } from '../../domain/content/schema.js';
import { inBoth } from '../../domain/locale.js';
import { UNSPECIFIED, type Item } from '../catalog/catalog.types.js';

/** How an item that is in no release is called, and where it is shown. */
export interface ItemPlace {
  readonly id: string;
  readonly key: string;
  readonly releaseId: string;
  readonly sectionId: string;
  readonly order: number;
}

/** An item of an audit alone as an item of a checklist; what nobody says of it is unspecified, and no rule bounds it. */
export function asItem(custom: CustomItem, place: ItemPlace): Item {
  const { title, summary, texts, sources } = custom;
  const all = { title, summary, ...texts };
  return {
    ...place,
    // No practice of the catalog: nothing hangs on it
    itemId: place.id,
    title,
    summary,
    ...texts,
    body: itemBody(texts),
    translations: textFields
      .filter((field) => all[field].en !== null || all[field].zh !== null)
      .map((field) => ({ field, status: translationStatus(all[field], undefined) })),
    tags: custom.tags,
    layer: custom.layer ?? UNSPECIFIED,
    bottleneck: custom.bottleneck ?? UNSPECIFIED,
    workload: custom.phases,
    frameworks: custom.frameworks,
    settings: custom.settings,
    predicate: null,
    recheckOn: [],
    signals: [],
    metricKeys: custom.metrics,
    expectedGains: [],
    effort: custom.effort ?? UNSPECIFIED,
    risk: { accuracy: UNSPECIFIED, stability: UNSPECIFIED, operations: UNSPECIFIED },
    isReversible: null,
    relations: { requires: [], conflictsWith: [], supersedes: [], amplifies: [], seeAlso: [], reasons: [] },
    sources: sources.map((source) => ({ ...source, checkedAt: new Date(`${source.checkedAt}T00:00:00Z`) })),
    reviewBy: null,
    checkDigest: checkDigestOf({ check: inBoth(texts.check), apply: inBoth(texts.apply), signals: [] }),
  };
}

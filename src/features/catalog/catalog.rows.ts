import { z } from 'zod';
import type { LocalizedText as LocalizedTextValue } from '../../domain/locale.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { ItemRow, ReleaseRow } from './catalog.queries.js';
import type { Checklist, Item } from './catalog.types.js';

// Rows hold texts and lists as JSON: they are checked here, where they are read.

const text = z.object({ en: z.string(), zh: z.string() });
const textsShape = z.object({ why: text, check: text, apply: text, measure: text, avoid: text, rollback: text });
const metricsShape = z.array(z.object({ key: z.string(), role: z.string() }));
const signalsShape = z.array(
  z.object({ tool: z.string(), metric: z.string(), operator: z.string(), value: z.union([z.number(), z.string()]) }),
);
const gainShape = z.array(
  z.object({
    basis: z.enum(['VENDOR_DOC', 'PUBLIC_BENCHMARK', 'OWN_MEASUREMENT', 'EXPERT_OPINION']),
    metric: z.string(),
    ratio: z.object({ from: z.number(), to: z.number() }),
    conditions: text,
    source: z.string().optional(),
    note: z.string().optional(),
  }),
);
const riskShape = z.object({ accuracy: z.string(), stability: z.string(), operations: z.string() });
const keys = z.array(z.string()).default([]);
const relationsShape = z.object({
  requires: keys, conflictsWith: keys, supersedes: keys, amplifies: keys, seeAlso: keys,
}); // prettier-ignore
const sourcesShape = z.array(z.object({ title: z.string(), url: z.string(), checkedAt: z.string() }));

type Texts = z.infer<typeof textsShape>;

const headings: readonly (readonly [keyof Texts, string, string])[] = [
  ['why', 'Why it matters', '为什么重要'],
  ['check', 'How to check', '如何检查'],
  ['apply', 'How to apply', '如何实施'],
  ['measure', 'How to measure', '如何测量'],
  ['avoid', 'When not to', '何时不用'],
  ['rollback', 'How to roll back', '如何回退'],
];

/** All parts of an item in one Markdown text. */
function bodyOf(texts: Texts): LocalizedTextValue {
  return {
    en: headings.map(([part, en]) => `## ${en}\n\n${texts[part].en}`).join('\n\n'),
    zh: headings.map(([part, , zh]) => `## ${zh}\n\n${texts[part].zh}`).join('\n\n'),
  };
}

/** A release as the checklist that it is a state of. */
export function toChecklist(row: ReleaseRow): Checklist {
  return {
    releaseId: row.id,
    slug: row.checklist.slug,
    version: row.version,
    title: toLocalizedText(row.title),
    summary: toLocalizedText(row.summary),
    digest: row.digest,
  };
}

export function toItem(row: ItemRow): Item {
  const { revision } = row;
  const texts = textsShape.parse(revision.texts);
  return {
    id: row.id,
    itemId: revision.itemId,
    releaseId: row.releaseId,
    sectionId: row.sectionId,
    key: row.key,
    order: row.order,
    title: toLocalizedText(revision.title),
    summary: toLocalizedText(revision.summary),
    body: bodyOf(texts),
    ...texts,
    tags: revision.tags,
    layer: revision.layer,
    bottleneck: revision.bottleneck,
    workload: revision.phases,
    frameworks: revision.frameworks,
    settings: revision.settings,
    predicate: revision.applicability,
    signals: signalsShape.parse(revision.signals).map((signal) => ({ ...signal, value: String(signal.value) })),
    metricKeys: metricsShape.parse(revision.metrics),
    expectedGains: gainShape.parse(revision.gain).map(({ ratio, source, note, ...gain }) => ({
      ...gain,
      ratioFrom: ratio.from,
      ratioTo: ratio.to,
      source: source ?? null,
      note: note ?? null,
    })),
    effort: revision.effort,
    risk: riskShape.parse(revision.risk),
    isReversible: revision.isReversible,
    relations: relationsShape.parse(revision.relations),
    sources: sourcesShape.parse(revision.sources).map((source) => ({
      ...source,
      checkedAt: new Date(`${source.checkedAt}T00:00:00Z`),
    })),
    reviewBy: revision.reviewBy,
    checkDigest: revision.checkDigest,
  };
}

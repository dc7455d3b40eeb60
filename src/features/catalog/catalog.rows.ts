import { z } from 'zod';
import type { LocalizedText as LocalizedTextValue } from '../../domain/locale.js';
import { translationStatus } from '../../domain/content/digest.js';
import { itemBody } from '../../domain/content/item-body.js';
import { textFields } from '../../domain/content/schema.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { ItemRow, ReleaseRow } from './catalog.queries.js';
import { UNSPECIFIED, type Checklist, type Item, type Relations, type TextTranslation } from './catalog.types.js';

// Rows hold texts and lists as JSON: they are checked here, where they are read.

const text = z.object({ en: z.string().optional(), zh: z.string().optional() }).transform(toLocalizedText);
/** What a team's own item does not say. */
const none: LocalizedTextValue = { en: null, zh: null };
const part = text.default(none);
const textsShape = z.object({
  why: part, check: part, apply: part, measure: part, avoid: part, rollback: part, body: text.optional(),
}); // prettier-ignore
const textDigestsShape = z.partialRecord(
  z.enum([...textFields, 'body']),
  z.object({ en: z.string(), zhFrom: z.string().nullable() }),
);
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
const level = z.string().default(UNSPECIFIED);
const riskShape = z.object({ accuracy: level, stability: level, operations: level });
const keys = z.array(z.string()).default([]);
const relationsShape = z.object({
  requires: keys, conflictsWith: keys, supersedes: keys, amplifies: keys, seeAlso: keys,
  because: z.record(z.string(), text).default({}),
}); // prettier-ignore

/** How an item stands to others, from its JSON column. */
export function toRelations(json: unknown): Relations {
  const { because, ...byKind } = relationsShape.parse(json);
  return { ...byKind, reasons: Object.entries(because).map(([item, reason]) => ({ item, reason })) };
}
const sourcesShape = z.array(z.object({ title: z.string(), url: z.string(), checkedAt: z.string() }));

type Texts = z.infer<typeof textsShape>;

/** All parts of an item in one Markdown text, in each language that it has parts in; an imported text without parts first. */
function bodyOf(texts: Texts): LocalizedTextValue {
  const parts = itemBody(texts);
  const joined = (own: string | null | undefined, rest: string | null): string | null =>
    own === null || own === undefined ? rest : rest === null ? own : `${own}\n\n${rest}`;
  return { en: joined(texts.body?.en, parts.en), zh: joined(texts.body?.zh, parts.zh) };
}

/** Whether each text of an item is there in Chinese, and made from the English as it is. */
function translationsOf({ revision }: ItemRow, texts: Texts): TextTranslation[] {
  const digests = textDigestsShape.parse(revision.textDigests);
  const { title, summary } = revision;
  const all = { ...texts, title: toLocalizedText(title), summary: toLocalizedText(summary) };
  const isThere = (text: LocalizedTextValue) => text.en !== null || text.zh !== null;
  return [
    ...textFields
      .filter((field) => isThere(all[field]))
      .map((field) => ({ field, status: translationStatus(all[field], digests[field]) })),
    ...(texts.body ? [{ field: 'body', status: translationStatus(texts.body, digests.body) }] : []),
  ];
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
    isPrivate: row.checklist.teamId !== null || row.checklist.ownerId !== null,
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
    why: texts.why,
    check: texts.check,
    apply: texts.apply,
    measure: texts.measure,
    avoid: texts.avoid,
    rollback: texts.rollback,
    body: bodyOf(texts),
    translations: translationsOf(row, texts),
    tags: revision.tags,
    layer: revision.layer,
    bottleneck: revision.bottleneck,
    workload: revision.phases,
    frameworks: revision.frameworks,
    settings: revision.settings,
    predicate: revision.applicability,
    recheckOn: revision.recheckOn,
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
    relations: toRelations(revision.relations),
    sources: sourcesShape.parse(revision.sources).map((source) => ({
      ...source,
      checkedAt: new Date(`${source.checkedAt}T00:00:00Z`),
    })),
    reviewBy: revision.reviewBy,
    checkDigest: revision.checkDigest,
  };
}

import { z } from 'zod';
import type { BundleItem, ChecklistBundle } from '../../domain/content/bundle.js';
import type { CatalogChecklist, CatalogItem } from '../../domain/content/catalog.js';
import { digestOf, type TextDigest } from '../../domain/content/digest.js';
import { textFields } from '../../domain/content/schema.js';
import type { LocalizedText } from '../../domain/locale.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { toJson } from '../../platform/database/json.js';
import { UNSPECIFIED } from '../catalog/catalog.types.js';

/** Everything that a release says, as it is written. */
export interface ReleaseContent {
  readonly slug: string;
  /** Both null for a shipped checklist. */
  readonly owner: { readonly teamId: string | null; readonly ownerId: string | null };
  readonly version: string;
  readonly title: Partial<LocalizedText>;
  readonly summary: Partial<LocalizedText>;
  readonly sections: readonly {
    readonly key: string;
    readonly title: Partial<LocalizedText>;
    readonly summary: Partial<LocalizedText>;
    readonly items: readonly ItemContent[];
  }[];
}

/** An item with its place; `wording` is what a revision holds of it. */
export interface ItemContent {
  /** section/topic */
  readonly key: string;
  /** Place within the section, and within the checklist, from 1. */
  readonly order: number;
  readonly position: number;
  readonly digest: string;
  readonly wording: Omit<Prisma.ItemRevisionCreateManyInput, 'itemId' | 'digest'>;
}

/** SHA-256 over everything that a release says, its version apart. */
export function releaseDigest({ title, summary, sections }: ReleaseContent): string {
  return digestOf({
    title,
    summary,
    sections: sections.map((section, index) => ({
      ...section,
      order: index + 1,
      items: section.items.map((item) => [item.key, item.order, item.digest]),
    })),
  });
}

/** A shipped checklist as it is written. */
export function shippedRelease({ slug, release, title, summary, sections }: CatalogChecklist): ReleaseContent {
  return {
    slug,
    owner: { teamId: null, ownerId: null },
    version: release,
    title,
    summary,
    sections: sections.map((section) => ({
      key: section.key,
      title: section.title,
      summary: section.summary,
      items: section.items.map((item) => ({
        key: item.key,
        order: item.order,
        position: item.position,
        digest: item.digest,
        wording: shippedWording(item),
      })),
    })),
  };
}

function shippedWording(item: CatalogItem): ItemContent['wording'] {
  const { why, check, apply, measure, avoid, rollback } = item;
  return {
    checkDigest: item.checkDigest,
    title: item.title,
    summary: item.summary,
    texts: { why, check, apply, measure, avoid, rollback },
    textDigests: toJson(item.textDigests),
    layer: item.layer,
    bottleneck: item.bottleneck,
    phases: item.phases,
    frameworks: item.frameworks,
    tags: item.tags,
    settings: item.settings,
    ...(item.applicability ? { applicability: toJson(item.applicability) } : {}),
    recheckOn: item.recheckOn ?? [],
    signals: item.signals,
    metrics: item.metrics,
    gain: item.gain.map(toJson),
    effort: item.effort,
    risk: item.risk,
    isReversible: item.reversible,
    relations: toJson(item.relations),
    sources: item.sources,
    reviewBy: new Date(`${item.reviewBy}T00:00:00Z`),
  };
}

/** What the release before says of an item's texts, and which English their Chinese was made from. */
export interface EarlierTexts {
  readonly texts: Readonly<Record<string, Partial<LocalizedText> | undefined>>;
  readonly digests: Partial<Record<string, TextDigest>>;
}

/** A team's own checklist as it is written; `earlier` has the items of the release before by their key. */
export function privateRelease(
  bundle: ChecklistBundle,
  { slug, version, owner }: Pick<ReleaseContent, 'slug' | 'version' | 'owner'>,
  earlier: ReadonlyMap<string, EarlierTexts> = new Map(),
): ReleaseContent {
  let position = 0;
  return {
    slug,
    owner,
    version,
    title: bundle.title,
    summary: bundle.summary ?? {},
    sections: bundle.sections.map((section) => ({
      key: section.key,
      title: section.title,
      summary: section.summary ?? {},
      items: section.items.map((item, index) => ({
        key: `${section.key}/${item.key}`,
        order: index + 1,
        position: (position += 1),
        digest: digestOf(saidBy(item)),
        wording: privateWording(item, earlier.get(`${section.key}/${item.key}`)),
      })),
    })),
  };
}

/** What an item says, without empty lists and objects: they say the same as none. */
function saidBy(item: BundleItem): object {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmpty(value)));
}

/** True for lists and objects with nothing in them. */
export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The texts of an item by their names, from their JSON column. */
export const textsShape = z.record(z.string(), z.object({ en: z.string().optional(), zh: z.string().optional() }));

/** The texts of an item that stand in `texts`: the parts, and what is in none of them. */
const partNames = ['why', 'check', 'apply', 'measure', 'avoid', 'rollback', 'body'] as const;

function privateWording(item: BundleItem, earlier: EarlierTexts | undefined): ItemContent['wording'] {
  const texts = Object.fromEntries(partNames.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
  return {
    checkDigest: privateCheckDigest(item),
    title: item.title,
    summary: item.summary ?? {},
    texts,
    textDigests: toJson(Object.fromEntries([...textFields, 'body' as const].flatMap((name) => translated(name, item, earlier)))),
    layer: item.layer ?? UNSPECIFIED,
    bottleneck: item.bottleneck ?? UNSPECIFIED,
    phases: item.phases ?? [],
    frameworks: item.frameworks ?? [],
    tags: item.tags ?? [],
    settings: item.settings ?? [],
    ...(item.applicability ? { applicability: toJson(item.applicability) } : {}),
    recheckOn: item.recheckOn ?? [],
    signals: item.signals ?? [],
    metrics: item.metrics ?? [],
    gain: (item.gain ?? []).map(toJson),
    effort: item.effort ?? UNSPECIFIED,
    risk: item.risk ?? {},
    isReversible: item.reversible ?? null,
    relations: toJson(item.relations ?? {}),
    sources: item.sources ?? [],
    reviewBy: item.reviewBy === undefined ? null : new Date(`${item.reviewBy}T00:00:00Z`),
  };
}

/** Chinese that stayed as it was is made from the English of then; any other from the English beside it. */
function translated(name: (typeof textFields)[number] | 'body', item: BundleItem, earlier: EarlierTexts | undefined) {
  const { en, zh } = item[name] ?? {};
  if (en === undefined) return [];
  const digest = digestOf(en);
  const isKept = zh !== undefined && earlier?.texts[name]?.zh === zh;
  const zhFrom = isKept ? (earlier?.digests[name]?.zhFrom ?? digest) : digest;
  return [[name, { en: digest, zhFrom }] as const];
}

/** As `checkDigestOf`, of whatever text says what to check. */
function privateCheckDigest({ title, body, check, apply, applicability, signals }: BundleItem): string {
  const text = (one: BundleItem['body']) => (one?.en ?? one?.zh ?? '').trim().replace(/\s+/g, ' ');
  const parts = [body, check, apply].map(text);
  return digestOf({
    check: parts.some((part) => part !== '') ? parts : text(title),
    applicability: applicability ?? null,
    signals: signals ?? [],
  });
}

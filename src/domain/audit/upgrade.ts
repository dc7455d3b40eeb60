import type { Answer, Applies } from '../applicability/evaluate.js';
import type { Vocabulary } from '../applicability/reasons.js';
import { digestOf } from '../content/digest.js';
import type { BothLanguages, LocalizedText } from '../locale.js';
import type { CustomItem } from './custom-item.js';
import { scopeChange } from './rescope.js';
import type { Outcome } from './transitions.js';

/** What a newer release does to an item of an audit. */
export type UpgradeEffect = 'CARRIED' | 'RECHECK' | 'UPDATED' | 'NEW' | 'ARCHIVED' | 'RETURNED' | 'BECOMES_ITEM';

/** What an item says. */
export interface ItemWording {
  /** Over what the check means; null for an item of one audit alone. */
  readonly checkDigest: string | null;
  /** By the name of the text: title, summary, check, … */
  readonly texts: Readonly<Record<string, LocalizedText>>;
  readonly applicability: unknown;
  readonly signals: unknown;
}

/** An item as the audit has it before the upgrade. */
export interface AuditedItem {
  readonly key: string;
  /** Version of the release that its wording is of; null for an item of the audit alone. */
  readonly release: string | null;
  readonly wording: ItemWording;
  readonly isArchived: boolean;
  readonly applies: Applies;
  readonly overruled: Applies | null;
  readonly isPast: boolean;
  readonly outcome: Outcome;
  readonly recheckCode: string | null;
  /** The keys that accepted proposals give to an item of the audit alone. */
  readonly acceptedAs: readonly string[];
}

/** An item as the newer release has it, with the answer of its rules for the audit. */
export interface ReleasedItem {
  readonly key: string;
  readonly wording: ItemWording;
  readonly answer: Answer;
}

/** What becomes of an item: `item` is null for a new one, `next` for one that the release does not have. */
export interface ItemUpgrade<I, N> {
  readonly item: I | null;
  readonly next: N | null;
  readonly effects: readonly UpgradeEffect[];
  /** Texts that read differently, in whichever language. */
  readonly changedTexts: readonly string[];
  /** Whether the rules are to be asked anew. */
  readonly isAnswered: boolean;
  /** A mark that the result is to be looked at again; null where it stands. */
  readonly recheck: { readonly code: 'CHECK_CHANGED' | 'ENVIRONMENT_CHANGED'; readonly cause: BothLanguages } | null;
}

/**
 * What a newer release makes of the items of an audit, matched by key: first those of the release in its order, then
 * those of the audit alone, then the archived ones. Nothing is lost: what the release lacks is archived, what it has again
 * returns, and a result whose check changed stands with a mark that says what changed.
 */
export function upgradeOf<I extends AuditedItem, N extends ReleasedItem>(
  items: readonly I[],
  release: { readonly version: string; readonly items: readonly N[] },
  vocabulary: Vocabulary,
): readonly ItemUpgrade<I, N>[] {
  const byKey = new Map(items.filter((item) => item.release !== null).map((item) => [item.key, item]));
  const taken = new Set<I>();
  const matched = release.items.map((next) => {
    const item = byKey.get(next.key) ?? acceptedFor(next.key, items, taken);
    if (item) taken.add(item);
    return [item, next] as const;
  });
  const rest = items.filter((item) => !taken.has(item));
  return [
    ...matched.map(([item, next]) =>
      item ? matchedItem(item, next, release.version, vocabulary) : newItem<I, N>(next),
    ),
    ...rest.filter((item) => item.release === null && !item.isArchived).map((item) => kept<I, N>(item, ['CARRIED'])),
    ...rest
      .filter((item) => item.release !== null || item.isArchived)
      .map((item) => kept<I, N>(item, item.isArchived ? [] : ['ARCHIVED'])),
  ];
}

/** The first item of the audit alone that was accepted under this key. One item becomes one item only, whatever was accepted. */
function acceptedFor<I extends AuditedItem>(key: string, items: readonly I[], taken: ReadonlySet<I>): I | undefined {
  return items.find(
    (item) => item.release === null && !item.isArchived && !taken.has(item) && item.acceptedAs.includes(key),
  );
}

function newItem<I, N>(next: N): ItemUpgrade<I, N> {
  return { item: null, next, effects: ['NEW'], changedTexts: [], isAnswered: true, recheck: null };
}

function kept<I, N>(item: I, effects: readonly UpgradeEffect[]): ItemUpgrade<I, N> {
  return { item, next: null, effects, changedTexts: [], isAnswered: false, recheck: null };
}

function matchedItem<I extends AuditedItem, N extends ReleasedItem>(
  item: I,
  next: N,
  version: string,
  vocabulary: Vocabulary,
): ItemUpgrade<I, N> {
  const isOwn = item.release === null;
  const changed = changedParts(item.wording, next.wording);
  const isAnswered = changed.length > 0 || item.isArchived || isOwn;
  const scope = isAnswered ? scopeChange({ ...item, ...noKeys }, next.answer, [], vocabulary).recheck : null;
  const isAssessed = item.outcome !== 'NOT_ASSESSED';
  const isMarked = scope !== null || (changed.length > 0 && (isAssessed || item.recheckCode !== null));
  const cause = isMarked && changed.length > 0 ? checkCause(item, version, changed, isAssessed, scope) : scope;
  const effects: UpgradeEffect[] = [
    ...(isOwn ? (['BECOMES_ITEM'] as const) : []),
    ...(item.isArchived ? (['RETURNED'] as const) : []),
    ...(cause === null ? [] : (['RECHECK'] as const)),
    ...(cause === null && changed.length > 0 ? (['UPDATED'] as const) : []),
  ];
  return {
    item,
    next,
    effects: effects.length === 0 ? ['CARRIED'] : effects,
    changedTexts: changedTexts(item.wording, next.wording),
    isAnswered,
    recheck: cause && { code: changed.length > 0 ? 'CHECK_CHANGED' : 'ENVIRONMENT_CHANGED', cause },
  };
}

/** Only the answer counts here: the machine is the same. */
const noKeys = { isMeasured: false, keys: { all: new Set<string>(), versions: new Set<string>() } } as const;

type Part = 'check' | 'apply' | 'body' | 'title' | 'applicability' | 'signals';
const partNames: Readonly<Record<Part, BothLanguages>> = {
  check: { en: 'how to check', zh: '如何检查' },
  apply: { en: 'how to apply', zh: '如何实施' },
  body: { en: 'text', zh: '正文' },
  title: { en: 'title', zh: '标题' },
  applicability: { en: 'applicability', zh: '适用条件' },
  signals: { en: 'signals', zh: '信号' },
};

/**
 * The parts whose change makes it another check. The digests decide; what an item of one audit alone becomes is compared
 * by its texts, since nobody could say there where it applies.
 */
function changedParts(before: ItemWording, after: ItemWording): readonly Part[] {
  const isOther = (name: string) => isOtherText(before.texts[name], after.texts[name]);
  if (before.checkDigest === null) return (['check', 'apply'] as const).filter(isOther);
  if (before.checkDigest === after.checkDigest) return [];
  const parts: Part[] = (['check', 'apply', 'body'] as const).filter(isOther);
  if (digestOf(before.applicability ?? null) !== digestOf(after.applicability ?? null)) parts.push('applicability');
  if (digestOf(before.signals ?? []) !== digestOf(after.signals ?? [])) parts.push('signals');
  if (parts.length > 0) return parts;
  // A checklist of a team may say in the title alone what to check
  return isOther('title') ? ['title'] : ['check'];
}

/** White space and a translation do not count: the language that both have is compared, English first. */
function isOtherText(before: LocalizedText | undefined, after: LocalizedText | undefined): boolean {
  for (const language of ['en', 'zh'] as const) {
    const [old, now] = [before, after].map((text) => text?.[language] ?? null);
    if (typeof old === 'string' && typeof now === 'string') return evenSpace(old) !== evenSpace(now);
  }
  return isThere(before) !== isThere(after) || isThere(before);
}

function isThere(text: LocalizedText | undefined): boolean {
  return text !== undefined && (text.en ?? text.zh ?? null) !== null;
}

function evenSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function changedTexts(before: ItemWording, after: ItemWording): readonly string[] {
  const names = [...new Set([...Object.keys(before.texts), ...Object.keys(after.texts)])];
  return names.filter((name) =>
    (['en', 'zh'] as const).some(
      (language) => (before.texts[name]?.[language] ?? null) !== (after.texts[name]?.[language] ?? null),
    ),
  );
}

/** An item of one audit alone as it says what to check: nobody could say there where it applies. */
export function customWording({ title, summary, texts }: CustomItem): ItemWording {
  return { checkDigest: null, texts: { title, summary, ...texts }, applicability: null, signals: [] };
}

/** Why the result of an item of one audit alone is to be looked at again once its text is another one; else null. */
export function rewrittenCause(before: CustomItem, after: CustomItem): BothLanguages | null {
  const parts = changedParts(customWording(before), customWording(after));
  if (parts.length === 0) return null;
  const en = parts.map((part) => partNames[part].en).join(', ');
  const zh = parts.map((part) => partNames[part].zh).join('、');
  return {
    en: `the check was rewritten (${en}); the result is from before`,
    zh: `检查内容已改写（${zh}）；原有结论得自改写之前`,
  };
}

/** What changed between which releases, and what follows from it. */
function checkCause(
  { release }: AuditedItem,
  version: string,
  parts: readonly Part[],
  isAssessed: boolean,
  scope: BothLanguages | null,
): BothLanguages {
  const en = parts.map((part) => partNames[part].en).join(', ');
  const zh = parts.map((part) => partNames[part].zh).join('、');
  const change =
    release === null
      ? {
          en: `it became an item of release ${version} with another check (${en})`,
          zh: `已成为版本 ${version} 的条目，检查内容有所不同（${zh}）`,
        }
      : {
          en: `the check changed between releases ${release} and ${version} (${en})`,
          zh: `版本 ${release} 与 ${version} 之间检查内容有变更（${zh}）`,
        };
  const end = scope ?? (isAssessed ? { en: 'the result is from before', zh: '原有结论得自变更之前' } : null);
  return end === null ? change : { en: `${change.en}; ${end.en}`, zh: `${change.zh}；${end.zh}` };
}

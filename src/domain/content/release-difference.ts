import { digestOf } from './digest.js';

/** An item as one release has it, as far as a comparison needs it. */
export interface ItemState {
  readonly key: string;
  readonly section: string;
  /** Place within the section, from 1. */
  readonly order: number;
  readonly checkDigest: string;
  /** By field; `zh` is the Chinese text, or null. */
  readonly texts: Readonly<Record<string, { readonly en: string | null; readonly zh: string | null }>>;
  /** What is neither text nor place: tags, metrics, applicability, … */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What happened to one item between two releases. */
export interface ItemDifference {
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  readonly key: string;
  /** True where what the check means changed: results of older audits need another look. */
  readonly isCheckChanged: boolean;
  /** True where it stands in another place of its section, or in another section. */
  readonly isMoved: boolean;
  /** Texts whose English changed, and those whose Chinese changed. */
  readonly changedTexts: readonly string[];
  readonly changedTranslations: readonly string[];
  readonly changedFields: readonly string[];
}

/** The items that differ between two releases, in the order of the later one, and then those that it lacks. */
export function releaseDifference(
  before: readonly ItemState[],
  after: readonly ItemState[],
): readonly ItemDifference[] {
  const earlier = new Map(before.map((item) => [item.key, item]));
  const later = new Set(after.map(({ key }) => key));
  return [
    ...after.flatMap((item): ItemDifference[] => {
      const old = earlier.get(item.key);
      if (!old) return [{ ...nothing, kind: 'ADDED', key: item.key }];
      const change = changeOf(old, item);
      return change ? [change] : [];
    }),
    ...before
      .filter(({ key }) => !later.has(key))
      .map(({ key }): ItemDifference => ({ ...nothing, kind: 'REMOVED', key })),
  ];
}

const nothing = {
  isCheckChanged: false,
  isMoved: false,
  changedTexts: [],
  changedTranslations: [],
  changedFields: [],
} as const;

function changeOf(before: ItemState, after: ItemState): ItemDifference | null {
  const names = [...new Set([...Object.keys(before.texts), ...Object.keys(after.texts)])];
  const differsIn = (language: 'en' | 'zh') =>
    names.filter((name) => (before.texts[name]?.[language] ?? null) !== (after.texts[name]?.[language] ?? null));
  const fields = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])];
  const found = {
    isCheckChanged: before.checkDigest !== after.checkDigest,
    isMoved: before.section !== after.section || before.order !== after.order,
    changedTexts: differsIn('en'),
    changedTranslations: differsIn('zh'),
    changedFields: fields.filter((name) => digestOf(before.fields[name]) !== digestOf(after.fields[name])),
  };
  const isChanged =
    found.isCheckChanged ||
    found.isMoved ||
    found.changedTexts.length + found.changedTranslations.length + found.changedFields.length > 0;
  return isChanged ? { ...found, kind: 'CHANGED', key: after.key } : null;
}

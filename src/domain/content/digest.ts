import { createHash } from 'node:crypto';
import type { BothLanguages, LocalizedText } from '../locale.js';
import type { ItemFile, TextField } from './schema.js';

/** `en` is the digest of the English text, `zhFrom` that of the English which the Chinese was made from, if known. */
export interface TextDigest {
  readonly en: string;
  readonly zhFrom: string | null;
}

export type TextDigests = Readonly<Record<TextField, TextDigest>>;

/** SHA-256, hexadecimal, of the canonical JSON of a value: sorted keys, no spaces, undefined members left out. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(sortKeys(value)) ?? 'undefined').digest('hex');
}

/**
 * What the check of an item means: how to see it, how to apply it, where it applies, what points at it. The English
 * text counts, with white space evened out, so that a new line break or translation changes nothing.
 */
export function checkDigestOf(item: Pick<ItemFile, 'check' | 'apply' | 'applicability' | 'signals'>): string {
  return digestOf({
    check: evenSpace(item.check.en),
    apply: evenSpace(item.apply.en),
    applicability: item.applicability ?? null,
    signals: item.signals,
  });
}

/** How a translation stands to the text that it was made from. */
export type TranslationStatus = 'CURRENT' | 'STALE' | 'MISSING';

/** Digits of a digest that are kept beside the texts: enough to tell two versions of one text apart. */
const SHORT = 12;

/** What `translations.yaml` keeps of a text: the English, and the Chinese that was made from it. */
export function translationRecord({ en, zh }: BothLanguages): string {
  return `${digestOf(en).slice(0, SHORT)} ${digestOf(zh).slice(0, SHORT)}`;
}

/** A digest for each text of an item, with the English that its Chinese was made from by the records given. */
export function textDigestsOf(
  item: Pick<ItemFile, TextField>,
  records: Readonly<Partial<Record<TextField, string>>>,
): TextDigests {
  const digest = (field: TextField): TextDigest => {
    const en = digestOf(item[field].en);
    const from = records[field]?.split(' ')[0] ?? null;
    return { en, zhFrom: from !== null && en.startsWith(from) ? en : from };
  };
  return {
    title: digest('title'),
    summary: digest('summary'),
    why: digest('why'),
    check: digest('check'),
    apply: digest('apply'),
    measure: digest('measure'),
    avoid: digest('avoid'),
    rollback: digest('rollback'),
  };
}

/** Whether the Chinese of a text is there and made from the English as it is now; what is not known is stale. */
export function translationStatus(text: LocalizedText, digest: TextDigest | undefined): TranslationStatus {
  if (text.zh === null || text.en === null) return 'MISSING';
  return digest?.zhFrom === digest?.en && digest !== undefined ? 'CURRENT' : 'STALE';
}

function evenSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}

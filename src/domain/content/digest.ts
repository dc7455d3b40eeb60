import { createHash } from 'node:crypto';
import type { ItemFile } from './schema.js';

/** The fields of an item that people read; each is translated on its own. */
export const textFields = ['title', 'summary', 'why', 'check', 'apply', 'measure', 'avoid', 'rollback'] as const;

export type TextField = (typeof textFields)[number];

/** `en` is the digest of the English text, `zhFrom` that of the English which the Chinese was made from. */
export interface TextDigest {
  readonly en: string;
  readonly zhFrom: string;
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

/** A digest for each text of an item whose Chinese was made from the English beside it. */
export function textDigestsOf(item: Pick<ItemFile, TextField>): TextDigests {
  const digest = (field: TextField): TextDigest => {
    const en = digestOf(item[field].en);
    return { en, zhFrom: en };
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

function evenSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}

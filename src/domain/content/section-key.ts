import type { BothLanguages } from '../locale.js';

/** The first half of the key of an item that an audit alone has, such as `custom/topic`. */
export const CUSTOM_SECTION = 'custom';

/** Why a section cannot have this key, or null: its items would have the keys of items that audits add of their own. */
export function refusedSection(key: string): BothLanguages | null {
  if (key !== CUSTOM_SECTION) return null;
  return {
    en: `"${key}" is kept for the items that an audit adds of its own; give the section another key`,
    zh: `“${key}”保留给审计自行添加的条目，请为该章节另取 key`,
  };
}

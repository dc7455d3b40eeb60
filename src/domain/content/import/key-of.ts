import { digestOf } from '../digest.js';
import { CUSTOM_SECTION } from '../section-key.js';

const MOST_CHARACTERS = 60;
/** Of the Latin words in a Chinese title, which has no key of its own. */
const MOST_WORDS_OF_CHINESE = 30;

/** The English title as lower-case words joined by hyphens, at most 60 characters, cut at a word; '' without such words. */
export function keyOf(title: string, most: number = MOST_CHARACTERS): string {
  const key = title
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/[\p{Mark}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (key.length <= most) return key;
  const cut = key.lastIndexOf('-', most);
  return cut > 0 ? key.slice(0, cut) : key.slice(0, most);
}

interface Title {
  readonly en?: string | undefined;
  readonly zh?: string | undefined;
}

/**
 * A key for each title, unique by a number, and none that is kept for other things. A Chinese one is named by its SHA-256
 * behind its Latin words, so that it keeps its key when others come before it.
 */
export function uniqueKeys(titles: readonly Title[], kind: 'item' | 'section'): string[] {
  const taken = new Set(kind === 'section' ? [CUSTOM_SECTION] : []);
  const next = new Map<string, number>();
  return titles.map(({ en = '', zh = '' }) => {
    const base = keyOf(en) || `${keyOf(zh, MOST_WORDS_OF_CHINESE) || kind}-${digestOf(zh).slice(0, 8)}`;
    let key = base;
    for (let count = next.get(base) ?? 2; taken.has(key); count += 1) {
      const suffix = `-${count}`;
      key = `${keyOf(base, MOST_CHARACTERS - suffix.length)}${suffix}`;
      next.set(base, count + 1);
    }
    taken.add(key);
    return key;
  });
}

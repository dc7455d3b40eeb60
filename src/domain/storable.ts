import type { BothLanguages } from './locale.js';

/** Whether the database can hold a text: PostgreSQL stores neither U+0000 nor one half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** Which character of a text cannot be stored, said of the place that holds it; null where all can. */
export function unstorableText(text: string): BothLanguages | null {
  if (isStorable(text)) return null;
  const character = text.includes('\0')
    ? { en: 'U+0000', zh: 'U+0000' }
    : { en: 'half of a surrogate pair (U+D800 to U+DFFF)', zh: '不成对的代理项（U+D800 至 U+DFFF）' };
  return { en: `contains ${character.en}, which cannot be stored`, zh: `含有无法存储的字符：${character.zh}` };
}

/** A text without the characters that cannot be stored. */
export function storablePart(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '');
}

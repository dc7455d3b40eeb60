import type { DraftText } from './draft.js';
import { hasHan, splitPassage } from './passages.js';

/** How far a list item's label may reach. */
const LONGEST_LABEL = 90;
const LONGEST_TITLE = 120;

/** Puts a title into the language or the languages it is in. */
export type TitleReader = (title: string) => DraftText;

/**
 * Reads "English / 中文" and "English 中文" as both languages. One word before the Chinese ("Docker 配置") is English only
 * in a document with English text most of whose headings are like that.
 */
export function titleReader(headings: readonly string[], lines: readonly string[]): TitleReader {
  const chinese = headings.filter(hasHan);
  const both = chinese.filter((title) => atMark(title) !== null || ordinaryWords.test(title));
  const hasEnglish = lines.some((line) => !hasHan(line) && (line.match(/(?<![A-Za-z])[a-z]{2,}/g) ?? []).length >= 4);
  const isBilingual = hasEnglish && both.length >= 2 && both.length * 3 >= chinese.length * 2;
  return (title) => {
    if (!hasHan(title)) return { en: title, zh: '' };
    const both = splitTitle(title);
    if (both) return both;
    const [, word, rest] = isBilingual ? (ordinaryWords.exec(title) ?? []) : [];
    return word && rest ? { en: word, zh: rest } : { en: '', zh: title };
  };
}

/** "English / 中文", or "English words 中文" where the English has a word in lower case; null for another text. */
export function splitTitle(title: string): DraftText | null {
  if (!hasHan(title)) return null;
  const marked = atMark(title);
  if (marked) return marked;
  const { en, zh } = splitPassage(title, { isSpaced: true, isGlued: false });
  const isTitle = en !== '' && hasHan(zh.charAt(0)) && !/^[的中与和及或上下里是]/.test(zh);
  return isTitle && /(?:^|\s)[a-z]{3,}/.test(en) ? { en, zh } : null;
}

const ordinaryWords = /^([A-Z][a-z]{2,}(?: [A-Za-z]+){0,8})\s+(\p{Script=Han}.*)$/u;

function atMark(title: string): DraftText | null {
  if (title.length > 3 * LONGEST_TITLE) return null;
  for (const { index, 0: mark } of title.matchAll(/\s[/|·—–-]\s/g)) {
    const [one, other] = [title.slice(0, index).trim(), title.slice(index + mark.length).trim()];
    if (!hasHan(one) && hasHan(other) && isEnglishTitle(one)) return { en: one, zh: other };
    if (hasHan(one) && !hasHan(other) && isEnglishTitle(other)) return { en: other, zh: one };
  }
  return null;
}

/** The label of a list item and what it says: "**Title**: text", "Title: text", or a short text alone. */
export function labelOf(text: string): { title: string; rest: string } {
  const bold = /^(\*\*|__)([^*_]{1,120})\1\s*[:：.—–-]?\s*/.exec(text);
  const label = bold?.[2]?.replace(/[:：.]\s*$/, '').trim();
  if (bold && label) return { title: label, rest: text.slice(bold[0].length).trim() };
  const colon = outsideCode(text.slice(0, LONGEST_LABEL + 1), /:\s|：|\s[—–]\s/g);
  if (colon && colon.index > 0) {
    const rest = text.slice(colon.index + colon.length).trim();
    if (rest !== '') return { title: text.slice(0, colon.index).trim(), rest };
  }
  const sentence = text.length <= LONGEST_TITLE ? null : outsideCode(text, /[.!?]\s+(?=[A-Z`])|[。！？]/g);
  if (!sentence) return { title: withoutStop(text), rest: '' };
  const end = sentence.index + 1;
  return { title: withoutStop(text.slice(0, end)), rest: text.slice(end).trim() };
}

export function withoutStop(text: string): string {
  return text.length > 1 && /(?:^|[^.])\.$|。$/.test(text.slice(-2)) ? text.slice(0, -1) : text;
}

function outsideCode(text: string, mark: RegExp): { index: number; length: number } | null {
  let from = 0;
  let inCode = false;
  for (const match of text.matchAll(mark)) {
    for (let at = from; at < match.index; at += 1) if (text.charAt(at) === '`') inCode = !inCode;
    from = match.index;
    if (!inCode) return { index: match.index, length: match[0].length };
  }
  return null;
}

function isEnglishTitle(text: string): boolean {
  return /[A-Za-z]{2}/.test(text);
}

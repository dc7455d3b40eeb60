import { noText, type DraftText } from './draft.js';
import { fencedLines } from './markdown-headings.js';
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
    const marked = atMark(title);
    if (marked) return marked;
    const { en, zh } = splitPassage(title, { isSpaced: true, isGlued: false });
    const isTitle = en !== '' && hasHan(zh.charAt(0)) && !/^[的中与和及或上下里是]/.test(zh);
    if (isTitle && /(?:^|\s)[a-z]{3,}/.test(en)) return { en, zh };
    const [, word, rest] = isBilingual ? (ordinaryWords.exec(title) ?? []) : [];
    return word && rest ? { en: word, zh: rest } : { en: '', zh: title };
  };
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

/** Text of several blocks: each in the language it is in, code in the languages of what it belongs to. */
export function bodyText(lines: readonly string[], title: DraftText): DraftText {
  const blocks = blocksOf(lines).map((block) => ({ block, ...inLanguages(block) }));
  if (blocks.length === 0) return noText;
  const zh = blocks.some((block) => block.zh !== '');
  const en = blocks.some((block) => block.en !== '');
  const toChinese = zh || (!en && title.zh !== '' && title.en === '');
  const toEnglish = en || !toChinese;
  const joined = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n\n');
  return {
    en: joined(blocks.map((block) => (block.en === '' && block.zh === '' && toEnglish ? block.block : block.en))),
    zh: joined(blocks.map((block) => (block.en === '' && block.zh === '' && toChinese ? block.block : block.zh))),
  };
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

/** Blocks divided by blank lines; a fenced block is one, whatever it holds. */
function blocksOf(lines: readonly string[]): string[] {
  const fenced = fencedLines(lines);
  const blocks: string[][] = [[]];
  lines.forEach((line, index) => {
    const startsFence = fenced[index] === true && fenced[index - 1] !== true;
    const endsFence = fenced[index] !== true && fenced[index - 1] === true;
    if (startsFence || endsFence || (line.trim() === '' && fenced[index] !== true)) blocks.push([]);
    if (line.trim() !== '' || fenced[index] === true) blocks.at(-1)?.push(line.trimEnd());
  });
  return blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
}

/** Neither language for code, which is read in both. */
function inLanguages(block: string): DraftText {
  if (/^[ \t]*(?:```|~~~)/.test(block)) return hasHan(block) ? { en: '', zh: block } : noText;
  if (!hasHan(block)) return { en: block, zh: '' };
  const { en, zh, isSure } = splitPassage(block, { isSpaced: true, isGlued: !/[.!?:]\s+\p{Script=Han}/u.test(block) });
  const isPassage = isSure && /[.!?:]$/.test(en) && en.split(/\s+/, 4).length > 3 && !block.includes('\n');
  return isPassage ? { en, zh } : { en: '', zh: block };
}

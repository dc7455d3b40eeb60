import { isChineseOnly } from './alternating.js';
import { noText, type DraftText } from './draft.js';
import { fencedLines } from './markdown-headings.js';
import { splitTitle } from './markdown-text.js';
import { hasHan, splitPassage } from './passages.js';

type Language = keyof DraftText;

interface Block extends DraftText {
  readonly kind: 'CODE' | 'HEADING' | 'TEXT';
  readonly text: string;
}

const marks = /^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)[ \t]+)?(?:\[[ xX]\][ \t]+)?/;
const listMarks = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]/;
const prose = /(?<![A-Za-z])[a-z]{2,}(?![A-Za-z])/g;

/**
 * Text of several blocks: each line in the language it is in; code, and headings above text of both languages, in the
 * languages of what they belong to.
 */
export function bodyText(lines: readonly string[], title: DraftText): DraftText {
  const blocks = blocksOf(lines).map(blockOf);
  if (blocks.length === 0) return noText;
  const said = (language: Language) => blocks.some((block) => block.kind !== 'CODE' && block[language] !== '');
  const zh = said('zh') || blocks.some(({ kind, text }) => kind === 'CODE' && hasHan(text));
  const en = said('en') || (!zh && (title.zh === '' || title.en !== ''));
  const toChinese = zh || !en;
  return { en: en ? joined(blocks, 'en') : '', zh: toChinese ? joined(blocks, 'zh') : '' };
}

function joined(blocks: readonly Block[], language: Language): string {
  const code = blocks.filter(({ kind }) => kind === 'CODE');
  const chinese = code.filter(({ text }) => hasHan(text));
  // as many blocks of code with Chinese remarks as without: one is the translation of the other
  const areTwins = chinese.length * 2 === code.length;
  const seen = new Set<string>();
  const texts = blocks.map((block, index) => {
    if (block.kind === 'CODE') {
      const isOther = areTwins && code.length > 0 && hasHan(block.text) !== (language === 'zh');
      if (isOther || seen.has(block.text)) return '';
      seen.add(block.text);
      return block.text;
    }
    return block[language] === '' && block.kind === 'HEADING' && isShared(blocks, index, language) ? block.text : block[language];
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Whether a heading in one language alone stands above text in the other, which has no heading of its own. */
function isShared(blocks: readonly Block[], index: number, language: Language): boolean {
  if (blocks[index - 1]?.kind === 'HEADING' || blocks[index + 1]?.kind === 'HEADING') return false;
  const next = blocks.findIndex(({ kind }, at) => at > index && kind === 'HEADING');
  return blocks.slice(index + 1, next < 0 ? undefined : next).some((block) => block[language] !== '');
}

/** Blocks divided by blank lines; a fenced block is one, whatever it holds, and a heading is one. */
function blocksOf(lines: readonly string[]): { lines: string[]; isCode: boolean }[] {
  const fenced = fencedLines(lines);
  const blocks: { lines: string[]; isCode: boolean }[] = [];
  let isOpen = false;
  lines.forEach((line, index) => {
    const isCode = fenced[index] === true;
    const isHeading = !isCode && /^ {0,3}#{1,6}[ \t]/.test(line);
    if (isCode !== (fenced[index - 1] === true) || isHeading) isOpen = false;
    if (line.trim() === '' && !isCode) {
      isOpen = false;
      return;
    }
    if (isOpen) blocks.at(-1)?.lines.push(line.trimEnd());
    else blocks.push({ lines: [line.trimEnd()], isCode });
    isOpen = !isHeading;
  });
  return blocks;
}

function blockOf({ lines, isCode }: { readonly lines: readonly string[]; readonly isCode: boolean }): Block {
  const text = lines.join('\n');
  if (isCode) return { kind: 'CODE', text, ...noText };
  const kind = /^ {0,3}#{1,6}[ \t]/.test(text) ? 'HEADING' : 'TEXT';
  if (!hasHan(text)) return { kind, text, en: text, zh: '' };
  const [head = '', rule = ''] = lines;
  if (head.includes('|') && rule.includes('-') && /^[\s|:-]*$/.test(rule)) return { kind, text, ...tableText(lines) };
  const en: string[] = [];
  const zh: string[] = [];
  let last: Language = lines.some((line) => !hasHan(line) && isProse(line)) ? 'en' : 'zh';
  for (const line of lines) {
    const [mark = ''] = marks.exec(line) ?? [];
    const both = inLanguages(line.slice(mark.length), kind === 'HEADING' || listMarks.test(mark), last);
    if (both.en !== '') en.push(mark + both.en);
    if (both.zh !== '') zh.push(mark + both.zh);
    last = both.zh === '' ? 'en' : 'zh';
  }
  return { kind, text, en: en.join('\n'), zh: zh.join('\n') };
}

/** A table in a body stays whole: in English if its rows are, in both languages if they are mixed. */
function tableText(lines: readonly string[]): DraftText {
  const text = lines.join('\n');
  const rows = lines.slice(2);
  const isEnglish = rows.some((row) => row.split('|').some((cell) => !hasHan(cell) && isProse(cell)));
  const isChinese = rows.some(hasHan) || !isEnglish;
  return { en: isEnglish ? text : '', zh: isChinese ? text : '' };
}

function isProse(text: string): boolean {
  return (text.match(prose) ?? []).length > 1 || /^[A-Z][a-z]+\b.*[.!?:]$/.test(text.trim());
}

/** One line; `last` is the language of the line before, which one without words of its own goes on in. */
function inLanguages(line: string, isTitle: boolean, last: Language): DraftText {
  if (!hasHan(line)) {
    const isEnglish = last === 'en' || isProse(line) || (isTitle && /^[A-Z][a-z]/.test(line));
    return isEnglish ? { en: line, zh: '' } : { en: '', zh: line };
  }
  const sentences = splitAtSlash(line);
  if (sentences) return sentences;
  if (isTitle) {
    const title = splitTitle(line);
    if (title) return title;
  }
  if (isChineseOnly(line) && !/[.!?:]\s+\p{Script=Han}/u.test(line)) return { en: '', zh: line };
  const { en, zh, isSure } = splitPassage(line, { isSpaced: true, isGlued: !/[.!?:]\s+\p{Script=Han}/u.test(line) });
  const isPassage = isSure && /[.!?:]$/.test(en) && en.split(/\s+/, 4).length > 3;
  return isPassage ? { en, zh } : { en: '', zh: line };
}

/**
 * "English sentence. / 中文句子。" in either order, at the slash where the language changes; null for another text. Without
 * a full stop the English must be a phrase and the Chinese more than a unit: "tokens / 秒" stays whole.
 */
export function splitAtSlash(text: string): DraftText | null {
  const han = [...text.matchAll(/\p{Script=Han}/gu)];
  const [first, last] = [han[0]?.index, han.at(-1)?.index];
  if (first === undefined || last === undefined) return null;
  const before = [...text.slice(0, first).matchAll(slash)].at(-1)?.index;
  if (before !== undefined) return ofSides(text.slice(0, before), text.slice(before + SLASH));
  const after = text.slice(last).search(slash);
  return after < 0 ? null : ofSides(text.slice(last + after + SLASH), text.slice(0, last + after));
}

const slash = /\s\/\s/g;
const SLASH = 3;

function ofSides(english: string, chinese: string): DraftText | null {
  const both = { en: english.trim(), zh: chinese.trim() };
  const isCut = (both.en.match(/`/g) ?? []).length % 2 > 0;
  // sentences that take turns: the Chinese side goes on in English
  if (isCut || !/[A-Za-z]{2}/.test(both.en) || /[.!?]\s\/\s/.test(both.zh)) return null;
  if (/[.!?:]$/.test(both.en)) return both;
  const isPhrase = isProse(both.en) && /^\p{Script=Han}{4}/u.test(both.zh) && !isProse(both.zh);
  return isPhrase ? both : null;
}

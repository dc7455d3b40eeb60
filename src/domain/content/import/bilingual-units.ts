import { isChineseOnly } from './alternating.js';
import { remark } from './draft.js';
import type { Undecided } from './imported.js';
import { numberOf, type PassageNumber } from './passage-number.js';
import { hasHan, passagesOf, type Passage, type Typesetting } from './passages.js';

/** What one line of a bilingual text is. */
export interface Unit {
  readonly line: number;
  readonly text: string;
  readonly kind: 'TITLE' | 'HEADING' | 'BODY';
  /** Of a title or heading there is one. */
  readonly passages: readonly Passage[];
  readonly followsBlank: boolean;
  /** Of a title or heading, whose passage is without it. */
  readonly number: PassageNumber | null;
}

/** `text` and `passages` are without the number or the mark of a list item. */
interface Line {
  readonly line: number;
  readonly text: string;
  readonly followsBlank: boolean;
  readonly passages: readonly Passage[];
  readonly number: PassageNumber | null;
  readonly mark: string;
}

type RawLine = Pick<Line, 'line' | 'text' | 'followsBlank'>;

/** Running titles and page numbers stand on several pages. */
const FURNITURE = 3;
const LONGEST_FURNITURE = 80;
const LONGEST_TITLE = 120;
const listMark = /^[-*+•]\s+(?=\S)/;
/** More lines in a row that could be headings are not looked at together. */
const LONGEST_RUN = 12;

/**
 * The lines that say something, with a pair of heading lines (one of each language) as one unit. Where the languages
 * take turns, what was wrapped is put together first.
 */
export function unitsOf(
  text: string,
  typesetting: Typesetting,
  layout: 'ONE_LINE' | 'TURNS',
): { units: Unit[]; undecided: Undecided[] } {
  const undecided: Undecided[] = [];
  const told = withoutFurniture(text.split('\n'), undecided);
  const lines = (layout === 'TURNS' ? unwrapped(told) : told).map((line, index, all): Line => {
    const number = numberOf(line.text);
    const mark = number?.mark ?? listMark.exec(line.text)?.[0] ?? '';
    const bare = line.text.slice(mark.length);
    // below an English line a Chinese one is its translation, also where it begins with a name
    const before = layout === 'TURNS' && isChineseOnly(bare) ? all[index - 1]?.text : undefined;
    const isWhole = before !== undefined && !hasHan(before);
    const passages = isWhole ? [{ en: '', zh: bare, isSure: true }] : passagesOf(bare, typesetting);
    return { ...line, text: bare, number, mark, passages };
  });
  const units: Unit[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (!line) continue;
    const run = isHeadingLine(line) ? runOf(lines, index) : 0;
    // of an odd number of lines, each of the other language, one is alone: the first where the pairs begin in English
    const isAlone = layout === 'TURNS' && run > 1 && run % 2 === 1 && hasHan(line.text);
    const heading = isAlone ? null : (numberedAt(lines, index) ?? headingAt(lines, index));
    const count = heading ? 2 : linesToPartner(lines, index);
    const pair = heading ?? numberedAt([line, ...lines.slice(index + count - 1, index + count)], 0);
    if (pair && count > 1) {
      units.push(pair, ...lines.slice(index + 1, index + count - 1).map(bodyOf));
      index += count - 1;
    } else if (isTitle(line, lines[index + 1])) {
      units.push({ ...line, kind: 'TITLE' });
    } else {
      units.push(bodyOf(line));
    }
  }
  return { units, undecided };
}

/** How many lines from `index` on could be headings, each in the other language than the one before. */
function runOf(lines: readonly Line[], index: number): number {
  let end = index + 1;
  for (; end < Math.min(lines.length, index + LONGEST_RUN); end += 1) {
    const [one, other] = [lines[end - 1], lines[end]];
    if (!one || !other || hasHan(one.text) === hasHan(other.text) || !isHeadingLine(other)) break;
  }
  return end - index;
}

function isHeadingLine(line: Line): boolean {
  return hasHan(line.text) ? isChineseHeading(line) : isEnglishHeading(line);
}

/** With its number, in each of its languages. */
function bodyOf(line: Line): Unit {
  const { mark, passages } = line;
  if (mark === '') return { ...line, kind: 'BODY' };
  const withMark = (text: string) => (text === '' ? '' : mark + text);
  const [first, ...others] = passages;
  const marked = first ? [{ ...first, en: withMark(first.en), zh: withMark(first.zh) }, ...others] : others;
  return { ...line, text: mark + line.text, kind: 'BODY', passages: marked, number: null };
}

/** The lines of a paragraph in one language as one. */
function unwrapped(lines: readonly RawLine[]): RawLine[] {
  const whole: { line: number; followsBlank: boolean; parts: string[]; last: string }[] = [];
  for (const { line, text, followsBlank } of lines) {
    const open = whole.at(-1);
    const isChinese = hasHan(text);
    const isWrapped =
      open &&
      !followsBlank &&
      hasHan(open.last) === isChinese &&
      (!isChinese || (isChineseOnly(text) && isChineseOnly(open.last))) &&
      (isFinished(open.last) ? numberOf(open.parts[0] ?? '') !== null : open.last.length >= (isChinese ? 30 : 50));
    if (isWrapped && numberOf(text) === null && !listMark.test(text)) {
      open.parts.push(isChinese && !/[A-Za-z0-9]$/.test(open.last) ? '' : ' ', text);
      open.last = text;
    } else {
      whole.push({ line, followsBlank, parts: [text], last: text });
    }
  }
  return whole.map(({ line, followsBlank, parts }) => ({ line, followsBlank, text: parts.join('') }));
}

/** Whether a text stops where a sentence may stop. */
export function isFinished(text: string): boolean {
  return /[.!?:;。！？：；…][)\]）”’"'」』]*$/.test(text.slice(-12).trimEnd());
}

/** Whether a line goes on with what the line before began. */
function continues({ text }: { readonly text: string }): boolean {
  return /^[a-z,;.)]/.test(text) || (text.includes('_') && text.length <= LONGEST_TITLE && /^[\w./-]+$/.test(text));
}

function isTitle({ text, passages, mark }: Line, next: Line | undefined): boolean {
  const [passage] = passages;
  if (listMark.test(mark)) return false;
  if (!passage || passages.length > 1 || passage.en === '' || passage.zh === '') return false;
  if (text.length > 2 * LONGEST_TITLE || passage.en.length > LONGEST_TITLE) return false;
  if (/^[a-z]/.test(passage.en) || isFinished(passage.en) || isFinished(passage.zh)) return false;
  if (/[.!?]\s+[A-Z]/.test(passage.en) || /[。！？]/.test(passage.zh)) return false;
  return !next || !continues(next);
}

function headingAt(lines: readonly Line[], index: number): Unit | null {
  const [one, other, next] = [lines[index], lines[index + 1], lines[index + 2]];
  if (!one || !other || hasHan(one.text) === hasHan(other.text)) return null;
  const [chinese, english] = hasHan(one.text) ? [one, other] : [other, one];
  if (!isChineseHeading(chinese) || !isEnglishHeading(english)) return null;
  if (one.number !== null && other.number !== null && one.number.value !== other.number.value) return null;
  if (next && continues(next)) return null;
  return pairOf(one, other);
}

/** To the passage of the other language with the same number, where the text of this one stands before it; or 0. */
function linesToPartner(lines: readonly Line[], index: number): number {
  const one = lines[index];
  if (!one?.number) return 0;
  for (let at = index + 1; at < Math.min(lines.length, index + LONGEST_RUN); at += 1) {
    const other = lines[at];
    if (!other) return 0;
    if (hasHan(other.text) !== hasHan(one.text)) return other.number?.value === one.number.value ? at - index + 1 : 0;
    if (other.number !== null) return 0;
  }
  return 0;
}

/** A passage of each language under the same number, of whatever length. */
function numberedAt(lines: readonly Line[], index: number): Unit | null {
  const [one, other] = [lines[index], lines[index + 1]];
  if (!one || !other || hasHan(one.text) === hasHan(other.text)) return null;
  if (one.number === null || (other.number !== null && other.number.value !== one.number.value)) return null;
  const chinese = hasHan(one.text) ? one : other;
  return chinese.passages.length === 1 && isChineseOnly(chinese.text) ? pairOf(one, other) : null;
}

function pairOf(one: Line, other: Line): Unit {
  const [chinese, english] = hasHan(one.text) ? [one, other] : [other, one];
  const passage = { en: english.text, zh: chinese.text, isSure: true };
  // "1." and "一、": the Chinese one tells more of the outline
  const number = chinese.number ?? english.number;
  const text = `${one.mark}${one.text} ${other.mark}${other.text}`;
  return { ...one, text, kind: 'HEADING', passages: [passage], number };
}

function isChineseHeading({ text, passages, mark }: Line): boolean {
  const [passage] = passages;
  if (!passage || listMark.test(mark) || passages.length > 1 || text.length > LONGEST_TITLE / 2) return false;
  if (isFinished(text) || /[。！？；]/.test(text)) return false;
  return passage.en === '' || /^[A-Za-z0-9/+-]+( [A-Z0-9][A-Za-z0-9/+-]*)? \p{Script=Han}/u.test(text);
}

function isEnglishHeading({ text, mark }: Line): boolean {
  if (listMark.test(mark) || text.length > LONGEST_TITLE || isFinished(text) || !/^[A-Z0-9“"]/.test(text)) return false;
  return !text.includes('_') && !/[.!?]\s+[A-Z]/.test(text);
}

function withoutFurniture(texts: readonly string[], undecided: Undecided[]): RawLine[] {
  const counts = new Map<string, number>();
  const shapes = texts.map((text) => shapeOf(text.trim()));
  for (const shape of shapes) if (shape !== '') counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const lines: RawLine[] = [];
  let followsBlank = true;
  texts.forEach((raw, index) => {
    const text = raw.trim();
    const shape = shapes[index] ?? '';
    if (text === '') {
      followsBlank = true;
    } else if (
      (text.length <= LONGEST_FURNITURE && isPageNumber.test(text)) ||
      (shape !== '' && (counts.get(shape) ?? 0) >= FURNITURE)
    ) {
      undecided.push(
        remark(index + 1, text, 'Left out as a page header, footer or number', '疑似页眉、页脚或页码，未收入'),
      );
    } else {
      lines.push({ line: index + 1, text, followsBlank });
      followsBlank = false;
    }
  });
  return lines;
}

const isPageNumber = /^(?:page\s*|第\s*|p\.\s*)?[-–—]?\s*\d{1,4}\s*(?:\/\s*\d{1,4}\s*)?[-–—]?(?:\s*页)?$/i;

/** Equal for lines that differ in the number of the page alone; '' for what is too long, or too short, to be furniture. */
function shapeOf(text: string): string {
  if (text.length < 3 || text.length > LONGEST_FURNITURE || isFinished(text)) return '';
  return text.replace(/^\d{1,4}\b|\b\d{1,4}$/g, '#');
}

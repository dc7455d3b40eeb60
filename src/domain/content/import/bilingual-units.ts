import { remark } from './draft.js';
import type { Undecided } from './imported.js';
import { hasHan, passagesOf, type Passage, type Typesetting } from './passages.js';

/** What one line of a bilingual text is. */
export interface Unit {
  readonly line: number;
  readonly text: string;
  readonly kind: 'TITLE' | 'HEADING' | 'BODY';
  /** Of a title or heading there is one. */
  readonly passages: readonly Passage[];
  readonly followsBlank: boolean;
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly followsBlank: boolean;
  readonly passages: readonly Passage[];
}

/** Running titles and page numbers stand on several pages. */
const FURNITURE = 3;
const LONGEST_FURNITURE = 80;
const LONGEST_TITLE = 120;

/** The lines that say something, with a pair of heading lines (one of each language) as one unit. */
export function unitsOf(text: string, typesetting: Typesetting): { units: Unit[]; undecided: Undecided[] } {
  const undecided: Undecided[] = [];
  const lines = withoutFurniture(text.split('\n'), undecided).map((line) => ({
    ...line,
    passages: passagesOf(line.text, typesetting),
  }));
  const units: Unit[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (!line) continue;
    const heading = headingAt(lines, index);
    if (heading) {
      units.push(heading);
      index += 1;
      continue;
    }
    units.push({ ...line, kind: isTitle(line, lines[index + 1]) ? 'TITLE' : 'BODY' });
  }
  return { units, undecided };
}

/** Whether a text stops where a sentence may stop. */
export function isFinished(text: string): boolean {
  return /[.!?:;。！？：；…][)\]）”’"'」』]*$/.test(text.slice(-12).trimEnd());
}

/** Whether a line goes on with what the line before began. */
function continues({ text }: { readonly text: string }): boolean {
  return /^[a-z,;.)]/.test(text) || (text.includes('_') && text.length <= LONGEST_TITLE && /^[\w./-]+$/.test(text));
}

function isTitle({ text, passages }: Line, next: Line | undefined): boolean {
  const [passage] = passages;
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
  if (next && continues(next)) return null;
  const passage = { en: english.text, zh: chinese.text, isSure: true };
  return { ...one, text: `${one.text} ${other.text}`, kind: 'HEADING', passages: [passage] };
}

function isChineseHeading({ text, passages }: Line): boolean {
  const [passage] = passages;
  if (!passage || passages.length > 1 || text.length > LONGEST_TITLE / 2) return false;
  if (isFinished(text) || /[。！？；]/.test(text)) return false;
  return passage.en === '' || /^[A-Za-z0-9/+-]+( [A-Z0-9][A-Za-z0-9/+-]*)? \p{Script=Han}/u.test(text);
}

function isEnglishHeading({ text }: Line): boolean {
  if (text.length > LONGEST_TITLE || isFinished(text) || !/^[A-Z0-9“"]/.test(text)) return false;
  return !text.includes('_') && !/[.!?]\s+[A-Z]/.test(text);
}

function withoutFurniture(texts: readonly string[], undecided: Undecided[]): Omit<Line, 'passages'>[] {
  const counts = new Map<string, number>();
  const shapes = texts.map((text) => shapeOf(text.trim()));
  for (const shape of shapes) if (shape !== '') counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const lines: Omit<Line, 'passages'>[] = [];
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

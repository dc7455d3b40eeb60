import { isFinished, type Unit } from './bilingual-units.js';
import type { DraftText } from './draft.js';

/** A text in both languages that grows line by line; what a page break cut is joined. */
export class BilingualText {
  readonly units: Unit[] = [];
  private readonly en: string[][] = [];
  private readonly zh: string[][] = [];
  private fragment = '';

  add(unit: Unit): void {
    this.units.push(unit);
    unit.passages.forEach((passage, index) => {
      const isSameParagraph = index > 0 || !unit.followsBlank;
      this.addTo(this.en, passage.en, isSameParagraph);
      this.addTo(this.zh, this.withFragment(passage.en, passage.zh), isSameParagraph);
    });
  }

  get text(): DraftText {
    const join = (paragraphs: readonly (readonly string[])[]) => paragraphs.map((parts) => parts.join('')).join('\n\n');
    return { en: join(this.en), zh: join(this.zh) };
  }

  get isEmpty(): boolean {
    return this.units.length === 0;
  }

  get isFinished(): boolean {
    return [this.en, this.zh].every((paragraphs) => {
      const last = paragraphs.at(-1)?.at(-1) ?? '.';
      return isFinished(last) || isListItem.test(last);
    });
  }

  /** A piece of code alone on its line belongs to both languages if the Chinese goes on as the English does. */
  private withFragment(en: string, zh: string): string {
    const { fragment } = this;
    this.fragment = zh === '' && isCode(en) ? en : '';
    if (fragment === '' || zh === '') return zh;
    const [word = ''] = /^[A-Za-z0-9_]+/.exec(en) ?? [];
    return word !== '' && zh.startsWith(word) ? fragment + between(fragment, zh) + zh : zh;
  }

  private addTo(paragraphs: string[][], text: string, isSameParagraph: boolean): void {
    if (text === '') return;
    const paragraph = paragraphs.at(-1);
    const last = paragraph?.at(-1);
    const goesOn = last !== undefined && (isSameParagraph || !isFinished(last) || /^[a-z]/.test(text));
    if (paragraph && goesOn && isListItem.test(text)) paragraph.push('\n', text);
    else if (paragraph && goesOn) paragraph.push(between(last, text), text);
    else paragraphs.push([text]);
  }
}

/** A blank where one belongs between two pieces: not inside Chinese, nor inside a name that was cut. */
function between(one: string, other: string): '' | ' ' {
  const left = one.slice(-1);
  const right = other.slice(0, 1);
  if (/[/_]/.test(left) || isCutName(one, other)) return '';
  if (!isWide.test(left) && !isWide.test(right)) return ' ';
  return /\p{Script=Han}/u.test(left + right) && /[A-Za-z0-9]/.test(left + right) ? ' ' : '';
}

const isListItem = /^(?:[-*+•]|\d{1,3}[.)]|[一二三四五六七八九十]{1,3}、|[(（]\d{1,3}[)）])\s*\S/;
const isWide = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;

function isCutName(one: string, other: string): boolean {
  const word = one.slice(-80).split(/\s/).at(-1) ?? '';
  return word.length >= 20 && isCode(word) && /^[A-Za-z_]+[("[]/.test(other);
}

/** One name such as torch.backends.cuda or NCCL_DEBUG. */
function isCode(text: string): boolean {
  return /^[A-Za-z0-9]+(?:[._][A-Za-z0-9]*)+$/.test(text);
}

/** The number before a heading or passage, such as "2.1", "三、" or "（4）". */
export interface PassageNumber {
  /** As it is written, with the blanks behind it. */
  readonly mark: string;
  /** Equal for the same number in either language, such as "3" for "3." and "三、". */
  readonly value: string;
  /** Smaller is higher in the outline: a Chinese numeral above a plain number above a number of two parts. */
  readonly rank: number;
}

const plain = /^(?:(\d{1,3}(?:\.\d{1,3})+)[.)、．]?[ \t]+|(\d{1,3})(?:[.)][ \t]+|[、．)）.][ \t]*(?=\p{Script=Han}))|[(（](\d{1,3})[)）][ \t]*)(?=\S)/u;
const chinese = /^(?:([一二三四五六七八九十]{1,3})[、．.][ \t]*|[(（]([一二三四五六七八九十]{1,3})[)）][ \t]*)(?=\S)/;

/** The number that a line begins with, or null. */
export function numberOf(text: string): PassageNumber | null {
  const start = text.slice(0, 24);
  const [mark = '', dotted, single, bracketed] = plain.exec(start) ?? [];
  if (mark !== '') {
    const value = dotted ?? single ?? bracketed ?? '';
    return { mark, value, rank: dotted === undefined ? (single === undefined ? 3 : 2) : 2 + dotted.split('.').length };
  }
  const [numeral = '', above, below] = chinese.exec(start) ?? [];
  if (numeral === '') return null;
  return { mark: numeral, value: String(valueOf(above ?? below ?? '')), rank: above === undefined ? 1.5 : 1 };
}

/** Of 一 to 九十九. */
function valueOf(numeral: string): number {
  const digit = (text: string) => '一二三四五六七八九'.indexOf(text) + 1;
  const [tens = '', ones] = numeral.split('十');
  return ones === undefined ? digit(numeral) : (tens === '' ? 1 : digit(tens)) * 10 + digit(ones);
}

/** Columns that a terminal gives a text: wide East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text with blanks behind it, or before it, up to a number of columns. */
export function padded(text: string, width: number, align: 'START' | 'END'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'END' ? blanks + text : text + blanks;
}

/** Ranges of Unicode's East Asian Width W and F, as far as text of ours and of tools has them. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], [0x2e80, 0x303e], [0x3041, 0x33ff], [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xa000, 0xa4cf],
  [0xa960, 0xa97f], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe10, 0xfe19], [0xfe30, 0xfe6f], [0xff00, 0xff60],
  [0xffe0, 0xffe6], [0x1f300, 0x1f64f], [0x1f680, 0x1f6ff], [0x1f900, 0x1f9ff], [0x20000, 0x3fffd],
]; // prettier-ignore

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) return 0;
  return wide.some(([low, high]) => code >= low && code <= high) ? 2 : 1;
}

import { numberOf } from './passage-number.js';
import { hasHan } from './passages.js';

/** Chinese has this many characters for each of the English it translates. */
const RATIO = { least: 0.1, most: 0.9 };
const bullet = /^[ \t]*(?:[-*+•]|\|)[ \t]/;

/**
 * Whether English lines or paragraphs and their Chinese translations take turns, where at most this share of the lines
 * has both languages.
 */
export function alternates(text: string, mostMixed: number): boolean {
  const runs: { isChinese: boolean; length: number }[] = [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.filter((line) => bullet.test(line)).length * 2 > lines.length) return false;
  let mixed = 0;
  for (const line of lines) {
    const bare = line.trim();
    const content = bare.slice(numberOf(bare)?.mark.length ?? 0);
    const isChinese = hasHan(content);
    if (isChinese && !isChineseOnly(content)) {
      mixed += 1;
      continue;
    }
    const last = runs.at(-1);
    if (last?.isChinese === isChinese) last.length += content.length;
    else runs.push({ isChinese, length: content.length });
  }
  if (runs.length < 4 || runs.length * 4 < lines.length - mixed || mixed > lines.length * mostMixed) return false;
  const order = runs.length % 2 === 0 ? [0] : [0, 1];
  return order.some((from) => {
    const fits: boolean[] = [];
    for (let at = from; at + 1 < runs.length; at += 2) fits.push(isTranslation(runs[at], runs[at + 1]));
    return fits.length >= 2 && fits.filter(Boolean).length * 4 > fits.length * 3;
  });
}

/** Without English words before the Chinese, other than names. */
export function isChineseOnly(text: string): boolean {
  const start = text.search(/\p{Script=Han}/u);
  return start >= 0 && (text.slice(0, start).match(/(?<![A-Za-z])[a-z]{2,}(?![A-Za-z])/g) ?? []).length < 2;
}

function isTranslation(...pair: readonly ({ isChinese: boolean; length: number } | undefined)[]): boolean {
  const chinese = pair.find((run) => run?.isChinese)?.length ?? 0;
  const english = pair.find((run) => run && !run.isChinese)?.length ?? 1;
  return chinese >= english * RATIO.least && chinese <= english * RATIO.most + 6;
}

import type { BothLanguages } from '../locale.js';

/** What a text must be beside well-formed: `PROSE` has to contain Chinese, a `NAME` may be Latin (NVLink, TF32). */
export type TextKind = 'PROSE' | 'NAME';

const han = /\p{Script=Han}/u;
const halfWidthAfterHan = /\p{Script=Han}[,;:!?]/gu;
const hanMeetsLatin = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/gu;

/** Everything that is wrong with an English text: Chinese outside code, code that does not end. */
export function problemsInEnglish(text: string): readonly BothLanguages[] {
  const { prose, problems } = withoutCode(text);
  const found = han.exec(prose);
  if (!found) return problems;
  const place = excerpt(prose, found.index);
  return [...problems, { en: `Chinese in the English text: ${place}`, zh: `英文文本中有中文：${place}` }];
}

/** Everything that is wrong with a Chinese text: not Chinese, half-width punctuation, no space before or after Latin. */
export function problemsInChinese(text: string, kind: TextKind): readonly BothLanguages[] {
  const { prose, problems } = withoutCode(text);
  const found = [...problems];
  if (kind === 'PROSE' && !han.test(text)) found.push({ en: 'the Chinese text is not Chinese', zh: '中文文本中没有汉字' });
  for (const { index } of prose.matchAll(halfWidthAfterHan)) {
    const place = excerpt(prose, index);
    found.push({
      en: `half-width punctuation after a Chinese character: ${place}`,
      zh: `汉字后使用了半角标点：${place}`,
    });
  }
  for (const { index } of prose.matchAll(hanMeetsLatin)) {
    const place = excerpt(prose, index);
    found.push({
      en: `a space is missing between Chinese and Latin letters or digits: ${place}`,
      zh: `汉字与英文字母或数字之间缺少空格：${place}`,
    });
  }
  return found;
}

/** The text without its code blocks and code spans. */
export function proseOf(text: string): string {
  return withoutCode(text).prose;
}

const codePlaceholder = '\uFFFC';

/** The text with each code block and code span replaced by one character, and the code that does not end. */
function withoutCode(text: string): { prose: string; problems: readonly BothLanguages[] } {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (fence === null) {
      fence = mark?.[1] ?? null;
      lines.push(fence === null ? line : codePlaceholder);
    } else if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') {
      fence = null;
    }
  }
  const prose = lines.join('\n').replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, codePlaceholder);
  const problems: BothLanguages[] = [];
  if (fence !== null) problems.push({ en: 'a code block is not closed', zh: '代码块没有结束标记' });
  const tick = prose.indexOf('`');
  if (tick >= 0) {
    const place = excerpt(prose, tick);
    problems.push({ en: `a backtick has no partner: ${place}`, zh: `反引号不成对：${place}` });
  }
  return { prose, problems };
}

function excerpt(text: string, index: number): string {
  const part = text.slice(Math.max(0, index - 8), index + 10).replace(/\s+/g, ' ');
  return `“${part.replaceAll(codePlaceholder, '`…`').trim()}”`;
}

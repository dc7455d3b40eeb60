import { alternates } from './alternating.js';
import type { ChecklistFormat, ChecklistProblem, GivenChecklist } from './imported.js';
import { sectionHeadings } from './markdown-headings.js';
import { switchesLanguage } from './passages.js';

const formats: readonly ChecklistFormat[] = ['markdown', 'bilingual-text', 'bundle'];
const LONG = 80;
const listed = /^[ \t]*(?:[-*+•]|\d{1,3}[.)]|\|)[ \t]/;

/** The format that was chosen or that the text is in, or why it is in none. */
export function formatOf(text: string, given: GivenChecklist): ChecklistFormat | ChecklistProblem {
  if (given.format !== undefined) {
    const chosen = formats.find((format) => format === given.format);
    if (chosen) return chosen;
    const message = {
      en: `There is no format "${given.format}"; there are ${formats.join(', ')}`,
      zh: `没有“${given.format}”格式，可用的格式有 ${formats.join('、')}`,
    };
    return { line: null, message };
  }
  if (/(?:^|[{,])[ \t]*["']?format["']?[ \t]*:[ \t]*["']?tunebook-checklist\//m.test(text.slice(0, 65_536))) return 'bundle';
  if (/\.ya?ml$/i.test(given.fileName ?? '')) return 'bundle';
  if (isBilingual(text)) return 'bilingual-text';
  if (sectionHeadings(text.split('\n')).length > 0 || text.split('\n').some((line) => listed.test(line))) {
    return 'markdown';
  }
  return {
    line: null,
    message: {
      en: 'The text is no checklist that can be read: it has no headings, no list, and no passages in two languages',
      zh: '无法识别为检查清单：文本中没有标题、列表，也没有中英对照的段落',
    },
  };
}

/** The languages take turns, or most longer lines or paragraphs go from English to Chinese; and no heading is marked as in Markdown. */
function isBilingual(text: string): boolean {
  if (/^#{1,6}[ \t]+\S/m.test(text)) return false;
  if (alternates(text, 0.6)) return true;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // a list whose items are in two languages is a list
  if (lines.filter((line) => listed.test(line)).length * 2 > lines.length) return false;
  const opening = /^(?:[A-Z][\w'’-]*[ \t]+)?(?:[\w'’(),/-]+[ \t]+){0,8}[a-z][a-z'’-]*[.!?]?[ \t]*(?=\p{Script=Han})/u;
  if (lines.length > 2 && lines.filter((line) => opening.test(line.slice(0, LONG))).length * 2 > lines.length) return true;
  const long = (parts: readonly string[]) => parts.filter((part) => part.trim().length >= LONG);
  const isMost = (parts: readonly string[]) =>
    parts.length > 0 && parts.filter(switchesLanguage).length * 2 > parts.length;
  return isMost(long(lines)) || isMost(long(text.split(/\n[ \t]*\n/)));
}

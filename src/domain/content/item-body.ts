import type { LocalizedText } from '../locale.js';

/** The parts of an item's text with the headings that they get in one text, in order. */
const headings = [
  ['why', 'Why it matters', '为什么重要'],
  ['check', 'How to check', '如何检查'],
  ['apply', 'How to apply', '如何实施'],
  ['measure', 'How to measure', '如何测量'],
  ['avoid', 'When not to', '何时不用'],
  ['rollback', 'How to roll back', '如何回退'],
] as const;

/** A part of an item's text, beside its title and summary. */
export type PartName = (typeof headings)[number][0];
export const partNames: readonly PartName[] = headings.map(([name]) => name);

/** All parts of an item in one Markdown text, in each language that it has parts in. */
export function itemBody(parts: Readonly<Record<PartName, LocalizedText>>): LocalizedText {
  const bodyIn = (language: 'en' | 'zh'): string | null => {
    const found = headings.flatMap(([name, en, zh]) => {
      const text = parts[name][language];
      return text === null ? [] : [`## ${language === 'en' ? en : zh}\n\n${text}`];
    });
    return found.length === 0 ? null : found.join('\n\n');
  };
  return { en: bodyIn('en'), zh: bodyIn('zh') };
}

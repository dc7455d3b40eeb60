import type { BothLanguages } from '../locale.js';
import { proseOf } from './bilingual-text.js';
import type { GlossaryEntry } from './schema.js';

/** A term with the Chinese words that are not used for it. */
export interface TermRule {
  readonly en: string;
  readonly zh: string;
  /** Finds the term in English prose, in either number. */
  readonly pattern: RegExp;
  /** For each word to avoid the words that may contain it: 归约 in 全归约. */
  readonly avoided: readonly { readonly word: string; readonly unless: readonly string[] }[];
}

/** The rules of the glossary: of the terms that name words to avoid. */
export function termRules(glossary: readonly GlossaryEntry[]): readonly TermRule[] {
  const words = glossary.flatMap(({ zh, synonymsZh }) => [zh, ...(synonymsZh ?? [])]);
  return glossary.flatMap(({ en, zh, synonymsEn, avoidZh }): TermRule[] => {
    if (!avoidZh?.length) return [];
    const names = [en, ...(synonymsEn ?? [])].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const pattern = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?:s|es)?(?![\\w-])`, 'i');
    const avoided = avoidZh.map((word) => ({
      word,
      unless: words.filter((other) => other !== word && other.includes(word)),
    }));
    return [{ en, zh, pattern, avoided }];
  });
}

/** Where a Chinese text uses a word that the glossary refuses for a term of the English text. Code is passed over. */
export function misusedTerms(en: string, zh: string, rules: readonly TermRule[]): readonly BothLanguages[] {
  const [english, chinese] = [proseOf(en), proseOf(zh)];
  return rules.flatMap((rule) => {
    if (!rule.pattern.test(english)) return [];
    return rule.avoided.flatMap(({ word, unless }): BothLanguages[] => {
      const rest = unless.reduce((text, allowed) => text.replaceAll(allowed, ''), chinese);
      if (!rest.includes(word)) return [];
      return [
        {
          en: `the glossary has “${rule.zh}” for "${rule.en}", not “${word}”`,
          zh: `术语表中“${rule.en}”译为“${rule.zh}”，不用“${word}”`,
        },
      ];
    });
  });
}

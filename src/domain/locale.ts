/** The languages that content and messages are written in. */
export type Locale = 'EN' | 'ZH';

/** One text in both languages; shipped content and every message of the product has both. */
export interface BothLanguages {
  readonly en: string;
  readonly zh: string;
}

/** One text in at least one language: what a person wrote, or shipped content. */
export interface LocalizedText {
  readonly en: string | null;
  readonly zh: string | null;
}

/** The text in the first of these languages that it exists in, else in English, else in whatever language there is. */
export function textIn(text: LocalizedText, ...preferred: readonly Locale[]): string {
  for (const locale of preferred) {
    const found = locale === 'ZH' ? text.zh : text.en;
    if (found !== null) return found;
  }
  return text.en ?? text.zh ?? '';
}

/** True when a text does not exist in the language asked for. */
export function isFallback(text: LocalizedText, locale: Locale): boolean {
  return (locale === 'ZH' ? text.zh : text.en) === null;
}

/** The text in both languages, where one stands in for the other: a team's own item may have one language only. */
export function inBoth({ en, zh }: LocalizedText): BothLanguages {
  return { en: en ?? zh ?? '', zh: zh ?? en ?? '' };
}

/** A text that exists in one language only. */
export function textOf(locale: Locale, text: string): LocalizedText {
  return locale === 'ZH' ? { en: null, zh: text } : { en: text, zh: null };
}

import type { BothLanguages, Locale } from '../../../domain/locale.js';

// A report before it is Markdown or HTML: what it says is decided once, so that the formats cannot disagree.

/** How a word is meant; a sign beside the word, never instead of it. */
export type Tone = 'GOOD' | 'BAD' | 'WEAK';

/** Part of a line: text, an identifier, a number or time that is not broken, or a word that says how things stand. */
export type Span =
  string | { readonly code: string } | { readonly figure: string } | { readonly word: string; readonly tone: Tone };

/** One line. Text of people in it is text, never markup. */
export type Line = string | readonly Span[];

export interface Column {
  readonly head: string;
  /** Numbers stand at the end of their cells. */
  readonly align: 'START' | 'END';
}

export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: Line }
  | { readonly kind: 'paragraph'; readonly text: Line }
  | { readonly kind: 'list'; readonly lines: readonly Line[] }
  | { readonly kind: 'facts'; readonly caption: string; readonly rows: readonly (readonly [string, Line])[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly columns: readonly Column[];
      /** The first cell of a row is its head. */
      readonly rows: readonly (readonly Line[])[];
    }
  /** A text that somebody wrote, as Markdown, whole and unchanged, with who says it or what it is. */
  | { readonly kind: 'said'; readonly label: Line; readonly body: string };

export interface Report {
  readonly locale: Locale;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Picks the language of a report. */
export type Say = (text: BothLanguages) => string;

export function sayIn(locale: Locale): Say {
  return ({ en, zh }) => (locale === 'ZH' ? zh : en);
}

/** A number with what it counts, in English. */
export function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Columns by their heads; those of `ends` hold numbers. */
export function columns(heads: readonly string[], ends: readonly number[] = []): readonly Column[] {
  return heads.map((head, index) => ({ head, align: ends.includes(index) ? 'END' : 'START' }));
}

/** Lines one after the other in one line. */
export function joined(lines: readonly Line[], separator: string): Line {
  return lines.flatMap((line, index) => [...(index === 0 ? [] : [separator]), ...spansOf(line)]);
}

/** A title, in which backticks mark identifiers. */
export function titleSpans(title: string): readonly Span[] {
  return title.split(/(`[^`]+`)/).flatMap((part, index): Span[] => {
    if (index % 2 === 1) return [{ code: part.slice(1, -1) }];
    return part === '' ? [] : [part];
  });
}

/** The text of a span, whatever it is. */
export function plainText(span: Span): string {
  if (typeof span === 'string') return span;
  if ('code' in span) return span.code;
  return 'figure' in span ? span.figure : span.word;
}

export function spansOf(line: Line): readonly Span[] {
  return typeof line === 'string' ? [line] : line;
}

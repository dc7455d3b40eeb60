import type { Locale } from '../locale.js';
import type { TermMatch } from './glossary-index.js';
import type { Identifier, Piece, Scan, Span } from './scan.js';
import { isStopWord } from './stop-words.js';
import { bigramsOf, hanWordsOf, partsLexeme, wholeLexeme } from './tokens.js';

/** One way in which a document can satisfy a group. Lexemes stand in the index as they are; words are stemmed first. */
export type Alternative =
  /** All of them; with PHRASE side by side in this order. ASCII letters and digits in lower case. */
  | { readonly kind: 'WORDS'; readonly match: 'ALL' | 'PHRASE'; readonly words: readonly string[] }
  | { readonly kind: 'LEXEMES'; readonly match: 'ALL' | 'PHRASE'; readonly lexemes: readonly string[] }
  /** What begins so. */
  | { readonly kind: 'WORD_PREFIX'; readonly word: string }
  | { readonly kind: 'LEXEME_PREFIX'; readonly lexeme: string };

/** What one part of the query asks for: a document has it when it satisfies any of the alternatives. */
export interface Group extends Span {
  readonly alternatives: readonly Alternative[];
  /** How much it counts when not all groups are found: terms and identifiers 2, words 1, single characters 0.5. */
  readonly weight: number;
  /** Set for a plain word: only documents in this language can be expected to have it. */
  readonly language: Locale | null;
  /** The word as typed, where it may be misspelled. */
  readonly spelling: string | null;
  /** What also satisfies the group where little is found without: the words of a Chinese name, not side by side. */
  readonly loose: Alternative | null;
  /** Of a word that may be typed in part: the stems it may have when complete, such as `expand` of `expanda`. */
  readonly stems: readonly string[];
}

/** Of so many words a Chinese name is long. */
const LONG_NAME_WORDS = 3;

export function isInside(span: Span, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => start <= span.start && span.end <= end);
}

export function overlaps(span: Span): (other: Span) => boolean {
  return ({ start, end }) => start < span.end && span.start < end;
}

export function isAscii(piece: Piece): boolean {
  return piece.script === 'WORD' && /^[A-Za-z0-9]+$/.test(piece.text);
}

/** What stands in quotation marks: side by side, without other forms. */
export function phraseGroup(text: Scan, phrase: Span): readonly Group[] {
  const pieces = text.pieces.filter((piece) => isInside(piece, [phrase]));
  const words = pieces.filter(isAscii).map((piece) => piece.text.toLowerCase());
  const runs = pieces.filter((piece) => piece.script === 'HAN').map((piece) => piece.text);
  const others = pieces.filter((piece) => piece.script === 'WORD' && !isAscii(piece)).map((piece) => piece.text);
  const alternatives: Alternative[][] = [];
  if (words.some((word) => !isStopWord(word))) alternatives.push([{ kind: 'WORDS', match: 'PHRASE', words }]);
  for (const run of runs) alternatives.push([hanAlternative(run, 'PHRASE')]);
  for (const word of others) alternatives.push([{ kind: 'LEXEMES', match: 'ALL', lexemes: [word.toLowerCase()] }]);
  return alternatives.map((given) => group(phrase, given, 2, null, null));
}

/** A term of the glossary by all its names. */
export function termGroup(text: Scan, match: TermMatch): Group {
  const pieces = text.pieces.filter(overlaps(match));
  const words = pieces.filter((piece) => piece.script === 'WORD');
  const alternatives: Alternative[] = [{ kind: 'LEXEMES', match: 'ALL', lexemes: [match.term] }];
  const [only] = words;
  let loose: Alternative | null = null;
  if (words.length === pieces.length) {
    const typed = words.map((piece) => piece.text.toLowerCase());
    // `out of memory` without its stop words would be any memory.
    const telling = typed.filter((word) => !isStopWord(word));
    if (words.every(isAscii) && (telling.length > 1 || telling.length === typed.length)) {
      alternatives.push({ kind: 'WORDS', match: 'ALL', words: telling });
    }
    if (words.length === 1 && only !== undefined) {
      alternatives.push({ kind: 'LEXEMES', match: 'ALL', lexemes: [wholeLexeme(only.text.toLowerCase())] });
    }
  } else if (words.length === 0) {
    const typed = text.text.slice(match.start, match.end);
    alternatives.push(hanAlternative(typed, 'ALL'));
    // Few texts have a long name such as 主机到设备带宽 in one piece; its words together are as telling.
    const parts = hanGroups({ script: 'HAN', text: typed, start: match.start, end: match.end }, []);
    const lexemes = parts.flatMap(({ start, end }) => bigramsOf(text.text.slice(start, end)));
    const together: Alternative = { kind: 'LEXEMES', match: 'ALL', lexemes };
    if (parts.length >= LONG_NAME_WORDS) alternatives.push(together);
    else if (parts.length > 1 && lexemes.length > 1) loose = together;
  }
  for (const name of text.identifiers) {
    if (isInside(name, [match])) alternatives.push(...identifierAlternatives(name));
  }
  const isShort = !match.isSure;
  const spelling = isShort ? (only?.text ?? null) : null;
  return { ...group(match, alternatives, isShort ? 1 : 2, isShort ? 'EN' : null, spelling), loose };
}

/** A name written in one go, whole or as a part of a longer one. */
export function identifierGroup(name: Identifier): Group {
  const alternatives = identifierAlternatives(name);
  if (!name.isExact) {
    const words = name.parts.filter((part) => !isStopWord(part));
    if (words.length > 0) alternatives.push({ kind: 'WORDS', match: 'ALL', words });
  }
  return group(name, alternatives, name.isExact ? 2 : 1, name.isExact ? null : 'EN', name.whole);
}

function identifierAlternatives({ whole, parts }: Identifier): Alternative[] {
  const alternatives: Alternative[] = [{ kind: 'LEXEMES', match: 'ALL', lexemes: [wholeLexeme(whole)] }];
  const hasLetters = !parts.every((part) => /^\d+$/.test(part));
  if (hasLetters) alternatives.push({ kind: 'LEXEMES', match: 'ALL', lexemes: [partsLexeme(parts)] });
  // Words as they stand in a text: camel case is one.
  const words = whole.match(/[a-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !isStopWord(word));
  if (telling.length > 1 || (telling.length === 1 && words.length === 1)) {
    alternatives.push({ kind: 'WORDS', match: 'PHRASE', words });
  }
  return alternatives;
}

/** A word that is neither. */
export function wordGroup(piece: Piece): readonly Group[] {
  const word = piece.text.toLowerCase();
  if (!isAscii(piece)) {
    return [group(piece, [{ kind: 'LEXEMES', match: 'ALL', lexemes: [word] }], 1, null, null)];
  }
  const lexemes = [wholeLexeme(word), ...(word.length > 3 ? [partsLexeme([word])] : [])];
  const alternatives: Alternative[] = [
    { kind: 'WORDS', match: 'ALL', words: [word] },
    ...lexemes.map((lexeme): Alternative => ({ kind: 'LEXEMES', match: 'ALL', lexemes: [lexeme] })),
  ];
  return [group(piece, alternatives, 1, 'EN', word)];
}

/** The words of what is left of a run between the terms; characters that the segmenter left alone side by side are one. */
export function hanGroups(run: Piece, taken: readonly Span[]): readonly Group[] {
  const groups: Group[] = [];
  for (const rest of restOf(run, taken)) {
    let alone = '';
    const flush = (end: number) => {
      if (alone === '') return;
      const span = { start: end - alone.length, end };
      groups.push(group(span, [hanAlternative(alone, 'ALL')], Array.from(alone).length > 1 ? 1 : 0.5, 'ZH', null));
      alone = '';
    };
    for (const { word, place } of hanWordsOf(rest.text)) {
      const start = rest.start + place;
      if (Array.from(word).length === 1 && !isStopWord(word)) {
        alone += word;
        continue;
      }
      flush(start);
      if (isStopWord(word)) continue;
      const span = { start, end: start + word.length };
      // What the segmenter takes for a word in a document too is worth more than the characters side by side.
      const asWord: Alternative[] = word.length > 2 ? [{ kind: 'LEXEMES', match: 'ALL', lexemes: [word] }] : [];
      groups.push(group(span, [hanAlternative(word, 'ALL'), ...asWord], 1, 'ZH', null));
    }
    flush(rest.end);
  }
  return groups;
}

function restOf(run: Piece, taken: readonly Span[]): readonly { text: string; start: number; end: number }[] {
  const inside = taken.filter(overlaps(run)).sort((one, other) => one.start - other.start);
  const rests: { text: string; start: number; end: number }[] = [];
  let start = run.start;
  for (const span of [...inside, { start: run.end, end: run.end }]) {
    if (span.start > start) {
      rests.push({ text: run.text.slice(start - run.start, span.start - run.start), start, end: span.start });
    }
    start = Math.max(start, span.end);
  }
  return rests;
}

/** A single character is found in any run that has it: as the beginning of two characters, or at the end. */
function hanAlternative(word: string, match: 'ALL' | 'PHRASE'): Alternative {
  const lexemes = bigramsOf(word);
  return lexemes.length === 0 ? { kind: 'LEXEME_PREFIX', lexeme: word } : { kind: 'LEXEMES', match, lexemes };
}

function group(
  { start, end }: Span,
  alternatives: readonly Alternative[],
  weight: number,
  language: Locale | null,
  spelling: string | null,
): Group {
  return { start, end, alternatives, weight, language, spelling, loose: null, stems: [] };
}

/** What is left when nothing particular is asked for is nothing. */
export function withoutStopWords(groups: readonly Group[]): Group[] {
  return groups.filter(({ alternatives }) => {
    const [first] = alternatives;
    if (first === undefined) return false;
    if (first.kind === 'WORDS') return !first.words.every(isStopWord);
    if (first.kind === 'LEXEME_PREFIX') return !isStopWord(first.lexeme);
    return !(first.kind === 'LEXEMES' && first.lexemes.every(isStopWord));
  });
}

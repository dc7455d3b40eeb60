import { cutText } from '../cut-text.js';
import type { GlossaryIndex, TermMatch } from './glossary-index.js';
import {
  hanGroups,
  identifierGroup,
  isAscii,
  isInside,
  overlaps,
  phraseGroup,
  termGroup,
  withoutStopWords,
  wordGroup,
  type Alternative,
  type Group,
} from './query-groups.js';
import { scan, type Identifier, type Piece, type Scan, type Span } from './scan.js';
import { isStopWord, questionPhrasesIn } from './stop-words.js';
import { wholeLexeme } from './tokens.js';

/** What to mark in a text that was found; words in lower case. */
export interface Marks {
  readonly words: readonly string[];
  readonly prefix: string | null;
  readonly han: readonly string[];
  readonly terms: readonly string[];
  /** The words of identifiers, joined. */
  readonly identifiers: readonly string[];
}

/** A query that an engine can answer: every group is wanted; an engine that finds nothing looks for most of them. */
export interface SearchQuery {
  /** The folded text, to which the places of the groups refer. */
  readonly text: string;
  readonly groups: readonly Group[];
  /** Lexemes of whole identifiers: a document that declares one of them comes first. */
  readonly exact: readonly string[];
  readonly marks: Marks;
  /** True where words were typed, be it only stop words: then a query without groups finds nothing. */
  readonly hasWords: boolean;
}

/** Longer queries are cut: nobody types them. */
export const QUERY_LIMIT = 400;
const GROUPS_LIMIT = 16;
const SHORTEST_PREFIX = 3;

/** Makes a query of what a person typed. Never fails; a text of stop words only gives no groups. */
export function queryOf(typed: string, glossary: GlossaryIndex): SearchQuery {
  const text = scan(cutText(typed, QUERY_LIMIT).trimStart());
  const phrases = phrasesIn(text.text);
  const named = longest(glossary.matches(text, 'QUERY')).filter((term) => !isInside(term, phrases));
  const names = text.identifiers.filter(
    (name) => !isInside(name, phrases) && (name.isExact ? !isInside(name, named) : !named.some(overlaps(name))),
  );
  // A part of an identifier is not a term: `ib_hca` asks for neither InfiniBand nor a network card.
  const terms = named.filter((term) => !isInside(term, names));
  const found: Group[] = [...phrases.flatMap((phrase) => phraseGroup(text, phrase))];
  for (const term of terms) found.push(termGroup(text, term));
  for (const name of names) found.push(identifierGroup(name));
  const taken = [...phrases, ...terms, ...names];
  for (const piece of text.pieces) {
    if (piece.script === 'HAN') found.push(...hanGroups(piece, [...taken, ...questionsIn(piece, taken)]));
    else if (!isInside(piece, taken)) found.push(...wordGroup(piece));
  }
  const groups = withoutStopWords(found)
    .sort((one, other) => one.start - other.start)
    .slice(0, GROUPS_LIMIT);
  const last = lastWord(text, phrases);
  return {
    text: text.text,
    groups: groups.map((group) => (last !== null && group.end === last.end ? withPrefix(group, last) : group)),
    exact: exactLexemes(text, names),
    marks: marksOf(groups, text, terms, names, last),
    hasWords: text.pieces.length > 0,
  };
}

/** True when a phrase, a term or an identifier is asked for, by which a document in any language can be found. */
export function isAnchored(query: SearchQuery): boolean {
  return query.groups.some((group) => group.language === null);
}

/** The parts in quotation marks, the marks not included. */
function phrasesIn(text: string): readonly Span[] {
  return [...text.matchAll(/"([^"]+)"|“([^”]+)”|「([^」]+)」/g)].map(({ index, 0: quoted }) => ({
    start: index + 1,
    end: index + quoted.length - 1,
  }));
}

/** What in a run of Han characters only asks; a term that has some of the same characters comes first. */
function questionsIn({ text, start }: Piece, taken: readonly Span[]): readonly Span[] {
  return questionPhrasesIn(text)
    .map((phrase) => ({ start: start + phrase.start, end: start + phrase.end }))
    .filter((phrase) => !taken.some(overlaps(phrase)));
}

/** Of matches that overlap the one that begins first, and of those the longest. */
function longest(matches: readonly TermMatch[]): readonly TermMatch[] {
  const kept: TermMatch[] = [];
  const byStart = [...matches].sort((one, other) => one.start - other.start || other.end - one.end);
  for (const match of byStart) {
    const before = kept.at(-1);
    if (before === undefined || match.start >= before.end) kept.push(match);
  }
  return kept;
}

/** The word that may still be being typed: it stands at the very end, outside quotation marks. */
function lastWord(text: Scan, phrases: readonly Span[]): Piece | null {
  const last = text.pieces.at(-1);
  const isTyped = last !== undefined && last.end === text.text.length && isAscii(last) && !isInside(last, phrases);
  return isTyped ? last : null;
}

function withPrefix(given: Group, last: Piece): Group {
  const word = last.text.toLowerCase();
  const [first] = given.alternatives;
  // A name in several words is not still being typed once it is known.
  if (given.start !== last.start && first?.kind === 'LEXEMES' && first.lexemes[0]?.startsWith('term:')) return given;
  const parts = given.alternatives.flatMap((alternative) =>
    alternative.kind === 'LEXEMES' ? alternative.lexemes.filter((lexeme) => lexeme.startsWith('id:')) : [],
  );
  const prefixes: Alternative[] = parts
    .filter((lexeme) => lexeme.length - 'id:'.length >= SHORTEST_PREFIX)
    .map((lexeme) => ({ kind: 'LEXEME_PREFIX', lexeme }));
  if (given.start === last.start && word.length >= SHORTEST_PREFIX) prefixes.push({ kind: 'WORD_PREFIX', word });
  const stems = given.start === last.start ? stemsOf(word) : [];
  return { ...given, alternatives: [...given.alternatives, ...prefixes], stems };
}

/** The query whose Chinese names are also found by their words; the very same when it has none. */
export function loosened(query: SearchQuery): SearchQuery {
  if (query.groups.every(({ loose }) => loose === null)) return query;
  const groups = query.groups.map((group) =>
    group.loose === null ? group : { ...group, alternatives: [...group.alternatives, group.loose] },
  );
  return { ...query, groups };
}

/** The query with a word that nothing has taken for the beginning of a longer one; the very same when it is none. */
export function asUnfinished(query: SearchQuery, { start, end, stems }: Group): SearchQuery {
  if (stems.length === 0) return query;
  const alternatives = stems.map((stem): Alternative => ({ kind: 'LEXEMES', match: 'ALL', lexemes: [stem] }));
  const groups = query.groups.map((one) => (one.start === start && one.end === end ? { ...one, alternatives } : one));
  return { ...query, groups, marks: { ...query.marks, words: [...query.marks.words, ...stems] } };
}

function stemsOf(word: string): readonly string[] {
  const shortest = Math.max(4, word.length - 6);
  return Array.from({ length: Math.max(0, word.length - shortest) }, (_, less) =>
    word.slice(0, word.length - less - 1),
  );
}

function exactLexemes(text: Scan, names: readonly Identifier[]): readonly string[] {
  const all = text.text.trim().replace(/^-+/, '').toLowerCase();
  const whole = all.length > 0 && all.length <= 120 ? [wholeLexeme(all)] : [];
  return [...new Set([...whole, ...names.filter((name) => name.isExact).map((name) => wholeLexeme(name.whole))])];
}

function marksOf(
  groups: readonly Group[],
  text: Scan,
  terms: readonly TermMatch[],
  names: readonly Identifier[],
  last: Piece | null,
): Marks {
  const exact = names.filter(({ isExact }) => isExact);
  const asked = text.pieces.filter(
    (piece) => piece.script === 'WORD' && isInside(piece, groups) && !isInside(piece, exact),
  );
  const isPrefix = last !== null && last.text.length >= SHORTEST_PREFIX && !isInside(last, exact);
  const words = asked.map((piece) => piece.text.toLowerCase()).filter((word) => !isStopWord(word));
  const lexemes = groups.flatMap(({ alternatives }) =>
    alternatives.flatMap((alternative) => (alternative.kind === 'LEXEMES' ? alternative.lexemes : [])),
  );
  const han = groups.map(({ start, end }) => text.text.slice(start, end)).flatMap((part) => part.match(hanRun) ?? []);
  return {
    words: [...new Set(words)],
    prefix: isPrefix ? last.text.toLowerCase() : null,
    han: [...new Set(han)],
    terms: [...new Set(terms.map(({ term }) => term))],
    identifiers: [
      ...new Set([
        ...names.map(({ parts }) => parts.join('')),
        ...lexemes.filter((lexeme) => lexeme.startsWith('id:')).map((lexeme) => lexeme.slice(3)),
      ]),
    ].filter((name) => name.length > 1),
  };
}

const hanRun = /\p{Script=Han}+/gu;

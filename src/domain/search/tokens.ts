import { cutText } from '../cut-text.js';
import type { SearchDocument } from './document.js';
import type { GlossaryIndex } from './glossary-index.js';
import { identifierOf, scan, type Identifier, type Scan } from './scan.js';

/** A: title and identifiers, B: tags and what the document belongs to, C: words inside identifiers, D: body. */
export type Weight = 'A' | 'B' | 'C' | 'D';

/** What the index holds of one document. */
export interface DocumentTerms {
  /** English words by weight, a blank between two: the database stems them. ASCII letters and digits only. */
  readonly english: Readonly<Record<Weight, string>>;
  /** All other lexemes with their places, such as `12A`: Chinese, terms of the glossary, identifiers, languages. */
  readonly lexemes: ReadonlyMap<string, readonly string[]>;
}

/** How much of a text is searched; what is longer is found by its beginning. */
export const TITLE_LIMIT = 2_000;
export const BODY_LIMIT = 100_000;
const IDENTIFIERS_LIMIT = 500;
const NAMES_LIMIT = 200;

// A tsvector holds 1 MB, places up to 16,383 and 255 of them for a lexeme; these limits keep well below.
const LEXEMES_LIMIT = 15_000;
const LEXEME_BYTES_LIMIT = 300_000;
const PLACES_LIMIT = 32;
const LAST_PLACE = 16_383;
const ENGLISH_LIMIT = 120_000;
const PARTS_LIMIT = 8;
const HAN_WORD_LIMIT = 8;
const SEGMENTER_LIMIT = 1_000;

/** All by which a document is found. Linear in its length, and bounded however long and strange it is. */
export function termsOf(document: SearchDocument, glossary: GlossaryIndex): DocumentTerms {
  const collector = new Collector(glossary);
  for (const language of document.languages) collector.lexeme(languageLexeme(language), 'D');
  for (const text of [document.title.en, document.title.zh]) collector.text(cutText(text ?? '', TITLE_LIMIT), 'A');
  for (const name of document.identifiers.slice(0, IDENTIFIERS_LIMIT)) collector.identifier(name, 'A');
  // As a whole: its words name the section and repeat the title.
  if (document.key !== null) collector.name(identifierOf(document.key), 'A', 'DECLARED');
  const names = [...document.tags, ...document.hardware, ...document.frameworks].slice(0, NAMES_LIMIT);
  for (const name of [...names, document.section ?? '']) collector.text(cutText(name, 200), 'B');
  // What a person wrote is both bodies in one: it is read once
  for (const text of new Set([document.body.en, document.body.zh]))
    collector.text(cutText(text ?? '', BODY_LIMIT), 'D');
  return collector.terms();
}

/** Marks the documents of a language: a word can be demanded only of those that are written in its language. */
export function languageLexeme(language: 'EN' | 'ZH'): string {
  return `lang:${language.toLowerCase()}`;
}

/** The lexeme again for a title or an identifier: an index does not hold weights, and these are looked up first. */
export function titleLexeme(lexeme: string): string {
  return `${TITLE_PREFIX}${lexeme}`;
}

/** What the database puts before the stems of the English words of weight A. */
export const TITLE_PREFIX = 't:';

/** The whole identifier, as it stands in the text. */
export function wholeLexeme(whole: string): string {
  return `is:${whole.replace(/\s+/g, ' ')}`;
}

/** Words of an identifier that stand side by side, whatever parts them: `ib_hca`, `ib-hca` and `ibHca` are one. */
export function partsLexeme(parts: readonly string[]): string {
  return `id:${parts.join('')}`;
}

/** Two characters that stand side by side, for each place in a run of Han characters. */
export function bigramsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, place) => `${characters[place] ?? ''}${character}`);
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** The Chinese words of a run of Han characters in their order, with the place (in code units) of each. */
export function hanWordsOf(run: string): readonly { readonly word: string; readonly place: number }[] {
  const words: { word: string; place: number }[] = [];
  for (let from = 0; from < run.length;) {
    const piece = cutText(run.slice(from, from + 2 * SEGMENTER_LIMIT), SEGMENTER_LIMIT);
    for (const { segment, index } of segmenter.segment(piece)) words.push({ word: segment, place: from + index });
    from += Math.max(1, piece.length);
  }
  return words;
}

/** What a term within a narrower term weighs: a title is first of all about the narrower one. */
const lighter: Readonly<Record<Weight, Weight>> = { A: 'B', B: 'C', C: 'D', D: 'D' };

class Collector {
  private readonly lexemes = new Map<string, string[]>();
  private readonly english: Record<Weight, string[]> = { A: [], B: [], C: [], D: [] };
  private englishLength = 0;
  private bytes = 0;
  private place = 1;

  constructor(private readonly glossary: GlossaryIndex) {}

  text(source: string, weight: Weight): void {
    if (source === '') return;
    const text = scan(source);
    for (const piece of text.pieces) {
      if (piece.script === 'HAN') this.run(piece.text, weight);
      else this.word(piece.text, weight);
    }
    for (const identifier of text.identifiers) this.name(identifier, weight, 'FOUND');
    this.termsIn(text, weight);
    // A phrase does not reach from one text into the next.
    this.place += 50;
  }

  identifier(source: string, weight: Weight): void {
    const written = cutText(source, 200);
    const text = scan(written);
    for (const { script, text: word } of text.pieces) {
      if (script === 'HAN') this.run(word, weight);
      else this.word(word, weight);
    }
    this.name(identifierOf(written), weight, 'DECLARED');
    for (const identifier of text.identifiers) this.name(identifier, weight, 'FOUND');
    this.termsIn(text, weight);
  }

  /** An identifier whole, and all its words that stand side by side. */
  name(identifier: Identifier, weight: Weight, origin: 'FOUND' | 'DECLARED'): void {
    const { whole, parts } = identifier;
    this.lexeme(wholeLexeme(whole), weight);
    const words = new Set(whole.match(/[a-z0-9]+/g) ?? []);
    // Words of camel case stand in no text as words of their own.
    for (const part of parts) if (part.length > 1 && !words.has(part)) this.stem(part, 'C');
    if (parts.every((part) => /^\d+$/.test(part))) return;
    if (origin === 'DECLARED' && parts.length > 0) this.lexeme(partsLexeme(parts.slice(0, PARTS_LIMIT)), weight);
    const reach = Math.min(parts.length, PARTS_LIMIT);
    for (let from = 0; from < reach; from++) {
      for (let to = from + 2; to <= reach; to++) this.lexeme(partsLexeme(parts.slice(from, to)), weight);
    }
  }

  lexeme(lexeme: string, weight: Weight): void {
    this.add(lexeme, weight);
    if (weight === 'A') this.add(titleLexeme(lexeme), weight);
  }

  private add(lexeme: string, weight: Weight): void {
    const places = this.lexemes.get(lexeme);
    const place = `${Math.min(this.place, LAST_PLACE)}${weight}`;
    if (places !== undefined) {
      if (places.length < PLACES_LIMIT && places.at(-1) !== place) places.push(place);
      return;
    }
    if (this.lexemes.size >= LEXEMES_LIMIT || this.bytes >= LEXEME_BYTES_LIMIT) return;
    this.bytes += 4 * lexeme.length;
    this.lexemes.set(lexeme, [place]);
  }

  terms(): DocumentTerms {
    const { A, B, C, D } = this.english;
    return {
      english: { A: A.join(' '), B: B.join(' '), C: C.join(' '), D: D.join(' ') },
      lexemes: this.lexemes,
    };
  }

  /** Every two characters side by side, the last character (so that `核` finds all runs that have it), long words. */
  private run(run: string, weight: Weight): void {
    const start = this.place;
    for (const bigram of bigramsOf(run)) {
      this.place++;
      this.lexeme(bigram, weight);
    }
    this.place++;
    this.lexeme(Array.from(run.slice(-2)).at(-1) ?? '', weight);
    const end = this.place;
    for (const { word, place } of hanWordsOf(run)) {
      if (word.length < 3 || word.length > HAN_WORD_LIMIT) continue;
      this.place = start + place + 1;
      this.lexeme(word, weight);
    }
    this.place = end;
  }

  private word(word: string, weight: Weight): void {
    this.place++;
    if (/^[A-Za-z0-9]+$/.test(word)) this.stem(word, weight);
    else this.lexeme(word.toLowerCase(), weight);
  }

  private stem(word: string, weight: Weight): void {
    if (this.englishLength > ENGLISH_LIMIT) return;
    this.englishLength += word.length + 1;
    this.english[weight].push(word.toLowerCase());
  }

  private termsIn(text: Scan, weight: Weight): void {
    for (const { term, isNested } of this.glossary.matches(text, 'DOCUMENT')) {
      this.lexeme(term, isNested ? lighter[weight] : weight);
    }
  }
}

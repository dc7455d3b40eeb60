import { cutText } from '../cut-text.js';
import { fold } from './fold.js';

/** A piece of a folded text. Offsets count code units of the folded text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word of a script with spaces, or a whole run of Han (or kana, or Hangul) characters. Its case is kept. */
export interface Piece extends Span {
  readonly script: 'WORD' | 'HAN';
  readonly text: string;
}

/** A name that is written in one go: `NCCL_IB_HCA`, `torch.compile`, `--enable-chunked-prefill`, `cudaMallocAsync`. */
export interface Identifier extends Span {
  /** As written, without leading dashes, in lower case. */
  readonly whole: string;
  /** Its words in lower case: `nccl`, `ib`, `hca`. */
  readonly parts: readonly string[];
  /** False where it may be prose: `read-only`, `before/after`. */
  readonly isExact: boolean;
}

export interface Scan {
  /** The folded text. */
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly identifiers: readonly Identifier[];
  /** Where the code units of `text` stand in the source. */
  readonly at: Uint32Array;
}

const han = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc';
const piecePattern = new RegExp(`[${han}]+|(?:[A-Za-z0-9]|(?![${han}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const hanStart = new RegExp(`^[${han}]`, 'u');
const identifierPattern = /(?:--?|_{1,4})?[A-Za-z0-9]+(?:(?:_{1,4}|[.:/-]{1,2})[A-Za-z0-9]+)*/g;

const plainWord = /^(?:[A-Z]?[a-z]+|\d+|[A-Z]+)$/;

/** Longer words are blobs (base64, hashes in a row): only this much of one is kept. */
const WORD_LIMIT = 64;
const IDENTIFIER_LIMIT = 200;

/** The words, runs of Han characters and identifiers of a text, in the order in which they stand. Linear. */
export function scan(source: string): Scan {
  const { text, at } = fold(source);
  const pieces: Piece[] = [];
  for (const match of text.matchAll(piecePattern)) {
    const word = match[0];
    const script = word.charCodeAt(0) > 0x7f && hanStart.test(word) ? 'HAN' : 'WORD';
    const kept = script === 'HAN' ? word : cutText(word, WORD_LIMIT);
    pieces.push({ script, text: kept, start: match.index, end: match.index + word.length });
  }
  const identifiers: Identifier[] = [];
  for (const match of text.matchAll(identifierPattern)) {
    const identifier = identifierAt(match[0], match.index);
    if (identifier !== null) identifiers.push(identifier);
  }
  return { text, pieces, identifiers, at };
}

/** The identifier that a whole text is, such as the setting `nvidia-smi -pl`, whether or not it has one word only. */
export function identifierOf(source: string): Identifier {
  const text = fold(source).text.trim().replace(/\s+/g, ' ');
  const words = text.slice(0, IDENTIFIER_LIMIT).match(/[A-Za-z0-9]+/g) ?? [];
  return { start: 0, end: text.length, whole: wholeOf(text), parts: words.flatMap(wordsOf), isExact: true };
}

function identifierAt(written: string, start: number): Identifier | null {
  if (written.length > IDENTIFIER_LIMIT || plainWord.test(written)) return null;
  const words = written.match(/[A-Za-z0-9]+/g) ?? [];
  const parts = words.flatMap(wordsOf);
  if (parts.length < 2 && !/^[-_]+[A-Za-z]/.test(written)) return null;
  const isExact = /[_.:]|^-|[a-z][A-Z]|\d/.test(written);
  return { start, end: start + written.length, whole: wholeOf(written), parts, isExact };
}

/** The form in which two spellings of one identifier are equal: lower case, no leading dashes. */
function wholeOf(written: string): string {
  return cutText(written.replace(/^-+/, '').toLowerCase(), IDENTIFIER_LIMIT);
}

/** The words of camel case in lower case: `cuda`, `malloc`, `async`. A plural such as `GPUs` is one word. */
function wordsOf(word: string): readonly string[] {
  if (/^[A-Z0-9]+s?$/.test(word) || word.length > WORD_LIMIT) return [word.toLowerCase()];
  const words = word.match(/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+|[A-Z]/g) ?? [word];
  return words.map((part) => part.toLowerCase());
}

import { cutText } from '../cut-text.js';
import type { GlossaryIndex } from './glossary-index.js';
import { plainText } from './plain-text.js';
import type { Marks } from './query.js';
import { scan, type Scan, type Span } from './scan.js';

/** Matches in a snippet lie between these two private-use characters, which the text itself never has. */
export const MATCH_START = '\ue000';
export const MATCH_END = '\ue001';

/** A snippet has at most so many code units, the marks not counted. */
export const SNIPPET_LIMIT = 240;

/** Of a longer text only the beginning is looked through. */
const SOURCE_LIMIT = 60_000;
const LEAD = 60;

interface Match extends Span {
  /** What of the query it answers: a window with more of these is better. */
  readonly reason: string;
}

/** A snippet, and how many different parts of the query it shows. */
export interface Snippet {
  readonly text: string;
  readonly score: number;
}

/**
 * The part of a Markdown text that shows most of what was asked for, as plain text on one line with the matches marked;
 * names of a term in the other language count as matches. Without a match it is the beginning of the text.
 */
export function snippetOf(markdown: string, marks: Marks, glossary: GlossaryIndex): Snippet {
  const source = plainText(cutText(markdown, SOURCE_LIMIT));
  const matches = matchesIn(scan(source), marks, glossary);
  const window = bestWindow(matches);
  const score = new Set(window.map(({ reason }) => reason)).size;
  return { text: marked(source, extentOf(source, window), joined(source, window)), score };
}

/** What a word has in common with its other forms, roughly: for marking only, the database stems better. */
export function roughStem(word: string): string {
  const stem = word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=[a-z]{3})(?:ations?|izations?|ings?|ions?|ed|ers?|ly|es|s|e)$/, '');
  return stem.replace(/([bdgmnprt])\1$/, '$1').replace(/y$/, 'i');
}

function matchesIn(text: Scan, marks: Marks, glossary: GlossaryIndex): readonly Match[] {
  const stems = new Set(marks.words.map(roughStem));
  const matches: Match[] = [];
  const add = (span: Span, reason: string) => {
    // Places in the text before it was folded.
    matches.push({ start: text.at[span.start] ?? 0, end: text.at[span.end] ?? 0, reason });
  };
  for (const piece of text.pieces) {
    if (piece.script === 'WORD') {
      const word = piece.text.toLowerCase();
      const stem = roughStem(word);
      if (stems.has(stem) || marks.words.includes(word)) add(piece, stem);
      else if (marks.prefix !== null && word.startsWith(marks.prefix)) add(piece, roughStem(marks.prefix));
      continue;
    }
    for (const word of marks.han) {
      for (let at = piece.text.indexOf(word); at >= 0; at = piece.text.indexOf(word, at + word.length)) {
        add({ start: piece.start + at, end: piece.start + at + word.length }, word);
      }
    }
  }
  for (const name of text.identifiers) {
    const joinedParts = name.parts.join('');
    const asked = marks.identifiers.find((identifier) => joinedParts.includes(identifier));
    if (asked !== undefined) add(name, asked);
  }
  for (const { term, start, end } of glossary.matches(text, 'DOCUMENT')) {
    if (marks.terms.includes(term)) add({ start, end }, term);
  }
  return matches.sort((one, other) => one.start - other.start || other.end - one.end);
}

/** The matches, near enough to each other for one snippet, that answer the most different parts of the query. */
function bestWindow(matches: readonly Match[]): readonly Match[] {
  const reasons = new Map<string, number>();
  let [from, bestFrom, bestTo, best] = [0, 0, 0, 0];
  for (const [to, match] of matches.entries()) {
    reasons.set(match.reason, (reasons.get(match.reason) ?? 0) + 1);
    for (let first = matches[from]; from < to && first && match.end - first.start > SNIPPET_LIMIT - LEAD;) {
      const left = (reasons.get(first.reason) ?? 1) - 1;
      if (left === 0) reasons.delete(first.reason);
      else reasons.set(first.reason, left);
      first = matches[++from];
    }
    const value = reasons.size + Math.min(to - from, 20) / 100;
    if (value > best) [bestFrom, bestTo, best] = [from, to + 1, value];
  }
  return matches.slice(bestFrom, bestTo);
}

/** Matches that touch become one, also the words of one identifier. */
function joined(source: string, matches: readonly Span[]): readonly Span[] {
  const spans: Span[] = [];
  for (const { start, end } of matches) {
    const before = spans.at(-1);
    if (before !== undefined && (start <= before.end || /^[-_./:]$/.test(source.slice(before.end, start)))) {
      spans[spans.length - 1] = { start: before.start, end: Math.max(before.end, end) };
    } else if (end > start) spans.push({ start, end });
  }
  return spans;
}

/** The part of the text around the matches: it begins at a sentence, else at a word, where one is near. */
function extentOf(source: string, window: readonly Span[]): Span {
  const first = window[0]?.start ?? 0;
  if (first <= LEAD || source.length <= SNIPPET_LIMIT) return { start: 0, end: endOf(source, 0) };
  const lead = source.slice(first - LEAD, first);
  const sentences = [...lead.matchAll(/[.;!?] |[。；！？]/g)].map(({ 0: mark, index }) => index + mark.length);
  const word = lead.slice(0, LEAD / 2).indexOf(' ') + 1;
  const start = whole(source, first - LEAD + (sentences.at(-1) ?? word));
  return { start, end: endOf(source, start) };
}

function endOf(source: string, start: number): number {
  const end = start + SNIPPET_LIMIT - 2;
  if (end >= source.length) return source.length;
  const blank = source.lastIndexOf(' ', end);
  return blank > end - 20 ? blank : whole(source, end);
}

/** A place that does not part a surrogate pair. */
function whole(source: string, place: number): number {
  const code = source.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}

function marked(source: string, extent: Span, matches: readonly Span[]): string {
  let text = extent.start > 0 ? '…' : '';
  let place = extent.start;
  for (const { start, end } of matches) {
    if (start < place || start >= extent.end) continue;
    const last = Math.min(end, extent.end);
    text += source.slice(place, start) + MATCH_START + source.slice(start, last) + MATCH_END;
    place = last;
  }
  return text + source.slice(place, extent.end) + (extent.end < source.length ? '…' : '');
}

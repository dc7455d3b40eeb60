import type { Locale } from '../locale.js';
import { scan, type Piece, type Scan, type Span } from './scan.js';
import { formsOf } from './word-forms.js';

/** A term of the glossary with all its names. */
export interface GlossaryEntry {
  readonly en: string;
  readonly zh: string;
  readonly synonymsEn?: readonly string[];
  readonly synonymsZh?: readonly string[];
}

/** A name of a term that stands in a text. */
export interface TermMatch extends Span {
  /** Such as `term:device-memory`: the same for every name of the term. */
  readonly term: string;
  /** False where the word has other, commoner meanings; only a query has such matches. */
  readonly isSure: boolean;
  /** True within the name of a narrower term: 量化 in 仅权重量化. The text is less about it. */
  readonly isNested: boolean;
}

/** Who reads: in a document a name must be unmistakable, in a query one more alternative does no harm. */
export type Reading = 'DOCUMENT' | 'QUERY';

export interface GlossaryIndex {
  /** All names of terms in a text, also such as overlap, by their start; linear in the length of the text. */
  matches(text: Scan, reading: Reading): readonly TermMatch[];
  /** The words of the English names in lower case, once each: what a misspelled word may have meant. */
  readonly words: readonly string[];
}

/**
 * English words that stand in the glossary as short names of something narrower (`block` for thread block,
 * `performance` for a CPU governor). A document that has such a word is hardly ever about that term.
 */
const ordinaryWords = new Set(
  (
    'activation actor aggregation block blocking broadcast bubble buffer capture cluster collectives container core ' +
    'bond deadline event exchange fabric gang grad grid group instance kernel launch load lock migration mode none overlap ' +
    'packing page partition path performance pinning pod pool process profile profiler queue rail rank recompute region ' +
    'replay replica retransmit ring round router scale sector serve server serving shard slice spill stage stream swap sync tile ' +
    'trace tree vector window worker'
  ).split(' '),
);

interface Name {
  readonly term: string;
  /** Set where capitals matter: `TC` is a Tensor Core, `tc` is a command. */
  readonly exact: string | null;
  readonly isWeak: boolean;
  /** False for a synonym, and for what is ambiguous without a qualifier: `kernel` of `kernel (GPU)`. */
  readonly isMain: boolean;
}

type Rank = 'MAIN' | 'SYNONYM';

interface Node {
  readonly next: Map<string, Node>;
  name: Name | null;
}

/** For each term the wider ones that its names contain: quantization for weight-only quantization. */
type WiderTerms = ReadonlyMap<string, ReadonlySet<string>>;

/** A word or a single Han character. */
interface Unit extends Span {
  readonly key: string;
  readonly word: string;
  /** True where the unit before does not belong to the same phrase. */
  readonly isCut: boolean;
}

/** What may stand between the words of one name: a blank, a line end, a hyphen, marks of Markdown. */
const joint = /^(?:[-_/.'`*]{0,3}|[`*_]{0,2} {0,3}\n? {0,3}[`*_]{0,2})$/;

/**
 * Builds the index once. A name that several terms claim goes to the one whose main name it is, else to the first:
 * what stands in brackets in a name is a qualifier, so `kernel` is that of `kernel (GPU)` when it comes first. Other
 * forms of a name that is one English word count as the name unless they are names themselves.
 */
export function glossaryIndex(entries: readonly GlossaryEntry[]): GlossaryIndex {
  const root: Node = { next: new Map(), name: null };
  const names = entries.flatMap(namesOf);
  const ranked = (['MAIN', 'SYNONYM'] as const).flatMap((rank) => names.filter((one) => one.rank === rank));
  for (const { units, name } of ranked) insert(root, units, name);
  for (const { units, name } of ranked) {
    const [only] = units;
    if (only === undefined || units.length > 1 || name.isWeak || ordinaryWords.has(only.word)) continue;
    for (const form of formsOf(only.word)) {
      if (!ordinaryWords.has(form)) insert(root, [{ ...only, key: keyOf(form), word: form }], name);
    }
  }
  const words = ranked
    .flatMap(({ units }) => units.map(({ word }) => word))
    .filter((word) => /^[a-z]{4,}$/i.test(word));
  const wider = widerTerms(root, names);
  return {
    matches: (text, reading) => matchesIn(root, wider, unitsOf(text), reading),
    words: [...new Set(words.map((word) => word.toLowerCase()))],
  };
}

interface Named {
  readonly units: readonly Unit[];
  readonly name: Name;
  readonly rank: Rank;
  readonly language: Locale;
}

function namesOf({ en, zh, synonymsEn = [], synonymsZh = [] }: GlossaryEntry): readonly Named[] {
  const term = termId(en);
  const named = (written: string, rank: Rank, language: Locale) =>
    namesIn(written).map((one): Named => {
      const units = unitsOf(scan(one));
      const isMain = rank === 'MAIN' && !/[(（]/.test(written);
      return { units, name: { ...nameOf(term, units, rank), isMain }, rank, language };
    });
  return [
    ...named(en, 'MAIN', 'EN'),
    ...named(zh, 'MAIN', 'ZH'),
    ...synonymsEn.flatMap((synonym) => named(synonym, 'SYNONYM', 'EN')),
    ...synonymsZh.flatMap((synonym) => named(synonym, 'SYNONYM', 'ZH')),
  ];
}

/**
 * A term is wider where both languages say so, with its main name in one of them: `shared memory` does not name host
 * memory although 共享内存 ends with 内存, and `dequantization` is no quantization although 反量化 ends with 量化.
 */
function widerTerms(root: Node, names: readonly Named[]): WiderTerms {
  const evidence = new Map<string, Map<string, Set<Locale | 'MAIN'>>>();
  for (const { units, name, language } of names) {
    const inside = evidence.get(name.term) ?? new Map<string, Set<Locale | 'MAIN'>>();
    evidence.set(name.term, inside);
    for (const { name: other } of namesAmong(root, units)) {
      if (other.term === name.term) continue;
      const seen = inside.get(other.term) ?? new Set();
      inside.set(other.term, seen.add(language));
      if (other.isMain) seen.add('MAIN');
    }
  }
  const isWider = ([, seen]: readonly [string, ReadonlySet<Locale | 'MAIN'>]) => seen.size === 3;
  return new Map(
    Array.from(evidence, ([term, inside]) => [term, new Set([...inside].filter(isWider).map(([other]) => other))]),
  );
}

/** A name that stays while the term keeps its English name. */
export function termId(en: string): string {
  return `term:${en
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)}`;
}

/** `overflow / underflow` are two names, `kernel (GPU)` is `kernel` and `GPU kernel`; a remark such as `(rare)` is not. */
function namesIn(written: string): readonly string[] {
  return written.split(/\s\/\s/).flatMap((name) => {
    const qualified = /^(.*?)\s*[(（]([^)）]*)[)）]\s*$/.exec(name);
    if (qualified === null) return [name];
    const [, bare = '', qualifier = ''] = qualified;
    return /^[A-Z]/.test(qualifier) ? [bare, `${qualifier} ${bare}`] : [bare];
  });
}

function nameOf(term: string, units: readonly Unit[], rank: Rank): Omit<Name, 'isMain'> {
  const [first] = units;
  const only = units.length === 1 && first !== undefined ? first.word : null;
  const isShortCapitals = only !== null && /^[A-Z]{1,3}$/.test(only);
  const isHanCharacter = only !== null && only.length === 1 && !/^[a-z0-9]$/i.test(only);
  const isOrdinary = only !== null && rank === 'SYNONYM' && /^[a-z]/.test(only) && isOrdinaryFor(term, only);
  return { term, exact: isShortCapitals ? only : null, isWeak: isOrdinary || isHanCharacter };
}

/** A synonym that is one word of the longer main name shortens it: `launch` for kernel launch. */
function isOrdinaryFor(term: string, word: string): boolean {
  return ordinaryWords.has(word) || (term.includes('-') && term.replace('term:', '').split('-').includes(word));
}

function insert(root: Node, units: readonly Unit[], name: Name): void {
  if (units.length === 0 || units.length > 12) return;
  let node = root;
  for (const { key } of units) {
    let next = node.next.get(key);
    if (next === undefined) node.next.set(key, (next = { next: new Map(), name: null }));
    node = next;
  }
  node.name ??= name;
}

function unitsOf({ text, pieces }: Scan): readonly Unit[] {
  const units: Unit[] = [];
  let before: Piece | null = null;
  for (const piece of pieces) {
    const isCut =
      before !== null && (piece.start - before.end > 12 || !joint.test(text.slice(before.end, piece.start)));
    before = piece;
    if (piece.script === 'WORD') {
      const word = singular(piece.text);
      units.push({ key: keyOf(word), word, start: piece.start, end: piece.end, isCut });
      continue;
    }
    let start = piece.start;
    for (const word of piece.text) {
      units.push({ key: word, word, start, end: start + word.length, isCut: isCut && start === piece.start });
      start += word.length;
    }
  }
  return units;
}

function matchesIn(root: Node, wider: WiderTerms, units: readonly Unit[], reading: Reading): readonly TermMatch[] {
  const found: TermMatch[] = [];
  /** The matches that begin before and reach to here. */
  let around: TermMatch[] = [];
  let here: TermMatch[] = [];
  let place = -1;
  for (const { name, first, last } of namesAmong(root, units)) {
    if (first.start > place) {
      place = first.start;
      around = [...around, ...here].filter(({ end }) => end > place);
      here = [];
    }
    const isSure = !name.isWeak && (name.exact === null || name.exact === last.word);
    if (!isSure && reading === 'DOCUMENT') continue;
    // A name inside a longer one counts where it leads (显存 in 显存带宽). Where it follows it counts for a wider term
    // only: in 共享内存 the word 内存 does not mean host memory.
    const longer = around.filter(({ end }) => last.end <= end);
    if (longer.length > 0 && !longer.some(({ term }) => wider.get(term)?.has(name.term))) continue;
    const match = { term: name.term, start: first.start, end: last.end, isSure, isNested: longer.length > 0 };
    found.push(match);
    here.push(match);
  }
  return found;
}

/** Every name that stands there, also one within another, by the start and then the length. */
function* namesAmong(
  root: Node,
  units: readonly Unit[],
): Iterable<{ readonly name: Name; readonly first: Unit; readonly last: Unit }> {
  for (const [from, first] of units.entries()) {
    let node: Node | undefined = root;
    for (let at = from; at < units.length; at++) {
      const last = units[at];
      if (last === undefined || (at > from && last.isCut)) break;
      node = node.next.get(last.key);
      if (node === undefined) break;
      if (node.name !== null) yield { name: node.name, first, last };
    }
  }
}

/** Without the plural's s; the case is kept. */
function singular(word: string): string {
  if (word.length < 3 || /(?:ss|us|is)$|^[A-Z0-9]+$/.test(word) || !word.endsWith('s')) return word;
  return word.length > 4 && word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** `caches` and `batches` lose their s alike, so `cache` and `batch` are compared without the e. */
function keyOf(word: string): string {
  return word.toLowerCase().replace(/(ch|sh|x|z|ss)e$/, '$1');
}

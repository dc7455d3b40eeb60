import { scan, type Piece, type Scan, type Span } from './scan.js';

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
    'deadline event exchange fabric gang grad grid group instance kernel launch load lock migration mode none overlap ' +
    'packing page partition path performance pinning pod pool process profiler queue rail rank recompute region ' +
    'replay replica retransmit ring router scale sector server serving shard slice spill stage stream swap sync tile ' +
    'trace tree vector window worker'
  ).split(' '),
);

interface Name {
  readonly term: string;
  /** Set where capitals matter: `TC` is a Tensor Core, `tc` is a command. */
  readonly exact: string | null;
  readonly isWeak: boolean;
}

interface Node {
  readonly next: Map<string, Node>;
  name: Name | null;
}

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
 * what stands in brackets in a name is a qualifier, so `kernel` is that of `kernel (GPU)` when it comes first.
 */
export function glossaryIndex(entries: readonly GlossaryEntry[]): GlossaryIndex {
  const root: Node = { next: new Map(), name: null };
  const words = new Set<string>();
  const add = (term: string, written: string, rank: 'MAIN' | 'SYNONYM') => {
    for (const name of namesIn(written)) {
      const units = unitsOf(scan(name));
      for (const unit of units) if (/^[a-z]{4,}$/i.test(unit.word)) words.add(unit.word.toLowerCase());
      insert(root, units, nameOf(term, units, rank));
    }
  };
  for (const entry of entries) {
    add(termId(entry.en), entry.en, 'MAIN');
    add(termId(entry.en), entry.zh, 'MAIN');
  }
  for (const entry of entries) {
    for (const synonym of [...(entry.synonymsEn ?? []), ...(entry.synonymsZh ?? [])]) {
      add(termId(entry.en), synonym, 'SYNONYM');
    }
  }
  return { matches: (text, reading) => matchesIn(root, unitsOf(text), reading), words: [...words] };
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

function nameOf(term: string, units: readonly Unit[], rank: 'MAIN' | 'SYNONYM'): Name {
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

function matchesIn(root: Node, units: readonly Unit[], reading: Reading): readonly TermMatch[] {
  const found: TermMatch[] = [];
  let covered = 0;
  for (const [from, first] of units.entries()) {
    let node: Node | undefined = root;
    let reached = covered;
    for (let at = from; at < units.length; at++) {
      const unit = units[at];
      if (unit === undefined || (at > from && unit.isCut)) break;
      node = node.next.get(unit.key);
      if (node === undefined) break;
      const { name } = node;
      // A name inside a longer one counts where it leads (显存 in 显存带宽), not where it follows: in 共享内存 the word
      // 内存 does not mean host memory.
      if (name === null || unit.end <= covered) continue;
      const isSure = !name.isWeak && (name.exact === null || name.exact === unit.word);
      if (!isSure && reading === 'DOCUMENT') continue;
      found.push({ term: name.term, start: first.start, end: unit.end, isSure });
      reached = unit.end;
    }
    covered = Math.max(covered, reached);
  }
  return found;
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

import { codeSpans } from '../code-spans.js';

/** Somebody whom a text may name. */
export interface Nameable {
  readonly id: string;
  readonly name: string;
}

/** Before an @ that calls nobody: an address of mail or of a page, a handle within a word, an escaped sign. */
const BEFORE = /[\p{L}\p{N}_.%+\-/\\@＠]/u;
/** Han and kana are written without blanks: they end the word before, and may follow a name at once. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A word goes on: `@Ann` names nobody in `@Annette`, nor in `@ann-lee` or `@ann.example`. */
const GOES_ON = /^(?:[\p{L}\p{N}\p{M}_]|[-.@＠][\p{L}\p{N}_])/u;
/** A fence, alone or within quotes and lists: three or more of one sign at the beginning of a line. */
const FENCE = /^(?:\s*(?:>|[-*+]\s|\d{1,9}[.)]\s))*\s*(`{3,}|~{3,})([^]*)$/;
const LINE_END = /\r\n|\r|\n/;

/**
 * The ids of those whom a Markdown text calls by `@Name`, in the order in which it does. The longest name counts, letters
 * of any case are the same, and people of one name are all meant. What stands in code, or in an address, calls nobody.
 * Takes time in proportion to the text, whatever is in it.
 */
export function mentionedIn(body: string, people: readonly Nameable[]): string[] {
  const names = namesOf(people);
  const text = withoutCode(body.normalize('NFC'));
  const found = new Set<string>();
  const signs = /[@＠]/g;
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    if (!mayCall(text, sign.index)) continue;
    const named = longestNameAt(text, sign.index + 1, names);
    if (named === null) continue;
    for (const id of named.ids) found.add(id);
    signs.lastIndex = named.end;
  }
  return [...found];
}

/** Names character by character: what follows, and whose name ends here. */
interface Names {
  readonly next: Map<string, Names>;
  readonly ids: string[];
}

function namesOf(people: readonly Nameable[]): Names {
  const root: Names = { next: new Map(), ids: [] };
  for (const { id, name } of people) {
    let at = root;
    for (const character of name.trim().normalize('NFC')) {
      const key = character.toLowerCase();
      const next = at.next.get(key) ?? { next: new Map(), ids: [] };
      at.next.set(key, next);
      at = next;
    }
    if (at !== root) at.ids.push(id);
  }
  return root;
}

/** The longest name that stands here as a word of its own, and where it ends. */
function longestNameAt(text: string, start: number, names: Names): { ids: readonly string[]; end: number } | null {
  let longest: { ids: readonly string[]; end: number } | null = null;
  let at: Names | undefined = names;
  for (let end = start; end < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    at = at.next.get(character.toLowerCase());
    if (at === undefined) break;
    end += character.length;
    if (at.ids.length > 0 && isWordEnd(text, end)) longest = { ids: at.ids, end };
  }
  return longest;
}

function mayCall(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  return before === '' || UNSPACED.test(before) || !BEFORE.test(before);
}

function isWordEnd(text: string, end: number): boolean {
  const [next = ''] = text.slice(end, end + 2);
  return UNSPACED.test(characterBefore(text, end)) || UNSPACED.test(next) || !GOES_ON.test(text.slice(end, end + 3));
}

function characterBefore(text: string, at: number): string {
  return Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
}

/** The text with blanks in place of fenced code and code spans. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let paragraph: string[] = [];
  let open: string | null = null;
  let isQuoted = false;
  const endParagraph = () => {
    if (paragraph.length > 0) kept.push(withoutSpans(paragraph.join('\n')));
    paragraph = [];
  };
  for (const line of text.split(LINE_END)) {
    const [, fence = null, after = ''] = FENCE.exec(line) ?? [];
    const isQuote = line.trimStart().startsWith('>');
    // A fence does not leave its quote
    if (isQuoted && !isQuote) open = null;
    if (open !== null) {
      kept.push(blank(line));
      if (fence !== null && fence.startsWith(open) && after.trim() === '') open = null;
    } else if (fence !== null && !(fence.startsWith('`') && after.includes('`'))) {
      endParagraph();
      kept.push(blank(line));
      open = fence;
      isQuoted = isQuote;
    } else if (line.trim() === '') {
      endParagraph();
      kept.push(line);
    } else {
      paragraph.push(line);
    }
  }
  endParagraph();
  return kept.join('\n');
}

/** A span does not leave its paragraph. */
function withoutSpans(paragraph: string): string {
  let text = '';
  let at = 0;
  for (const { start, end } of codeSpans(paragraph)) {
    text += paragraph.slice(at, start) + blank(paragraph.slice(start, end));
    at = end;
  }
  return text + paragraph.slice(at);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

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
const FENCE = /^(?:\s*(?:>|[-*+]\s|\d{1,9}[.)]\s))*\s*(`{3,}|~{3,})(.*)$/;

/**
 * The ids of those whom a Markdown text calls by `@Name`, in the order in which it does. The longest name counts, letters
 * of any case are the same, and people of one name are all meant. What stands in code, or in an address, calls nobody.
 */
export function mentionedIn(body: string, people: readonly Nameable[]): string[] {
  const byName = new Map<string, string[]>();
  const lengths = new Set<number>();
  for (const { id, name } of people) {
    const key = keyOf(name.trim());
    if (key === '') continue;
    const same = byName.get(key) ?? [];
    byName.set(key, same);
    same.push(id);
    lengths.add(key.length);
  }
  const longestFirst = [...lengths].sort((one, other) => other - one);
  const text = withoutCode(body.normalize('NFC'));
  const found = new Set<string>();
  const signs = /[@＠]/g;
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const start = sign.index + 1;
    if (!mayCall(text, sign.index)) continue;
    const length = longestFirst.find((size) => isNamedAt(text, start, size, byName));
    if (length === undefined) continue;
    for (const id of byName.get(text.slice(start, start + length).toLowerCase()) ?? []) found.add(id);
    signs.lastIndex = start + length;
  }
  return [...found];
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function mayCall(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  return before === '' || UNSPACED.test(before) || !BEFORE.test(before);
}

function isNamedAt(
  text: string,
  start: number,
  length: number,
  byName: ReadonlyMap<string, readonly string[]>,
): boolean {
  const end = start + length;
  if (end > text.length || !byName.has(text.slice(start, end).toLowerCase())) return false;
  const [next = ''] = text.slice(end, end + 2);
  return UNSPACED.test(characterBefore(text, end)) || UNSPACED.test(next) || !GOES_ON.test(text.slice(end, end + 3));
}

function characterBefore(text: string, at: number): string {
  return Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
}

/** The text with blanks in place of fenced code and code spans, as long as before. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let paragraph: string[] = [];
  let open: string | null = null;
  let isQuoted = false;
  const endParagraph = () => {
    if (paragraph.length > 0) kept.push(withoutSpans(paragraph.join('\n')));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
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

/** A span ends at the next run of as many backticks; without one they are text. It does not leave its paragraph. */
function withoutSpans(paragraph: string): string {
  if (!paragraph.includes('`')) return paragraph;
  const runs = [...paragraph.matchAll(/(\\*)(`+)/g)].map(({ index, 1: escapes = '', 2: ticks = '' }) => {
    // An escaped backtick opens nothing, and the run begins behind it; a span is closed by it all the same
    const escaped = escapes.length % 2;
    const at = index + escapes.length;
    return { opensAt: at + escaped, opens: ticks.length - escaped, closes: ticks.length, end: at + ticks.length };
  });
  const nextOf = closingRuns(runs.map(({ closes }) => closes));
  let text = '';
  let at = 0;
  for (let place = 0; place < runs.length; place += 1) {
    const run = runs[place];
    const closing = run === undefined || run.opens === 0 ? null : nextOf(run.opens, place);
    const close = closing === null ? undefined : runs[closing];
    if (run === undefined || closing === null || close === undefined) continue;
    text += paragraph.slice(at, run.opensAt) + blank(paragraph.slice(run.opensAt, close.end));
    at = close.end;
    place = closing;
  }
  return text + paragraph.slice(at);
}

/** Finds the first run of a length behind a place, in few steps however many runs there are. */
function closingRuns(lengths: readonly number[]): (length: number, behind: number) => number | null {
  const places = new Map<number, number[]>();
  lengths.forEach((length, place) => {
    const same = places.get(length) ?? [];
    places.set(length, same);
    same.push(place);
  });
  const from = new Map<number, number>();
  return (length, behind) => {
    const known = places.get(length) ?? [];
    let at = from.get(length) ?? 0;
    while (at < known.length && (known[at] ?? 0) <= behind) at += 1;
    from.set(length, at);
    return known[at] ?? null;
  };
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

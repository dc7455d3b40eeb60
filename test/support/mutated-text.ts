import type { ReadChecklist } from '../../src/domain/content/import/imported.js';

/** Numbers in [0, 1), the same ones for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** A text as a careless copy leaves it: lines cut, blank lines gone or added, other ends of lines. */
export function mutated(text: string, random: () => number): string {
  const rate = random() * 0.3;
  const lines = text.split('\n').flatMap((line) => {
    if (random() > rate) return [line];
    if (line.trim() === '') return [];
    if (random() < 0.3) return [line, ''];
    const at = Math.floor(random() * line.length);
    return [line.slice(0, at), line.slice(at)];
  });
  return lines.join(random() < 0.3 ? '\r\n' : '\n');
}

/** The non-blank lines of which something is in neither the checklist nor what is undecided. */
export function lostOf(content: string, read: ReadChecklist): string[] {
  if ('problems' in read) return [];
  const { bundle, undecided } = read.checklist;
  const kept = compact(`${JSON.stringify(bundle)} ${undecided.map(({ text }) => text).join(' ')}`);
  const known = new Map<string, boolean>();
  const excerpts = undecided.map(({ text }) => compact(text)).filter((text) => text.length > 60);
  const lines = content.split(/\r?\n/);
  return lines.filter((line, index) => {
    if (isRule(line)) return false;
    if (excerpts.some((excerpt) => compact(line).startsWith(excerpt))) return false;
    // the first cell of a table's header names what the titles are, and is not kept; nor is the state of a checkbox
    const content = isHeader(lines, index) ? line.replace(/^\s*\|?[^|]*/, '') : line;
    const bare = content.replace(/^[\s\-*+•#|]*(?:\d+(?:\.\d+)*[.)]?\s)?/, '').replace(/^\[[ xX]\]/, '');
    return (bare.match(/\p{Script=Han}+|[A-Za-z0-9]+/gu) ?? []).some((token) => {
      const found = known.get(token) ?? isKept(token.toLowerCase(), kept);
      known.set(token, found);
      return !found;
    });
  });
}

/** As a whole or, where two languages met without a blank, in two parts. */
function isKept(token: string, kept: string): boolean {
  if (kept.includes(token)) return true;
  return [...token].some((_, at) => at > 1 && kept.includes(token.slice(0, at)) && kept.includes(token.slice(at)));
}

function isHeader(lines: readonly string[], index: number): boolean {
  const next = lines[index + 1] ?? '';
  return next.includes('-') && isRule(next);
}

/** Nothing, or the line below the header of a table. */
function isRule(line: string): boolean {
  return /^[\s|:-]*$/.test(line);
}

/** Letters and digits alone: what joins and splits leave as it is. */
function compact(text: string): string {
  return text
    .replace(/\\n/g, ' ')
    .toLowerCase()
    .replace(/[^\p{Script=Han}a-z0-9]+/gu, '');
}

/** A stretch of text in English, then in Chinese; either may be empty. */
export interface Passage {
  readonly en: string;
  readonly zh: string;
  /** False where another boundary between the languages is about as likely. */
  readonly isSure: boolean;
}

/** How a text is set. */
export interface Typesetting {
  /** Chinese and Latin words inside Chinese are kept apart by a blank. */
  readonly isSpaced: boolean;
  /** Chinese follows the English without a blank. */
  readonly isGlued: boolean;
}

/** How far before the first Chinese character the Chinese text may begin with Latin words. */
const LOOK_BACK = 80;
/** A boundary counts as sure if it is this much better than any other. */
const MARGIN = 2;

const han = /\p{Script=Han}/u;
const terminal = /[.!?:;…)\]]/;
const fullWidth = /[\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff1a\uff1b\uff1f]/;
const opening = /[“‘(（《「『【]/;

export const hasHan = (text: string): boolean => han.test(text);

/** Whether the text has English of some length and then Chinese. */
export function switchesLanguage(text: string): boolean {
  const start = text.search(han);
  if (start < 0) return false;
  return (text.slice(0, start).match(/(?<![A-Za-z])[a-z]{2,}(?![A-Za-z])/g) ?? []).length >= 5;
}

export function typesettingOf(text: string): Typesetting {
  const apart = text.match(/\p{Script=Han} [A-Za-z0-9]/gu)?.length ?? 0;
  const together = text.match(/\p{Script=Han}[A-Za-z0-9]/gu)?.length ?? 0;
  const firsts = text.split('\n').map((line) => ({ line, at: line.search(han) }));
  const switching = firsts.filter(({ line, at }) => at > 20 && /[a-z]{3}/.test(line.slice(0, at)));
  const glued = switching.filter(({ line, at }) => !/\s/.test(line.charAt(at - 1))).length;
  return { isSpaced: apart >= together, isGlued: glued * 2 > switching.length };
}

/** The passages of a line: each time the language goes from Chinese back to an English sentence, one begins. */
export function passagesOf(line: string, typesetting: Typesetting): Passage[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: end } of line.matchAll(/[。！？]\s*(?=[A-Z“])/gu)) {
    const at = index + end.length;
    latinRun.lastIndex = at;
    const run = latinRun.exec(line)?.[0] ?? '';
    if (run.length < 30 || !/[.!?:](?:\s|$|[A-Z“])/.test(run)) continue;
    if ((run.match(/(?<![A-Za-z])[a-z]{2,}(?![A-Za-z])/g) ?? []).length < 4) continue;
    parts.push(line.slice(from, at));
    from = at;
  }
  parts.push(line.slice(from));
  return parts.map((part) => splitPassage(part.trim(), typesetting));
}

const latinRun = /[^\p{Script=Han}，。！？；：、]*/uy;

/** Finds where English ends and Chinese begins, also where the Chinese begins with Latin words. */
export function splitPassage(text: string, typesetting: Typesetting): Passage {
  const first = text.search(han);
  if (first < 0) return { en: text, zh: '', isSure: true };
  let end = first;
  while (end > 0 && opening.test(text.charAt(end - 1))) end -= 1;
  if (text.slice(0, end).trim() === '') return { en: '', zh: text, isSure: true };
  const scored = candidates(text, end, typesetting).sort((one, other) => other.score - one.score);
  const [best, second] = scored;
  if (!best) return { en: text.slice(0, end).trim(), zh: text.slice(end).trim(), isSure: false };
  // nothing inside could begin the Chinese, and what stands before it is English: there is one boundary only
  const inside = scored.filter(({ at, score }) => at > 0 && at < end && score > 0);
  if (inside.length === 0 && endsInEnglish(text.slice(0, end), text.slice(end))) {
    return { en: text.slice(0, end).trim(), zh: text.slice(end).trim(), isSure: true };
  }
  const isSure = best.score > 0 && (!second || best.score - second.score >= MARGIN);
  return { en: text.slice(0, best.at).trim(), zh: text.slice(best.at).trim(), isSure };
}

const linkWord = /^(?:a|an|and|are|as|at|between|by|each|every|for|from|in|into|is|of|on|or|over|per|the|their|to|with|your)$/;

/**
 * Whether words before the Chinese, divided from it by a blank, are English to their end: an ordinary word stands last,
 * or a name that goes on a sentence ("with NCCL") or that the Chinese repeats.
 */
function endsInEnglish(before: string, after: string): boolean {
  if (!/\s$/.test(before) || fullWidth.test(before.slice(-LOOK_BACK))) return false;
  const words = before.trim().split(/\s+/);
  const last = (words.at(-1) ?? '').replace(/(?<![.!?:;,])[.!?:;,]+$/, '');
  const isOrdinary = (word: string) => /^[a-z][a-z'’-]*[,;:.]?$/.test(word);
  if (words.length > 1 && last.length > 1 && tokensOf(after).includes(last)) return true;
  if (!/^[A-Z]/.test(before.trim()) || words.length < 2 || !words.some(isOrdinary)) return false;
  if (isOrdinary(last) || /[.!?:]$/.test(words.at(-1) ?? '')) return true;
  return linkWord.test(words.at(-2) ?? '');
}

interface Candidate {
  readonly at: number;
  readonly score: number;
}

/** Places where the Chinese text may begin, up to `end`, where it has begun for certain. */
function candidates(text: string, end: number, { isSpaced, isGlued }: Typesetting): Candidate[] {
  const before = text.slice(0, end);
  const found: Candidate[] = [];
  const isApart = /\s$/.test(before);
  // full-width punctuation is Chinese already; and a blank before Han stands inside the Chinese of a glued text
  const hasBegun = fullWidth.test(before.slice(-LOOK_BACK)) || (isApart && isGlued);
  const closes = terminal.test(before.slice(-LOOK_BACK).trimEnd().slice(-1));
  const atEnd = isApart ? (closes ? 4 : 2) : isSpaced ? 8 : closes ? 6 : 3;
  if (!hasBegun || isApart) found.push({ at: end, score: hasBegun ? 0 : atEnd });
  const words = before.trim().split(/\s+/, 8);
  if (words.length <= 6 && (isApart || !isSpaced || hasBegun)) {
    const isNames = words.every((word) => !/^[a-z-]+[,;]?$/.test(word));
    const isPlain = !isGlued && isApart && words.every((word) => /^[A-Z]?[a-z]{2,}$/.test(word));
    // "Storage 存储" has two languages, "Docker 的配置" has one
    if (!isPlain || /^[的中与和及或上下里是]/.test(text.slice(end))) found.push({ at: 0, score: isNames ? 3 : 1 });
  }
  const lastBlank = Math.max(0, before.trimEnd().lastIndexOf(' '));
  const counts = new Map<string, number>();
  const others = [...tokensOf(before.slice(0, lastBlank)), ...tokensOf(text.slice(end))];
  for (const token of others) counts.set(token, (counts.get(token) ?? 0) + 1);
  // a word counts as repeated only by another place where it stands
  const repeats = (token: string, at: number) => (counts.get(token) ?? 0) > (at < lastBlank ? 1 : 0);
  for (let at = Math.max(1, end - LOOK_BACK); at < end; at += 1) {
    const score = scoreInside(before, at, repeats, isGlued);
    if (score > 0) found.push({ at, score });
  }
  return found;
}

type Repeats = (token: string, at: number) => boolean;

/** How likely it is that the Chinese begins with the Latin words from `at` on. */
function scoreInside(before: string, at: number, repeats: Repeats, isGlued: boolean): number {
  const left = before.charAt(at - 1);
  const near = before.slice(Math.max(0, at - LOOK_BACK), at);
  const right = before.charAt(at);
  if (!/[A-Za-z0-9“"'(]/.test(right)) return 0;
  const latin = before.slice(at).trim();
  const token = tokensOf(latin)[0] ?? '';
  const repeated =
    token.length >= 3 || /^[A-Z0-9]{2,}$/.test(token) ? (repeats(token, at) || isDoubled(near, token) ? 4 : 0) : 0;
  let score: number;
  if (/\s/.test(left)) {
    const closes = terminal.test(near.trimEnd().slice(-1));
    // in a text set with blanks a name begins the Chinese if the English had it before, not if the Chinese has it again
    const again = isGlued || tokensOf(near).includes(token) ? repeated : 0;
    score = (closes ? 3 : again > 0 ? -1 : -4) + again - (isGlued ? 3 : 0);
    if (!isGlued && /(?:^|\s)[a-z]{3,}[.!?:]?$/.test(latin)) score -= 6;
  } else if (terminal.test(left) || (/[”"’']/.test(left) && /[.!?]/.test(before.charAt(at - 2)))) {
    const isInsideName = left === '.' && /[a-z0-9]/.test(right) && /[A-Za-z0-9_]/.test(before.charAt(at - 2));
    score = (isInsideName ? 1 : 5) + repeated;
  } else if (/[A-Za-z0-9]/.test(left) && /[A-Za-z0-9]/.test(right)) {
    // "settingsNVMe": a whole word and then a name
    const isName = /(?:^|\s)[a-z]{3,}$/.test(near) && /[A-Z]/.test(right);
    score = repeated + (isName && isGlued ? 2 : 0);
  } else {
    return 0;
  }
  if (/[.!?]\s/.test(latin)) score -= 6;
  if (latin.split(/\s+/, 8).length > 6) score -= 4;
  return score > 0 ? score + latin.length / 1000 : 0;
}

/** Whether the word before is the same, as in "MIGMIG". */
function isDoubled(near: string, token: string): boolean {
  const glued = near.replace(/[.!?:;]$/, '');
  return glued.endsWith(token) && !/[A-Za-z0-9_]/.test(glued.charAt(glued.length - token.length - 1));
}

function tokensOf(text: string): string[] {
  return text.match(/[A-Za-z0-9_]+(?:[./+#-][A-Za-z0-9_]+)*/g) ?? [];
}

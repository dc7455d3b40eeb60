import type { JsonBlock } from './reader.js';

/** What may come next in an object or array that is open. */
type State = 'FIRST_KEY' | 'KEY' | 'COLON' | 'MEMBER' | 'AFTER_MEMBER' | 'FIRST_VALUE' | 'VALUE' | 'AFTER_VALUE';
type Steps = Readonly<Partial<Record<State, State>>>;

const value: Steps = { MEMBER: 'AFTER_MEMBER', FIRST_VALUE: 'AFTER_VALUE', VALUE: 'AFTER_VALUE' };
const string: Steps = { ...value, FIRST_KEY: 'COLON', KEY: 'COLON' };
const comma: Steps = { AFTER_MEMBER: 'KEY', AFTER_VALUE: 'VALUE' };
const colon: Steps = { COLON: 'MEMBER' };
const closes: Readonly<Record<string, readonly State[]>> = {
  '}': ['FIRST_KEY', 'AFTER_MEMBER'],
  ']': ['FIRST_VALUE', 'AFTER_VALUE'],
};

/** One token of JSON, or the end of the line. */
// eslint-disable-next-line no-control-regex -- JSON has none of them in a string
const token = /[ \t]*(?:([{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|$)/y; // prettier-ignore

/** A value with more levels is no output of a tool that describes a machine. */
const MOST_LEVELS = 100;

interface Frame {
  state: State;
  /** The line that the object or array begins, null where something stands before it. */
  readonly beginsLine: number | null;
}

/** A complete value, by its lines counted from 0 and its end within the last one. */
interface Span {
  readonly first: number;
  readonly last: number;
  readonly end: number;
}

/**
 * The JSON objects and arrays that begin a line, the outermost that are complete, in order. Each line is read at most
 * twice: where a value breaks off, so do all that are still open in it, and none of them is tried again.
 */
export function jsonBlocks(lines: readonly string[]): readonly JsonBlock[] {
  const blocks: JsonBlock[] = [];
  for (let index = 0; index < lines.length;) {
    const { spans, next } = completeFrom(lines, index);
    for (const span of spans) blocks.push(blockOf(lines, span));
    index = next;
  }
  return blocks;
}

/** The complete values of one that begins in this line, and the line to go on with. */
function completeFrom(lines: readonly string[], from: number): { spans: readonly Span[]; next: number } {
  const frames: Frame[] = [];
  const spans: Span[] = [];
  for (let line = from; line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    for (let at = 0, isEnd = false; !isEnd; at = token.lastIndex) {
      token.lastIndex = at;
      const match = token.exec(text);
      const found = match?.[1];
      isEnd = match !== null && found === undefined;
      if (isEnd) continue;
      const closed = frames.at(-1);
      if (found === undefined || !take(frames, found, at === 0 ? line : null)) {
        return { spans, next: at === 0 && line > from ? line : line + 1 };
      }
      if (closed && closes[found] && closed.beginsLine !== null) {
        const first = closed.beginsLine;
        while ((spans.at(-1)?.first ?? -1) > first) spans.pop();
        spans.push({ first, last: line, end: token.lastIndex });
      }
      if (frames.length === 0) return { spans, next: line + 1 };
    }
  }
  return { spans, next: lines.length };
}

/** Takes a token into what is open; false where JSON does not have it there. */
function take(frames: Frame[], found: string, beginsLine: number | null): boolean {
  const top = frames.at(-1);
  if (closes[found]) {
    if (!top || !closes[found].includes(top.state)) return false;
    frames.pop();
    return true;
  }
  const isOpener = found === '{' || found === '[';
  if (!top && !isOpener) return false;
  if (top) {
    const next = stepsOf(found)[top.state];
    if (next === undefined || (isOpener && frames.length >= MOST_LEVELS)) return false;
    top.state = next;
  }
  if (isOpener) frames.push({ state: found === '{' ? 'FIRST_KEY' : 'FIRST_VALUE', beginsLine });
  return true;
}

function stepsOf(found: string): Steps {
  if (found === ',') return comma;
  if (found === ':') return colon;
  return found.startsWith('"') ? string : value;
}

function blockOf(lines: readonly string[], { first, last, end }: Span): JsonBlock {
  const text = [...lines.slice(first, last), (lines[last] ?? '').slice(0, end)].join('\n');
  const parsed: unknown = JSON.parse(text);
  return { value: parsed, firstLine: first + 1, lastLine: last + 1 };
}

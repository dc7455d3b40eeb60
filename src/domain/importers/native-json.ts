import type { Json, JsonSelection } from './json.js';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** U+0000 and halves of a surrogate pair, which JSON.parse takes as they are. */
const notStored = /\\u(?:0000|[dD][89a-fA-F])|\p{Surrogate}/u;

/** True where no text inside can hold a character that is not stored: what is written out has no backslash. */
export function hasPlainTexts(text: string): boolean {
  return !text.includes('\\') || !notStored.test(text);
}

export interface Limits {
  readonly length: number;
  readonly levels: number;
}

/** The object or array that begins at a place, and where it ends. */
export interface NativeValue {
  readonly value: Json;
  readonly end: number;
}

/**
 * Reads an object or array with JSON.parse, which is many times faster than our own reader. Null for whatever that one
 * has to look at: what is no JSON, ends early, is longer or deeper than the limits, holds an array whose elements are
 * handed over, or says something twice, of which JSON.parse keeps the last.
 */
export function nativeValue(text: string, start: number, limits: Limits, selection: JsonSelection): NativeValue | null {
  const extent = extentOf(text, start, limits);
  if (extent === null) return null;
  const value = parsed(text.slice(start, extent.end));
  return isComplete(value, extent.members, selection) ? { value, end: extent.end } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where a value ends by its brackets, and how many members its objects have by the colons outside texts. */
function extentOf(
  text: string,
  start: number,
  { length, levels }: Limits,
): { readonly end: number; readonly members: number } | null {
  const first = text.charCodeAt(start);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return null;
  const last = Math.min(text.length, start + length);
  let [depth, members] = [0, 0];
  for (let at = start; at < last; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at);
        if (at === -1) return null;
        break;
      case COLON:
        members += 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > levels) return null;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        if (depth === 0) return { end: at + 1, members };
    }
  }
  return null;
}

/** The quotation mark that closes the one at `start`, or -1. */
export function endOfText(text: string, start: number): number {
  let end = start;
  let isEscaped = true;
  while (isEscaped) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return -1;
    let backslash = end - 1;
    while (text.charCodeAt(backslash) === BACKSLASH) backslash -= 1;
    isEscaped = (end - backslash) % 2 === 0;
  }
  return end;
}

/** Whether the value has all members that its text has, and none whose elements are handed over. */
function isComplete(value: unknown, members: number, { skip, each }: JsonSelection): value is Json {
  if (value === undefined || membersIn(value) !== members) return false;
  return (skip === undefined && each === undefined) || isSelected(value, skip ?? new Set(), each ?? {});
}

function membersIn(value: unknown): number {
  if (!isContainer(value)) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object') count += membersIn(element);
    return count;
  }
  for (const key in value) {
    count += 1;
    const member = value[key];
    if (typeof member === 'object') count += membersIn(member);
  }
  return count;
}

/** Makes null of what is to be skipped; false where elements are to be handed over. */
function isSelected(value: unknown, skip: ReadonlySet<string>, each: Readonly<Record<string, unknown>>): boolean {
  if (!isContainer(value)) return true;
  if (Array.isArray(value)) return value.every((element) => isSelected(element, skip, each));
  for (const key in value) {
    if (skip.has(key)) value[key] = null;
    else if (Array.isArray(value[key]) && Object.hasOwn(each, key)) return false;
    else if (!isSelected(value[key], skip, each)) return false;
  }
  return true;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

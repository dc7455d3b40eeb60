import type { Finding } from './reader.js';

/** The line without indentation, quote marks of mail and Markdown, and blanks at its end. */
export function plainLine(line: string | undefined): string {
  return (line ?? '').replace(/^[\s>]+/, '').trimEnd();
}

const nothing = new Set([
  '',
  '-',
  'n/a',
  '[n/a]',
  'none',
  'no cuda',
  'unknown',
  'not supported',
  '[not supported]',
  'not available',
  '<not available>',
  'could not collect',
  'module not found',
]);

/** What a tool printed as a value; null where it printed that it knows none, or where somebody took it out. */
export function stated(value: string | undefined): string | null {
  const text = (value ?? '').trim();
  return nothing.has(text.toLowerCase()) || /redacted/i.test(text) ? null : text;
}

/** The value as a whole number, null where it is none. */
export function wholeNumber(value: string | undefined): number | null {
  const text = (value ?? '').trim();
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Values of several devices as one finding: a single value where they agree, none where there is none. */
export function findingOf<Value extends string | number>(
  key: string,
  values: readonly Value[],
  line: number | undefined,
): readonly Finding[] {
  const distinct = [...new Set(values)];
  const [first] = distinct;
  if (first === undefined || line === undefined) return [];
  return [{ key, value: distinct.length === 1 ? first : distinct, line }];
}

/** The line that the character at `offset` stands in, from 1. */
export function lineAt(text: string, offset: number): number {
  return 1 + lineBreaks(text, 0, offset);
}

/** Line ends in a part of a text. It looks at nothing after `to`, so that counting on from value to value reads it once. */
export function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}

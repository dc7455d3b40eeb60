/**
 * The JSON objects of a text in which other lines stand before, between or behind them: those lines become blank, so that
 * lines keep their numbers. An object begins on a line of its own and ends with a brace at the same indentation, or on
 * its first line.
 */
export function embeddedJson(text: string): string {
  const parts: string[] = [];
  let closing: string | null = null;
  // Where the lines begin that are kept as they are; a text of one object is never copied
  let kept: number | null = null;
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end);
    const opening: string | null =
      closing === null ? (/^([ \t]{0,100})\{\s{0,100}("|$)/.exec(line)?.[1] ?? null) : null;
    const isInside: boolean = closing !== null || opening !== null;
    if (isInside) kept ??= start;
    else {
      if (kept !== null) parts.push(text.slice(kept, start));
      kept = null;
      if (found !== -1) parts.push('\n');
    }
    if (opening !== null && !line.trimEnd().endsWith('}')) closing = `${opening}}`;
    else if (closing !== null && line.trimEnd() === closing) closing = null;
    start = end + 1;
  }
  if (kept === 0) return text;
  return parts.join('') + (kept === null ? '' : text.slice(kept));
}

/** True where a line of the text begins an object, whatever stands before it. */
export function holdsObject(text: string): boolean {
  return /^[ \t]{0,100}\{\s{0,100}["\n]/m.test(text);
}

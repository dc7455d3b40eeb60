/** A part of a text, up to `end` and without it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The code inside a paragraph of Markdown, by CommonMark 6.1: from a run of backticks to the next run of as many; without
 * one they are text. An escaped backtick opens nothing, and the run begins behind it; a span is closed by it all the same.
 * Takes time in proportion to the text.
 */
export function codeSpans(paragraph: string): readonly Span[] {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: run }) => ({ index, length: run.length }));
  const closers = new Map<number, { readonly at: number[]; passed: number }>();
  for (const { index, length } of runs) {
    const known = closers.get(length);
    if (known) known.at.push(index);
    else closers.set(length, { at: [index], passed: 0 });
  }
  const spans: Span[] = [];
  let end = 0;
  for (const run of runs) {
    if (run.index < end) continue;
    const escaped = isEscaped(paragraph, run.index) ? 1 : 0;
    const length = run.length - escaped;
    const ofLength = length > 0 ? closers.get(length) : undefined;
    if (!ofLength) continue;
    while ((ofLength.at[ofLength.passed] ?? Infinity) <= run.index) ofLength.passed += 1;
    const close = ofLength.at[ofLength.passed];
    if (close === undefined) continue;
    end = close + length;
    spans.push({ start: run.index + escaped, end });
  }
  return spans;
}

/** Whether a backslash that is not escaped itself stands before this place. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

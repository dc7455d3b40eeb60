import MarkdownIt, { type Token } from 'markdown-it';

/** What ends a line: for Markdown, and for whatever shows the file. */
export const lineBreak = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/;

/** Only the blocks are asked for: with their lines they tell what is code and what a heading. */
const blocks = new MarkdownIt({ html: false });
blocks.core.ruler.enableOnly(['normalize', 'block']);

/**
 * Markdown of a person as a quote: it stays Markdown, but HTML in it is text, and its headings are lines, so that nothing
 * of it belongs to what stands around. Inside code all stays as it is.
 */
export function quotedMarkdown(body: string): string {
  const lines = body.split(lineBreak).map((line) => (line === '' ? '>' : `> ${line}`));
  const tokens = blocks.parse(lines.join('\n'), {});
  const isCode = new Set(tokens.filter(({ type }) => type === 'fence' || type === 'code_block').flatMap(linesOf));
  const spans = codeSpans(tokens, lines);
  const marks = new Map(tokens.filter(({ type }) => type === 'heading_open').map(headingMark));
  return lines
    .map((line, at) => {
      if (isCode.has(at)) return line;
      const text = withoutTags(line, spans.get(at) ?? []);
      const mark = marks.get(at);
      return mark === undefined ? text : text.replace(mark, '$1\\$2');
    })
    .join('\n');
}

function linesOf({ map }: Token): readonly number[] {
  if (map === null) return [];
  const [start, end] = map;
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** The line that makes a heading, and where in it: the first `#`, else the line of `=` or `-` below. */
function headingMark({ map, markup }: Token): readonly [number, RegExp] {
  const [start, end] = map ?? [0, 1];
  return markup.startsWith('#') ? [start, /^([^#]*)(#)/] : [end - 1, /^([>\s]*)([=-])/];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The code inside the lines of paragraphs and headings, by line. What is not surely code is left out. */
function codeSpans(tokens: readonly Token[], lines: readonly string[]): ReadonlyMap<number, readonly Range[]> {
  const found = new Map<number, Range[]>();
  for (const { type, map, content } of tokens) {
    if (type !== 'inline' || map === null || !content.includes('`')) continue;
    const parts = content.split('\n');
    // Where each line of the content stands in the line of the source, whose beginning marks lists and quotes
    const shifts = parts.map((part, index) => (lines[map[0] + index] ?? '').lastIndexOf(part));
    if (shifts.includes(-1)) continue;
    const code = codeIn(content);
    let from = 0;
    parts.forEach((part, index) => {
      const to = from + part.length;
      const inLine = code.filter(({ start, end }) => start < to && end > from);
      const shift = (shifts[index] ?? 0) - from;
      found.set(
        map[0] + index,
        inLine.map(({ start, end }) => ({ start: Math.max(start, from) + shift, end: Math.min(end, to) + shift })),
      );
      from = to + 1;
    });
  }
  return found;
}

/** By CommonMark 6.1: from a run of backticks to the next run of as many, where there is one. */
function codeIn(text: string): readonly Range[] {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: run }) => ({ index, length: run.length }));
  const closers = new Map<number, { readonly at: number[]; passed: number }>();
  for (const { index, length } of runs) {
    const known = closers.get(length);
    if (known) known.at.push(index);
    else closers.set(length, { at: [index], passed: 0 });
  }
  const ranges: Range[] = [];
  let end = 0;
  for (const run of runs) {
    if (run.index < end) continue;
    // Behind a backslash the first one is text
    const [start, length] = isEscaped(text, run.index) ? [run.index + 1, run.length - 1] : [run.index, run.length];
    const ofLength = length > 0 ? closers.get(length) : undefined;
    if (!ofLength) continue;
    while ((ofLength.at[ofLength.passed] ?? Infinity) <= run.index) ofLength.passed += 1;
    const close = ofLength.at[ofLength.passed];
    if (close === undefined) continue;
    end = close + length;
    ranges.push({ start, end });
  }
  return ranges;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/**
 * A backslash before each `<` outside code that could begin a tag, a comment or a link in angle brackets, and before the
 * first of a line inside code too: there a block of HTML ends the code.
 */
function withoutTags(line: string, code: readonly Range[]): string {
  return line.replace(/<(?=[A-Za-z/!?])/g, (found, at: number) =>
    isEscaped(line, at) || (!isFirst(line, at) && code.some(({ start, end }) => at >= start && at < end))
      ? found
      : `\\${found}`,
  );
}

/** Whether nothing but the marks of quotes and blanks stands before this place. */
function isFirst(line: string, at: number): boolean {
  return /^[>\s]*$/.test(line.slice(0, at));
}

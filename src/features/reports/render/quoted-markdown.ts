import { lineBreak } from '../../../domain/report/markdown-text.js';
import MarkdownIt, { type Token } from 'markdown-it';
import { codeSpans, isEscaped, type Span } from '../../../domain/code-spans.js';

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
  const spans = codeByLine(tokens, lines);
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

/** The code inside the lines of paragraphs and headings, by line. What is not surely code is left out. */
function codeByLine(tokens: readonly Token[], lines: readonly string[]): ReadonlyMap<number, readonly Span[]> {
  const found = new Map<number, Span[]>();
  for (const { type, map, content } of tokens) {
    if (type !== 'inline' || map === null || !content.includes('`')) continue;
    const parts = content.split('\n');
    // Where each line of the content stands in the line of the source, whose beginning marks lists and quotes
    const shifts = parts.map((part, index) => (lines[map[0] + index] ?? '').lastIndexOf(part));
    if (shifts.includes(-1)) continue;
    const code = codeSpans(content);
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

/**
 * A backslash before each `<` outside code that could begin a tag, a comment or a link in angle brackets, and before the
 * first of a line inside code too: there a block of HTML ends the code.
 */
function withoutTags(line: string, code: readonly Span[]): string {
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

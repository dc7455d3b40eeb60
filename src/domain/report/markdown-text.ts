import { NOTHING } from './figures.js';

/** What ends a line: for Markdown, and for whatever shows the file. */
export const lineBreak = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/;

/**
 * Text that means itself: a backslash stands before what could begin emphasis, code, a link, a tag, an entity or a
 * formula. Links are meant too, because what people wrote elsewhere in the report can define their targets, and so are
 * addresses, which would become links by themselves.
 */
export function markdownText(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*[<~$]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/:(?=\/\/)|(?<=[\w.+-])@(?=\w)|(?<=\bwww)\./gi, '\\$&');
}

function onOneLine(text: string): string {
  return text.split(lineBreak).join(' ');
}

/** An identifier as code: the fence is longer than any run of backticks in it. */
export function markdownCode(code: string): string {
  if (code === '') return NOTHING;
  const text = onOneLine(code);
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 || text.startsWith(' ') ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

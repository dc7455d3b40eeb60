import type { GivenFleet } from '../../../domain/derived/fleet.js';
import type { Locale } from '../../../domain/locale.js';
import type { AuditRecord } from '../../../domain/report/audit-record.js';
import { NOTHING } from '../../../domain/report/figures.js';
import { plainText, sayIn, spansOf, type Block, type Line, type Say, type Span } from './blocks.js';
import { lineBreak, quotedMarkdown } from './quoted-markdown.js';
import type { NextStep } from './report-summary.js';
import { reportOf } from './report.js';

/**
 * A report of an audit as Markdown with tables (GFM). What people wrote as Markdown is quoted as blocks, without HTML and
 * headings; all else of theirs is escaped.
 */
export function renderMarkdown(
  record: AuditRecord,
  locale: Locale,
  next: readonly NextStep[] = [],
  fleet: GivenFleet | null = null,
): string {
  const { title, blocks } = reportOf(record, locale, next, fleet);
  const say = sayIn(locale);
  const parts = [`# ${headingOf(textOf(title))}`, ...blocks.map((block) => blockOf(block, say))];
  return `${parts.join('\n\n')}\n`;
}

function blockOf(block: Block, say: Say): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${headingOf(lineOf(block.text))}`;
    case 'paragraph':
      return startOf(lineOf(block.text));
    case 'list':
      return block.lines.map((line) => `- ${startOf(lineOf(line))}`).join('\n');
    case 'facts':
      return block.rows
        .map(([label, value]) => `- **${textOf(label)}**${say({ en: ': ', zh: '：' })}${lineOf(value)}`)
        .join('\n');
    case 'table':
      return [
        `**${textOf(block.caption)}**`,
        '',
        rowOf(block.columns.map(({ head }) => cellOf(head))),
        rowOf(block.columns.map(({ align }) => (align === 'END' ? '---:' : '---'))),
        ...block.rows.map((row) => rowOf(row.map(cellOf))),
      ].join('\n');
    case 'said':
      return `**${lineOf(block.label)}**\n\n${quotedMarkdown(block.body)}`;
  }
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function lineOf(line: Line): string {
  return spansOf(line).map(spanOf).join('');
}

function spanOf(span: Span): string {
  return typeof span === 'object' && 'code' in span ? codeOf(span.code) : textOf(plainText(span));
}

/** A cell of a table: a line break is written as such, and a pipe would end it. */
function cellOf(line: Line): string {
  return spansOf(line)
    .map((span) => (typeof span === 'string' ? span.split(lineBreak).map(textOf).join('<br>') : spanOf(span)))
    .join('')
    .replaceAll('|', '\\|');
}

/**
 * Text that means itself: a backslash stands before what could begin emphasis, code, a link, a tag, an entity or a
 * formula. Links are meant too, because what people wrote elsewhere in the report can define their targets, and so are
 * addresses, which would become links by themselves.
 */
function textOf(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*[<~$]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/:(?=\/\/)|(?<=[\w.+-])@(?=\w)|(?<=\bwww)\./gi, '\\$&');
}

function onOneLine(text: string): string {
  return text.split(lineBreak).join(' ');
}

/** Number signs at the end of a heading would be taken for the end of its mark. */
function headingOf(line: string): string {
  return line.replace(/(^|\s)(#+)$/, '$1\\$2');
}

/** At the start of a block also what would make it a heading, a list, a quote or a rule. */
function startOf(line: string): string {
  return line.replace(/^(\s*)([#>+=-])/, '$1\\$2').replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2');
}

/** An identifier as code: the fence is longer than any run of backticks in it. */
function codeOf(code: string): string {
  if (code === '') return NOTHING;
  const text = onOneLine(code);
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 || text.startsWith(' ') ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

import type { GivenFleet } from '../../../domain/derived/fleet.js';
import type { Locale } from '../../../domain/locale.js';
import type { AuditRecord } from '../../../domain/report/audit-record.js';
import { lineBreak, markdownCode, markdownText } from '../../../domain/report/markdown-text.js';
import { plainText, sayIn, spansOf, type Block, type Line, type Say, type Span } from './blocks.js';
import { quotedMarkdown } from './quoted-markdown.js';
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
  const parts = [`# ${headingOf(markdownText(title))}`, ...blocks.map((block) => blockOf(block, say))];
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
        .map(([label, value]) => `- **${markdownText(label)}**${say({ en: ': ', zh: '：' })}${lineOf(value)}`)
        .join('\n');
    case 'table':
      return [
        `**${markdownText(block.caption)}**`,
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
  return typeof span === 'object' && 'code' in span ? markdownCode(span.code) : markdownText(plainText(span));
}

/** A cell of a table: a line break is written as such, and a pipe would end it. */
function cellOf(line: Line): string {
  return spansOf(line)
    .map((span) => (typeof span === 'string' ? span.split(lineBreak).map(markdownText).join('<br>') : spanOf(span)))
    .join('')
    .replaceAll('|', '\\|');
}

/** Number signs at the end of a heading would be taken for the end of its mark. */
function headingOf(line: string): string {
  return line.replace(/(^|\s)(#+)$/, '$1\\$2');
}

/** At the start of a block also what would make it a heading, a list, a quote or a rule. */
function startOf(line: string): string {
  return line.replace(/^(\s*)([#>+=-])/, '$1\\$2').replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2');
}

import type { Cell, ComparisonView, Tone } from './view.js';
import { markdownText } from '../report/markdown-text.js';

const marks: Readonly<Record<Tone, string>> = { GOOD: '✅ ', BAD: '❌ ', OPEN: '⚠️ ', PLAIN: '' };

/**
 * A comparison as Markdown (GFM) for a pull request: the verdict in one line, the table, and all else folded. Text of the
 * files stays text: no HTML, no links, nobody mentioned and no issue named by it.
 */
export function comparisonMarkdown({ headline, reasons, columns, rows, sections }: ComparisonView): string {
  const parts = [
    `**${marks[headline.tone]}Tunebook: ${quiet(headline.text)}**`,
    ...(reasons.length === 0 ? [] : [listOf(reasons.map(({ text }) => text))]),
    tableOf(columns, rows),
    ...sections.map(({ title, lines }) => folded(title, lines)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What is said where there is nothing to compare. */
export function listMarkdown(headline: string, lines: readonly string[]): string {
  return `**${marks.OPEN}Tunebook: ${quiet(headline)}**\n\n${listOf(lines)}\n`;
}

function tableOf(columns: ComparisonView['columns'], rows: ComparisonView['rows']): string {
  return [
    rowOf(columns.map(({ head }) => cellOf(head))),
    rowOf(columns.map(({ align }) => (align === 'END' ? '---:' : '---'))),
    ...rows.map((row) => rowOf(row.map(({ text, tone }: Cell) => `${marks[tone]}${cellOf(text)}`))),
  ].join('\n');
}

function folded(title: string, lines: readonly string[]): string {
  return `<details>\n<summary>${title} (${lines.length})</summary>\n\n${listOf(lines)}\n\n</details>`;
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${atStart(quiet(line))}`).join('\n');
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cellOf(text: string): string {
  return quiet(text).replaceAll('|', '\\|');
}

/** A zero-width space behind `@` and `#` keeps the host from calling people and linking issues. */
function quiet(text: string): string {
  return markdownText(text.replace(/\p{Cc}/gu, ' '))
    .replace(/@(?=[\p{L}\p{N}])/gu, '@\u200b')
    .replace(/#(?=\d)/g, '#\u200b');
}

/** What would begin a heading, a list or a quote at the start of a line. */
function atStart(line: string): string {
  return line.replace(/^(\s*)([#>+=-])/, '$1\\$2').replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2');
}

import MarkdownIt from 'markdown-it';
import type { GivenFleet } from '../../../domain/derived/fleet.js';
import type { Locale } from '../../../domain/locale.js';
import type { AuditRecord } from '../../../domain/report/audit-record.js';
import { spansOf, type Block, type Line, type Span } from './blocks.js';
import { style } from './html-style.js';
import type { NextStep } from './report-summary.js';
import { reportOf } from './report.js';

/**
 * A report of an audit as one HTML page that loads and runs nothing, for screens and printers. What people wrote as
 * Markdown is rendered without HTML, its headings as bold lines and its images as links.
 */
export function renderHtml(
  record: AuditRecord,
  locale: Locale,
  next: readonly NextStep[] = [],
  fleet: GivenFleet | null = null,
): string {
  const { title, blocks } = reportOf(record, locale, next, fleet);
  return `<!doctype html>
<html lang="${locale === 'ZH' ? 'zh-Hans' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${blocks.map(blockOf).join('\n')}
</main>
</body>
</html>
`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${lineOf(block.text)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${lineOf(block.text)}</p>`;
    case 'list':
      return `<ul>${block.lines.map((line) => `<li>${lineOf(line)}</li>`).join('')}</ul>`;
    case 'facts': {
      const rows = block.rows.map(([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${lineOf(value)}</td></tr>`);
      return `<table class="facts"><caption>${escaped(block.caption)}</caption><tbody>\n${rows.join('\n')}\n</tbody></table>`;
    }
    case 'table':
      return tableOf(block);
    case 'said':
      return `<figure class="said"><figcaption>${lineOf(block.label)}</figcaption><blockquote>${markdown.render(block.body)}</blockquote></figure>`;
  }
} // prettier-ignore

function tableOf({ caption, columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const alignOf = (index: number) => (columns[index]?.align === 'END' ? ' class="end"' : '');
  const heads = columns.map(({ head }, index) => `<th scope="col"${alignOf(index)}>${escaped(head)}</th>`).join('');
  const body = rows.map((row) => {
    const cells = row.map((cell, index) =>
      index === 0 ? `<th scope="row">${lineOf(cell)}</th>` : `<td${alignOf(index)}>${lineOf(cell)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const size = columns.length < 4 ? ' class="small"' : '';
  return `<div class="table"><table${size}><caption>${escaped(caption)}</caption><thead><tr>${heads}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

function lineOf(line: Line): string {
  return spansOf(line).map(spanOf).join('');
}

function spanOf(span: Span): string {
  if (typeof span === 'string') return escaped(span);
  if ('code' in span) return `<code>${escaped(span.code)}</code>`;
  if ('figure' in span) return `<span class="figure">${escaped(span.figure)}</span>`;
  return `<span class="${span.tone.toLowerCase()}">${escaped(span.word)}</span>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const markdown = safeMarkdown();

function safeMarkdown() {
  const renderer = new MarkdownIt('default', { html: false, linkify: false, breaks: false });
  renderer.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url.trim());
  const { rules } = renderer.renderer;
  rules['link_open'] = (tokens, index, options, _, self) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer');
    return self.renderToken(tokens, index, options);
  };
  // A picture of somewhere else would tell whoever serves it who reads the report
  rules['image'] = (tokens, index) => {
    const [url, name] = [String(tokens[index]?.attrGet('src') ?? ''), tokens[index]?.content ?? ''];
    return `<a href="${escaped(url)}" rel="noopener noreferrer">${escaped(name === '' ? url : name)}</a>`;
  };
  // The headings of the page are those of the report
  rules['heading_open'] = () => '<p class="heading">';
  rules['heading_close'] = () => '</p>\n';
  return renderer;
}

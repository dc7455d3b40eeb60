import { describe, expect, it } from '@jest/globals';
import { item, smallRecord } from '../../../../test/support/small-record.js';
import { renderHtml } from './html.js';

const withRemark = (remark: string) =>
  smallRecord(({ items }) => ({ items: [{ ...item('kernels/fusion', 1), remark }, ...items.slice(1)] }));

/** What became of a remark. */
function rendered(remark: string): string {
  const html = renderHtml(withRemark(remark), 'EN');
  return /<figcaption>Remark<\/figcaption><blockquote>([\s\S]*?)<\/blockquote><\/figure>/.exec(html)?.[1]?.trim() ?? '';
}

describe('renderHtml', () => {
  it('writes one page that loads and runs nothing', () => {
    const html = renderHtml(smallRecord(), 'EN');
    expect(html.startsWith('<!doctype html>\n<html lang="en">')).toBe(true);
    expect(html).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
    expect(html).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|@import|url\(|\son[a-z]+=/i);
    expect(renderHtml(smallRecord(), 'ZH')).toContain('<html lang="zh-Hans">');
  });

  it('has tables with captions and heads of rows and columns, and headings without a gap', () => {
    const html = renderHtml(smallRecord(), 'EN');
    const count = (pattern: RegExp) => html.match(pattern)?.length;
    expect(count(/<table/g)).toBe(count(/<caption>[^<]+<\/caption>/g));
    expect(html).toContain('<th scope="col" class="end">Applicable</th>');
    expect(html).toContain(
      '<tr><th scope="row">Kernels</th><td class="end">2</td><td class="end">2</td><td class="end">2</td><td class="end">1</td><td class="end">1</td><td class="end">100 %</td></tr>',
    );
    expect(html).toContain('<span class="good">verified</span>; T1: <span class="good">improved</span> <span class="figure">+10.0 % [8.0, 12.0]</span>'); // prettier-ignore
    const levels = [...html.matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    levels.forEach((level, index) => expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1));
  });

  it('renders what people wrote as Markdown without HTML and without pictures', () => {
    expect(rendered('a **b** `c`')).toBe('<p>a <strong>b</strong> <code>c</code></p>');
    expect(rendered('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>');
    expect(rendered('<!-- open')).toBe('<p>&lt;!-- open</p>');
    expect(rendered('# Heading')).toBe('<p class="heading">Heading</p>');
    expect(rendered('[a](https://example.org "t")')).toBe(
      '<p><a href="https://example.org" title="t" rel="noopener noreferrer">a</a></p>',
    );
    expect(rendered('![a "b"](https://example.org/x.png)')).toBe(
      '<p><a href="https://example.org/x.png" rel="noopener noreferrer">a &quot;b&quot;</a></p>',
    );
    expect(rendered('<mailto:a@example.org>')).toContain('href="mailto:a@example.org"');
    expect(rendered('```\n<b>\nopen')).toBe('<pre><code>&lt;b&gt;\nopen</code></pre>');
    expect(rendered('</blockquote></figure>')).toBe('<p>&lt;/blockquote&gt;&lt;/figure&gt;</p>');
    expect(rendered('词'.repeat(2_000) + '💥')).toContain('💥');
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html;base64,AAAA)',
    '![a](data:image/svg+xml;base64,AAAA)',
    '[a](vbscript:x)',
    '[a](//example.org)',
    '[a](file:///etc/passwd)',
    '[a](&#106;avascript:alert(1))',
    '<javascript:alert(1)>',
  ])('makes no link of %s', (markdown) => {
    expect(rendered(markdown)).not.toMatch(/<a|href|<img/i);
  });

  it('escapes names and titles', () => {
    const title = '"><script>alert(1)</script>&amp;';
    const record = smallRecord(({ items, audit }) => ({
      audit: { ...audit, title },
      items: [{ ...item('kernels/fusion', 1), title: { en: title, zh: title } }, ...items.slice(1)],
    }));
    const html = renderHtml(record, 'ZH');
    expect(html).toContain('<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;</title>');
    expect(html).not.toContain('<script');
  });

  it('shows identifiers in titles as code', () => {
    const title = { en: '`const __restrict__` data', zh: null };
    const record = smallRecord(({ items }) => ({
      items: [{ ...item('kernels/fusion', 1), title }, ...items.slice(1)],
    }));
    expect(renderHtml(record, 'EN')).toContain(
      '<th scope="row"><code>const __restrict__</code> data <code>kernels/fusion</code></th>',
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../../test/support/ends.js';
import MarkdownIt from 'markdown-it';
import { quotedMarkdown } from './quoted-markdown.js';

const renderer = new MarkdownIt('default', { html: true, linkify: false });
const rendered = (body: string) => renderer.render(`before\n\n${quotedMarkdown(body)}\n\nafter`);

describe('quotedMarkdown', () => {
  it.each([
    ['a **b** `c`', '> a **b** `c`'],
    ['- one\n- two', '> - one\n> - two'],
    ['a < b and c <= d', '> a < b and c <= d'],
    ['<script>x</script>', '> \\<script>x\\</script>'],
    ['<!-- open', '> \\<!-- open'],
    ['<?php', '> \\<?php'],
    ['<https://example.org>', '> \\<https://example.org>'],
    ['\\<b> \\\\<b>', '> \\<b> \\\\\\<b>'],
    ['`vector<int>` and <b>', '> `vector<int>` and \\<b>'],
    ['``a ` <b>`` <b>', '> ``a ` <b>`` \\<b>'],
    ['\\`` <b> ` <i> `', '> \\`` <b> ` \\<i> `'],
    ['` <b>', '> ` \\<b>'],
    ['- `a\n  <b>` <i>', '> - `a\n>   \\<b>` \\<i>'],
    ['x `\n<script>a</script>\n` y', '> x `\n> \\<script>a</script>\n> ` y'],
    ['```cpp\nstd::vector<int> v;\n```\n<b>', '> ```cpp\n> std::vector<int> v;\n> ```\n> \\<b>'],
    ['* ```\n  <b>\n  ```\n<i>', '> * ```\n>   <b>\n>   ```\n> \\<i>'],
    ['    <b>\n\n<i>', '>     <b>\n>\n> \\<i>'],
    ['\t<b>', '> \t\\<b>'],
    ['# Heading', '> \\# Heading'],
    ['> ## Deep #', '> > \\## Deep #'],
    ['- # In a list', '> - \\# In a list'],
    ['Title\n===', '> Title\n> \\==='],
    ['Title\n---\ntext', '> Title\n> \\---\n> text'],
    ['a\u2028# b\r\n\u0085<b>', '> a\n> \\# b\n>\n> \\<b>'],
    ['| `a<b>` | <b> |\n|---|---|\n| 1 | 2 |', '> | `a\\<b>` | \\<b> |\n> |---|---|\n> | 1 | 2 |'],
    ['', '>'],
  ])('makes of %j %j', (body, quoted) => {
    expect(quotedMarkdown(body)).toBe(quoted);
  });

  it.each([
    '<script>alert(1)</script>', '<!-- ', '</blockquote></main><script>x</script>', '<img src=x onerror=alert(1)>', '`<b>\n\n`<b>',
    '> `\n<b>`', '- `\n\n<b>`', '[a]: <x>\n"<b>', '```\n<b>', '~~~\n<b>\n~~~\n<i>', '<details><summary>x', '<![CDATA[', '<a href="`">`',
    '\t- a\n\n\t<b>', '1. ```\n   <b>\n   ```\n2. <i>', '``` <b> ```\n<i>', '`a` \\`<b>`', '\\\\`<b>` <i>',
  ])('lets no tag of %j through, and closes before what follows', (body) => {
    const html = rendered(body);
    expect(html.replace(/<\/?(?:p|blockquote|pre|code|ul|ol|li|a|strong|em|hr|br)(?: [a-z]+="[^"<>]*")*>/g, '')).not.toMatch(/<[a-z!/?]/i);
    expect(html.startsWith('<p>before</p>\n<blockquote>')).toBe(true);
    expect(html.endsWith('</blockquote>\n<p>after</p>\n')).toBe(true);
  }); // prettier-ignore

  it.each([['`', 50_000], ['` ', 30_000], ['`` ` ', 20_000], ['\\', 100_000], ['<', 100_000], ['<a', 50_000], ['`<a`', 25_000], ['> ', 50_000], ['[', 50_000], ['# ', 50_000], ['- ', 40_000]] as const)(
    'takes time in proportion to the text: %p',
    (part, count) => {
      ends(() => quotedMarkdown(part.repeat(count)));
    },
  ); // prettier-ignore
});

const block = /^[ \t]{0,12}(?:#{1,6} |>+ ?|[-*+] |\d{1,3}[.)] |```.*|~~~.*|[-=*_|: \t]{3,}$)/gm;
const link = /!?\[([^[\]\n]{0,300})\]\([^()\s]{0,1000}(?: "[^"\n]{0,300}")?\)/g;
const tag =
  /<\/?(?:a|b|br|code|details|div|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul)\b[^<>]{0,300}>/gi;

/** The words of a Markdown text on one line: without its marks, with the text of its code and links. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/(?!\n)\p{Cc}|[\ue000\ue001\p{Surrogate}]/gu, ' ')
    .replace(block, ' ')
    .replace(link, '$1')
    .replace(tag, ' ')
    .replace(/`+|\*\*|~~|\|/g, (mark) => (mark === '|' ? ' ' : ''))
    .replace(/(?<![\w*])\*(?=\S)|(?<=[^\s*])\*(?![\w*])/g, '')
    .replace(/(?<=[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef])\n[ \t]*(?=[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** People paste pages, not files of a profiler: characters. */
const LONGEST_PASTE = 4 * 1024 * 1024;
/** Characters at either end of a text that tell. */
const SEEN = 2_000;

const fence = /^\s*(?:```|~~~)\S{0,20}\s*$/;
const prompt = /^\s*(?:\$ \S|PS [A-Za-z]:\\[^>]{0,200}> ?|[\w.-]{1,64}@[\w.-]{1,64}[: ][^$#\n]{0,200}[$#](?:\s|$))/;
const startOfJson = /^\s*[{[]/;

/**
 * The text without what a paste from a page, a mail or a terminal has around it: a code fence, `> ` in front of every
 * line, and around JSON also lines of a shell. Lines keep their numbers.
 */
export function withoutPaste(text: string): string {
  if (text.length > LONGEST_PASTE || !isPasted(text)) return text;
  const plain = withoutQuotes(text);
  const lines = plain.split('\n');
  const first = lines.findIndex((line) => !isAround(line));
  if (first === -1) return plain;
  const last = lines.findLastIndex((line) => !isAround(line));
  const isJson = startOfJson.test(lines[first] ?? '');
  const isTaken = (line: string, index: number): boolean =>
    (index < first || index > last) && (isJson ? isAround(line) : fence.test(line));
  return lines.some((line, index) => isTaken(line, index) && line.trim() !== '')
    ? lines.map((line, index) => (isTaken(line, index) ? '' : line)).join('\n')
    : plain;
}

function isAround(line: string): boolean {
  return line.trim() === '' || fence.test(line) || prompt.test(line);
}

/** By the first and the last line that say something. */
function isPasted(text: string): boolean {
  const first = text.slice(0, SEEN).trimStart().split('\n', 1)[0] ?? '';
  const last = text.slice(-SEEN).trimEnd().split('\n').at(-1) ?? '';
  return first.startsWith('>') || isAround(first) || isAround(last);
}

function withoutQuotes(text: string): string {
  if (!/^\s*>/.test(text)) return text;
  const lines = text.split('\n');
  return lines.every((line) => line.trim() === '' || /^>(?:\s|$)/.test(line))
    ? lines.map((line) => line.replace(/^> ?/, '')).join('\n')
    : text;
}

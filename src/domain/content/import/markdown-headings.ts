/** A heading of a Markdown text, or of a text that has lost its marks. */
export interface Heading {
  /** Of its line, from 0. */
  readonly index: number;
  /** 1 is the title, 2 a section, 3 an item. */
  readonly level: number;
  readonly title: string;
}

const LONGEST_HEADING = 120;
const fence = /^[ \t]{0,3}(```+|~~~+)/;

/** For each line whether it belongs to a fenced block of code, its fences included. */
export function fencedLines(lines: readonly string[]): boolean[] {
  let open: string | null = null;
  return lines.map((line) => {
    const mark = fence.exec(line)?.[1] ?? null;
    if (open === null) {
      open = mark;
      return mark !== null;
    }
    const closes = mark !== null && mark.charAt(0) === open.charAt(0) && mark.length >= open.length;
    if (closes && line.trim() === mark) open = null;
    return true;
  });
}

/** The headings marked with # or, where there are none, those numbered as in "16.2 Inference¶". */
export function headingsOf(lines: readonly string[]): Heading[] {
  const fenced = fencedLines(lines);
  const marked = lines.flatMap((line, index): Heading[] => {
    const [, marks, title] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
    if (fenced[index] || marks === undefined || title === undefined) return [];
    return [{ index, level: marks.length, title: headingText(title) }];
  });
  return marked.length > 0 ? oneTitle(marked) : oneTitle(numbered(lines, fenced));
}

/** The headings of sections and items: what tells a Markdown text from one that has only a list. */
export function sectionHeadings(lines: readonly string[]): Heading[] {
  return headingsOf(lines).filter(({ level }) => level <= 3);
}

/** Without number, ¶ and closing marks. */
function headingText(raw: string): string {
  const text = raw.trim().replace(/¶$/, '').trimEnd();
  const open = closingMarks(text);
  const title = open.replace(/^(?:\d+(?:\.\d+)+\.?|\d+[.)]|[一二三四五六七八九十]{1,3}、)\s*(?=\S)/, '');
  return title === '' ? raw.trim() : title;
}

/** Cut at the end of "Title ##", in one pass. */
function closingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === '#') end -= 1;
  return end < text.length && /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}

function numbered(lines: readonly string[], fenced: readonly boolean[]): Heading[] {
  const found = lines.flatMap((line, index) => {
    const text = line.trim();
    if (fenced[index] || text.length > LONGEST_HEADING) return [];
    const [, number = '', title = ''] = /^(\d+(?:\.\d+)*)\.?[ \t]+([\p{Lu}\p{Script=Han}].*)$/u.exec(text) ?? [];
    if (title === '' || /[.!?:;,。！？：；，|]$/.test(title)) return [];
    return [{ index, number, title, isCertain: title.endsWith('¶') || number.includes('.') }];
  });
  const parents = new Set(found.filter(({ number }) => number.includes('.')).map(({ number }) => number.split('.')[0]));
  const headings = found.filter(({ number, isCertain }) => isCertain || parents.has(number));
  // several parts of the first level are the sections of a text without a title
  const above = headings.filter(({ number }) => !number.includes('.')).length > 1 ? 1 : 0;
  return headings.map(({ index, number, title }) => ({
    index,
    level: number.split('.').length + above,
    title: headingText(title),
  }));
}

/** Only the first heading can be the title: others of the first level are sections. */
function oneTitle(headings: readonly Heading[]): Heading[] {
  const [first] = headings;
  const isNumberedPart = (heading: Heading) => heading.level === 1 && heading !== first;
  return headings.map((heading) => (isNumberedPart(heading) ? { ...heading, level: 2 } : heading));
}

import { checklistOf, noText, remark, type Draft, type DraftItem, type DraftSection } from './draft.js';
import type { ReadChecklist, Undecided } from './imported.js';
import { bodyText } from './markdown-body.js';
import { fencedLines, headingsOf, type Heading } from './markdown-headings.js';
import { itemsOf } from './markdown-items.js';
import { titleReader, type TitleReader } from './markdown-text.js';

/**
 * Reads Markdown, or text that was Markdown: the first heading is the title, those below it are sections, and items are
 * the headings below a section or else its list items and the rows of its tables.
 */
export function readMarkdown(text: string, fileName?: string): ReadChecklist {
  return checklistOf(draftOf(text.split('\n')), 'markdown', fileName);
}

interface Part {
  readonly summary: readonly string[];
  readonly items: readonly DraftItem[];
}

function draftOf(lines: readonly string[]): Draft {
  const undecided: Undecided[] = [];
  const fenced = fencedLines(lines);
  const headings = headingsOf(lines).filter(({ level }) => level <= 3);
  const readTitle = titleReader(
    headings.map(({ title }) => title),
    lines,
  );
  const title = headings[0]?.level === 1 ? headings[0] : null;
  const [opening, ...heads] = grouped(title ? headings.slice(1) : headings, title);
  const start = title ? title.index + 1 : 0;
  const partOf = ({ items }: Group, from: number, stop: number): Part =>
    items.length > 0
      ? headedItems(lines, items, readTitle, from, stop)
      : itemsOf({ lines, fenced, start: from, stop }, readTitle, undecided);
  const titleOf = title ? readTitle(title.title) : noText;
  const sections: DraftSection[] = [];
  const summary = title ? [...lines.slice(0, title.index), ''] : [];
  const first = heads[0]?.head?.index ?? lines.length;
  // what stands above the first section is about the checklist, unless there is no section or it has items of its own
  if (opening && (heads.length === 0 || opening.items.length > 0)) {
    const part = partOf(opening, start, first);
    for (const line of part.summary) summary.push(line);
    sections.push({ title: titleOf, summary: noText, items: part.items });
  } else {
    for (const line of lines.slice(start, first)) summary.push(line);
  }
  heads.forEach((group, at) => {
    const { index, title: name } = group.head ?? { index: start, title: '' };
    const part = partOf(group, index + 1, heads[at + 1]?.head?.index ?? lines.length);
    const own = readTitle(name);
    if (part.items.length === 0) undecided.push(remark(index + 1, name, 'A section without items', '没有条目的章节'));
    sections.push({ title: own, summary: bodyText(part.summary, own), items: part.items });
  });
  return { title: titleOf, summary: bodyText(summary, titleOf), sections, undecided };
}

interface Group {
  readonly head: Heading | null;
  readonly items: Heading[];
}

/** The headings of items by section; the first group belongs to the title. */
function grouped(headings: readonly Heading[], title: Heading | null): Group[] {
  const groups: Group[] = [{ head: title, items: [] }];
  for (const heading of headings) {
    if (heading.level <= 2) groups.push({ head: heading, items: [] });
    else groups.at(-1)?.items.push(heading);
  }
  return groups;
}

/** Items that have headings: everything below is the body. */
function headedItems(
  lines: readonly string[],
  titles: readonly Heading[],
  readTitle: TitleReader,
  start: number,
  stop: number,
): Part {
  const items = titles.map(({ index, title }, at) => {
    const own = readTitle(title);
    return { title: own, body: bodyText(lines.slice(index + 1, titles[at + 1]?.index ?? stop), own) };
  });
  return { summary: lines.slice(start, titles[0]?.index ?? stop), items };
}

import { remark, type DraftItem, type DraftText } from './draft.js';
import type { Undecided } from './imported.js';
import { cellsOf, rowBody, tableAt } from './markdown-table.js';
import { bodyText, labelOf, withoutStop, type TitleReader } from './markdown-text.js';

/** The lines of one section without headings of items. */
export interface SectionLines {
  readonly lines: readonly string[];
  readonly fenced: readonly boolean[];
  readonly start: number;
  readonly stop: number;
}

interface OpenItem {
  readonly title: DraftText;
  readonly body: string[];
  /** Of a list item: the column its text may not be left of. */
  readonly indent: number;
  /** Opened by a sentence that ends with a colon: what follows may be what it announces. */
  readonly announces: boolean;
}

/** A line of this length was broken for its length. */
const WRAPPED = 70;

const marker = /^([ \t]*)([-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/;

/** Items of a section: its list items, rows of tables, and paragraphs that are neither. */
export function itemsOf(
  section: SectionLines,
  titleOf: TitleReader,
  undecided: Undecided[],
): { summary: string[]; items: DraftItem[] } {
  const reader = new SectionReader(section, titleOf, undecided);
  return reader.read();
}

class SectionReader {
  private readonly summary: string[] = [];
  private readonly items: OpenItem[] = [];
  private baseIndent: number | null = null;
  private lastText = '';
  private followsBlank = false;

  constructor(
    private readonly section: SectionLines,
    private readonly titleOf: TitleReader,
    private readonly undecided: Undecided[],
  ) {}

  read(): { summary: string[]; items: DraftItem[] } {
    const { lines, fenced, start, stop } = this.section;
    for (let index = start; index < stop; index += 1) {
      const line = lines[index] ?? '';
      if (fenced[index] || line.trim() === '') {
        this.keep(line);
      } else {
        const table = tableAt(lines, index, stop);
        if (table) {
          if (table.rows.length === 0) this.report(index, 'A table without rows', '没有数据行的表格');
          for (const { line: at, cells } of table.rows) this.addRow(at, table.header, cells);
          index = table.end - 1;
          this.lastText = '.';
        } else {
          index = this.addLine(line, index);
        }
      }
      this.followsBlank = line.trim() === '';
    }
    const items = this.items.map(({ title, body }) => ({ title, body: bodyText(body, title) }));
    return { summary: this.summary, items };
  }

  private addRow(index: number, header: readonly string[], cells: readonly string[]): void {
    const [first = ''] = cells;
    if (first !== '') {
      this.open(
        this.titleOf(withoutStop(first)),
        rowBody(header, cells).flatMap((line) => [line, '']),
        0,
        false,
      );
    } else if (this.items.length > 0) {
      this.keep(...rowBody(header, cells));
    } else {
      this.report(index, 'A row without a title', '没有标题的表格行');
      this.keep(...rowBody(header, cells));
    }
  }

  /** Gives back the index of the last line that was read. */
  private addLine(line: string, index: number): number {
    const mark = marker.exec(line);
    const item = this.items.at(-1);
    const indent = widthOf(/^[ \t]*/.exec(line)?.[0] ?? '');
    if (mark) {
      this.baseIndent ??= indent;
      if (indent < this.baseIndent + 2) {
        this.baseIndent = Math.min(indent, this.baseIndent);
        return this.addListItems(line.slice(mark[0].length).trim(), index, widthOf(mark[0]));
      }
    }
    if (/^[ \t]*\|.*\|[ \t]*$/.test(line) && cellsOf(line).length > 1) {
      this.addRow(index, [], cellsOf(line));
    } else if (!item) {
      this.keep(line);
    } else if (mark || indent >= 2) {
      this.keep(line.slice(Math.min(item.indent, /^[ \t]*/.exec(line)?.[0].length ?? 0)));
    } else if (
      !item.announces &&
      !this.followsBlank &&
      (!/[.!?。！？)]$/.test(this.lastText) || /^[a-z]/.test(line)) &&
      !isIntroduction(line)
    ) {
      this.keep(line);
    } else {
      this.addLoose(line.trim(), index, item);
    }
    this.lastText = line.trim();
    return index;
  }

  /** A paragraph after the items of a section. */
  private addLoose(text: string, index: number, item: OpenItem): void {
    if (item.announces && isCode(text, this.lastText)) {
      this.keep(text);
    } else if (isIntroduction(text)) {
      this.report(index, 'A paragraph after the list became an item', '列表之后的段落成为一个条目');
      this.open(this.titleOf(text.replace(/[:：]$/, '').trim()), [], 0, true);
    } else if (/^[(（].*[)）]\.?$/.test(text) && text.length > 40) {
      this.report(index, 'A paragraph after the list became an item', '列表之后的段落成为一个条目');
      const [clause = text] = /^[^,;:.，；：。]*(?:[.:](?=\S)[^,;:.，；：。]*)*/.exec(text.slice(1, -1)) ?? [];
      this.open(this.titleOf(clause.trim()), [text], 0, false);
    } else {
      if (this.followsBlank) {
        this.report(
          index,
          'A paragraph after the list was added to the item before it',
          '列表之后的段落并入前一个条目',
        );
      }
      this.keep(text);
    }
  }

  private addListItems(start: string, index: number, indent: number): number {
    const { lines, fenced, stop } = this.section;
    const pieces = [start];
    let end = index + 1;
    for (; end < stop && !fenced[end]; end += 1) {
      const last = pieces.at(-1) ?? '';
      const next = (lines[end] ?? '').trim();
      if (marker.test(lines[end] ?? '') || !goesOn(last, next)) break;
      pieces.push(last.endsWith('(') ? '' : ' ', next);
    }
    const parts = runTogether(pieces.join(''));
    if (parts.length > 1) {
      const count = parts.length;
      const [en, zh] = [`${count} list items run together were taken apart`, `连在一起的 ${count} 个列表项已拆开`];
      this.undecided.push(remark(index + 1, pieces.join(''), en, zh));
    }
    for (const part of parts) {
      const { title, rest } = labelOf(part);
      this.open(this.titleOf(title), rest === '' ? [] : [rest], indent, false);
    }
    this.lastText = pieces.at(-1) ?? '';
    return end - 1;
  }

  private open(title: DraftText, body: string[], indent: number, announces: boolean): void {
    this.items.push({ title, body, indent, announces });
  }

  private keep(...lines: string[]): void {
    (this.items.at(-1)?.body ?? this.summary).push(...lines);
  }

  private report(index: number, en: string, zh: string): void {
    this.undecided.push(remark(index + 1, this.section.lines[index] ?? '', en, zh));
  }
}

/** Whether a line goes on in the middle of what the line before says. */
function goesOn(last: string, next: string): boolean {
  if (next === '' || next.startsWith('|') || /[.!?:;。！？：；]$/.test(last)) return false;
  return /[(,（，]$/.test(last) || last.length >= WRAPPED || !/^[A-Z\p{Script=Han}`*(]/u.test(next);
}

/** "A: … - B: …" where the whole is a list item: each part begins with a label, or the one before ends a sentence. */
function runTogether(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/ - (?=[A-Z`*\p{Script=Han}])/gu)) {
    const after = text.slice(index + 3, index + 83);
    const areLabels = hasLabel(text.slice(from, Math.min(index, from + 80))) && hasLabel(after);
    if (!areLabels && !/[.!?。]/.test(text.charAt(index - 1))) continue;
    parts.push(text.slice(from, index).trim());
    from = index + 3;
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== '');
}

const hasLabel = (text: string): boolean => /^[^.:。：]{1,60}(?::\s|：)/.test(text);

function isIntroduction(text: string): boolean {
  return /^[A-Z\p{Script=Han}].*[:：]$/u.test(text.trim());
}

/** A command and its continuation, rather than a sentence. */
function isCode(text: string, before: string): boolean {
  return (
    before.endsWith('\\') || /^[a-z$#./<>{}[\]-]/.test(text) || !/^[A-Z(（\p{Script=Han}].*\s.*[.!?。）)]$/u.test(text)
  );
}

function widthOf(text: string): number {
  return text.replaceAll('\t', '    ').length;
}

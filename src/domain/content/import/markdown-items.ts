import { noText, remark, type DraftItem, type DraftText } from './draft.js';
import type { Undecided } from './imported.js';
import { bodyText, splitAtSlash } from './markdown-body.js';
import { rowText, rowTitle, titleColumns, type TitleColumns } from './markdown-columns.js';
import { withTranslations, type Listed, type PairedItem } from './markdown-pairs.js';
import { cellsOf, tableAt } from './markdown-table.js';
import { labelOf, withoutStop, type TitleReader } from './markdown-text.js';
import { hasHan, splitPassage } from './passages.js';

/** The lines of one section without headings of items. */
export interface SectionLines {
  readonly lines: readonly string[];
  readonly fenced: readonly boolean[];
  readonly start: number;
  readonly stop: number;
}

interface OpenItem extends PairedItem {
  /** What is in its language already, above the body. */
  readonly cells: DraftText;
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
          const columns = titleColumns(table);
          const from = this.items.length;
          for (const { line: at, cells } of table.rows) this.addRow(at, table.header, cells, columns);
          this.reportHeader(index, table.header, this.items.slice(from), columns);
          index = table.end - 1;
          this.lastText = '.';
        } else {
          index = this.addLine(line, index);
        }
      }
      this.followsBlank = line.trim() === '';
    }
    const paired = withTranslations(this.items, (index) =>
      this.report(index, 'English and Chinese items do not take turns here; all are kept apart', '中英文条目在此处不再交替，全部分开保留'),
    );
    const items = paired.map(({ title, body, cells }) => ({ title, body: below(cells, bodyText(body, title)) }));
    return { summary: this.summary, items };
  }

  private addRow(index: number, header: readonly string[], cells: readonly string[], columns: TitleColumns): void {
    const [first = ''] = cells;
    const title = rowTitle(cells, columns) ?? this.titleOf(withoutStop(first));
    const { other } = rowTitle(cells, columns) ? columns : { other: -1 };
    const text = rowText(header, cells, other, title);
    if (first !== '') {
      this.items.push({ title, body: [], cells: text, indent: 0, announces: false, listed: null });
      return;
    }
    if (this.items.length === 0) this.report(index, 'A row without a title', '没有标题的表格行');
    this.keep('', text.en, '', text.zh, '');
  }

  /** The Chinese half of a header that no row has need of. */
  private reportHeader(index: number, header: readonly string[], rows: readonly OpenItem[], { other }: TitleColumns): void {
    const isOdd = (name: string, column: number) => column > 0 && column !== other && hasHan(name);
    const text = rows.map(({ cells }) => cells.en + cells.zh).join(' ');
    const isKept = (name: string) => (name.match(/\p{Script=Han}+/gu) ?? []).every((part) => text.includes(part));
    if (header.every((name, column) => !isOdd(name, column) || isKept(name))) return;
    this.report(index, 'The Chinese of this header is left out: the rows are English', '表格各行均为英文，表头的中文未收入');
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
      this.addRow(index, [], cellsOf(line), { first: 'en', other: -1 });
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
      const both = bothLabels(part);
      const { title, rest } = labelOf(part);
      const listed = { label: title, hasRest: rest !== '', index };
      if (both) this.open(both.title, both.body, indent, false, listed);
      else this.open(this.titleOf(title), rest === '' ? [] : [rest], indent, false, listed);
    }
    this.lastText = pieces.at(-1) ?? '';
    return end - 1;
  }

  private open(title: DraftText, body: string[], indent: number, announces: boolean, listed: Listed | null = null): void {
    this.items.push({ title, body, cells: noText, indent, announces, listed });
  }

  private keep(...lines: string[]): void {
    (this.items.at(-1)?.body ?? this.summary).push(...lines);
  }

  private report(index: number, en: string, zh: string): void {
    this.undecided.push(remark(index + 1, this.section.lines[index] ?? '', en, zh));
  }
}

/**
 * Both languages on one line, each with a label and a text or each without: "Warm up: twice. 预热：两次。", also with a
 * slash between them.
 */
function bothLabels(text: string): { title: DraftText; body: string[] } | null {
  const both = splitAtSlash(text) ?? bothPassages(text);
  if (both === null) return null;
  const [one, other] = [labelOf(both.en), labelOf(both.zh)];
  if ((one.rest === '') !== (other.rest === '')) return null;
  return { title: { en: one.title, zh: other.title }, body: one.rest === '' ? [] : [one.rest, '', other.rest] };
}

function bothPassages(text: string): DraftText | null {
  if (!/[.!?]\s*\p{Script=Han}/u.test(text)) return null;
  const { en, zh, isSure } = splitPassage(text, { isSpaced: true, isGlued: !/[.!?]\s+\p{Script=Han}/u.test(text) });
  return isSure && zh !== '' && /[.!?]$/.test(en) ? { en, zh } : null;
}

function below(above: DraftText, text: DraftText): DraftText {
  const join = (...texts: readonly string[]) => texts.filter((part) => part !== '').join('\n\n');
  return { en: join(above.en, text.en), zh: join(above.zh, text.zh) };
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
  if (before.endsWith('\\') || /^[a-z$#./<>{}[\]-]/.test(text)) return true;
  const isSentence = /^[A-Z(（\p{Script=Han}]/u.test(text) && /[.!?。）)]$/.test(text) && /\s/.test(text.slice(1, -1));
  return !isSentence;
}

function widthOf(text: string): number {
  return text.replaceAll('\t', '    ').length;
}

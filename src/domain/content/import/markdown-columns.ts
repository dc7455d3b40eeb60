import type { DraftText } from './draft.js';
import type { Table } from './markdown-table.js';
import { splitTitle } from './markdown-text.js';
import { hasHan } from './passages.js';

/** Which columns of a table hold the title of an item; -1 where none holds the other language. */
export interface TitleColumns {
  readonly first: keyof DraftText;
  readonly other: number;
}

const chineseTitle = /^(?:中文|简体中文|检查|项目|条目|名称|标题|事项|任务|技术|Chinese\b|zh\b)/i;
const englishTitle = /^(?:英文|English|en|check|item|title|name|task|technique)(?![A-Za-z]{2})/i;
/** Names of columns that say something about the item. */
const notTitle = /说明|备注|描述|原因|限制|收益|阈值|效果|措施|做法|方法|建议|数值|单位|负责|状态|优先|结果|目标|注意/;
const LONGEST_TITLE = 40;

/** Finds the column that holds the titles of the first one in the other language. */
export function titleColumns({ header, rows }: Table): TitleColumns {
  const cells = (column: number) => rows.map((row) => row.cells[column] ?? '').filter((cell) => cell !== '');
  const areMost = (column: number, test: (cell: string) => boolean) => {
    const all = cells(column);
    return all.length > 0 && all.filter(test).length * 5 >= all.length * 4;
  };
  const isShort = (cell: string) => hasHan(cell) && cell.length <= LONGEST_TITLE && !/[。！？；]/.test(cell);
  const first = areMost(0, hasHan) && !rows.some(({ cells: [cell = ''] }) => splitTitle(cell)) ? 'zh' : 'en';
  if (first === 'en' && !areMost(0, (cell) => !hasHan(cell))) return { first, other: -1 };
  const other = header.findIndex((name, column) => {
    if (column === 0) return false;
    if (first === 'zh') return englishTitle.test(name) && areMost(column, (cell) => !hasHan(cell));
    const isNext = column === 1 && hasHan(name) && splitTitle(name) === null && !notTitle.test(name);
    return (chineseTitle.test(name) || isNext) && areMost(column, isShort);
  });
  return { first, other };
}

/** The title of a row in the languages that its columns are in; null where the first column alone has it. */
export function rowTitle(cells: readonly string[], { first, other }: TitleColumns): DraftText | null {
  const [one = '', two = ''] = [cells[0], cells[other]];
  if (other < 0 || two === '' || one === '') return null;
  return first === 'en' ? { en: one, zh: two } : { en: two, zh: one };
}

/** The cells that are no titles as lines "**Header**: value" in the language of the value; numbers in both. */
export function rowText(
  header: readonly string[],
  cells: readonly string[],
  other: number,
  title: DraftText,
): DraftText {
  const en: string[] = [];
  const zh: string[] = [];
  const rest = cells.flatMap((cell, column) => (column === 0 || column === other || cell === '' ? [] : [{ cell, column }]));
  const isChinese = title.zh !== '' || rest.some(({ cell }) => hasHan(cell));
  for (const { cell, column } of rest) {
    const raw = header[column] ?? '';
    const name = splitTitle(raw) ?? { en: raw, zh: raw };
    const value = valueOf(cell, isChinese, title.en === '' && isChinese);
    if (value.en !== '') en.push(line(name.en, value.en));
    if (value.zh !== '') zh.push(line(name.zh, value.zh));
  }
  return { en: en.join('\n\n'), zh: zh.join('\n\n') };
}

const line = (name: string, value: string): string => (name === '' ? value : `**${name}**: ${value}`);

function valueOf(cell: string, isChinese: boolean, isChineseAlone: boolean): DraftText {
  if (hasHan(cell)) return splitTitle(cell) ?? { en: '', zh: cell };
  const hasWords = /[A-Za-z]{3,}/.test(cell);
  if (hasWords) return { en: cell, zh: '' };
  return { en: isChineseAlone ? '' : cell, zh: isChinese ? cell : '' };
}

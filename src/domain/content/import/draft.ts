import { cutText } from '../../cut-text.js';
import type { BothLanguages } from '../../locale.js';
import { checklistBundle, type ChecklistBundle } from '../bundle.js';
import type { ChecklistFormat, ReadChecklist, Undecided } from './imported.js';
import { uniqueKeys } from './key-of.js';

/** A text in up to two languages; what is empty is absent. */
export interface DraftText {
  readonly en: string;
  readonly zh: string;
}

export interface DraftItem {
  readonly title: DraftText;
  readonly body: DraftText;
}

export interface DraftSection {
  readonly title: DraftText;
  readonly summary: DraftText;
  readonly items: readonly DraftItem[];
}

/** What a reader found in a text that has no keys. */
export interface Draft {
  readonly title: DraftText;
  readonly summary: DraftText;
  readonly sections: readonly DraftSection[];
  readonly undecided: readonly Undecided[];
}

export const noText: DraftText = { en: '', zh: '' };

const EXCERPT = 120;

/** One remark for whoever looks through the import. */
export function remark(line: number, text: string, en: string, zh: string): Undecided {
  return { line, message: { en, zh }, text: cutText(text.trim(), EXCERPT) };
}

/** The draft with keys as a checklist; a title that is missing is made of the file's name. */
export function checklistOf(draft: Draft, format: ChecklistFormat, fileName: string | undefined): ReadChecklist {
  if (draft.sections.every(({ items }) => items.length === 0)) {
    return { problems: [{ line: null, message: noItems }] };
  }
  const title = isBlank(draft.title) ? nameOf(fileName) : draft.title;
  const sectionKeys = uniqueKeys(
    draft.sections.map((section) => (isBlank(section.title) ? title : section.title)),
    'section',
  );
  const summary = localizedOf(draft.summary);
  const bundle: ChecklistBundle = {
    format: 'tunebook-checklist/1',
    title: localizedOf(title) ?? {},
    ...(summary ? { summary } : {}),
    sections: draft.sections.map((section, index) => {
      const keys = uniqueKeys(
        section.items.map((item) => item.title),
        'item',
      );
      const about = localizedOf(section.summary);
      return {
        key: sectionKeys[index] ?? '',
        title: localizedOf(section.title) ?? localizedOf(title) ?? {},
        ...(about ? { summary: about } : {}),
        items: section.items.map((item, at) => {
          const body = localizedOf(item.body);
          return { key: keys[at] ?? '', title: localizedOf(item.title) ?? {}, ...(body ? { body } : {}) };
        }),
      };
    }),
  };
  const checked = checklistBundle.safeParse(bundle);
  if (checked.success) {
    return { checklist: { bundle: checked.data, format, undecided: inOrder(draft.undecided) } };
  }
  return {
    problems: checked.error.issues.map(({ path, message }) => ({
      line: null,
      message: { en: `${path.join('.')}: ${message}`, zh: `${path.join('.')}：${message}` },
    })),
  };
}

export function isBlank(text: DraftText): boolean {
  return text.en.trim() === '' && text.zh.trim() === '';
}

const noItems: BothLanguages = {
  en: 'No item was found: items are list items, rows of tables, or headings of the third level',
  zh: '没有找到任何条目：条目可以是列表项、表格行或三级标题',
};

function inOrder(undecided: readonly Undecided[]): Undecided[] {
  return [...undecided].sort((one, other) => one.line - other.line);
}

function nameOf(fileName: string | undefined): DraftText {
  const name = (fileName ?? '').replace(/^.*[/\\]/, '').replace(/\.[A-Za-z0-9]{1,10}$/, '');
  const title = name.replace(/[-_\s]+/g, ' ').trim();
  return title === '' ? { en: 'Imported checklist', zh: '导入的检查清单' } : textInItsLanguage(title);
}

function textInItsLanguage(text: string): DraftText {
  return /\p{Script=Han}/u.test(text) ? { en: '', zh: text } : { en: text, zh: '' };
}

/** Null where there is no text in either language. */
function localizedOf({ en, zh }: DraftText): { en?: string; zh?: string } | null {
  const text = { ...(en.trim() === '' ? {} : { en }), ...(zh.trim() === '' ? {} : { zh }) };
  return 'en' in text || 'zh' in text ? text : null;
}

import { isChineseOnly } from './alternating.js';
import { isFinished } from './bilingual-units.js';
import type { DraftText } from './draft.js';
import { labelOf } from './markdown-text.js';
import { hasHan } from './passages.js';

/** A list item as it was read: its label, and where it stands. */
export interface Listed {
  readonly label: string;
  /** Whether the body begins with what the item says behind its label. */
  readonly hasRest: boolean;
  /** Index of its line. */
  readonly index: number;
}

export interface PairedItem {
  readonly title: DraftText;
  readonly body: string[];
  /** Null for what is no list item. */
  readonly listed: Listed | null;
}

/**
 * Joins list items with their translations: the next item, where English and Chinese take turns throughout the list, or
 * the line below. Calls `broken` with the line of an item where the turns break; nothing of that list is joined.
 */
export function withTranslations<Item extends PairedItem>(items: readonly Item[], broken: (index: number) => void): Item[] {
  const result: Item[] = [];
  for (let from = 0; from < items.length; ) {
    let end = from + 1;
    if (items[from]?.listed) while (items[end]?.listed) end += 1;
    result.push(...ofList(items.slice(from, end), broken));
    from = end;
  }
  return result;
}

type Language = keyof DraftText | 'both';

function ofList<Item extends PairedItem>(list: readonly Item[], broken: (index: number) => void): Item[] {
  const languages = list.map(languageOf);
  const takesTurns = (at: number) => {
    const [one, other] = [languages[at], languages[at + 1]];
    return one === languages[0] && one !== 'both' && other !== undefined && other !== 'both' && other !== one;
  };
  const starts = list.flatMap((_, at) => (at % 2 === 0 ? [at] : []));
  if (list.length > 1 && starts.every(takesTurns)) return starts.flatMap((at) => joined(list[at], list[at + 1]));
  const turns = languages.filter((_, at) => takesTurns(at)).length;
  const odd = starts.find((at) => !takesTurns(at)) ?? 0;
  if (turns > 0 && turns * 6 >= list.length * 2) broken(list[odd]?.listed?.index ?? 0);
  const below = list.map(translatedBelow);
  return below.every((item) => item !== null) ? below : [...list];
}

function languageOf({ listed, body }: PairedItem): Language {
  if (!listed) return 'both';
  const text = `${listed.label} ${listed.hasRest ? (body[0] ?? '') : ''}`;
  if (!hasHan(text)) return 'en';
  return isChineseOnly(text) ? 'zh' : 'both';
}

function joined<Item extends PairedItem>(one: Item | undefined, other: Item | undefined): Item[] {
  if (!one?.listed || !other?.listed) return [one, other].filter((item) => item !== undefined);
  const [english, chinese] = hasHan(one.listed.label) ? [other, one] : [one, other];
  const title = { en: english.listed?.label ?? '', zh: chinese.listed?.label ?? '' };
  return [{ ...one, title, body: [...english.body, '', ...chinese.body] }];
}

/** "- English" with one Chinese line of the same shape below it. */
function translatedBelow<Item extends PairedItem>(item: Item): Item | null {
  const { listed, body } = item;
  if (!listed || hasHan(listed.label)) return null;
  const rest = listed.hasRest ? body.slice(0, 1) : [];
  const [first = '', next = ''] = body.slice(rest.length);
  const text = first.trim().replace(/^[-*+•][ \t]+/, '');
  if (!hasHan(text) || !isChineseOnly(text) || /^[-*+•]/.test(next.trim())) return null;
  const label = labelOf(text);
  const isAlike = (label.rest !== '') === listed.hasRest && (listed.hasRest || !isFinished(text) || text.length <= 30);
  if (!isAlike || hasHan(rest.join(''))) return null;
  const others = body.slice(rest.length + 1);
  const chinese = label.rest === '' ? [] : ['', label.rest];
  return { ...item, title: { en: listed.label, zh: label.title }, body: [...rest, ...chinese, ...others] };
}

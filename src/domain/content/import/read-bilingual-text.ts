import type { BothLanguages } from '../../locale.js';
import { alternates } from './alternating.js';
import { BilingualText } from './bilingual-join.js';
import { outlineOf, type Placed } from './bilingual-outline.js';
import { isFinished, unitsOf, type Unit } from './bilingual-units.js';
import { checklistOf, isBlank, noText, remark, type Draft, type DraftItem, type DraftText } from './draft.js';
import type { ReadChecklist, Undecided } from './imported.js';
import { labelOf } from './markdown-text.js';
import { typesettingOf } from './passages.js';

interface OpenItem {
  readonly unit: Unit;
  readonly body: BilingualText;
}

interface OpenSection {
  /** Null for what stands before the first heading. */
  readonly heading: Unit | null;
  readonly summary: BilingualText;
  readonly items: OpenItem[];
}

/**
 * Reads a text in which each English passage is followed by its Chinese translation, on one line or by turns. Where
 * titles of items are on one line, headings of sections are a line of each language; otherwise their order or their
 * numbers tell them apart.
 */
export function readBilingualText(text: string, fileName?: string): ReadChecklist {
  const { units, undecided } = unitsOf(text, typesettingOf(text), alternates(text, 0.4) ? 'TURNS' : 'ONE_LINE');
  for (const unit of units) {
    if (unit.passages.some(({ isSure }) => !isSure)) undecided.push(remark(unit.line, unit.text, ...unsureBoundary));
  }
  const outline = outlineOf(units);
  const draft = outline ? placedDraft(outline, undecided) : draftOf(sectionsOf(units), undecided);
  if (draft.sections.every(({ items }) => items.length === 0)) return { problems: [{ line: null, message: noPassages }] };
  return checklistOf(draft, 'bilingual-text', fileName);
}

/** The draft where the place of each unit is known. */
function placedDraft(placed: readonly Placed[], undecided: Undecided[]): Draft {
  let title = noText;
  const summary = new BilingualText();
  const sections: OpenSection[] = [];
  for (const { unit, place, isGuess } of placed) {
    const section = sections.at(-1);
    const [en, zh] = place === 'NAME' ? guessedName : guessedSection;
    if (isGuess) undecided.push(remark(unit.line, unit.text, en, zh));
    if (place === 'NAME') title = textOf(unit);
    else if (place === 'SECTION') sections.push({ heading: unit, summary: new BilingualText(), items: [] });
    else if (place === 'TEXT') (section?.items.at(-1)?.body ?? section?.summary ?? summary).add(unit);
    else if (section) section.items.push({ unit, body: new BilingualText() });
    else sections.push({ heading: null, summary: new BilingualText(), items: [{ unit, body: new BilingualText() }] });
  }
  report(summary, undecided);
  return {
    title,
    summary: summary.text,
    undecided,
    sections: sections.map(({ heading, summary: about, items }) => {
      if (heading && items.length === 0) undecided.push(remark(heading.line, heading.text, ...noItems));
      report(about, undecided);
      return { title: heading ? textOf(heading) : title, summary: about.text, items: itemsOf(items, undecided) };
    }),
  };
}

function sectionsOf(units: readonly Unit[]): OpenSection[] {
  let section: OpenSection = { heading: null, summary: new BilingualText(), items: [] };
  const sections = [section];
  for (const unit of units) {
    const [passage] = unit.passages;
    if (unit.kind === 'HEADING') {
      section = { heading: unit, summary: new BilingualText(), items: [] };
      sections.push(section);
    } else if (unit.kind === 'TITLE' && passage) {
      section.items.push({ unit, body: new BilingualText() });
    } else {
      (section.items.at(-1)?.body ?? section.summary).add(unit);
    }
  }
  return sections;
}

function draftOf(opened: OpenSection[], undecided: Undecided[]): Draft {
  const [before, ...headed] = opened;
  const first = headed.findIndex(({ items }) => items.length > 0);
  const leading = first < 0 ? headed : headed.slice(0, first);
  const titled = leading.at(-1);
  let title = titled?.heading ? textOf(titled.heading) : noText;
  const summaries = titled ? [titled.summary] : [];
  for (const section of leading.slice(0, -1)) reportWhole(section, undecided, ...outside);
  const rest = first < 0 ? [] : headed.slice(first);
  let loose = before ? [...before.items] : [];
  const [leader] = loose;
  if (isBlank(title) && leader && (rest.length > 0 || loose.length > 1) && before?.summary.isEmpty) {
    title = textOf(leader.unit);
    summaries.push(leader.body);
    loose = loose.slice(1);
  }
  if (before) reportLoose(before.summary, title, undecided);
  const sections = [];
  if (loose.length > 0) sections.push({ title, summary: noText, items: itemsOf(loose, undecided) });
  for (const section of rest) {
    if (section.items.length === 0) {
      reportWhole(section, undecided, ...outside);
      continue;
    }
    report(section.summary, undecided);
    sections.push({
      title: section.heading ? textOf(section.heading) : noText,
      summary: section.summary.text,
      items: itemsOf(section.items, undecided),
    });
  }
  for (const summary of summaries) report(summary, undecided);
  return { title, summary: joined(summaries), sections, undecided };
}

function itemsOf(items: readonly OpenItem[], undecided: Undecided[]): DraftItem[] {
  return items.map(({ unit, body }) => {
    report(body, undecided);
    const { title, rest } = labelled(textOf(unit));
    const { en, zh } = body.text;
    return { title, body: { en: paragraphs(rest.en, en), zh: paragraphs(rest.zh, zh) } };
  });
}

/** A title that is a whole passage keeps its first sentence or its label; the rest is text. */
function labelled({ en, zh }: DraftText): { title: DraftText; rest: DraftText } {
  if (!isFinished(en) && !isFinished(zh)) return { title: { en, zh }, rest: noText };
  const [, sentence = '', more = ''] = /^(.{1,120}?)[.!?]\s+(?=[A-Z])(.*)$/.exec(en) ?? [];
  const [, chinese = '', further = ''] = /^([^。！？]{1,60})[。！？](.+)$/.exec(zh) ?? [];
  if (sentence !== '' && chinese !== '') {
    return { title: { en: sentence, zh: chinese }, rest: { en: more, zh: further } };
  }
  const [one, other] = [labelOf(en), labelOf(zh)];
  return { title: { en: one.title, zh: other.title }, rest: { en: one.rest, zh: other.rest } };
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Every line of a section that is none. */
function reportWhole(section: OpenSection, undecided: Undecided[], en: string, zh: string): void {
  if (section.heading) undecided.push(remark(section.heading.line, section.heading.text, en, zh));
  for (const unit of section.summary.units) undecided.push(remark(unit.line, unit.text, en, zh));
}

/** What stands before the first heading, but for the repeated title. */
function reportLoose(loose: BilingualText, title: DraftText, undecided: Undecided[]): void {
  for (const { line, text } of loose.units) {
    if (text !== title.en && text !== title.zh) undecided.push(remark(line, text, ...outside));
  }
}

function report(text: BilingualText, undecided: Undecided[]): void {
  const last = text.units.at(-1);
  if (last && !text.isFinished) undecided.push(remark(last.line, last.text, ...unfinished));
}

function textOf({ passages: [passage] }: Unit): DraftText {
  return passage ? { en: passage.en, zh: passage.zh } : noText;
}

function joined(texts: readonly BilingualText[]): DraftText {
  return texts[0]?.text ?? noText;
}

const unsureBoundary = [
  'It is not sure where the English ends and the Chinese begins',
  '英文与中文的分界不确定',
] as const;
const outside = ['Belongs to no section with items; not imported', '不属于任何含有条目的章节，未导入'] as const;
const unfinished = ['The text ends in the middle of a sentence', '文本在句子中间结束'] as const;
const noItems = ['A section without items', '没有条目的章节'] as const;
const guessedName = [
  'The first pair was taken as the title of the checklist; it may be an item',
  '开头的一对短句被当作清单标题，也可能是一个条目',
] as const;
const guessedSection = [
  'Several short pairs follow each other: the first was taken as a section, the others as items',
  '连续出现多对短句：第一对当作章节，其余当作条目',
] as const;
const noPassages: BothLanguages = {
  en: 'No item was found: in bilingual text an item is a short title in English and in Chinese, on one line or on two that follow each other, with its text in both languages below',
  zh: '没有找到任何条目：在中英对照文本中，条目是一个中英文短标题（写在同一行或相邻两行），其下是两种语言的正文',
};

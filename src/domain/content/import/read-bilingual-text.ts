import { BilingualText } from './bilingual-join.js';
import { unitsOf, type Unit } from './bilingual-units.js';
import { checklistOf, isBlank, noText, remark, type Draft, type DraftItem, type DraftText } from './draft.js';
import type { ReadChecklist, Undecided } from './imported.js';
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
 * Reads a text in which each English passage is followed by its Chinese translation: a heading is a line of each
 * language, the title of an item one line of both without the end of a sentence, its body what follows.
 */
export function readBilingualText(text: string, fileName?: string): ReadChecklist {
  const { units, undecided } = unitsOf(text, typesettingOf(text));
  const sections = sectionsOf(units, undecided);
  return checklistOf(draftOf(sections, undecided), 'bilingual-text', fileName);
}

function sectionsOf(units: readonly Unit[], undecided: Undecided[]): OpenSection[] {
  let section: OpenSection = { heading: null, summary: new BilingualText(), items: [] };
  const sections = [section];
  for (const unit of units) {
    const [passage] = unit.passages;
    if (unit.passages.some(({ isSure }) => !isSure)) undecided.push(remark(unit.line, unit.text, ...unsureBoundary));
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
    return { title: textOf(unit), body: body.text };
  });
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

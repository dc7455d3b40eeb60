import type { TextKind } from './bilingual-text.js';
import { problemsInChinese, problemsInEnglish } from './bilingual-text.js';
import type { Catalog, CatalogChecklist, CatalogItem, CatalogNote, CatalogSection } from './catalog.js';
import { checkItem } from './check-item.js';
import { checkLists } from './check-lists.js';
import { checkNote, readNote, type NoteContext } from './check-note.js';
import type { ContentFile, ContentProblem, Path, Report } from './content-file.js';
import { reporter } from './content-file.js';
import { checkDigestOf, digestOf, textDigestsOf } from './digest.js';
import { atFile, readFiles, registryOf, type Files } from './read-files.js';
import type { Registry } from './registry.js';
import type { ChecklistFile, GlossaryEntry, TranslationsFile } from './schema.js';
import { refusedSection } from './section-key.js';
import { misusedTerms, termRules, type TermRule } from './terms.js';

/**
 * Reads all of content/ (path relative to it, `/` between folders → text) into a catalog, or finds all problems at
 * once. JSON Schemas in schema/ are passed over; every other file must be of a kind that `contentFiles` lists.
 */
export function parseContent(
  files: ReadonlyMap<string, string>,
): { readonly catalog: Catalog } | { readonly problems: readonly ContentProblem[] } {
  const problems: ContentProblem[] = [];
  const read = readFiles(files, problems);
  const registry = registryOf(read);
  for (const item of read.items) {
    if (item.content) checkItem(item.content.data, item.key, registry, reporter(item.content, problems));
  }
  checkSections(read, problems);
  checkTranslations(read, problems);
  checkLists(read.lists, read.hardware, registry, problems);
  const notes = readNotes(read, registry, problems);
  checkTexts(read, problems);
  if (problems.length > 0) return { problems: problems.sort(byPlace) };
  return { catalog: catalogOf(read, notes) };
}

/** Notes with what their measurements say; where something is wrong it is reported, and the note is left out. */
function readNotes(read: Files, registry: Registry, problems: ContentProblem[]): readonly CatalogNote[] {
  const context: NoteContext = {
    metrics: read.lists.metrics?.data ?? [],
    environmentKeys: read.lists.environmentKeys?.data ?? [],
    hardware: new Set(read.hardware.flatMap(({ data }) => data.profiles.map(({ slug }) => slug))),
  };
  const used = new Set<string>();
  const notes = read.notes.flatMap(({ slug, content }): CatalogNote[] => {
    const report = reporter(content, problems);
    const textOf = (name: string) => {
      used.add(`notes/${slug}/${name}`);
      return read.measurements.get(`notes/${slug}/${name}`);
    };
    checkNote(content.data, registry, context, report);
    // Without the metrics nothing can be said of measurements; that the file is broken is reported already.
    const reading = read.lists.metrics ? readNote(content.data, textOf, context, report) : null;
    if (!reading) return [];
    return [{ ...content.data, slug, reading, digest: digestOf([content.data, reading.digest]) }];
  });
  for (const path of read.measurements.keys()) {
    if (used.has(path)) continue;
    problems.push(atFile(path, { en: 'no note names this measurement', zh: '没有笔记引用此测量文件' }));
  }
  return notes;
}

function checkSections({ items, checklists }: Files, problems: ContentProblem[]): void {
  for (const [slug, content] of checklists) {
    if (!content) continue;
    const report = reporter(content, problems);
    const keys = content.data.sections.map((section) => section.key);
    for (const [index, key] of keys.entries()) {
      const here: Path = ['sections', index, 'key'];
      const refusal = refusedSection(key);
      if (refusal) report(here, refusal);
      if (keys.indexOf(key) < index) report(here, { en: `"${key}" stands here twice`, zh: `“${key}”重复` });
      const inSection = items.filter((item) => item.checklist === slug && item.section === key);
      if (inSection.length === 0) report(here, { en: `section "${key}" has no items`, zh: `章节“${key}”没有条目` });
      checkOrder(inSection, here, report);
    }
  }
  for (const { file, checklist, section } of items) {
    const content = checklists.get(checklist);
    if (content === undefined) {
      problems.push(atFile(file, { en: 'its checklist has no checklist.yaml', zh: '所属清单没有 checklist.yaml' }));
    } else if (content && !content.data.sections.some(({ key }) => key === section)) {
      problems.push(atFile(file, { en: `checklist.yaml has no section "${section}"`, zh: `checklist.yaml 中没有章节“${section}”` }));
    }
  }
}

// Nothing is said while an item of the section cannot be read: its place would look like a gap
/** A record of an item that is gone would be taken for one of a later item with its key. */
function checkTranslations({ items, translations }: Files, problems: ContentProblem[]): void {
  for (const [slug, content] of translations) {
    const report = reporter(content, problems);
    for (const key of Object.keys(content.data)) {
      if (items.some((item) => item.key === `${slug}:${key}`)) continue;
      report([key], { en: `there is no item "${key}"`, zh: `不存在条目“${key}”` });
    }
  }
}

function checkOrder(items: Files['items'], path: Path, report: Report): void {
  const orders = items.flatMap((item) => (item.content ? [item.content.data.order] : [])).sort((a, b) => a - b);
  if (orders.length !== items.length || orders.every((order, index) => order === index + 1)) return;
  report(path, {
    en: `the orders of its items must be 1 to ${orders.length}, they are ${orders.join(', ')}`,
    zh: `条目的 order 应为 1 到 ${orders.length}，实际为 ${orders.join('、')}`,
  });
}

function checkTexts({ items, checklists, hardware, lists, notes }: Files, problems: ContentProblem[]): void {
  const contents: (ContentFile<unknown> | null | undefined)[] = [
    ...items.map((item) => item.content),
    ...checklists.values(),
    ...hardware,
    ...notes.map(({ content }) => content),
    lists.metrics,
    lists.capabilities,
    lists.tags,
    lists.environmentKeys,
  ];
  const rules = termRules(lists.glossary?.data ?? []);
  for (const content of contents) {
    if (content) checkTextsIn(content.data, [], rules, reporter(content, problems));
  }
  if (lists.glossary) checkGlossaryTexts(lists.glossary, reporter(lists.glossary, problems));
}

function checkTextsIn(value: unknown, path: Path, rules: readonly TermRule[], report: Report): void {
  if (typeof value !== 'object' || value === null) return;
  if ('en' in value && 'zh' in value && typeof value.en === 'string' && typeof value.zh === 'string') {
    const kind: TextKind = path.at(-1) === 'name' ? 'NAME' : 'PROSE';
    for (const message of problemsInEnglish(value.en)) report([...path, 'en'], message);
    for (const message of problemsInChinese(value.zh, kind)) report([...path, 'zh'], message);
    for (const message of misusedTerms(value.en, value.zh, rules)) report([...path, 'zh'], message);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) checkTextsIn(inner, [...path, index], rules, report);
    return;
  }
  for (const [key, inner] of Object.entries(value)) checkTextsIn(inner, [...path, key], rules, report);
}

function checkGlossaryTexts({ data }: ContentFile<readonly GlossaryEntry[]>, report: Report): void {
  for (const [index, entry] of data.entries()) {
    for (const message of problemsInEnglish(entry.en)) report([index, 'en'], message);
    for (const message of problemsInChinese(entry.zh, 'NAME')) report([index, 'zh'], message);
    // a note may name Chinese words in English prose: what is 显存, what is 内存
    if (entry.note?.zh === undefined) continue;
    for (const message of problemsInChinese(entry.note.zh, 'PROSE')) report([index, 'note', 'zh'], message);
  }
}

function catalogOf({ items, checklists, hardware, lists, translations }: Files, notes: readonly CatalogNote[]): Catalog {
  return {
    checklists: [...checklists].flatMap(([slug, content]) => 
      content ? [checklistOf(slug, content.data, items, translations.get(slug)?.data ?? {})] : [],
    ),
    metrics: lists.metrics?.data ?? [],
    hardware: hardware.map((content) => content.data),
    capabilities: lists.capabilities?.data ?? [],
    tags: lists.tags?.data ?? [],
    glossary: lists.glossary?.data ?? [],
    environmentKeys: lists.environmentKeys?.data ?? [],
    notes,
  };
}

function checklistOf(
  slug: string,
  checklist: ChecklistFile,
  items: Files['items'],
  translations: TranslationsFile,
): CatalogChecklist {
  let position = 0;
  const itemsOf = (section: string): CatalogItem[] =>
    items
      .flatMap(({ checklist: of, section: within, topic, content }) =>
        of === slug && within === section && content ? [{ key: `${section}/${topic}`, item: content.data }] : [],
      )
      .sort((a, b) => a.item.order - b.item.order)
      .map(({ key, item }) => {
        const textDigests = textDigestsOf(item, translations[key] ?? {});
        return {
          ...item,
          key,
          position: (position += 1),
          checkDigest: checkDigestOf(item),
          digest: digestOf([item, textDigests]),
          textDigests,
        };
      });
  const sections = checklist.sections
    .filter(({ draft }) => !draft)
    .map(({ key, title, summary }, index): CatalogSection => ({ key, title, summary, order: index + 1, items: itemsOf(key) }));
  return { slug, release: checklist.release, title: checklist.title, summary: checklist.summary, sections };
}

function byPlace(a: ContentProblem, b: ContentProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}

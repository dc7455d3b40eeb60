import type { z } from 'zod';
import type { BothLanguages } from '../locale.js';
import type { TextKind } from './bilingual-text.js';
import { problemsInChinese, problemsInEnglish } from './bilingual-text.js';
import type { Catalog, CatalogChecklist, CatalogItem, CatalogSection } from './catalog.js';
import { checkItem } from './check-item.js';
import type { Lists } from './check-lists.js';
import { checkLists } from './check-lists.js';
import type { ContentFile, ContentProblem, Path, Report } from './content-file.js';
import { readContentFile, reporter } from './content-file.js';
import { checkDigestOf, digestOf, textDigestsOf } from './digest.js';
import type { Registry } from './registry.js';
import { contentFiles } from './schema.js';
import type { ChecklistFile, GlossaryEntry, HardwareFile, ItemFile } from './schema.js';

interface PlacedItem {
  /** checklist:section/topic */
  readonly key: string;
  readonly file: string;
  readonly checklist: string;
  readonly section: string;
  readonly topic: string;
  readonly content: ContentFile<ItemFile> | null;
}

interface Files {
  readonly items: readonly PlacedItem[];
  /** Null where the file does not have its shape. */
  readonly checklists: ReadonlyMap<string, ContentFile<ChecklistFile> | null>;
  readonly hardware: readonly ContentFile<HardwareFile>[];
  readonly lists: Lists;
}

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
  checkLists(read.lists, read.hardware, registry, problems);
  checkTexts(read, problems);
  if (problems.length > 0) return { problems: problems.sort(byPlace) };
  return { catalog: catalogOf(read) };
}

function readFiles(files: ReadonlyMap<string, string>, problems: ContentProblem[]): Files {
  const readAs = <T>(file: string, text: string, shape: z.ZodType<T>): ContentFile<T> | null => {
    const reading = readContentFile(file, text, shape);
    if ('read' in reading) return reading.read;
    problems.push(...reading.problems);
    return null;
  };
  const readList = <T>(file: string, shape: z.ZodType<T>): ContentFile<T> | null => {
    const text = files.get(file);
    if (text !== undefined) return readAs(file, text, shape);
    problems.push(atFile(file, { en: 'the file is missing', zh: '缺少该文件' }));
    return null;
  };
  const lists: Lists = {
    metrics: readList('metrics.yaml', contentFiles.metrics.shape),
    capabilities: readList('capabilities.yaml', contentFiles.capabilities.shape),
    tags: readList('tags.yaml', contentFiles.tags.shape),
    glossary: readList('glossary.yaml', contentFiles.glossary.shape),
    environmentKeys: readList('environment-keys.yaml', contentFiles['environment-keys'].shape),
  };
  const items: PlacedItem[] = [];
  const checklists = new Map<string, ContentFile<ChecklistFile> | null>();
  const hardware: ContentFile<HardwareFile>[] = [];
  for (const [file, text] of files) {
    const [, checklist, section, topic] = contentFiles.item.path.exec(file) ?? [];
    const [, slug] = contentFiles.checklist.path.exec(file) ?? [];
    if (checklist !== undefined && section !== undefined && topic !== undefined) {
      const content = readAs(file, text, contentFiles.item.shape);
      items.push({ key: `${checklist}:${section}/${topic}`, file, checklist, section, topic, content });
    } else if (slug !== undefined) {
      checklists.set(slug, readAs(file, text, contentFiles.checklist.shape));
    } else if (contentFiles.hardware.path.test(file)) {
      const content = readAs(file, text, contentFiles.hardware.shape);
      if (content) hardware.push(content);
    } else if (!Object.values(contentFiles).some(({ path }) => path.test(file)) && !file.startsWith('schema/')) {
      problems.push(atFile(file, { en: 'no kind of content lies here', zh: '此处不应有内容文件' }));
    }
  }
  return { items, checklists, hardware, lists };
}

function registryOf({ items, checklists, lists }: Files): Registry {
  const keysOf = (entries: readonly { readonly key: string }[] | undefined) =>
    entries ? new Set(entries.map((entry) => entry.key)) : null;
  return {
    metrics: keysOf(lists.metrics?.data),
    tags: keysOf(lists.tags?.data),
    capabilities: keysOf(lists.capabilities?.data),
    facts: keysOf(lists.environmentKeys?.data),
    items: new Set(items.map((item) => item.key)),
    drafts: new Set(items.filter((item) => isDraft(item, checklists)).map((item) => item.key)),
  };
}

function isDraft({ checklist, section }: PlacedItem, checklists: Files['checklists']): boolean {
  return checklists.get(checklist)?.data.sections.some(({ key, draft }) => key === section && draft) ?? false;
}

function checkSections({ items, checklists }: Files, problems: ContentProblem[]): void {
  for (const [slug, content] of checklists) {
    if (!content) continue;
    const report = reporter(content, problems);
    const keys = content.data.sections.map((section) => section.key);
    for (const [index, key] of keys.entries()) {
      const here: Path = ['sections', index, 'key'];
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
function checkOrder(items: readonly PlacedItem[], path: Path, report: Report): void {
  const orders = items.flatMap((item) => (item.content ? [item.content.data.order] : [])).sort((a, b) => a - b);
  if (orders.length !== items.length || orders.every((order, index) => order === index + 1)) return;
  report(path, {
    en: `the orders of its items must be 1 to ${orders.length}, they are ${orders.join(', ')}`,
    zh: `条目的 order 应为 1 到 ${orders.length}，实际为 ${orders.join('、')}`,
  });
}

function checkTexts({ items, checklists, hardware, lists }: Files, problems: ContentProblem[]): void {
  const contents: (ContentFile<unknown> | null | undefined)[] = [
    ...items.map((item) => item.content),
    ...checklists.values(),
    ...hardware,
    lists.metrics,
    lists.capabilities,
    lists.tags,
    lists.environmentKeys,
  ];
  for (const content of contents) {
    if (content) checkTextsIn(content.data, [], reporter(content, problems));
  }
  if (lists.glossary) checkGlossaryTexts(lists.glossary, reporter(lists.glossary, problems));
}

function checkTextsIn(value: unknown, path: Path, report: Report): void {
  if (typeof value !== 'object' || value === null) return;
  if ('en' in value && 'zh' in value && typeof value.en === 'string' && typeof value.zh === 'string') {
    const kind: TextKind = path.at(-1) === 'name' ? 'NAME' : 'PROSE';
    for (const message of problemsInEnglish(value.en)) report([...path, 'en'], message);
    for (const message of problemsInChinese(value.zh, kind)) report([...path, 'zh'], message);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) checkTextsIn(inner, [...path, index], report);
    return;
  }
  for (const [key, inner] of Object.entries(value)) checkTextsIn(inner, [...path, key], report);
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

function catalogOf({ items, checklists, hardware, lists }: Files): Catalog {
  return {
    checklists: [...checklists].flatMap(([slug, content]) => (content ? [checklistOf(slug, content.data, items)] : [])),
    metrics: lists.metrics?.data ?? [],
    hardware: hardware.map((content) => content.data),
    capabilities: lists.capabilities?.data ?? [],
    tags: lists.tags?.data ?? [],
    glossary: lists.glossary?.data ?? [],
    environmentKeys: lists.environmentKeys?.data ?? [],
  };
}

function checklistOf(slug: string, checklist: ChecklistFile, items: readonly PlacedItem[]): CatalogChecklist {
  let position = 0;
  const itemsOf = (section: string): CatalogItem[] =>
    items
      .flatMap(({ checklist: of, section: within, topic, content }) =>
        of === slug && within === section && content ? [{ key: `${section}/${topic}`, item: content.data }] : [],
      )
      .sort((a, b) => a.item.order - b.item.order)
      .map(({ key, item }) => ({
        ...item,
        key,
        position: (position += 1),
        checkDigest: checkDigestOf(item),
        digest: digestOf(item),
        textDigests: textDigestsOf(item),
      }));
  const sections = checklist.sections
    .filter(({ draft }) => !draft)
    .map(({ key, title, summary }, index): CatalogSection => ({ key, title, summary, order: index + 1, items: itemsOf(key) }));
  return { slug, release: checklist.release, title: checklist.title, summary: checklist.summary, sections };
}

function atFile(file: string, message: BothLanguages): ContentProblem {
  return { file, path: '', line: null, message };
}

function byPlace(a: ContentProblem, b: ContentProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}

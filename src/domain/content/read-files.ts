import type { z } from 'zod';
import type { BothLanguages } from '../locale.js';
import type { Lists } from './check-lists.js';
import type { ContentFile, ContentProblem } from './content-file.js';
import { readContentFile } from './content-file.js';
import type { Registry } from './registry.js';
import { contentFiles, measurementPath } from './schema.js';
import type { ChecklistFile, HardwareFile, ItemFile, NoteFile, TranslationsFile } from './schema.js';

/** An item file with its place. */
export interface PlacedItem {
  /** checklist:section/topic */
  readonly key: string;
  readonly file: string;
  readonly checklist: string;
  readonly section: string;
  readonly topic: string;
  readonly content: ContentFile<ItemFile> | null;
}

export interface PlacedNote {
  readonly slug: string;
  readonly content: ContentFile<NoteFile>;
}

/** All files of content/, each in its shape. */
export interface Files {
  readonly items: readonly PlacedItem[];
  /** Null where the file does not have its shape. */
  readonly checklists: ReadonlyMap<string, ContentFile<ChecklistFile> | null>;
  /** By slug of the checklist. */
  readonly translations: ReadonlyMap<string, ContentFile<TranslationsFile>>;
  readonly hardware: readonly ContentFile<HardwareFile>[];
  readonly lists: Lists;
  readonly notes: readonly PlacedNote[];
  /** By path: what lies beside the notes. */
  readonly measurements: ReadonlyMap<string, string>;
}

/** Reads each file by its path, and reports those that are of no kind or not of the shape of their kind. */
export function readFiles(files: ReadonlyMap<string, string>, problems: ContentProblem[]): Files {
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
  const translations = new Map<string, ContentFile<TranslationsFile>>();
  const hardware: ContentFile<HardwareFile>[] = [];
  const notes: PlacedNote[] = [];
  const measurements = new Map<string, string>();
  for (const [file, text] of files) {
    const [, checklist, section, topic] = contentFiles.item.path.exec(file) ?? [];
    const [, slug] = contentFiles.checklist.path.exec(file) ?? [];
    if (checklist !== undefined && section !== undefined && topic !== undefined) {
      const content = readAs(file, text, contentFiles.item.shape);
      items.push({ key: `${checklist}:${section}/${topic}`, file, checklist, section, topic, content });
    } else if (slug !== undefined) {
      checklists.set(slug, readAs(file, text, contentFiles.checklist.shape));
    } else if (contentFiles.translations.path.test(file)) {
      const content = readAs(file, text, contentFiles.translations.shape);
      if (content) translations.set(file.split('/')[1] ?? '', content);
    } else if (contentFiles.hardware.path.test(file)) {
      const content = readAs(file, text, contentFiles.hardware.shape);
      if (content) hardware.push(content);
    } else if (contentFiles.note.path.test(file)) {
      const content = readAs(file, text, contentFiles.note.shape);
      if (content) notes.push({ slug: file.split('/')[1] ?? '', content });
    } else if (measurementPath.test(file)) {
      measurements.set(file, text);
    } else if (!Object.values(contentFiles).some(({ path }) => path.test(file)) && !file.startsWith('schema/')) {
      problems.push(atFile(file, { en: 'no kind of content lies here', zh: '此处不应有内容文件' }));
    }
  }
  return { items, checklists, translations, hardware, lists, notes, measurements };
}

/** The keys that content may name. */
export function registryOf({ items, checklists, lists, notes }: Files): Registry {
  const keysOf = (entries: readonly { readonly key: string }[] | undefined) =>
    entries ? new Set(entries.map((entry) => entry.key)) : null;
  return {
    metrics: keysOf(lists.metrics?.data),
    tags: keysOf(lists.tags?.data),
    capabilities: keysOf(lists.capabilities?.data),
    facts: keysOf(lists.environmentKeys?.data),
    closed: new Map(
      (lists.environmentKeys?.data ?? []).flatMap(({ key, values = [], closed }) =>
        closed ? [[key, new Set(values.map(({ value }) => value))] as const] : [],
      ),
    ),
    notes: new Set(notes.map(({ slug }) => slug)),
    items: new Set(items.map((item) => item.key)),
    drafts: new Set(items.filter((item) => isDraft(item, checklists)).map((item) => item.key)),
  };
}

function isDraft({ checklist, section }: PlacedItem, checklists: Files['checklists']): boolean {
  return checklists.get(checklist)?.data.sections.some(({ key, draft }) => key === section && draft) ?? false;
}

/** A problem of a file as a whole. */
export function atFile(file: string, message: BothLanguages): ContentProblem {
  return { file, path: '', line: null, message };
}


import { relatedKey } from './check-item.js';
import { reporter, type ContentFile, type ContentProblem } from './content-file.js';
import { textDigestsOf, translationStatus } from './digest.js';
import { readFiles, registryOf, type Files, type PlacedItem } from './read-files.js';
import { textFields, type ItemFile } from './schema.js';
import type { StaleText } from './translations.js';

/** One line of the table of `tunebook content check`. */
export interface SurveyRow {
  readonly checklist: string;
  readonly section: string;
  readonly isDraft: boolean;
  readonly items: number;
  /** Texts that exist in English and in Chinese, of eight an item. */
  readonly textsEn: number;
  readonly textsZh: number;
  readonly sources: number;
  /** Texts whose Chinese is not known to be made from the English as it is. */
  readonly stale: number;
  /** Items past their day of review. */
  readonly overdue: number;
  /** Relations that lead nowhere. */
  readonly dead: number;
}

/**
 * Counts what each section holds, and finds what only time and the records of translation tell: items past their
 * `reviewBy` on the day `today` (YYYY-MM-DD), and texts whose Chinese is stale. Files that cannot be read are not counted.
 */
export function surveyContent(
  files: ReadonlyMap<string, string>,
  today: string,
): { readonly rows: readonly SurveyRow[]; readonly problems: readonly ContentProblem[]; readonly stale: readonly StaleText[] } {
  const read = readFiles(files, []);
  const registry = registryOf(read);
  const problems: ContentProblem[] = [];
  const stale: StaleText[] = [];
  const rows = [...read.checklists].flatMap(([checklist, content]) =>
    (content?.data.sections ?? []).map(({ key: section, draft }): SurveyRow => {
      const own = read.items.filter((item) => item.checklist === checklist && item.section === section);
      const items = own.flatMap((item) => (item.content ? [{ ...item, content: item.content }] : []));
      const isOverdue = ({ content: item }: (typeof items)[number]) => item.data.reviewBy < today;
      const staleTexts = items.flatMap((item) => staleIn(item, read, problems));
      stale.push(...staleTexts);
      for (const { content: item } of items.filter(isOverdue)) {
        const { reviewBy } = item.data;
        reporter(item, problems)(['reviewBy'], {
          en: `the review was due on ${reviewBy}`,
          zh: `应于 ${reviewBy} 前复审`,
        });
      }
      return {
        checklist,
        section,
        isDraft: draft ?? false,
        items: items.length,
        textsEn: items.length * textFields.length,
        textsZh: items.length * textFields.length,
        sources: items.reduce((count, { content: item }) => count + item.data.sources.length, 0),
        stale: staleTexts.length,
        overdue: items.filter(isOverdue).length,
        dead: items.reduce((count, item) => count + deadRelations(item, registry.items), 0),
      };
    }),
  );
  return { rows, problems, stale };
}

type ReadItem = PlacedItem & { readonly content: ContentFile<ItemFile> };

function deadRelations({ key, content }: ReadItem, known: ReadonlySet<string>): number {
  const { because: _, ...byKind } = content.data.relations;
  const names = Object.values(byKind).flatMap((related) => related ?? []);
  return names.filter((name) => !known.has(relatedKey(name, key))).length;
}

function staleIn(item: ReadItem, { translations }: Files, problems: ContentProblem[]): StaleText[] {
  const key = `${item.section}/${item.topic}`;
  const digests = textDigestsOf(item.content.data, translations.get(item.checklist)?.data[key] ?? {});
  const fields = textFields.filter(
    (field) => translationStatus(item.content.data[field], digests[field]) !== 'CURRENT',
  );
  for (const field of fields) {
    reporter(item.content, problems)([field, 'zh'], {
      en: 'the Chinese is not known to be made from this English: see `tunebook content translated`',
      zh: '无法确认中文译自当前英文：见 `tunebook content translated`',
    });
  }
  return fields.map((field) => ({ checklist: item.checklist, key, field }));
}


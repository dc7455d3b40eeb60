import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { surveyContent } from './domain/content/content-survey.js';
import { parseContent } from './domain/content/parse-content.js';
import { counted } from './commands/counted.js';
import { translationRecords } from './domain/content/translations.js';
import { readContentFolder } from './features/content/content-files.js';
import { problemText } from './features/content/problem-text.js';
import { OperatorError } from './platform/explain.js';
import { reasonOf } from './platform/system-reason.js';

async function filesIn(folder: string): Promise<Map<string, string>> {
  try {
    return await readContentFolder(folder);
  } catch (cause) {
    throw new OperatorError(`${folder} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** Prints what each section holds and all problems; fails where there is one. */
export async function checkContent(folder: string): Promise<void> {
  const files = await filesIn(folder);
  const parsed = parseContent(files);
  const { rows, problems } = surveyContent(files, new Date().toISOString().slice(0, 10));
  console.table(
    Object.fromEntries(
      rows.map(({ checklist, section, isDraft, items, textsEn, textsZh, sources, stale, overdue, dead }) => [
        `${checklist} / ${section}${isDraft ? ' (draft)' : ''}`,
        { items, 'texts en': textsEn, 'texts zh': textsZh, sources, stale, overdue, 'dead relations': dead },
      ]),
    ),
  );
  const all = [...('problems' in parsed ? parsed.problems : []), ...problems];
  if (all.length > 0) throw new OperatorError(problemText(all));
  if ('problems' in parsed) return;
  const { checklists, metrics, hardware, capabilities, glossary, notes } = parsed.catalog;
  for (const { slug, release, sections } of checklists) {
    const items = sections.reduce((count, section) => count + section.items.length, 0);
    console.log(`${slug} ${release}: ${counted(sections.length, 'section')}, ${counted(items, 'item')}`);
  }
  const profiles = hardware.reduce((count, vendor) => count + vendor.profiles.length, 0);
  console.log(
    `${metrics.length} metrics, ${profiles} hardware profiles, ${capabilities.length} capabilities, ${glossary.length} terms, ` +
      counted(notes.length, 'reference note'),
  );
  console.log('No problems.');
}

/** Records which English the Chinese of each text was made from, and prints the texts whose English alone changed. */
export async function recordTranslations(
  folder: string,
  options: { readonly accept?: readonly string[] },
): Promise<void> {
  const files = await filesIn(folder);
  const { records, stale } = translationRecords(files, new Set(options.accept ?? []));
  for (const [checklist, record] of records) {
    const sorted = Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
    await writeFile(
      join(folder, 'checklists', checklist, 'translations.yaml'),
      `# Kept by \`tunebook content translated\`.\n${stringify(sorted)}`,
    );
  }
  for (const { checklist, key, field } of stale) {
    console.log(`${checklist}:${key}#${field}: the English changed, the Chinese did not`);
  }
  if (stale.length === 0) return;
  throw new OperatorError(
    `${counted(stale.length, 'text')} left as stale. Translate again, or name with --accept what is right as it is.`,
  );
}

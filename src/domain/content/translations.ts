import { translationRecord } from './digest.js';
import { readFiles } from './read-files.js';
import { textFields, type TextField, type TranslationsFile } from './schema.js';

/** A text whose Chinese was made from another English. */
export interface StaleText {
  readonly checklist: string;
  readonly key: string;
  readonly field: TextField;
}

/**
 * The records of `translations.yaml` for each checklist as they are to be: a text that is new, or whose Chinese changed
 * too, counts as translated; one whose English alone changed does only where `accepted` holds its `section/topic` or
 * `section/topic#field`. Those left are given back as stale.
 */
export function translationRecords(
  files: ReadonlyMap<string, string>,
  accepted: ReadonlySet<string>,
): { readonly records: ReadonlyMap<string, TranslationsFile>; readonly stale: readonly StaleText[] } {
  const read = readFiles(files, []);
  const stale: StaleText[] = [];
  const records = new Map<string, TranslationsFile>();
  for (const { checklist, section, topic, content } of read.items) {
    if (!content) continue;
    const key = `${section}/${topic}`;
    const known = read.translations.get(checklist)?.data[key] ?? {};
    const record = Object.fromEntries(
      textFields.map((field) => {
        const now = translationRecord(content.data[field]);
        const then = known[field];
        const [, zhNow] = now.split(' ');
        const isTranslated = then === undefined || then.split(' ')[1] !== zhNow || now === then;
        if (isTranslated || accepted.has(key) || accepted.has(`${key}#${field}`)) return [field, now];
        stale.push({ checklist, key, field });
        return [field, then];
      }),
    );
    records.set(checklist, { ...records.get(checklist), [key]: record });
  }
  return { records, stale };
}

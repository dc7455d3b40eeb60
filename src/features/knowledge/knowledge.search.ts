import { z } from 'zod';
import type { SearchDocument } from '../../domain/search/document.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { batches } from '../../platform/database/batches.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { SearchIndex } from '../../platform/search-index/search-index.service.js';

/** Audit items whose notes are indexed together. */
const BATCH = 200;

const contextShape = z.object({ hardware: z.string().nullish() });
const changeShape = z.record(z.string(), z.unknown());

const measured = { where: { role: 'PRIMARY' }, orderBy: [{ computation: 'asc' }, { position: 'desc' }], select: { gain: true, verdict: true, computation: true } } satisfies Prisma.Note$comparisonsArgs; // prettier-ignore

/** What the search index needs of a note, without the texts of its items and the values of its comparisons. */
const forDocument = {
  project: { select: { teamId: true } },
  items: {
    orderBy: { order: 'asc' },
    select: {
      item: {
        select: {
          key: true,
          checklist: { select: { slug: true, teamId: true, ownerId: true } },
          revisions: { orderBy: { id: 'desc' }, take: 1, select: { tags: true, frameworks: true } },
        },
      },
    },
  },
  comparisons: measured,
  trials: { orderBy: { order: 'asc' }, select: { trial: { select: { verdict: true, comparisons: measured } } } },
} satisfies Prisma.NoteInclude;

/** Notes as the search index holds them. */
export async function noteDocuments(tx: Db, ids: readonly string[]): Promise<SearchDocument[]> {
  const notes = await tx.note.findMany({ where: { id: { in: [...ids] } }, include: forDocument });
  return notes.map(documentOf);
}

/** Puts the notes of trials of these audit items into the search index: they are found by what the trials say. */
export async function indexNotesOf(tx: Db, index: SearchIndex, auditItemIds: readonly string[]): Promise<void> {
  for (const some of batches(auditItemIds, BATCH)) {
    const where = { trials: { some: { trial: { auditItemId: { in: some } } } } };
    const notes = await tx.note.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
    if (notes.length === 0) continue;
    const ids = notes.map(({ id }) => id);
    await index.put(tx, await noteDocuments(tx, ids));
  }
}

/** An older computation says what no longer holds. */
function newestOf<R extends { readonly computation: number }>(rows: readonly R[]): readonly R[] {
  const newest = Math.max(0, ...rows.map(({ computation }) => computation));
  return rows.filter(({ computation }) => computation === newest);
}

function documentOf(note: Prisma.NoteGetPayload<{ include: typeof forDocument }>): SearchDocument {
  const [title, body, caveats] = [note.title, note.body, note.caveats ?? {}].map(toLocalizedText);
  // A note is seen by more people than a private checklist is.
  const items = note.items.map(({ item }) => item).filter(({ checklist }) => !checklist.teamId && !checklist.ownerId);
  const revisions = items.flatMap((item) => item.revisions);
  const own = note.comparisons.at(-1);
  const rows = [...note.trials.flatMap(({ trial }) => newestOf(trial.comparisons)), ...(own ? [own] : [])];
  const gains = rows.flatMap(({ gain }) => gain ?? []);
  const change = changeShape.parse(note.change);
  const hardware = contextShape.parse(note.context).hardware ?? null;
  const changed = Object.keys(change);
  const [first] = items;
  const joined = (language: 'en' | 'zh') => {
    const texts = [body?.[language], caveats?.[language]].filter((text) => text !== null && text !== undefined);
    return texts.length > 0 ? texts.join('\n\n') : null;
  };
  // The keys of its items are part of the text: who types one wants the item first.
  const withKeys = (language: 'en' | 'zh') => {
    const text = joined(language);
    return text === null ? null : [text, ...items.map(({ key }) => key)].join('\n\n');
  };
  return {
    kind: 'NOTE',
    subjectId: note.id,
    projectId: note.projectId,
    teamId: note.project?.teamId ?? null,
    key: null,
    checklist: first?.checklist.slug ?? null,
    section: first?.key.split('/')[0] ?? null,
    title: title ?? { en: null, zh: null },
    body: { en: withKeys('en'), zh: withKeys('zh') },
    identifiers: [
      ...changed,
      ...changed.map((key) => key.replace(/^(env|workload)\./, '')),
      ...(note.slug === null ? [] : [note.slug]),
    ],
    tags: [...new Set([...note.tags, ...revisions.flatMap(({ tags }) => tags)])],
    hardware: hardware === null ? [] : [hardware],
    frameworks: [...new Set(revisions.flatMap(({ frameworks }) => frameworks))],
    languages: (['EN', 'ZH'] as const).filter((locale) => joined(locale === 'EN' ? 'en' : 'zh') !== null),
    outcome: note.outcome,
    verdict: note.trials.at(-1)?.trial.verdict ?? own?.verdict ?? null,
    gain: gains.length > 0 ? Math.max(...gains) : null,
  };
}

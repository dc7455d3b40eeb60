import { z } from 'zod';
import type { SearchDocument } from '../../domain/search/document.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';

const contextShape = z.object({ hardware: z.string().nullish() });
const changeShape = z.record(z.string(), z.unknown());

/** A note as the search index holds it. */
export async function noteDocument(tx: Db, id: string): Promise<SearchDocument> {
  const note = await tx.note.findUniqueOrThrow({
    where: { id },
    include: {
      project: true,
      items: {
        orderBy: { order: 'asc' },
        include: {
          item: { include: { checklist: true, revisions: { orderBy: { id: 'desc' }, take: 1 } } },
        },
      },
      comparisons: { where: { role: 'PRIMARY' }, orderBy: { computation: 'asc' } },
      trials: {
        orderBy: { order: 'asc' },
        include: { trial: { select: { verdict: true, comparisons: { where: { role: 'PRIMARY' } } } } },
      },
    },
  });
  const [title, body, caveats] = [note.title, note.body, note.caveats ?? {}].map(toLocalizedText);
  const items = note.items.map(({ item }) => item);
  const revisions = items.flatMap((item) => item.revisions);
  const own = note.comparisons.at(-1);
  const measured = [...note.trials.flatMap(({ trial }) => trial.comparisons), ...(own ? [own] : [])];
  const gains = measured.flatMap(({ gain }) => gain ?? []);
  const change = changeShape.parse(note.change);
  const hardware = contextShape.parse(note.context).hardware ?? null;
  const changed = Object.keys(change);
  const [first] = items;
  const joined = (language: 'en' | 'zh') => {
    const texts = [body?.[language], caveats?.[language]].filter((text) => text !== null && text !== undefined);
    return texts.length > 0 ? texts.join('\n\n') : null;
  };
  return {
    kind: 'NOTE',
    subjectId: id,
    projectId: note.projectId,
    teamId: note.project?.teamId ?? null,
    key: null,
    checklist: first?.checklist.slug ?? null,
    section: first?.key.split('/')[0] ?? null,
    title: title ?? { en: null, zh: null },
    body: { en: joined('en'), zh: joined('zh') },
    identifiers: [
      ...changed,
      ...changed.map((key) => key.replace(/^(env|workload)\./, '')),
      ...items.map(({ key }) => key),
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

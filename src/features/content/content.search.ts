import { z } from 'zod';
import type { SearchDocument } from '../../domain/search/document.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';

const textsShape = z.record(z.string(), z.object({ en: z.string(), zh: z.string() }));

/** What the search index has to hold of items: those of the newest releases, and no others. */
export async function itemDocuments(
  tx: Db,
): Promise<{ put: SearchDocument[]; remove: { kind: 'ITEM'; subjectId: string }[] }> {
  const checklists = await tx.checklist.findMany({
    where: { teamId: null },
    include: {
      releases: {
        orderBy: { rank: 'desc' },
        take: 1,
        include: { items: { include: { revision: true, section: true } } },
      },
    },
  });
  const put = checklists.flatMap(({ slug, releases }) =>
    releases.flatMap(({ items }) =>
      items.map(({ id, key, section, revision }): SearchDocument => {
        const parts = [revision.summary, ...Object.values(textsShape.parse(revision.texts))].map(toLocalizedText);
        return {
          kind: 'ITEM',
          subjectId: id,
          projectId: null,
          teamId: null,
          key,
          checklist: slug,
          section: section.key,
          title: toLocalizedText(revision.title),
          body: {
            en: parts.map(({ en }) => en ?? '').join('\n\n'),
            zh: parts.map(({ zh }) => zh ?? '').join('\n\n'),
          },
          identifiers: [key, ...revision.settings],
          tags: revision.tags,
          hardware: [],
          frameworks: revision.frameworks,
          languages: ['EN', 'ZH'],
          outcome: null,
          verdict: null,
          gain: null,
        };
      }),
    ),
  );
  const current = new Set(put.map(({ subjectId }) => subjectId));
  const indexed = await tx.searchDocument.findMany({
    where: { kind: 'ITEM', isPresent: true },
    select: { subjectId: true },
  });
  const remove = indexed
    .filter(({ subjectId }) => !current.has(subjectId))
    .map(({ subjectId }) => ({ kind: 'ITEM' as const, subjectId }));
  return { put, remove };
}

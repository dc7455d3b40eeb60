import type { Locale, LocalizedText } from '../../domain/locale.js';
import type { SearchDocument } from '../../domain/search/document.js';
import { ownerMark } from '../../platform/auth/access.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { textsShape } from './release-content.js';


/** What the search index has to hold of items: those of the newest releases, and no others; of one checklist or of all. */
export async function itemDocuments(
  tx: Db,
  checklistId?: string,
): Promise<{ put: SearchDocument[]; remove: { kind: 'ITEM'; subjectId: string }[] }> {
  const checklists = await tx.checklist.findMany({
    where: { id: checklistId },
    include: {
      releases: {
        orderBy: { rank: 'desc' },
        take: 1,
        include: { items: { include: { revision: true, section: true } } },
      },
    },
  });
  const put = checklists.flatMap(({ slug, teamId, ownerId, releases }) =>
    releases.flatMap(({ items }) =>
      items.map(({ id, key, section, revision }): SearchDocument => {
        const parts = [revision.summary, ...Object.values(textsShape.parse(revision.texts))].map(toLocalizedText);
        return {
          kind: 'ITEM',
          subjectId: id,
          projectId: markOf(teamId, ownerId),
          teamId,
          key,
          checklist: slug,
          section: section.key,
          title: toLocalizedText(revision.title),
          body: { en: joined(parts, 'en'), zh: joined(parts, 'zh') },
          identifiers: [key, ...revision.settings],
          tags: revision.tags,
          hardware: [],
          frameworks: revision.frameworks,
          languages: languagesOf([toLocalizedText(revision.title), ...parts]),
          outcome: null,
          verdict: null,
          gain: null,
        };
      }),
    ),
  );
  const current = new Set(put.map(({ subjectId }) => subjectId));
  const indexed = await tx.searchDocument.findMany({
    where: { kind: 'ITEM', isPresent: true, ...(checklistId ? { checklist: checklists[0]?.slug ?? '' } : {}) },
    select: { subjectId: true },
  });
  const remove = indexed
    .filter(({ subjectId }) => !current.has(subjectId))
    .map(({ subjectId }) => ({ kind: 'ITEM' as const, subjectId }));
  return { put, remove };
}

function markOf(teamId: string | null, ownerId: string | null): string | null {
  if (teamId !== null) return ownerMark({ teamId });
  return ownerId === null ? null : ownerMark({ userId: ownerId });
}

function joined(parts: readonly LocalizedText[], language: 'en' | 'zh'): string | null {
  const found = parts.flatMap((part) => part[language] ?? []);
  return found.length === 0 ? null : found.join('\n\n');
}

function languagesOf(texts: readonly LocalizedText[]): Locale[] {
  const languages = [
    ['EN', 'en'],
    ['ZH', 'zh'],
  ] as const;
  return languages.filter(([, language]) => texts.some((text) => text[language] !== null)).map(([locale]) => locale);
}

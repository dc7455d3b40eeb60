import type { SearchDocument } from '../../domain/search/document.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import type { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { languagesOf, subjectOf, withSubject } from './audits.search.js';

const withContext = {
  auditItem: {
    include: {
      audit: { select: { release: { select: { checklist: { select: { slug: true } } } } } },
      ...withSubject,
    },
  },
} satisfies Prisma.CommentInclude;
type Row = Prisma.CommentGetPayload<{ include: typeof withContext }>;

/** Puts comments into the search index, under the key and title that their items have now. */
export async function indexComments(tx: Db, index: SearchIndex, where: Prisma.CommentWhereInput): Promise<void> {
  const rows = await tx.comment.findMany({ where, include: withContext });
  await index.put(tx, rows.map(documentOf));
}

function documentOf({ id, projectId, body, auditItem }: Row): SearchDocument {
  const { key, section, title, tags, frameworks } = subjectOf(auditItem);
  return {
    kind: 'COMMENT',
    subjectId: id,
    projectId,
    teamId: null,
    key,
    checklist: auditItem.audit.release.checklist.slug,
    section,
    title,
    // What a person wrote has one language, and nobody said which: it is searched as both.
    body: { en: body, zh: body },
    // A name that the comment itself does not say is a matter of the item
    identifiers: [],
    tags,
    // The hardware of an audit can change, and what was said stays
    hardware: [],
    frameworks,
    languages: languagesOf(body),
    outcome: null,
    verdict: null,
    gain: null,
  };
}

import type { SearchDocument } from '../../domain/search/document.js';
import type { Locale } from '../../domain/locale.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { SearchIndex } from '../../platform/search-index/search-index.service.js';

const withContext = {
  audit: { select: { environment: { select: { hardware: { select: { slug: true } } } } } },
  releaseItem: { include: { section: true, revision: true, release: { include: { checklist: true } } } },
  trials: {
    where: { verdict: { not: null } },
    orderBy: { id: 'desc' },
    take: 1,
    select: { verdict: true, comparisons: { where: { role: 'PRIMARY' }, select: { gain: true } } },
  },
} satisfies Prisma.AuditItemInclude;

/** Puts what an audit says about an item into the search index; an item about which nothing is said is left out. */
export async function indexAuditItem(tx: Db, index: SearchIndex, id: string): Promise<void> {
  const row = await tx.auditItem.findUniqueOrThrow({ where: { id }, include: withContext });
  const words = [row.remark, row.reason, row.expectation].filter((text) => text !== null).join('\n\n');
  if (words === '' || !row.releaseItem) {
    await index.remove(tx, [{ kind: 'AUDIT_ITEM', subjectId: id }]);
    return;
  }
  const { revision, section, release, key } = row.releaseItem;
  const [trial] = row.trials;
  const gains = (trial?.comparisons ?? []).flatMap(({ gain }) => gain ?? []);
  const hardware = row.audit.environment?.hardware?.slug;
  const document: SearchDocument = {
    kind: 'AUDIT_ITEM',
    subjectId: id,
    projectId: row.projectId,
    teamId: null,
    key,
    checklist: release.checklist.slug,
    section: section.key,
    title: toLocalizedText(revision.title),
    // What a person wrote has one language, and nobody said which: it is searched as both.
    body: { en: words, zh: words },
    identifiers: [key, ...revision.settings],
    tags: revision.tags,
    hardware: hardware === undefined ? [] : [hardware],
    frameworks: revision.frameworks,
    languages: languagesOf(words),
    outcome: null,
    verdict: trial?.verdict ?? null,
    gain: gains.length > 0 ? Math.max(...gains) : null,
  };
  await index.put(tx, [document]);
}

/** The languages that a text seems to be in. */
function languagesOf(text: string): Locale[] {
  const languages: Locale[] = [];
  if (/[A-Za-z]{3}/.test(text)) languages.push('EN');
  if (/\p{Script=Han}/u.test(text)) languages.push('ZH');
  return languages;
}

import { customItemOf } from '../../domain/audit/custom-item.js';
import type { SearchDocument } from '../../domain/search/document.js';
import type { Locale, LocalizedText } from '../../domain/locale.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { tellsOfItem } from './telling-trials.js';

/** What `subjectOf` needs of an item. */
export const withSubject = {
  releaseItem: { include: { section: true, revision: true } },
} satisfies Prisma.AuditItemInclude;
type SubjectRow = Prisma.AuditItemGetPayload<{ include: typeof withSubject }>;

const withContext = {
  audit: {
    select: {
      scopeHardware: { select: { slug: true } },
      release: { select: { checklist: { select: { slug: true } } } },
    },
  },
  ...withSubject,
  trials: {
    where: tellsOfItem,
    orderBy: { id: 'desc' },
    take: 1,
    select: { verdict: true, comparisons: { where: { role: 'PRIMARY' }, select: { gain: true, computation: true } } },
  },
} satisfies Prisma.AuditItemInclude;
type Row = Prisma.AuditItemGetPayload<{ include: typeof withContext }>;

/** Puts what an audit says about items into the search index; an item about which nothing is said is left out. */
export async function indexAuditItems(tx: Db, index: SearchIndex, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.auditItem.findMany({ where: { id: { in: [...ids] } }, include: withContext });
  const documents = rows.map(documentOf);
  await index.put(
    tx,
    documents.flatMap((document) => document ?? []),
  );
  const silent = rows.filter((_, position) => documents[position] === null);
  await index.remove(
    tx,
    silent.map(({ id }) => ({ kind: 'AUDIT_ITEM', subjectId: id })),
  );
}

function documentOf(row: Row): SearchDocument | null {
  const subject = subjectOf(row);
  const said = [row.remark, row.reason, row.expectation].filter((text) => text !== null);
  const words = [...said, ...subject.words].join('\n\n');
  if (words === '') return null;
  const [trial] = row.trials;
  const newest = Math.max(0, ...(trial?.comparisons ?? []).map(({ computation }) => computation));
  const gains = (trial?.comparisons ?? []).flatMap(({ gain, computation }) =>
    computation === newest ? (gain ?? []) : [],
  );
  const hardware = row.audit.scopeHardware?.slug;
  const { key, section, title, settings, tags, frameworks } = subject;
  return {
    kind: 'AUDIT_ITEM',
    subjectId: row.id,
    projectId: row.projectId,
    teamId: null,
    key,
    checklist: row.audit.release.checklist.slug,
    section,
    title,
    // What a person wrote has one language, and nobody said which: it is searched as both.
    body: { en: words, zh: words },
    identifiers: [key, ...settings],
    tags,
    hardware: hardware === undefined ? [] : [hardware],
    frameworks,
    languages: languagesOf(words),
    outcome: null,
    verdict: trial?.verdict ?? null,
    gain: gains.length > 0 ? Math.max(...gains) : null,
  };
}

/** The languages that a text seems to be in. */
export function languagesOf(text: string): Locale[] {
  const languages: Locale[] = [];
  if (/[A-Za-z]{3}/.test(text)) languages.push('EN');
  if (/\p{Script=Han}/u.test(text)) languages.push('ZH');
  return languages;
}

/** The item itself, as the index knows it. The words of an item of one audit alone are in no other document. */
export interface Subject {
  readonly key: string;
  readonly section: string;
  readonly title: LocalizedText;
  readonly words: readonly string[];
  readonly settings: string[];
  readonly tags: string[];
  readonly frameworks: string[];
}

/** What the index knows of the item that something is said of. */
export function subjectOf({ releaseItem, custom, customKey, customSection }: SubjectRow): Subject {
  if (releaseItem) {
    const { revision, section, key } = releaseItem;
    const { settings, tags, frameworks } = revision;
    return { key, section: section.key, title: toLocalizedText(revision.title), words: [], settings, tags, frameworks };
  }
  const { title, summary, texts, settings, tags, frameworks } = customItemOf(custom);
  const words = [title, summary, ...Object.values(texts)].flatMap(({ en, zh }) => [en ?? '', zh ?? '']).filter(Boolean);
  return { key: customKey ?? '', section: customSection ?? '', title, words, settings, tags, frameworks };
}

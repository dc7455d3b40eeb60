import { conflict } from '../../domain/errors.js';
import { effectiveApplies, shownProof, type ItemCount } from '../../domain/audit/progress.js';
import type { AuditItem as AuditItemRow, Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { textsOf } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { AuditItem, AuditItemFilter } from './audits.types.js';

/** Check and write in one statement, so that nobody can close the audit in between. */
export async function touchOpenAudit(db: Db, id: string): Promise<void> {
  const { count } = await db.audit.updateMany({ where: { id, status: 'OPEN' }, data: { touchedAt: new Date() } });
  if (count === 0) {
    throw conflict(
      { en: 'This audit is closed; a maintainer can reopen it', zh: '该审计已关闭，可由维护者重新打开' },
      { current: { id, status: 'CLOSED' } },
    );
  }
}

/** How the history names an item of an audit. */
export function itemSubject({ id, auditId, projectId }: Pick<AuditItemRow, 'id' | 'auditId' | 'projectId'>) {
  return { projectId, auditId, auditItemId: id, subject: 'auditItem', subjectId: id } as const;
}

/** How many items of each audit are alike, for its progress. */
export async function itemCounts(db: Db, auditIds: readonly string[]): Promise<(ItemCount & { auditId: string })[]> {
  const where = { auditId: { in: [...auditIds] }, isArchived: false };
  const by = ['auditId', 'applies', 'overruled', 'work', 'outcome', 'measuredProof', 'recheckCode'] as const;
  const groups = await db.auditItem.groupBy({ by: [...by], where, _count: { _all: true } });
  return groups.map(({ recheckCode, _count, ...group }) => ({
    ...group,
    hasRecheck: recheckCode === null ? 'NO' : 'YES',
    count: _count._all,
  }));
}

/** Text as a pattern of LIKE that means itself. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function withText(text: string): Prisma.AuditItemWhereInput {
  const contains = literally(text.trim());
  const own = { contains, mode: 'insensitive' } as const;
  const inText = (text: 'title' | 'summary', language: 'en' | 'zh') => ({
    releaseItem: { revision: { [text]: { path: [language], string_contains: contains, mode: 'insensitive' } } },
  });
  return {
    OR: [
      { remark: own },
      { reason: own },
      { expectation: own },
      { releaseItem: { key: own } },
      { releaseItem: { revision: { settings: { has: text.trim() } } } },
      inText('title', 'en'),
      inText('title', 'zh'),
      inText('summary', 'en'),
      inText('summary', 'zh'),
    ] as Prisma.AuditItemWhereInput[],
  };
}

/** Each value once: a statement takes a limited number of them. */
function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** The items of an audit that a filter lets through. */
export function itemsWhere(auditId: string, filter: AuditItemFilter): Prisma.AuditItemWhereInput {
  const { section, work, outcome, applies, tags, text, isOverruled, hasRecheck, isPast } = filter;
  const conditions: Prisma.AuditItemWhereInput[] = [{ auditId, isArchived: false }];
  if (section) conditions.push({ releaseItem: { section: { key: section } } });
  if (work) conditions.push({ work: { in: distinct(work) } });
  if (outcome) conditions.push({ outcome: { in: distinct(outcome) } });
  if (applies) {
    const any = distinct(applies);
    conditions.push({ OR: [{ overruled: { in: any } }, { overruled: null, applies: { in: any } }] });
  }
  if (isOverruled !== undefined && isOverruled !== null) {
    conditions.push({ overruled: isOverruled ? { not: null } : null });
  }
  if (hasRecheck !== undefined && hasRecheck !== null) {
    conditions.push({ recheckCode: hasRecheck ? { not: null } : null });
  }
  if (isPast !== undefined && isPast !== null) conditions.push({ isPast });
  if (tags?.length) conditions.push({ releaseItem: { revision: { tags: { hasEvery: tags } } } });
  if (text?.trim()) conditions.push(withText(text));
  return { AND: conditions };
}

/** A row as the API shows it: proof only where it was applied, the re-check mark as one object. */
export function toAuditItem(row: AuditItemRow): AuditItem {
  const { recheckCode, recheckCause, recheckSince, releaseItemId, overruled, overruleReason, isPast } = row;
  const derived = { answer: row.applies, reasons: textsOf(row.appliesReasons), isPast };
  if (releaseItemId === null) throw new Error(`Audit item ${row.id} has no item of a release`);
  return {
    ...row,
    releaseItemId,
    applicability:
      overruled === null
        ? derived
        : {
            answer: effectiveApplies(row),
            reasons: [{ en: `overruled: ${overruleReason ?? ''}`, zh: `人工判定：${overruleReason ?? ''}` }],
            isPast,
          },
    derived,
    proof: shownProof(row),
    recheck:
      recheckCode && recheckSince
        ? { code: recheckCode, cause: toLocalizedText(recheckCause ?? {}), since: recheckSince }
        : null,
  };
}

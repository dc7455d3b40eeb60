import { conflict, invalidInput } from '../../domain/errors.js';
import { effectiveApplies, shownProof, type ItemCount } from '../../domain/audit/progress.js';
import type { Audit as AuditRow, AuditItem as AuditItemRow, Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { textsOf } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { AuditItem, AuditItemFilter } from './audits.types.js';

/** Check and write in one statement, so that nobody can close the audit in between. */
export async function touchOpenAudit(db: Db, id: string): Promise<void> {
  const { count } = await db.audit.updateMany({ where: { id, status: 'OPEN' }, data: { touchedAt: new Date() } });
  if (count === 0) throw closedAudit(id);
}

/**
 * As `touchOpenAudit` for the open ones among several, always in the order of their ids: of two such changes at once one
 * waits for the other, and neither for ever.
 */
export async function touchOpenAudits(db: Db, where: Prisma.AuditWhereInput): Promise<void> {
  const found = await db.audit.findMany({ where: { AND: [where, { status: 'OPEN' }] }, select: { id: true } });
  const ids = found.map(({ id }) => id);
  await db.$queryRaw`SELECT id FROM "Audit" WHERE id = ANY (${ids}) ORDER BY id FOR NO KEY UPDATE`;
  await db.audit.updateMany({ where: { id: { in: ids }, status: 'OPEN' }, data: { touchedAt: new Date() } });
}

/** What to throw for a change of a closed audit. */
export function closedAudit(id: string) {
  return conflict(
    { en: 'This audit is closed; a maintainer can reopen it', zh: '该审计已关闭，可由维护者重新打开' },
    { current: { id, status: 'CLOSED' } },
  );
}

/** How the history names an audit. */
export function auditSubject({ id, projectId }: { readonly id: string; readonly projectId: string }) {
  return { projectId, auditId: id, subject: 'audit', subjectId: id } as const;
}

/** What to throw for a change that is based on an older version of the audit. */
export function staleAudit({ id, version, status, title, environmentId }: AuditRow, given: number) {
  return conflict(
    {
      en: `This audit changed meanwhile: it is at version ${version}, and your change is based on ${given}`,
      zh: `该审计已被修改：当前版本为 ${version}，而本次修改基于 ${given}`,
    },
    { current: { id, version, status, title, environmentId } },
  );
}

/** How the history names an item of an audit. */
export function itemSubject({ id, auditId, projectId }: Pick<AuditItemRow, 'id' | 'auditId' | 'projectId'>) {
  return { projectId, auditId, auditItemId: id, subject: 'auditItem', subjectId: id } as const;
}

/** What a caller is told of an item that is not as the change expected. */
export function currentState({ id, version, work, outcome, reasonCode, reason, remark }: AuditItemRow) {
  return { id, version, work, outcome, reasonCode, reason, remark };
}

/** What to throw for a change of an item that is not part of its audit any more. */
export function archived(current: AuditItemRow) {
  return conflict(
    {
      en: 'This item is archived: it can be read, and not changed',
      zh: '该条目已归档，只能查看，不能修改',
    },
    { current: { ...currentState(current), isArchived: true } },
  );
}

/** The cause of a re-check mark that nobody has looked at yet; null without one. */
export function causeOf({ recheckCode, recheckCause }: Pick<AuditItemRow, 'recheckCode' | 'recheckCause'>) {
  const { en, zh } = toLocalizedText(recheckCause ?? {});
  return recheckCode === null || en === null || zh === null ? null : { en, zh };
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
  // One language alone is written, or both
  const inCustom = (text: 'title' | 'summary') => ({
    OR: (['en', 'zh'] as const).map((language) => ({
      custom: { path: [text, language], string_contains: contains, mode: 'insensitive' },
    })),
  });
  return {
    OR: [
      { remark: own },
      { reason: own },
      { expectation: own },
      { customKey: own },
      inCustom('title'),
      inCustom('summary'),
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

/** What people say of items: whose they are, how urgent, and what measurements prove of what was applied. */
function personalConditions(filter: AuditItemFilter): Prisma.AuditItemWhereInput[] {
  const { ids, proof, priority, assigneeId, isAssigned, dueBefore, isCustom } = filter;
  const conditions: Prisma.AuditItemWhereInput[] = [];
  if (ids) {
    if (ids.length > MOST_IDS) throw tooManyIds(ids.length);
    conditions.push({ id: { in: distinct(ids) } });
  }
  if (proof) {
    const unmeasured = proof.includes('UNVERIFIED') ? [{ measuredProof: null }] : [];
    conditions.push({ outcome: 'APPLIED', OR: [{ measuredProof: { in: distinct(proof) } }, ...unmeasured] });
  }
  if (priority) conditions.push({ priority: { in: distinct(priority) } });
  if (isGiven(assigneeId)) conditions.push({ assigneeId });
  if (isAssigned !== undefined && isAssigned !== null)
    conditions.push({ assigneeId: isAssigned ? { not: null } : null });
  if (dueBefore) conditions.push({ dueAt: { lt: dueBefore } });
  if (isCustom !== undefined && isCustom !== null) conditions.push({ releaseItemId: isCustom ? null : { not: null } });
  return conditions;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** Most ids that a filter may name. */
const MOST_IDS = 500;

function tooManyIds(given: number) {
  return invalidInput(
    { en: `ids has ${given} entries; at most ${MOST_IDS} are taken`, zh: `ids 有 ${given} 项，最多 ${MOST_IDS} 项` },
    { place: 'ids', limit: MOST_IDS },
  );
}

/** The items of an audit that a filter lets through. */
export function itemsWhere(auditId: string, filter: AuditItemFilter): Prisma.AuditItemWhereInput {
  const { section, work, outcome, applies, tags, text, isOverruled, hasRecheck, isPast } = filter;
  const conditions: Prisma.AuditItemWhereInput[] = [{ auditId, isArchived: filter.isArchived ?? false }];
  if (isGiven(section))
    conditions.push({ OR: [{ releaseItem: { section: { key: section } } }, { customSection: section }] });
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
  // To have all of no tags would be true of every item
  if (tags?.length === 0) conditions.push({ id: { in: [] } });
  if (tags?.length) {
    const own = { custom: { path: ['tags'], array_contains: tags } };
    conditions.push({ OR: [{ releaseItem: { revision: { tags: { hasEvery: tags } } } }, own] });
  }
  conditions.push(...personalConditions(filter));
  if (isGiven(text)) conditions.push(withText(text));
  return { AND: conditions };
}

/** A row as the API shows it: proof only where it was applied, the re-check mark as one object. */
export function toAuditItem(row: AuditItemRow): AuditItem {
  const { recheckCode, recheckCause, recheckSince, overruled, overruleReason, isPast } = row;
  const derived = { answer: row.applies, reasons: textsOf(row.appliesReasons), isPast };
  return {
    ...row,
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
        ? {
            code: recheckCode,
            cause: toLocalizedText(recheckCause ?? {}),
            since: recheckSince,
            itemId: row.recheckOfId,
          }
        : null,
  };
}

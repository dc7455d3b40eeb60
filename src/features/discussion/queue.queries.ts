import { Prisma } from '../../generated/prisma/client.js';
import type { VisibleProjects } from '../../platform/auth/access.js';
import type { Db } from '../../platform/database/database.js';
import { isAuthorOf, personId } from '../audits/audits.service.js';
import type { QueueEntry, QueueKind } from './queue.types.js';

/** For whom the queue is, and what they may do now. */
export interface QueueScope {
  readonly viewerId: string;
  readonly visible: VisibleProjects;
  readonly reviewable: VisibleProjects;
  readonly now: Date;
}

/** Entries of these kinds behind a place, in the order of the queue; one statement. */
export async function queueEntries(
  db: Db,
  scope: QueueScope,
  kinds: readonly QueueKind[],
  page: { readonly after: string | null; readonly take: number },
): Promise<QueueEntry[]> {
  const behind = page.after === null ? Prisma.empty : Prisma.sql`AND key > ${page.after} COLLATE "C"`;
  return db.$queryRaw<QueueEntry[]>`
    ${waiting(scope)}
    SELECT * FROM placed WHERE kind = ANY (${[...kinds]}) ${behind}
    ORDER BY key LIMIT ${page.take}`;
}

/** How many entries of each kind there are; one statement. */
export async function queueCounts(db: Db, scope: QueueScope): Promise<{ kind: QueueKind; count: number }[]> {
  return db.$queryRaw`${waiting(scope)} SELECT kind, count(*)::int AS count FROM placed GROUP BY kind`;
}

const among = (projects: VisibleProjects) =>
  projects === 'ALL' ? Prisma.sql`true` : Prisma.sql`i."projectId" = ANY (${[...projects]})`;

/** What the place of an item depends on; taken along, so that a large table is not read twice. */
const about = Prisma.sql`i."auditId", i."dueAt", i.priority, i.work`;

/** Sorts as the time does. */
const digits = (time: Prisma.Sql) => Prisma.sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS')`;

/**
 * All that waits for somebody in open audits, and mentions in closed ones too, which can still be commented. Each has its
 * place: a text that sorts as the queue does, and is of no other entry. What somebody is an author of does not wait for
 * their review.
 */
const waiting = ({ viewerId, visible, reviewable, now }: QueueScope) => Prisma.sql`
  WITH returned AS (
    SELECT i.id AS item, said.id AS comment, said."createdAt" AS since, ${about}
    FROM "AuditItem" i
    CROSS JOIN LATERAL (
      SELECT c.id, c.decision, c."createdAt" FROM "Comment" c
      WHERE c."auditItemId" = i.id AND c.decision IS NOT NULL
      ORDER BY c."createdAt" DESC, c.id DESC LIMIT 1
    ) said
    WHERE i."submittedById" = ${viewerId} AND i.work = 'IN_PROGRESS' AND NOT i."isArchived" AND ${among(visible)}
      AND said.decision = 'REJECTED' AND (i."submittedAt" IS NULL OR said."createdAt" >= i."submittedAt")
  ), found AS (
    SELECT 'ASSIGNED' AS kind, i.id AS item, NULL::text AS comment, (
      SELECT max(h.at) FROM "HistoryEntry" h
      WHERE h."auditItemId" = i.id AND h.subject = 'auditItem' AND h.field IN ('assigneeId', 'created', 'carried')
    ) AS since, ${about}
    FROM "AuditItem" i
    WHERE i."assigneeId" = ${viewerId} AND i.work IN ('TODO', 'IN_PROGRESS') AND NOT i."isArchived"
      AND ${among(visible)} AND NOT EXISTS (SELECT FROM returned r WHERE r.item = i.id)
    UNION ALL
    SELECT 'REVIEW', i.id, NULL, coalesce(i."submittedAt", i."updatedAt"), ${about}
    FROM "AuditItem" i
    WHERE i.work = 'IN_REVIEW' AND NOT i."isArchived" AND ${among(reviewable)}
      AND NOT ${isAuthorOf(personId(viewerId))}
    UNION ALL
    SELECT 'RETURNED', r.* FROM returned r
    UNION ALL
    SELECT 'RECHECK', i.id, NULL, coalesce(i."recheckSince", i."updatedAt"), ${about}
    FROM "AuditItem" i
    WHERE i."recheckCode" IS NOT NULL AND NOT i."isArchived" AND coalesce(i.overruled, i.applies) <> 'NO'
      AND ${among(visible)}
      AND (i."assigneeId" = ${viewerId} OR i."assessedById" = ${viewerId})
    UNION ALL
    (SELECT DISTINCT ON (c."auditItemId") 'MENTION', c."auditItemId", c.id, c."createdAt", ${about}
     FROM "CommentMention" m JOIN "Comment" c ON c.id = m."commentId" JOIN "AuditItem" i ON i.id = c."auditItemId"
     WHERE m."userId" = ${viewerId} AND m."seenAt" IS NULL AND ${among(visible)}
     ORDER BY c."auditItemId", c."createdAt", c.id)
  ), dated AS (
    SELECT f.kind, f.item, f.comment, coalesce(f.since, a."createdAt") AS since, f."dueAt", f.priority,
      coalesce(f."dueAt" < ${now} AND f.work <> 'DONE', false) AS overdue
    FROM found f JOIN "Audit" a ON a.id = f."auditId"
    WHERE a.status = 'OPEN' OR f.kind = 'MENTION'
  ), placed AS (
    SELECT kind, item AS "auditItemId", comment AS "commentId", since, "dueAt", priority::text, overdue AS "isOverdue",
      concat_ws('|', CASE WHEN overdue THEN '0' ELSE '1' END, coalesce(${digits(Prisma.sql`"dueAt"`)}, '~'),
        CASE priority WHEN 'HIGH' THEN '0' WHEN 'NORMAL' THEN '1' ELSE '2' END,
        ${digits(Prisma.sql`since`)}, kind, item) COLLATE "C" AS key
    FROM dated
  )`;

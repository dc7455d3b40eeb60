import { customContent } from '../../domain/audit/custom-item.js';
import { Prisma, type AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import type { ChangeRules } from './item-changes.js';

/** What the history calls the fields that say what came out, and what it came out of. */
const saidFields = [
  ...['outcome', 'reasonCode', 'reason', 'expiresAt', 'overruled'],
  ...customContent.map((name) => `custom.${name}`),
];

/**
 * Whether a person is an author of what the item `i` says, so that somebody else reviews it: whoever submitted or assessed
 * it last; whoever said something of it, cleared its re-check mark, rewrote it, overruled the rules or measured it before
 * it was submitted (whoever measures what is under review checks it), here
 * or in the audit that it was cloned from. What was said before an acceptance was seen by another person, and is not
 * looked at again; while the item stands accepted only the person's own acceptance counts. The one place of this rule.
 */
export function isAuthorOf(person: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    i."submittedById" IS NOT DISTINCT FROM ${person} OR i."assessedById" IS NOT DISTINCT FROM ${person} OR EXISTS (
      SELECT FROM "HistoryEntry" h
      WHERE h."auditItemId" = i.id AND h."viewerId" IS NOT NULL AND (
        h."viewerId" = ${person} AND (
          h.subject = 'auditItem' AND (h.field = ANY (${saidFields}) OR h.field = 'recheck' AND h.after IS NULL)
          OR h.subject = 'trial' AND h.field IN ('created', 'extended') AND h.after->>'verdict' IS NOT NULL
            AND (i.work <> 'IN_REVIEW' OR i."submittedAt" IS NULL OR h.at <= i."submittedAt"))
        OR h.subject = 'auditItem' AND h.field = 'carried'
          AND (h.after->>'assessedById' = ${person} OR h.after->'coAuthors' @> to_jsonb(${person})))
        AND h.id > coalesce((
          SELECT max(a.id) FROM "HistoryEntry" a
          WHERE a."auditItemId" = i.id AND a.subject = 'auditItem' AND a.field IN ('acceptedById', 'acceptedAt')
            AND a.after IS NOT NULL AND a."viewerId" IS NOT NULL
            AND (i."acceptedById" IS NULL OR a."viewerId" = ${person})
        ), '')
    ))`;
}

/** A value as a person of `isAuthorOf`. */
export const personId = (id: string): Prisma.Sql => Prisma.sql`${id}::text`;

/** Those among the items of which somebody is an author. */
export async function authoredBy(db: Db, userId: string, itemIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (itemIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT i.id FROM "AuditItem" i WHERE i.id = ANY (${[...itemIds]}) AND ${isAuthorOf(personId(userId))}`;
  return new Set(rows.map(({ id }) => id));
}

/** The authors of each item of an audit that has some, by the id of the item. */
export async function authorsIn(db: Db, auditId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.$queryRaw<{ id: string; authors: string[] }[]>`
    WITH person AS (
      SELECT "viewerId" AS id FROM "HistoryEntry" WHERE "auditId" = ${auditId}
      UNION SELECT "submittedById" FROM "AuditItem" WHERE "auditId" = ${auditId}
      UNION SELECT "assessedById" FROM "AuditItem" WHERE "auditId" = ${auditId}
      UNION SELECT after->>'assessedById' FROM "HistoryEntry" WHERE "auditId" = ${auditId} AND field = 'carried'
      UNION SELECT jsonb_array_elements_text(after->'coAuthors') FROM "HistoryEntry"
        WHERE "auditId" = ${auditId} AND field = 'carried' AND jsonb_typeof(after->'coAuthors') = 'array'
    )
    SELECT i.id, array_agg(person.id ORDER BY person.id) AS authors
    FROM "AuditItem" i JOIN person ON person.id IS NOT NULL AND ${isAuthorOf(Prisma.sql`person.id`)}
    WHERE i."auditId" = ${auditId}
    GROUP BY i.id`;
  return new Map(rows.map(({ id, authors }) => [id, authors]));
}

/** Who changes items, and whether they may review them. */
export interface Changer {
  readonly id: string;
  readonly isReviewer: boolean;
}

/** By which rules somebody changes items of an audit that requires reviews or not, for each of them. */
export async function changeRules(
  db: Db,
  { id: viewerId, isReviewer }: Changer,
  requiresReview: boolean,
  rows: readonly AuditItemRow[],
): Promise<(row: AuditItemRow) => ChangeRules> {
  const now = new Date();
  // Only of an accepted item with a re-check mark does it matter who its authors are
  const asked = isReviewer && requiresReview ? rows.filter(isToBeConfirmed).map(({ id }) => id) : [];
  const own = await authoredBy(db, viewerId, asked);
  const others = new Set(asked.filter((id) => !own.has(id)));
  return ({ id }) => ({ viewerId, requiresReview, isOtherReviewer: others.has(id), now });
}

export async function isReviewRequired(db: Db, auditId: string): Promise<boolean> {
  const audit = await db.audit.findUniqueOrThrow({ where: { id: auditId }, select: { requiresReview: true } });
  return audit.requiresReview;
}

function isToBeConfirmed({ work, acceptedById, recheckCode }: AuditItemRow): boolean {
  return work === 'DONE' && acceptedById !== null && recheckCode !== null;
}

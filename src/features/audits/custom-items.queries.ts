import type { Db } from '../../platform/database/database.js';

/** Where an item of one audit alone stands in the release of its audit. */
export interface CustomPlace {
  readonly id: string;
  readonly releaseId: string;
  readonly sectionId: string;
  /** Behind the items that the release has in the section, from 1. */
  readonly order: number;
}

/** The places of audit items; of one whose section the release has no more, at the end of its last section. */
export function customPlaces(db: Db, auditItemIds: readonly string[]): Promise<CustomPlace[]> {
  return db.$queryRaw<CustomPlace[]>`
    SELECT item."id", audit."releaseId", section."id" AS "sectionId", (
        (SELECT count(*) FROM "ReleaseItem" one WHERE one."sectionId" = section."id")
        + (SELECT count(*) FROM "AuditItem" other
           WHERE other."auditId" = item."auditId" AND other."releaseItemId" IS NULL
             AND other."customSection" = item."customSection" AND other."position" <= item."position")
      )::int AS "order"
    FROM "AuditItem" item
    JOIN "Audit" audit ON audit."id" = item."auditId"
    CROSS JOIN LATERAL (
      SELECT "id" FROM "Section" WHERE "releaseId" = audit."releaseId"
      ORDER BY coalesce("key" = item."customSection", false) DESC, "order" DESC LIMIT 1
    ) section
    WHERE item."id" = ANY (${[...auditItemIds]})`;
}

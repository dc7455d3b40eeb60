import type { ItemCount } from '../../domain/audit/progress.js';
import type { Db } from '../../platform/database/database.js';

/** How many items of each section of each audit are alike, for its progress; archived items are left out. */
export function itemCountsBySection(
  db: Db,
  auditIds: readonly string[],
): Promise<(ItemCount & { auditId: string; section: string })[]> {
  return db.$queryRaw`
    SELECT i."auditId", coalesce(s."key", i."customSection", '') AS section,
      i."applies"::text AS applies, i."overruled"::text AS overruled, i."work"::text AS work,
      i."outcome"::text AS outcome, i."measuredProof"::text AS "measuredProof",
      CASE WHEN i."recheckCode" IS NULL THEN 'NO' ELSE 'YES' END AS "hasRecheck",
      count(*)::int AS count
    FROM "AuditItem" i
    LEFT JOIN "ReleaseItem" r ON r."id" = i."releaseItemId"
    LEFT JOIN "Section" s ON s."id" = r."sectionId"
    WHERE i."auditId" = ANY (${[...auditIds]}) AND NOT i."isArchived"
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;
}

import type { ItemCount } from '../../domain/audit/progress.js';
import { invalidInput } from '../../domain/errors.js';
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

/** Most sections that an error lists. */
const LISTED = 20;

/** INVALID_INPUT for the key of a section in which no item of the audit can stand; archived items count. */
export async function requireSection(db: Db, auditId: string, key: string): Promise<void> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT s."key", s."order" FROM "Section" s JOIN "Audit" a ON a."releaseId" = s."releaseId" WHERE a."id" = ${auditId}
    UNION ALL
    SELECT DISTINCT coalesce(s."key", i."customSection"), NULL::int FROM "AuditItem" i
    LEFT JOIN "ReleaseItem" r ON r."id" = i."releaseItemId"
    LEFT JOIN "Section" s ON s."id" = r."sectionId"
    WHERE i."auditId" = ${auditId} AND (i."isArchived" OR i."releaseItemId" IS NULL)
    ORDER BY 2 NULLS LAST, 1`;
  const sections = [...new Set(rows.map((row) => row.key))];
  if (sections.includes(key)) return;
  const rest = sections.length > LISTED ? ', …' : '';
  const listed = sections.slice(0, LISTED);
  throw invalidInput(
    {
      en: `filter.section "${key}" is no section of this audit; it has ${listed.join(', ')}${rest}`,
      zh: `filter.section“${key}”不是该审计的章节；该审计的章节有：${listed.join('、')}${rest === '' ? '' : ' 等'}`,
    },
    { place: 'filter.section', value: key, sections: listed },
  );
}

import {
  MILESTONE_FORMAT,
  timeBreakdown,
  type MilestoneItem,
  type MilestoneSnapshot,
} from '../../domain/audit/milestone.js';
import { progressOf, shownProof } from '../../domain/audit/progress.js';
import type { Proof } from '../../domain/audit/proof.js';
import type { Db } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { tellsOfItemSql } from './telling-trials.js';

type ItemRow = Omit<MilestoneItem, 'title' | 'proof'> & {
  readonly title: unknown;
  readonly measuredProof: Proof | null;
};

/** The state of an audit, whole, in a few statements whatever its size. */
export async function snapshotOf(db: Db, auditId: string): Promise<MilestoneSnapshot> {
  const audit = await db.audit.findUniqueOrThrow({
    where: { id: auditId },
    select: {
      status: true,
      scopeFacts: true,
      timeBreakdown: true,
      environment: { select: { name: true } },
      scopeHardware: { select: { slug: true } },
      release: { select: { version: true, checklist: { select: { slug: true } } } },
    },
  });
  const rows = await itemRows(db, auditId);
  const counted = rows.filter(({ isArchived }) => !isArchived);
  return {
    format: MILESTONE_FORMAT,
    checklist: audit.release.checklist.slug,
    release: audit.release.version,
    status: audit.status,
    environmentName: audit.environment?.name ?? null,
    scope: { hardware: audit.scopeHardware?.slug ?? null, facts: factsOf(audit.scopeFacts) },
    progress: progressOf(
      counted.map((row) => ({ ...row, hasRecheck: row.recheck === null ? ('NO' as const) : 'YES', count: 1 })),
    ),
    timeBreakdown: timeBreakdown.parse(audit.timeBreakdown),
    items: rows.map(toMilestoneItem),
  };
}

/** The newest trial that tells of an item is the one that its proof comes from. */
function itemRows(db: Db, auditId: string): Promise<ItemRow[]> {
  return db.$queryRaw<ItemRow[]>`
    SELECT
      coalesce(r."key", i."customKey", '') AS "key",
      i."releaseItemId" IS NULL AS "isCustom",
      i."isArchived",
      coalesce(s."key", i."customSection", '') AS "section",
      coalesce(v."title", i."custom" -> 'title') AS "title",
      i."applies"::text AS "applies", i."overruled"::text AS "overruled",
      i."work"::text AS "work", i."outcome"::text AS "outcome",
      i."reasonCode"::text AS "reasonCode", i."reason", i."remark",
      i."recheckCode"::text AS "recheck", i."measuredProof"::text AS "measuredProof",
      u."name" AS "assignee", t."verdict"
    FROM "AuditItem" i
    LEFT JOIN "ReleaseItem" r ON r."id" = i."releaseItemId"
    LEFT JOIN "ItemRevision" v ON v."id" = r."revisionId"
    LEFT JOIN "Section" s ON s."id" = r."sectionId"
    LEFT JOIN "User" u ON u."id" = i."assigneeId"
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object(
        'metric', m."key", 'verdict', t."verdict", 'gain', c."gain", 'gainLow', c."gainLow", 'gainHigh', c."gainHigh",
        'evidence', coalesce(c."evidence"::text, 'NONE')) AS "verdict"
      FROM "Trial" t
      JOIN "Metric" m ON m."id" = t."primaryMetricId"
      LEFT JOIN "Comparison" c ON c."trialId" = t."id" AND c."metricId" = t."primaryMetricId"
      WHERE t."auditItemId" = i."id" AND ${tellsOfItemSql}
      ORDER BY t."id" DESC, c."computation" DESC NULLS LAST, c."verdict" = t."verdict" DESC, c."position"
      LIMIT 1
    ) t ON true
    WHERE i."auditId" = ${auditId}
    ORDER BY i."isArchived", i."position", i."id"`;
}

function toMilestoneItem({ title, measuredProof, ...row }: ItemRow): MilestoneItem {
  return { ...row, title: toLocalizedText(title ?? {}), proof: shownProof({ outcome: row.outcome, measuredProof }) };
}

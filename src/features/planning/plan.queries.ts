import { z } from 'zod';
import { customItemOf } from '../../domain/audit/custom-item.js';
import type { FoundTrial, Original } from '../../domain/audit/plan-evidence.js';
import { saysTime, type MeasuredGain } from '../../domain/audit/plan-gain.js';
import type { Applies, Direction, EvidenceLevel, Outcome, Verdict, Work } from '../../generated/prisma/enums.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { VisibleProjects } from '../../platform/auth/access.js';
import type { Db } from '../../platform/database/database.js';
import { tellsOfItemSql } from '../audits/audits.service.js';

/** An item of an audit with what its release says of it, or what was written of a custom one. */
export interface PlannedRow {
  readonly id: string;
  readonly auditId: string;
  readonly position: number;
  readonly applies: Applies;
  readonly appliesReasons: unknown;
  readonly overruled: Applies | null;
  readonly overruleReason: string | null;
  readonly work: Work;
  readonly outcome: Outcome;
  readonly hasRecheck: boolean;
  readonly expiresAt: Date | null;
  readonly adoptedFromId: string | null;
  readonly custom: unknown;
  readonly hardwareId: string | null;
  readonly hardware: string | null;
  readonly key: string;
  /** Null for a custom item. */
  readonly itemId: string | null;
  readonly title: unknown;
  readonly bottleneck: string | null;
  readonly effort: string | null;
  readonly metrics: unknown;
  readonly gain: unknown;
  readonly relations: unknown;
}

/** The items of these audits but for archived ones, in one statement. */
export function plannedRows(db: Db, auditIds: readonly string[]): Promise<PlannedRow[]> {
  return db.$queryRaw<PlannedRow[]>`
    SELECT i.id, i."auditId", i.position, i.applies::text, i."appliesReasons", i.overruled::text, i."overruleReason",
      i.work::text, i.outcome::text, i."recheckCode" IS NOT NULL AS "hasRecheck", i."expiresAt", i."adoptedFromId",
      i.custom, h.id AS "hardwareId", h.slug AS hardware, coalesce(ri.key, i."customKey", '') AS key,
      r."itemId", r.title, r.bottleneck, r.effort, r.metrics, r.gain, r.relations
    FROM "AuditItem" i
    JOIN "Audit" a ON a.id = i."auditId"
    LEFT JOIN "Environment" e ON e.id = a."environmentId"
    LEFT JOIN "HardwareProfile" h ON h.id = coalesce(a."scopeHardwareId", e."hardwareId")
    LEFT JOIN "ReleaseItem" ri ON ri.id = i."releaseItemId"
    LEFT JOIN "ItemRevision" r ON r.id = ri."revisionId"
    WHERE i."auditId" = ANY (${[...auditIds]}) AND NOT i."isArchived"
    ORDER BY i.position`;
}

/** What a trial measured on its primary metric, and of what. */
export interface TrialRow extends FoundTrial {
  /** The practice; for a trial of a custom item the audit item. */
  readonly subjectId: string;
  /** The adopted note that it belongs to, where it was asked for by a note. */
  readonly noteId: string | null;
  readonly hardwareId: string | null;
  readonly dimension: string;
  readonly direction: Direction | null;
  readonly verdict: Verdict;
}

const ofMeasurement = Prisma.sql`t.id, coalesce(r."itemId", i."customKey", '') AS practice, m.key AS metric,
  t.verdict::text, c.gain, c.evidence`;

const ofTrial = Prisma.sql`${ofMeasurement}, t."originId", coalesce(r."itemId", i.id) AS "subjectId",
  coalesce(a."scopeHardwareId", e."hardwareId") AS "hardwareId", m.dimension, m.direction::text,
  (SELECT string_agg(arm.arm::text || ' ' || arm."runId", ' ' ORDER BY arm.arm, arm."runId")
    FROM "TrialRun" arm WHERE arm."trialId" = t.id) AS runs`;

/** A trial of several points has the median of their gains and the weakest of their evidence. */
const trialTables = Prisma.sql`
  JOIN "AuditItem" i ON i.id = t."auditItemId"
  JOIN "Audit" a ON a.id = i."auditId"
  JOIN "Metric" m ON m.id = t."primaryMetricId"
  LEFT JOIN "Environment" e ON e.id = a."environmentId"
  LEFT JOIN "ReleaseItem" ri ON ri.id = i."releaseItemId"
  LEFT JOIN "ItemRevision" r ON r.id = ri."revisionId"
  LEFT JOIN LATERAL (
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY c.gain) AS gain, max(c.evidence)::text AS evidence
    FROM "Comparison" c
    WHERE c."trialId" = t.id AND c.role = 'PRIMARY'
      AND c.computation = (SELECT max(n.computation) FROM "Comparison" n WHERE n."trialId" = t.id)
  ) c ON true`;

const isVisible = (visible: VisibleProjects): Prisma.Sql =>
  visible === 'ALL' ? Prisma.sql`true` : Prisma.sql`t."projectId" = ANY (${[...visible]})`;

/** The trials of these practices and custom items, in the projects that the viewer may see. */
export function trialRows(
  db: Db,
  visible: VisibleProjects,
  itemIds: readonly string[],
  customIds: readonly string[],
): Promise<TrialRow[]> {
  return db.$queryRaw<TrialRow[]>`
    SELECT ${ofTrial}, NULL AS "noteId"
    FROM "Trial" t ${trialTables}
    WHERE ${tellsOfItemSql} AND ${isVisible(visible)}
      AND (r."itemId" = ANY (${[...itemIds]}) OR t."auditItemId" = ANY (${[...customIds]}))
    ORDER BY t.id`;
}

/** The trials that these notes show, in the projects that the viewer may see. */
export function trialRowsOfNotes(db: Db, visible: VisibleProjects, noteIds: readonly string[]): Promise<TrialRow[]> {
  return db.$queryRaw<TrialRow[]>`
    SELECT ${ofTrial}, nt."noteId"
    FROM "NoteTrial" nt
    JOIN "Trial" t ON t.id = nt."trialId" ${trialTables}
    WHERE nt."noteId" = ANY (${[...noteIds]}) AND ${tellsOfItemSql} AND ${isVisible(visible)}
    ORDER BY t.id`;
}

/** The originals of copies, whoever may see them: a copy is held against them, and nothing of them is shown. */
export async function originalsOf(db: Db, trials: readonly TrialRow[]): Promise<ReadonlyMap<string, Original>> {
  const ids = new Set(trials.map(({ originId }) => originId).filter((id) => id !== null));
  if (ids.size === 0) return new Map();
  const rows = await db.$queryRaw<(Original & { readonly id: string })[]>`
    SELECT ${ofMeasurement}, ${tellsOfItemSql} AS "isEvidence"
    FROM "Trial" t ${trialTables}
    WHERE t.id = ANY (${[...ids]}) AND t."originId" IS NULL`;
  return new Map(rows.map(({ id, ...original }) => [id, original]));
}

/** What a reference note measured on its primary metric. */
export interface NoteRow {
  readonly noteId: string;
  readonly slug: string;
  /** Slug of the profile that it was measured on. */
  readonly hardware: string | null;
  readonly metric: string;
  readonly dimension: string;
  readonly direction: Direction | null;
  readonly verdict: Verdict;
  readonly gain: number | null;
  readonly evidence: EvidenceLevel;
}

/** The measured reference notes of these slugs and of these ids. */
export function referenceRows(db: Db, slugs: readonly string[], noteIds: readonly string[]): Promise<NoteRow[]> {
  return db.$queryRaw<NoteRow[]>`
    SELECT n.id AS "noteId", n.slug, n.context->>'hardware' AS hardware, m.key AS metric, m.dimension,
      m.direction::text, c.verdict::text, c.gain, c.evidence::text
    FROM "Note" n
    JOIN LATERAL (
      SELECT c.* FROM "Comparison" c WHERE c."noteId" = n.id AND c.role = 'PRIMARY'
      ORDER BY c.computation DESC, c.position LIMIT 1
    ) c ON true
    JOIN "Metric" m ON m.id = c."metricId"
    WHERE n."projectId" IS NULL AND (n.id = ANY (${[...noteIds]}) OR n.slug = ANY (${[...slugs]}))
    ORDER BY n.id`;
}

const metricsShape = z.array(z.object({ key: z.string(), role: z.string() }));

/** The key of the primary metric of an item, from its JSON column. */
export function primaryMetricOf(row: PlannedRow): string | null {
  const metrics = row.itemId === null ? customItemOf(row.custom).metrics : metricsShape.parse(row.metrics);
  return metrics.find(({ role }) => role.toUpperCase() === 'PRIMARY')?.key ?? null;
}

const gainShape = z.array(
  z.object({
    basis: z.enum(['VENDOR_DOC', 'PUBLIC_BENCHMARK', 'OWN_MEASUREMENT', 'EXPERT_OPINION']),
    metric: z.string(),
    ratio: z.object({ from: z.number(), to: z.number() }),
    note: z.string().nullish(),
  }),
);
export type WrittenGain = z.output<typeof gainShape>[number];

/** What an item states that it may bring, from its JSON column. */
export function writtenGains(row: PlannedRow): readonly WrittenGain[] {
  return row.itemId === null ? [] : gainShape.parse(row.gain);
}

export function measuredByTrial(row: TrialRow, hardwareId: string | null): MeasuredGain {
  const { metric, verdict, gain, evidence } = row;
  const isSameHardware = hardwareId !== null && row.hardwareId === hardwareId;
  return { metric, isOfTime: saysTime(row), verdict, gain, evidence: evidence ?? 'NONE', isSameHardware };
}

export function measuredByNote(row: NoteRow, hardware: string | null): MeasuredGain {
  const { metric, verdict, gain, evidence } = row;
  const isSameHardware = hardware !== null && row.hardware === hardware;
  return { metric, isOfTime: saysTime(row), verdict, gain, evidence, isSameHardware };
}

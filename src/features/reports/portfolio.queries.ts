import type { PortfolioItemCount, VerifiedGain } from '../../domain/audit/portfolio.js';
import type { ItemCount } from '../../domain/audit/progress.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { VisibleProjects } from '../../platform/auth/access.js';
import type { Db } from '../../platform/database/database.js';
import { tellsOfItemSql } from '../audits/audits.service.js';
import type { PortfolioFilter } from './portfolio.types.js';

/** An audit that a portfolio counts, with all that it is grouped by. */
export interface CountedAudit {
  readonly id: string;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly projectName: string;
  readonly teamId: string | null;
  readonly teamSlug: string | null;
  readonly teamName: string | null;
  readonly checklistId: string;
  readonly checklist: string;
  readonly hardwareId: string | null;
  readonly hardwareSlug: string | null;
  readonly hardwareName: string | null;
}

function isVisible(visible: VisibleProjects): Prisma.Sql {
  return visible === 'ALL' ? Prisma.sql`true` : Prisma.sql`p."id" = ANY (${[...visible]})`;
}

/**
 * An audit that is worked on, or the newest of its project on that checklist and environment. Which one that is does not
 * hang on the hardware that is asked for.
 */
const isCurrent = Prisma.sql`(a."status" = 'OPEN' OR NOT EXISTS (
  SELECT 1 FROM "Audit" other JOIN "Release" ofOther ON ofOther."id" = other."releaseId"
  WHERE other."projectId" = a."projectId" AND ofOther."checklistId" = r."checklistId"
    AND coalesce(other."environmentId", '') = coalesce(a."environmentId", '')
    AND (other."createdAt", other."id") > (a."createdAt", a."id")))`;

/** The audits of a portfolio, newest first. */
export function countedAudits(db: Db, visible: VisibleProjects, filter: PortfolioFilter): Promise<CountedAudit[]> {
  const { teams, projects, checklist, hardware, audits } = filter;
  const conditions = [isVisible(visible)];
  if (teams) conditions.push(Prisma.sql`t."slug" = ANY (${[...teams]})`);
  if (projects) conditions.push(Prisma.sql`p."slug" = ANY (${[...projects]})`);
  if (checklist) conditions.push(Prisma.sql`c."slug" = ${checklist}`);
  if (audits === 'OPEN') conditions.push(Prisma.sql`a."status" = 'OPEN'`);
  if ((audits ?? 'CURRENT') === 'CURRENT') conditions.push(isCurrent);
  const onHardware = hardware ? Prisma.sql`WHERE h."slug" = ${hardware}` : Prisma.empty;
  return db.$queryRaw`
    SELECT one.*, h."slug" AS "hardwareSlug", h."name" AS "hardwareName"
    FROM (
      SELECT a."id", a."createdAt", a."projectId", p."slug" AS "projectSlug", p."name" AS "projectName",
        t."id" AS "teamId", t."slug" AS "teamSlug", t."name" AS "teamName",
        r."checklistId", c."slug" AS checklist, a."scopeHardwareId" AS "hardwareId"
      FROM "Audit" a
      JOIN "Project" p ON p."id" = a."projectId"
      LEFT JOIN "Team" t ON t."id" = p."teamId"
      JOIN "Release" r ON r."id" = a."releaseId"
      JOIN "Checklist" c ON c."id" = r."checklistId"
      WHERE ${Prisma.join(conditions, ' AND ')}
    ) one
    LEFT JOIN "HardwareProfile" h ON h."id" = one."hardwareId"
    ${onHardware}
    ORDER BY one."createdAt" DESC, one."id" DESC`;
}

/** Which of these slugs of projects and teams the viewer can see a project by. */
export async function knownSlugs(
  db: Db,
  visible: VisibleProjects,
  { teams, projects }: PortfolioFilter,
): Promise<{ readonly teams: ReadonlySet<string>; readonly projects: ReadonlySet<string> }> {
  const rows = await db.$queryRaw<{ project: string; team: string | null }[]>`
    SELECT p."slug" AS project, t."slug" AS team FROM "Project" p
    LEFT JOIN "Team" t ON t."id" = p."teamId"
    WHERE ${isVisible(visible)}
      AND (p."slug" = ANY (${[...(projects ?? [])]}) OR t."slug" = ANY (${[...(teams ?? [])]}))`;
  return {
    projects: new Set(rows.map(({ project }) => project)),
    teams: new Set(rows.flatMap(({ team }) => (team === null ? [] : [team]))),
  };
}

/** What a row of counts is of: everything, a team, a project, a section of a checklist, or hardware. */
export type CountLevel = 'TOTAL' | 'TEAM' | 'PROJECT' | 'SECTION' | 'HARDWARE';

export interface LevelCount extends PortfolioItemCount {
  readonly level: CountLevel;
  readonly teamId: string | null;
  readonly projectId: string | null;
  readonly checklistId: string | null;
  readonly section: string | null;
  readonly hardwareId: string | null;
}

/**
 * How many items are alike, on every level, from one reading of the items: the levels cannot disagree. What no count asks
 * for is left out, the proof of what was not applied and the date of what is DONE, so that more items are alike.
 */
export function countsByLevel(db: Db, auditIds: readonly string[], now: Date): Promise<LevelCount[]> {
  return db.$queryRaw`
    WITH item AS (
      SELECT p."teamId", a."projectId", r."checklistId", a."scopeHardwareId",
        coalesce(s."key", i."customSection", '') AS section,
        i."applies", i."overruled", i."work", i."outcome",
        CASE WHEN i."outcome" = 'APPLIED' THEN i."measuredProof" END AS proof,
        i."recheckCode" IS NOT NULL AS "isStale",
        coalesce(i."dueAt" < ${now} AND i."work" <> 'DONE', false) AS "isOverdue",
        coalesce(i."outcome" = 'DEFERRED' AND i."expiresAt" > ${now}, false) AS "isPutOff"
      FROM "AuditItem" i
      JOIN "Audit" a ON a."id" = i."auditId"
      JOIN "Project" p ON p."id" = a."projectId"
      JOIN "Release" r ON r."id" = a."releaseId"
      LEFT JOIN "ReleaseItem" ri ON ri."id" = i."releaseItemId"
      LEFT JOIN "Section" s ON s."id" = ri."sectionId"
      WHERE i."auditId" = ANY (${[...auditIds]}) AND NOT i."isArchived"
    )
    SELECT
      CASE
        WHEN grouping("teamId") = 0 THEN 'TEAM'
        WHEN grouping("projectId") = 0 THEN 'PROJECT'
        WHEN grouping(section) = 0 THEN 'SECTION'
        WHEN grouping("scopeHardwareId") = 0 THEN 'HARDWARE'
        ELSE 'TOTAL'
      END AS level,
      "teamId", "projectId", "checklistId", section, "scopeHardwareId" AS "hardwareId",
      "applies"::text AS applies, "overruled"::text AS overruled, "work"::text AS work, "outcome"::text AS outcome,
      proof::text AS "measuredProof",
      CASE WHEN "isStale" THEN 'YES' ELSE 'NO' END AS "hasRecheck",
      CASE WHEN "isOverdue" THEN 'YES' ELSE 'NO' END AS "isPastDue",
      CASE WHEN "isPutOff" THEN 'YES' ELSE 'NO' END AS "isPutOff",
      count(*)::int AS count
    FROM item
    GROUP BY "applies", "overruled", "work", "outcome", proof, "isStale", "isOverdue", "isPutOff",
      GROUPING SETS ((), ("teamId"), ("projectId"), ("checklistId", section), ("scopeHardwareId"))`;
}

export interface SectionTitle {
  readonly checklistId: string;
  readonly key: string;
  readonly title: unknown;
}

/** The sections of the releases that audits are on, each as the newest of them has it, in the order of a checklist. */
export function sectionTitles(db: Db, auditIds: readonly string[]): Promise<SectionTitle[]> {
  return db.$queryRaw`
    SELECT one."checklistId", one."key", one."title"
    FROM (
      SELECT DISTINCT ON (r."checklistId", s."key") r."checklistId", r."rank", s."key", s."title", s."order"
      FROM "Section" s JOIN "Release" r ON r."id" = s."releaseId"
      WHERE s."releaseId" IN (SELECT "releaseId" FROM "Audit" WHERE "id" = ANY (${[...auditIds]}))
      ORDER BY r."checklistId", s."key", r."rank" DESC
    ) one
    ORDER BY one."checklistId", one."rank" DESC, one."order"`;
}

/** A verified item with what its newest trial with a verdict says it brought. */
export type MeasuredItem = Omit<ItemCount, 'count' | 'hasRecheck'> & VerifiedGain & { readonly projectId: string };

/**
 * The gains of applied items whose proof is VERIFIED, in the order of the metrics. An A/A trial proves nothing of an item.
 * Over several points of the primary metric it is the median, as of message sizes.
 */
export function gainsOfVerified(db: Db, auditIds: readonly string[]): Promise<MeasuredItem[]> {
  return db.$queryRaw`
    SELECT i."projectId", i."applies"::text AS applies, i."overruled"::text AS overruled, i."work"::text AS work,
      i."outcome"::text AS outcome, i."measuredProof"::text AS "measuredProof", newest."metricId", measured.gain
    FROM "AuditItem" i JOIN "Audit" a ON a."id" = i."auditId"
    CROSS JOIN LATERAL (
      SELECT t."id", t."primaryMetricId" AS "metricId" FROM "Trial" t
      WHERE t."auditItemId" = i."id" AND ${tellsOfItemSql}
      ORDER BY t."id" DESC LIMIT 1
    ) newest
    CROSS JOIN LATERAL (
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY c."gain") AS gain FROM "Comparison" c
      WHERE c."trialId" = newest."id" AND c."role" = 'PRIMARY'
        AND c."computation" = (SELECT max("computation") FROM "Comparison" WHERE "trialId" = newest."id")
    ) measured
    JOIN "Metric" m ON m."id" = newest."metricId"
    WHERE i."auditId" = ANY (${[...auditIds]}) AND NOT i."isArchived"
      AND i."outcome" = 'APPLIED' AND i."measuredProof" = 'VERIFIED' AND measured.gain IS NOT NULL
    ORDER BY m."order", m."key", m."id"`;
}

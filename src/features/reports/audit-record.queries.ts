import { z } from 'zod';
import type { GivenFleet } from '../../domain/derived/fleet.js';
import type { AuditStatus } from '../../generated/prisma/enums.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';

// Reads all that one audit is, in a number of statements that does not grow with it.

/** The audit with everything that there is one of. */
export interface HeadRow {
  readonly id: string;
  readonly title: string;
  readonly status: AuditStatus;
  readonly createdAt: Date;
  readonly createdById: string;
  readonly closedAt: Date | null;
  readonly requiresReview: boolean;
  readonly clonedFromId: string | null;
  readonly endToEndTrialId: string | null;
  readonly timeBreakdown: unknown;
  readonly scopeFacts: unknown;
  readonly scopedAt: Date;
  readonly scopeSlug: string | null;
  readonly scopeName: string | null;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly projectName: string;
  readonly releaseId: string;
  readonly checklist: string;
  readonly version: string;
  readonly releaseTitle: unknown;
  readonly digest: string;
  readonly environment: string | null;
  readonly environmentFacts: unknown;
  readonly hardwareSlug: string | null;
  readonly hardwareName: string | null;
  /** What the project says of its fleet; null where it says nothing. */
  readonly fleet: unknown;
}

function readHead(db: Db, id: string): Promise<HeadRow[]> {
  return db.$queryRaw<HeadRow[]>`
    SELECT a."id", a."title", a."status"::text AS "status", a."createdAt", a."createdById", a."closedAt",
      a."requiresReview", a."clonedFromId", a."endToEndTrialId", a."timeBreakdown", a."scopeFacts", a."scopedAt",
      sh."slug" AS "scopeSlug", sh."name" AS "scopeName",
      p."id" AS "projectId", p."slug" AS "projectSlug", p."name" AS "projectName",
      r."id" AS "releaseId", c."slug" AS "checklist", r."version", r."title" AS "releaseTitle", r."digest",
      e."name" AS "environment", e."facts" AS "environmentFacts", h."slug" AS "hardwareSlug", h."name" AS "hardwareName",
      to_jsonb(f) AS "fleet"
    FROM "Audit" a
    JOIN "Project" p ON p."id" = a."projectId"
    JOIN "Release" r ON r."id" = a."releaseId"
    JOIN "Checklist" c ON c."id" = r."checklistId"
    LEFT JOIN "Environment" e ON e."id" = a."environmentId"
    LEFT JOIN "HardwareProfile" h ON h."id" = e."hardwareId"
    LEFT JOIN "HardwareProfile" sh ON sh."id" = a."scopeHardwareId"
    LEFT JOIN "Fleet" f ON f."projectId" = p."id"
    WHERE a."id" = ${id}`;
}

/** An item of a release that an item of the audit is of, or whose check a result was given for. */
export interface ReleaseItemRow {
  readonly id: string;
  readonly key: string;
  readonly section: string;
  readonly title: unknown;
  readonly version: string;
}

/** A note that an item was adopted from; null as project for a reference note, which alone has a slug. */
export interface AdoptedRow {
  readonly id: string;
  readonly projectId: string | null;
  readonly slug: string | null;
  readonly title: unknown;
}

type OutlineRow =
  | (SectionRow & { readonly kind: 'SECTION' })
  | (ReleaseItemRow & { readonly kind: 'ITEM' })
  | (AdoptedRow & { readonly kind: 'NOTE' })
  | { readonly kind: 'ATTACHMENT'; readonly attachment: unknown };

export interface SectionRow {
  readonly key: string;
  readonly title: unknown;
  readonly order: number;
}

const attachmentShape = z.object({
  id: z.string(),
  auditItemId: z.string().nullable(),
  trialId: z.string().nullable(),
  runId: z.string().nullable(),
  sha256: z.string(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.number(),
  caption: z.string().nullable(),
  createdById: z.string().nullable(),
  createdByName: z.string().nullable(),
  createdAt: z.coerce.date(),
});

/** A file that is attached to an item of the audit, to a trial of one, or to a run of these. */
export type AttachmentRow = Readonly<z.infer<typeof attachmentShape>>;

const figure = z.number().nullable();
const fleetShape = z.object({
  gpus: figure,
  busyShare: figure,
  hoursPerMonth: figure,
  currency: z.string().nullable(),
  pricePerGpuHour: figure,
  pricePerKwh: figure,
  pue: figure,
  powerPerGpu: figure,
  pricePerEngineeringHour: figure,
});

/** The fleet that the head of an audit names. */
export function fleetOfHead({ fleet }: Pick<HeadRow, 'fleet'>): GivenFleet | null {
  return fleetShape.nullable().parse(fleet);
}

/**
 * What items are of, in one statement: the sections of the release, the release items, the notes that were adopted, and
 * the files that are attached to items, to their trials, and to the runs of these.
 */
async function readOutline(db: Db, auditId: string, releaseId: string) {
  const rows = await db.$queryRaw<OutlineRow[]>`
    SELECT 'SECTION' AS "kind", s."id", s."key", s."title", s."order", NULL AS "section", NULL AS "version",
      NULL AS "projectId", NULL AS "slug", NULL::jsonb AS "attachment"
    FROM "Section" s WHERE s."releaseId" = ${releaseId}
    UNION ALL
    SELECT 'ITEM', ri."id", ri."key", rev."title", 0, s."key", r."version", NULL, NULL, NULL
    FROM "ReleaseItem" ri
    JOIN "Section" s ON s."id" = ri."sectionId"
    JOIN "ItemRevision" rev ON rev."id" = ri."revisionId"
    JOIN "Release" r ON r."id" = ri."releaseId"
    WHERE ri."id" IN (
      SELECT unnest(ARRAY["releaseItemId", "recheckOfId"]) FROM "AuditItem" WHERE "auditId" = ${auditId})
    UNION ALL
    SELECT 'NOTE', n."id", NULL, n."title", 0, NULL, NULL, n."projectId", n."slug", NULL
    FROM "Note" n WHERE n."id" IN (SELECT "adoptedFromId" FROM "AuditItem" WHERE "auditId" = ${auditId})
    UNION ALL
    SELECT 'ATTACHMENT', at."id", NULL, NULL, 0, NULL, NULL, NULL, NULL, to_jsonb(at)
    FROM "Attachment" at
    WHERE at."detachedAt" IS NULL AND (
      at."auditItemId" IN (SELECT "id" FROM "AuditItem" WHERE "auditId" = ${auditId})
      OR at."trialId" IN (
        SELECT t."id" FROM "Trial" t JOIN "AuditItem" i ON i."id" = t."auditItemId" WHERE i."auditId" = ${auditId})
      OR at."runId" IN (
        SELECT tr."runId" FROM "TrialRun" tr JOIN "Trial" t ON t."id" = tr."trialId"
        JOIN "AuditItem" i ON i."id" = t."auditItemId" WHERE i."auditId" = ${auditId}))`;
  const attachments = rows.flatMap((row) => (row.kind === 'ATTACHMENT' ? [attachmentShape.parse(row.attachment)] : []));
  return {
    sections: rows.filter((row) => row.kind === 'SECTION').sort((one, other) => one.order - other.order),
    releaseItems: rows.filter((row) => row.kind === 'ITEM'),
    notes: rows.filter((row) => row.kind === 'NOTE'),
    attachments: attachments.sort((one, other) => (one.id < other.id ? -1 : 1)),
  };
}

/** How much of an audit is read: reports show neither what runs observed nor the history. */
export type Reading = 'WITH_SAMPLES' | 'WITHOUT_SAMPLES' | 'FOR_REPORT';

function ofAudit(auditId: string) {
  const trial = { auditItem: { auditId } } satisfies Prisma.TrialWhereInput;
  const run = { trials: { some: { trial } } } satisfies Prisma.RunWhereInput;
  return { trial, run };
}

/** The runs of these with what they observed, oldest first; `samples` only where they are asked for. */
export async function readRuns(db: Db, where: Prisma.RunWhereInput, wanted: Reading): Promise<RunRows> {
  const runs = await db.run.findMany({ where, orderBy: { id: 'asc' } });
  if (wanted === 'FOR_REPORT') return { ...noRuns, runs };
  const evidence = runs.some(({ evidenceId }) => evidenceId !== null)
    ? await db.evidence.findMany({
        where: { runs: { some: where } },
        select: { id: true, sha256: true, fileName: true },
      })
    : [];
  const ofRuns = {
    where: { run: where },
    orderBy: [{ runId: 'asc' }, { position: 'asc' }],
  } satisfies Prisma.ObservationFindManyArgs;
  const observations =
    wanted === 'WITH_SAMPLES'
      ? await db.observation.findMany(ofRuns)
      : (await db.observation.findMany({ ...ofRuns, omit: { samples: true } })).map((one) => ({ ...one, samples: [] }));
  return { runs, evidence, observations };
}

/** The metrics of these ids, and those with these keys that the project knows. */
function readMetrics(db: Db, projectId: string, ids: readonly string[], keys: readonly string[]) {
  const named = { key: { in: [...keys] }, scope: { in: ['', projectId] } };
  return db.metric.findMany({
    where: { OR: [{ id: { in: [...ids] } }, named] },
    orderBy: [{ scope: 'asc' }, { order: 'asc' }, { key: 'asc' }],
  });
}

/** Comparisons of the newest computation of each trial, in their order. */
async function readComparisons(db: Db, auditId: string) {
  const rows = await db.comparison.findMany({
    where: { trial: ofAudit(auditId).trial },
    orderBy: [{ trialId: 'asc' }, { position: 'asc' }],
  });
  const newest = new Map<string | null, number>();
  for (const { trialId, computation } of rows) {
    newest.set(trialId, Math.max(computation, newest.get(trialId) ?? 0));
  }
  return rows.filter(({ trialId, computation }) => computation === newest.get(trialId));
}

/** All rows of an audit: read in one transaction, they are of one moment. Null where there is no such audit. */
export async function readAudit(db: Db, auditId: string, wanted: Reading) {
  const [head] = await readHead(db, auditId);
  if (!head) return null;
  const { trial, run } = ofAudit(auditId);
  const { sections, releaseItems, notes, attachments } = await readOutline(db, auditId, head.releaseId);
  const items = await db.auditItem.findMany({
    where: { auditId },
    orderBy: [{ isArchived: 'asc' }, { position: 'asc' }],
  });
  const comments = await db.comment.findMany({ where: { auditItem: { auditId } }, orderBy: { id: 'asc' } });
  const history =
    wanted === 'FOR_REPORT' ? [] : await db.historyEntry.findMany({ where: { auditId }, orderBy: { id: 'asc' } });
  const milestones = await db.milestone.findMany({ where: { auditId }, orderBy: { id: 'asc' } });
  const trials = await db.trial.findMany({ where: trial, orderBy: { id: 'asc' } });
  const links = trials.length > 0 ? await db.trialRun.findMany({ where: { trial }, orderBy: [{ order: 'asc' }] }) : [];
  const runs = links.length > 0 ? await readRuns(db, run, wanted) : noRuns;
  const comparisons = links.length > 0 ? await readComparisons(db, auditId) : [];
  const metricIds = [
    ...trials.map(({ primaryMetricId }) => primaryMetricId),
    ...runs.observations.map(({ metricId }) => metricId),
    ...comparisons.map(({ metricId }) => metricId),
  ];
  const keys = trials.flatMap(({ guardrails }) => guardrails);
  const metrics =
    trials.length > 0 ? await readMetrics(db, head.projectId, [...new Set(metricIds)], [...new Set(keys)]) : [];
  const people = await readPeople(db, [
    head.createdById,
    ...items.flatMap((item) => [
      item.assigneeId,
      item.overruledById,
      item.assessedById,
      item.submittedById,
      item.acceptedById,
    ]),
    ...comments.map(({ authorId }) => authorId),
    ...history.map(({ viewerId }) => viewerId),
    ...milestones.map(({ createdById }) => createdById),
    ...trials.map(({ createdById }) => createdById),
    ...runs.runs.map(({ createdById }) => createdById),
    ...attachments.map(({ createdById }) => createdById),
  ]);
  return {
    head,
    sections,
    items,
    releaseItems,
    comments,
    history,
    milestones,
    notes,
    trials,
    links,
    ...runs,
    attachments,
    comparisons,
    metrics,
    people,
  };
}

export type AuditRows = NonNullable<Awaited<ReturnType<typeof readAudit>>>;
/** Runs with what they observed and the files that they were read from. */
export interface RunRows {
  readonly runs: readonly Prisma.RunGetPayload<object>[];
  readonly evidence: readonly { readonly id: string; readonly sha256: string; readonly fileName: string }[];
  readonly observations: readonly Prisma.ObservationGetPayload<object>[];
}

const noRuns: RunRows = { runs: [], evidence: [], observations: [] };

/** Names of people by their ids. */
export async function readPeople(db: Db, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const known = [...new Set(ids.filter((one) => one !== null))];
  const rows = await db.user.findMany({ where: { id: { in: known } }, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

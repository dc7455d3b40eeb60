import { invalidInput, limitExceeded } from '../../domain/errors.js';
import type { RunFacts } from '../../domain/series/environment-class.js';
import { storedFactsReader, type NormalWords } from '../../domain/measurement/normal-facts.js';
import { dimensionsShape } from '../../domain/measurement/stored.js';
import { Prisma, type Metric } from '../../generated/prisma/client.js';
import type { RunSource, RunStatus } from '../../generated/prisma/enums.js';
import type { Db } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';

// Series are read in a number of statements that does not grow with the runs: groups of runs that say the same of
// themselves, what they say, and then the points of the series that are asked for.

/** Which runs are looked at. */
export interface PointFilter {
  readonly dimensions: Readonly<Record<string, string | number>> | null;
  readonly tool: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** Most groups of runs that say the same of themselves; more of them are no history that could be drawn. */
const GROUP_LIMIT = 20_000;

/** Runs of one metric that say the same of themselves and stand at one point of its dimensions. */
export interface Group {
  readonly factsKey: string;
  readonly seriesKey: string;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

const at = Prisma.sql`r."measuredAt"`;

function conditions({ dimensions, tool, since, until }: PointFilter): Prisma.Sql {
  const found: Prisma.Sql[] = [Prisma.sql`r."status" <> 'FAILED'`];
  if (dimensions) found.push(Prisma.sql`o."dimensions" @> ${JSON.stringify(dimensions)}::jsonb`);
  if (tool !== null) found.push(Prisma.sql`r."tool" = ${tool}`);
  if (since) found.push(Prisma.sql`${at} >= ${since}`);
  if (until) found.push(Prisma.sql`${at} < ${until}`);
  return Prisma.join(found, ' AND ');
}

/** The groups of a project's runs of one metric; LIMIT_EXCEEDED where there are too many. */
export async function readGroups(db: Db, projectId: string, metricId: string, filter: PointFilter): Promise<Group[]> {
  const rows = await db.$queryRaw<(Omit<Group, 'dimensions'> & { dimensions: unknown })[]>`
    SELECT r."factsKey", o."seriesKey", min(o."dimensions"::text)::jsonb AS "dimensions", count(*)::int AS "count",
      min(${at}) AS "firstAt", max(${at}) AS "lastAt"
    FROM "Run" r JOIN "Observation" o ON o."runId" = r."id" AND o."metricId" = ${metricId}
    WHERE r."projectId" = ${projectId} AND ${conditions(filter)}
    GROUP BY r."factsKey", o."seriesKey"
    LIMIT ${GROUP_LIMIT + 1}`;
  if (rows.length > GROUP_LIMIT) {
    throw limitExceeded(
      {
        en: `The runs fall into more than ${GROUP_LIMIT} groups: narrow them by filter.since, filter.tool or filter.dimensions`,
        zh: `运行的分组超过 ${GROUP_LIMIT} 个：请用 filter.since、filter.tool 或 filter.dimensions 缩小范围`,
      },
      { limit: GROUP_LIMIT },
    );
  }
  return rows.map((row) => ({ ...row, dimensions: dimensionsShape.parse(row.dimensions) }));
}

/** What the runs of these groups say of themselves, by the key of the group, written as facts are now. */
export async function readFacts(
  db: Db,
  projectId: string,
  keys: readonly string[],
  words: NormalWords,
): Promise<ReadonlyMap<string, RunFacts>> {
  const rows = await db.$queryRaw<
    { factsKey: string; environment: unknown; workload: unknown; tool: string | null; toolVersion: string | null }[]
  >`
    SELECT wanted.key AS "factsKey", r."environment", r."workload", r."tool", r."toolVersion"
    FROM unnest(${[...keys]}::text[]) AS wanted(key)
    CROSS JOIN LATERAL (
      SELECT * FROM "Run" r WHERE r."projectId" = ${projectId} AND r."factsKey" = wanted.key LIMIT 1
    ) r`;
  const inWords = storedFactsReader(words);
  return new Map(
    rows.map(({ factsKey, environment, workload, tool, toolVersion }) => [
      factsKey,
      { environment: inWords(factsOf(environment)), workload: inWords(factsOf(workload)), tool, toolVersion },
    ]),
  );
}

/** A series whose points are asked for: its groups, and the point behind which the page begins. */
export interface PointRequest {
  readonly projectId: string;
  readonly metricId: string;
  readonly seriesKey: string;
  readonly factsKeys: readonly string[];
  readonly filter: PointFilter;
}

export interface PointRow {
  /** The place of the request that it answers. */
  readonly index: number;
  readonly runId: string;
  readonly factsKey: string;
  readonly at: Date;
  readonly isStarted: boolean;
  readonly source: RunSource;
  readonly status: RunStatus;
  readonly value: number;
  readonly repeats: readonly number[];
}

/**
 * Points of several series of one project and metric, newest first, in one statement. Each group of a series gives its
 * newest points by the index, of which the newest are taken.
 */
export function readPoints(
  db: Db,
  requests: readonly PointRequest[],
  take: number,
  upTo: { readonly at: Date; readonly runId: string } | null,
): Promise<PointRow[]> {
  const [first] = requests;
  if (!first) return Promise.resolve([]);
  const groups = requests.flatMap(({ factsKeys, seriesKey }, index) =>
    factsKeys.map((key) => ({ index, key, seriesKey })),
  );
  const behind = upTo ? Prisma.sql`AND (${at}, r."id") <= (${upTo.at}, ${upTo.runId})` : Prisma.empty;
  return db.$queryRaw<PointRow[]>`
    SELECT ranked.* FROM (
      SELECT point.*, owned.index,
        row_number() OVER (PARTITION BY owned.index ORDER BY point."at" DESC, point."runId" DESC) AS place
      FROM unnest(${groups.map(({ index }) => index)}::int[], ${groups.map(({ key }) => key)}::text[],
        ${groups.map(({ seriesKey }) => seriesKey)}::text[]) AS owned(index, key, series)
      CROSS JOIN LATERAL (
        SELECT r."id" AS "runId", r."factsKey", ${at} AS "at", r."startedAt" IS NOT NULL AS "isStarted",
          r."source", r."status", o."value", coalesce(o."repeats", '{}') AS "repeats"
        FROM "Run" r JOIN "Observation" o
          ON o."runId" = r."id" AND o."metricId" = ${first.metricId} AND o."seriesKey" = owned.series
        WHERE r."projectId" = ${first.projectId} AND r."factsKey" = owned.key AND ${conditions(first.filter)} ${behind}
        ORDER BY ${at} DESC, r."id" DESC
        LIMIT ${take}
      ) point
    ) ranked
    WHERE ranked.place <= ${take}
    ORDER BY ranked.index, ranked.place`;
}

/** On which side of which trials runs stand, with what the trials meant to change. */
export function readArms(db: Db, runIds: readonly string[]) {
  return db.$queryRaw<{ runId: string; trialId: string; arm: 'BEFORE' | 'AFTER'; variable: string[] | null }[]>`
    SELECT tr."runId", tr."trialId", tr."arm"::text AS "arm", t."variable"
    FROM "TrialRun" tr JOIN "Trial" t ON t."id" = tr."trialId"
    WHERE tr."runId" = ANY (${[...new Set(runIds)]}::text[])
    ORDER BY tr."trialId"`;
}

/** Trials with a verdict of applied items, with the groups that the runs of their arms are of. */
export function readAppliedArms(db: Db, projectId: string) {
  return db.$queryRaw<{ trialId: string; verdict: string; arm: 'BEFORE' | 'AFTER'; factsKey: string }[]>`
    SELECT DISTINCT t."id" AS "trialId", t."verdict"::text AS "verdict", tr."arm"::text AS "arm", r."factsKey"
    FROM "Trial" t
    JOIN "AuditItem" i ON i."id" = t."auditItemId" AND i."outcome" = 'APPLIED' AND NOT i."isArchived"
    JOIN "TrialRun" tr ON tr."trialId" = t."id"
    JOIN "Run" r ON r."id" = tr."runId"
    WHERE t."projectId" = ${projectId} AND t."verdict" IS NOT NULL AND NOT t."isControl"`;
}

/** Most applied items that are marked on a series, the newest. */
export const MARK_LIMIT = 500;

/** An applied item, when somebody said so, and the trial that tells of it. */
export interface AppliedRow {
  readonly auditItemId: string;
  readonly auditId: string;
  readonly at: Date;
  readonly key: string;
  readonly title: unknown;
  readonly custom: unknown;
  readonly proof: 'VERIFIED' | 'INDICATED' | 'UNVERIFIED' | 'REGRESSED' | null;
  readonly trialId: string | null;
  readonly sku: string | null;
}

export function readApplied(db: Db, projectId: string, filter: PointFilter): Promise<AppliedRow[]> {
  const until = filter.until ? Prisma.sql`AND i."assessedAt" < ${filter.until}` : Prisma.empty;
  const since = filter.since ? Prisma.sql`AND i."assessedAt" >= ${filter.since}` : Prisma.empty;
  return db.$queryRaw<AppliedRow[]>`
    SELECT i."id" AS "auditItemId", i."auditId", i."assessedAt" AS "at", coalesce(ri."key", i."customKey") AS "key",
      v."title", i."custom", i."measuredProof"::text AS "proof", telling."id" AS "trialId",
      coalesce(a."scopeFacts" ->> 'gpu.sku', h."facts" ->> 'gpu.sku') AS "sku"
    FROM "AuditItem" i
    JOIN "Audit" a ON a."id" = i."auditId"
    LEFT JOIN "HardwareProfile" h ON h."id" = a."scopeHardwareId"
    LEFT JOIN "ReleaseItem" ri ON ri."id" = i."releaseItemId"
    LEFT JOIN "ItemRevision" v ON v."id" = ri."revisionId"
    LEFT JOIN LATERAL (
      SELECT t."id" FROM "Trial" t
      WHERE t."auditItemId" = i."id" AND t."verdict" IS NOT NULL AND NOT t."isControl"
        AND t."id" IS DISTINCT FROM a."endToEndTrialId"
      ORDER BY t."id" DESC LIMIT 1
    ) telling ON true
    WHERE i."projectId" = ${projectId} AND i."outcome" = 'APPLIED' AND NOT i."isArchived"
      AND i."assessedAt" IS NOT NULL ${since} ${until}
    ORDER BY i."assessedAt" DESC, i."id" DESC
    LIMIT ${MARK_LIMIT}`;
}

/** The noise floors of a metric, newest first. */
export function readNoiseFloors(db: Db, projectId: string, metricId: string) {
  return db.noiseFloor.findMany({ where: { projectId, metricId }, orderBy: { id: 'desc' }, take: 1_000 });
}

/** The metric of the catalog, else the one that the project named itself; INVALID_INPUT for neither. */
export async function requireMetric(db: Db, projectId: string, key: string): Promise<Metric> {
  const [metric] = await db.metric.findMany({
    where: { key, scope: { in: ['', projectId] } },
    orderBy: { scope: 'asc' },
  });
  if (metric) return metric;
  throw invalidInput(
    { en: `There is no metric "${key}"; the query metrics lists all`, zh: `没有指标“${key}”，可用 metrics 查询列出全部指标` },
    { metric: key },
  );
} // prettier-ignore

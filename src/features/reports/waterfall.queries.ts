import { shownProof } from '../../domain/audit/progress.js';
import { dimensionsShape } from '../../domain/measurement/stored.js';
import type { WaterfallInput, WaterfallTrial } from '../../domain/report/waterfall.js';
import type { Metric, Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { grouped } from './grouped.js';

// What the waterfalls of many audits take, in a number of statements that does not grow with them.

/** What waterfalls are made of; metrics go by their ids. `itemIds` are those of audit items by key. */
export interface AuditWaterfallInput extends WaterfallInput {
  readonly itemIds: ReadonlyMap<string, string>;
  readonly metricsById: ReadonlyMap<string, Metric>;
}

/** Trials of applied items, and those named for an end-to-end check; with what their newest computation says. */
export async function waterfallInputs(
  db: Db,
  auditIds: readonly string[],
): Promise<ReadonlyMap<string, AuditWaterfallInput>> {
  const audits = await db.audit.findMany({
    where: { id: { in: [...auditIds] } },
    select: { id: true, endToEndTrialId: true },
  });
  const named = audits.flatMap(({ endToEndTrialId }) => (endToEndTrialId === null ? [] : [endToEndTrialId]));
  const applied: Prisma.AuditItemWhereInput = { auditId: { in: [...auditIds] }, outcome: 'APPLIED', isArchived: false };
  const trials = await db.trial.findMany({
    where: { verdict: { not: null }, OR: [{ auditItem: applied }, { id: { in: named } }] },
    orderBy: { id: 'asc' },
    include: { primaryMetric: true },
  });
  const ids = trials.map(({ id }) => id);
  const items = await itemsOf(db, [...new Set(trials.map(({ auditItemId }) => auditItemId))]);
  const comparisons = await comparisonsOf(db, ids);
  const measuredAt = await measuredAtOf(db, ids);
  const metrics = new Map(trials.map(({ primaryMetric }) => [primaryMetric.id, primaryMetric]));
  const keys = new Map(items.map(({ id, releaseItem, customKey }) => [id, releaseItem?.key ?? customKey ?? id]));
  const auditOf = new Map(items.map(({ id, auditId }) => [id, auditId]));
  return new Map(
    audits.map(({ id, endToEndTrialId }) => {
      const ofAudit = items.filter(({ auditId }) => auditId === id);
      const own = trials.filter(({ auditItemId }) => auditOf.get(auditItemId) === id);
      const used = new Set(own.map(({ primaryMetricId }) => primaryMetricId));
      const input = {
        items: ofAudit.map((item) => ({
          key: keys.get(item.id) ?? item.id,
          outcome: item.outcome,
          proof: shownProof(item),
          isArchived: item.isArchived,
        })),
        trials: own.map((trial): WaterfallTrial => ({
          id: trial.id,
          auditItemKey: keys.get(trial.auditItemId) ?? trial.auditItemId,
          primaryMetric: trial.primaryMetricId,
          isControl: trial.isControl,
          verdict: trial.verdict,
          measuredAt: (measuredAt.get(trial.id) ?? trial.createdAt).toISOString(),
          comparisons: comparisons.get(trial.id) ?? [],
        })),
        metrics: [...metrics.values()]
          .filter((metric) => used.has(metric.id))
          .sort((a, b) => a.scope.localeCompare(b.scope) || a.order - b.order || a.key.localeCompare(b.key))
          .map((metric) => ({ key: metric.id, unit: metric.unit, direction: metric.direction })),
        metricsById: metrics,
        endToEndTrial: endToEndTrialId,
        itemIds: new Map(ofAudit.map((item) => [keys.get(item.id) ?? item.id, item.id])),
      };
      return [id, input];
    }),
  );
}

function itemsOf(db: Db, ids: string[]) {
  return db.auditItem.findMany({
    where: { id: { in: ids } },
    select: {
      id: true,
      auditId: true,
      outcome: true,
      measuredProof: true,
      isArchived: true,
      customKey: true,
      releaseItem: { select: { key: true } },
    },
  });
}

/** Comparisons of the newest computation of each trial, in their order. */
async function comparisonsOf(db: Db, trialIds: string[]): Promise<ReadonlyMap<string, WaterfallTrial['comparisons']>> {
  const rows = await db.comparison.findMany({
    where: { trialId: { in: trialIds } },
    orderBy: { position: 'asc' },
    omit: { samples: true, warnings: true, differences: true },
  });
  const newest = new Map<string, number>();
  for (const { trialId, computation } of rows) {
    if (trialId !== null) newest.set(trialId, Math.max(computation, newest.get(trialId) ?? 0));
  }
  const ofTrial = grouped(rows, ({ trialId }) => trialId ?? '');
  return new Map(
    trialIds.map((id) => [
      id,
      (ofTrial.get(id) ?? [])
        .filter(({ computation }) => computation === newest.get(id))
        .map((row) => ({ ...row, metric: row.metricId, dimensions: dimensionsShape.parse(row.dimensions) })),
    ]),
  );
}

/** When the last run of the later arm began; nothing for a trial in which a run does not say. */
async function measuredAtOf(db: Db, trialIds: string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.$queryRaw<{ trialId: string; at: Date }[]>`
    SELECT tr."trialId", max(r."startedAt") AS "at"
    FROM "TrialRun" tr JOIN "Run" r ON r."id" = tr."runId"
    WHERE tr."trialId" = ANY (${trialIds}) AND tr."arm" = 'AFTER'
    GROUP BY tr."trialId" HAVING count(*) = count(r."startedAt")`;
  return new Map(rows.map(({ trialId, at }) => [trialId, at]));
}

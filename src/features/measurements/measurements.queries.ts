import { invalidInput } from '../../domain/errors.js';
import type { MetricDefinition } from '../../domain/measurement/metric.js';
import type { TrialRun } from '../../domain/measurement/trial.js';
import {
  differencesShape,
  dimensionsShape,
  distributionShape,
  samplesShape,
  summaryShape,
  warningsShape,
} from '../../domain/measurement/stored.js';
import { warningText } from '../../domain/measurement/warnings.js';
import type { Comparison as ComparisonRow, Metric, Prisma, Run as RunRow } from '../../generated/prisma/client.js';
import { batches } from '../../platform/database/batches.js';
import type { Db } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';
import type { Comparison, Observation, Run } from './measurements.types.js';

/** A run with what a comparison needs of it. */
const forComparison = {
  observations: {
    select: {
      metric: true,
      dimensions: true,
      seriesKey: true,
      value: true,
      repeats: true,
      blocks: true,
      summary: true,
    },
    orderBy: { position: 'asc' },
  },
} satisfies Prisma.RunInclude;

type RowForComparison = Prisma.RunGetPayload<{ include: typeof forComparison }>;

/** A metric as the statistics know it. */
export function toDefinition(metric: Metric): MetricDefinition {
  const { key, unit, dimension, direction, target, isExact, smallestEffect, role } = metric;
  return { key, unit, dimension, direction, target, isExact, smallestEffect, role };
}

function toTrialRun(row: RowForComparison): TrialRun {
  const { id, status, session, block, variant } = row;
  return {
    id,
    status,
    session,
    block,
    variant,
    environment: factsOf(row.environment),
    workload: factsOf(row.workload),
    observations: row.observations.map(({ metric, dimensions, summary, ...observation }) => ({
      ...observation,
      summary: summary === null ? null : summaryShape.parse(summary),
      metric: metric.key,
      dimensions: dimensionsShape.parse(dimensions),
    })),
  };
}

/** A run as comparisons take it, with the metrics that it observed. */
export interface MeasuredRun {
  readonly run: TrialRun;
  readonly metrics: readonly Metric[];
}

function toMeasuredRun(row: RowForComparison): MeasuredRun {
  return { run: toTrialRun(row), metrics: row.observations.map(({ metric }) => metric) };
}

/** The runs of one arm in the order of measurement. */
export async function runsOfArm(db: Db, trialId: string, arm: 'BEFORE' | 'AFTER'): Promise<MeasuredRun[]> {
  const links = await db.trialRun.findMany({
    where: { trialId, arm },
    orderBy: { order: 'asc' },
    include: { run: { include: forComparison } },
  });
  return links.map(({ run }) => toMeasuredRun(run));
}

/** Runs of one statement: few enough for its parameters. */
const RUN_BATCH = 1_000;

/** Runs by their ids. */
export async function measuredRuns(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, MeasuredRun>> {
  const found = new Map<string, MeasuredRun>();
  for (const some of batches(ids, RUN_BATCH)) {
    const rows = await db.run.findMany({ where: { id: { in: some } }, include: forComparison });
    for (const row of rows) found.set(row.id, toMeasuredRun(row));
  }
  return found;
}

/** The metric of the catalog with this key, else the one that the project named itself; INVALID_INPUT for neither. */
export async function requireMetric(db: Db, projectId: string, key: string): Promise<Metric> {
  const found = await db.metric.findMany({ where: { key, scope: { in: ['', projectId] } }, orderBy: { scope: 'asc' } });
  const [metric] = found;
  if (!metric) {
    throw invalidInput(
      {
        en: `There is no metric "${key}"; the query metrics lists all`,
        zh: `没有指标“${key}”，可用 metrics 查询列出全部指标`,
      },
      { metric: key },
    );
  }
  return metric;
}

/** A run that was there before the request, as the API shows it. */
export function toRun(row: RunRow): Run {
  return { ...row, isNew: false };
}

export function toObservation<R extends { distribution: unknown; summary?: unknown }>(
  row: R,
): R & Pick<Observation, 'distribution' | 'summary'> {
  const { distribution, summary } = row;
  return {
    ...row,
    distribution: distribution === null ? null : distributionShape.parse(distribution),
    summary: summary === null || summary === undefined ? null : summaryShape.parse(summary),
  };
}

export function toComparison(row: ComparisonRow): Comparison {
  const warnings = warningsShape.parse(row.warnings).map((warning) => ({
    code: warning.code,
    message: warningText(warning),
  }));
  const environmentDifferences = differencesShape
    .parse(row.differences)
    .map(({ isDeclared, ...difference }) => ({ ...difference, declared: isDeclared }));
  return { ...row, warnings, environmentDifferences, samples: samplesShape.parse(row.samples) };
}

/** The comparisons of the newest computation of each trial, in their order. */
export async function newestRows(
  db: Db,
  trialIds: readonly string[],
  which: 'ALL' | 'PRIMARY' = 'ALL',
): Promise<ComparisonRow[]> {
  // Every computation has a primary metric, so the newest is the same
  const of = { trialId: { in: [...trialIds] }, ...(which === 'PRIMARY' && { role: which }) };
  const rows = await db.comparison.findMany({ where: of, orderBy: { position: 'asc' } });
  const newest = new Map<string | null, number>();
  for (const { trialId, computation } of rows) newest.set(trialId, Math.max(computation, newest.get(trialId) ?? 0));
  return rows.filter(({ trialId, computation }) => computation === newest.get(trialId));
}

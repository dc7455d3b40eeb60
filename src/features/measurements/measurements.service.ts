import { Injectable } from '@nestjs/common';
import type { TrialReading } from '../../domain/measurement/trial.js';
import type { Comparison as ComparisonRow, Metric } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { groupByKey, oneByKey, perRequest, perRequestPages } from '../../platform/graphql/loader.js';
import { positionOf } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { newestRows, toComparison, toObservation, toRun } from './measurements.queries.js';
import { toComputations } from './computations.js';
import type { TrialComputation } from './trial-changes.types.js';
import type { Comparison, Run, Trial } from './measurements.types.js';
import {
  insertRecordedTrials,
  readRecordedTrials,
  type ReadTrials,
  type RecordedTrialData,
} from './recorded-trials.js';
import { saveProofs } from './saved-proof.js';
import { saveComparisons } from './trial-computation.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import { nameMetrics, type OwnMetric } from './typed-measurement.js';

/** Most trials of an item that are shown. */
const LIST_LIMIT = 100;

/** Runs, trials and what comparing their arms says. */
@Injectable()
export class MeasurementsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
  ) {}

  readonly trialsOfItem = perRequest(async (auditItemIds: readonly string[]): Promise<Trial[][]> => {
    const rows = await this.db.trial.findMany({
      where: { auditItemId: { in: [...auditItemIds] } },
      orderBy: { id: 'asc' },
    });
    return groupByKey(auditItemIds, rows, ({ auditItemId }) => auditItemId).map((trials) => trials.slice(-LIST_LIMIT));
  });

  readonly trialById = perRequest(async (ids: readonly string[]): Promise<(Trial | null)[]> => {
    const rows = await this.db.trial.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  readonly runsOfTrial = perRequest(async (trialIds: readonly string[]) => {
    const links = await this.db.trialRun.findMany({
      where: { trialId: { in: [...trialIds] } },
      orderBy: { order: 'asc' },
      include: { run: true },
    });
    return groupByKey(trialIds, links, ({ trialId }) => trialId).map((ofTrial) => ({
      before: runsIn(ofTrial, 'BEFORE'),
      after: runsIn(ofTrial, 'AFTER'),
    }));
  });

  /** All computations of a trial, the newest first, each with its comparisons: the primary metric first. */
  readonly computationsOfTrial = perRequest(async (trialIds: readonly string[]): Promise<TrialComputation[][]> => {
    const rows = await this.db.comparison.findMany({
      where: { trialId: { in: [...trialIds] } },
      orderBy: { position: 'asc' },
    });
    return groupByKey(trialIds, rows, ({ trialId }) => trialId ?? '').map(toComputations);
  });

  /** Those of the newest computation, primary metric first. */
  readonly comparisonsOfTrial = perRequest(async (trialIds: readonly string[]): Promise<Comparison[][]> => {
    const newest = await newestRows(this.db, trialIds);
    return groupByKey(trialIds, newest, ({ trialId }) => trialId ?? '').map((rows) => rows.map(toComparison));
  });

  /** What the measurements of a reference note say, primary metric first; nothing for the note of a project. */
  readonly comparisonsOfNote = perRequest(async (noteIds: readonly string[]): Promise<Comparison[][]> => {
    const rows = await this.db.comparison.findMany({
      where: { noteId: { in: [...noteIds] } },
      orderBy: { position: 'asc' },
    });
    return groupByKey(noteIds, rows, ({ noteId }) => noteId ?? '').map(newestComputation);
  });

  readonly runsOfProject = perRequestPages(
    async (projectIds, take, after) => {
      const projects = await this.db.project.findMany({
        where: { id: { in: [...projectIds] } },
        select: {
          id: true,
          _count: { select: { runs: true } },
          runs: { where: after === null ? {} : { id: { lt: after } }, orderBy: { id: 'desc' }, take },
        },
      });
      return projects.map(({ id, runs, _count }) => ({ parentId: id, rows: runs, totalCount: _count.runs }));
    },
    ({ id }) => id,
    toRun,
    async (projectIds, id) => {
      const where = { id, projectId: { in: [...projectIds] } };
      const runs = await this.db.run.findMany({ where, select: { projectId: true } });
      return runs.map(({ projectId }) => projectId);
    },
  );

  readonly observationsOfRun = perRequestPages(
    async (runIds, take, after) => {
      const runs = await this.db.run.findMany({
        where: { id: { in: [...runIds] } },
        select: {
          id: true,
          _count: { select: { observations: true } },
          observations: {
            where: after === null ? {} : { position: { gt: positionOf(after) } },
            orderBy: { position: 'asc' },
            take,
            omit: { samples: true },
          },
        },
      });
      return runs.map(({ id, observations, _count }) => ({
        parentId: id,
        rows: observations,
        totalCount: _count.observations,
      }));
    },
    ({ position }) => String(position),
    toObservation,
    async (runIds, key) => {
      const where = { runId: { in: [...runIds] }, position: positionOf(key) };
      const observations = await this.db.observation.findMany({ where, select: { runId: true } });
      return observations.map(({ runId }) => runId);
    },
  );

  async findRun(viewer: Viewer, id: string): Promise<Run | null> {
    const row = await this.access.visible(viewer, await this.db.run.findUnique({ where: { id } }));
    return row && toRun(row);
  }

  async findTrial(viewer: Viewer, id: string): Promise<Trial | null> {
    return this.access.visible(viewer, await this.db.trial.findUnique({ where: { id } }));
  }

  /** Keeps what the measurements of reference notes say, each as the newest computation of its note. */
  async saveReadings(
    tx: Db,
    readings: readonly { readonly noteId: string; readonly reading: TrialReading }[],
  ): Promise<void> {
    const rows = await tx.metric.findMany({ where: { scope: '' } });
    const metrics = new Map(rows.map((metric) => [metric.key, metric]));
    for (const { noteId, reading } of readings) {
      await saveComparisons(tx, { noteId }, reading.comparisons, metrics, 'CREATED');
    }
  }

  /** What trials that came with an imported audit say here, of runs that are in the project; nothing is written. */
  readRecorded(
    tx: Db,
    projectId: string,
    trials: readonly RecordedTrialData[],
    factRules: FactRules,
  ): Promise<ReadTrials> {
    return readRecordedTrials(tx, projectId, factRules, trials);
  }

  /** Writes them; their audit items are there. */
  insertRecorded(tx: Db, read: ReadTrials): Promise<void> {
    return insertRecordedTrials(tx, read);
  }

  /** Writes anew what the trials of these items prove of them, where it is no longer the same trials that tell of them. */
  async proveAnew(tx: Db, viewer: Viewer, auditItemIds: readonly string[]): Promise<void> {
    await saveProofs(tx, viewer, auditItemIds);
    await this.audits.reindex(tx, ...auditItemIds);
  }

  /** The metrics that a project named itself, of an imported audit, by key; new ones where it has none of the key. */
  nameMetrics(tx: Db, projectId: string, metrics: readonly OwnMetric[]): Promise<ReadonlyMap<string, Metric>> {
    return nameMetrics(tx, projectId, metrics);
  }
}

function newestComputation(rows: readonly ComparisonRow[]): Comparison[] {
  const newest = Math.max(...rows.map(({ computation }) => computation));
  return rows.filter(({ computation }) => computation === newest).map(toComparison);
}

function runsIn(links: readonly { arm: string; run: Parameters<typeof toRun>[0] }[], arm: 'BEFORE' | 'AFTER'): Run[] {
  return links.filter((link) => link.arm === arm).map(({ run }) => toRun(run));
}

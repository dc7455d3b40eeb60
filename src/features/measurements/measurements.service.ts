import { Injectable } from '@nestjs/common';
import { uuidv7 } from '../../platform/database/id.js';
import { conflict, invalidInput, notFound } from '../../domain/errors.js';
import type { DifferenceTier } from '../../domain/measurement/environment-diff.js';
import { optionalText, textList } from '../../domain/text-limits.js';
import type { TrialReading } from '../../domain/measurement/trial.js';
import type { AuditItem as AuditItemRow, Comparison as ComparisonRow, Metric } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { groupByKey, oneByKey, perRequest, perRequestPages } from '../../platform/graphql/loader.js';
import { positionOf } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { RulesService } from '../catalog/rules.service.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { requireMetric, toComparison, toObservation, toRun } from './measurements.queries.js';
import type { Comparison, CreateTrialInput, RecordMeasurementInput, Run, Trial } from './measurements.types.js';
import {
  insertRecordedTrials,
  readRecordedTrials,
  type ReadTrials,
  type RecordedTrialData,
} from './recorded-trials.js';
import { saveProofs } from './saved-proof.js';
import { computeTrial, saveComparisons } from './trial-computation.js';
import {
  checkFraction,
  checkThreshold,
  checkValues,
  givenFacts,
  givenWorkload,
  metricFor,
  nameMetrics,
  runsOf,
  type OwnMetric,
} from './typed-measurement.js';

/** Most runs of an arm, and most entries of the other lists of a trial. */
const RUN_LIMIT = 1_000;
const LIST_LIMIT = 100;

type Tiers = ReadonlyMap<string, DifferenceTier>;

/** Runs, trials and what comparing their arms says. */
@Injectable()
export class MeasurementsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly rules: RulesService,
    private readonly environments: EnvironmentsService,
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

  /** Those of the newest computation, primary metric first. */
  readonly comparisonsOfTrial = perRequest(async (trialIds: readonly string[]): Promise<Comparison[][]> => {
    const rows = await this.db.comparison.findMany({
      where: { trialId: { in: [...trialIds] } },
      orderBy: { position: 'asc' },
    });
    return groupByKey(trialIds, rows, ({ trialId }) => trialId ?? '').map(newestComputation);
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

  /** Two typed-in arms become runs, a trial of them, and its comparison, all at once or not at all. */
  async record(viewer: Viewer, input: RecordMeasurementInput): Promise<Trial> {
    const item = await this.audits.requireItem(viewer, 'WRITE_MEASUREMENTS', input.auditItemId);
    checkValues(input);
    const threshold = checkThreshold(input.threshold);
    const variable = textList(input.variable ?? [], 'variable', LIST_LIMIT);
    const hypothesis = optionalText(input.hypothesis, 'hypothesis');
    const known = await this.auditFacts(item);
    const arms = [
      {
        arm: 'before',
        values: input.before,
        environment: { ...known, ...givenFacts(input.environmentBefore, 'environmentBefore') },
        workload: givenWorkload(input.workloadBefore, 'workloadBefore'),
      },
      {
        arm: 'after',
        values: input.after,
        environment: { ...known, ...givenFacts(input.environmentAfter, 'environmentAfter') },
        workload: givenWorkload(input.workloadAfter, 'workloadAfter'),
      },
    ] as const;
    const tiers = await this.rules.tiers();
    const id = await once(this.db, viewer, 'recordMeasurement', input, async (tx) => {
      await this.audits.touchOpen(tx, item.auditId);
      await this.audits.refuseArchived(tx, item.id);
      const metric = await metricFor(tx, item.projectId, input);
      const recording = uuidv7();
      const made = arms.map((arm) => runsOf(item.projectId, viewer, metric, arm, input, uuidv7, recording));
      await tx.run.createMany({ data: made.flatMap(({ runs }) => runs) });
      await tx.observation.createMany({ data: made.flatMap(({ observations }) => observations) });
      const [beforeRunIds, afterRunIds] = made.map(({ runs }) => runs.map(({ id: runId }) => runId));
      return this.insertTrial(tx, viewer, item, tiers, {
        beforeRunIds: beforeRunIds ?? [],
        afterRunIds: afterRunIds ?? [],
        primaryMetricId: metric.id,
        guardrails: [],
        variable,
        hypothesis,
        threshold,
        isPaired: input.pairs ?? false,
        sampling: input.sampling ?? 'UNKNOWN',
        isControl: input.isControl ?? false,
      });
    });
    return this.db.trial.findUniqueOrThrow({ where: { id } });
  }

  /** A trial of runs that are there, compared at once; without runs it is a plan. */
  async createTrial(viewer: Viewer, input: CreateTrialInput): Promise<Trial> {
    const item = await this.audits.requireItem(viewer, 'WRITE_MEASUREMENTS', input.auditItemId);
    const threshold = checkThreshold(input.threshold);
    const variable = textList(input.variable, 'variable', LIST_LIMIT);
    const guardrails = textList(input.guardrails ?? [], 'guardrails', LIST_LIMIT);
    const hypothesis = optionalText(input.hypothesis, 'hypothesis');
    const metric = await requireMetric(this.db, item.projectId, input.primaryMetric);
    for (const key of guardrails) await requireMetric(this.db, item.projectId, key);
    if (guardrails.includes(metric.key)) {
      throw invalidInput(
        {
          en: `"${metric.key}" cannot be both the primary metric and a guardrail`,
          zh: `“${metric.key}”不能既是主指标又是护栏指标`,
        },
        { metric: metric.key },
      );
    }
    await this.checkArms(item.projectId, input);
    const tiers = await this.rules.tiers();
    const id = await once(this.db, viewer, 'createTrial', input, async (tx) => {
      await this.audits.touchOpen(tx, item.auditId);
      await this.audits.refuseArchived(tx, item.id);
      return this.insertTrial(tx, viewer, item, tiers, {
        beforeRunIds: input.beforeRunIds,
        afterRunIds: input.afterRunIds,
        primaryMetricId: metric.id,
        guardrails,
        variable,
        hypothesis,
        threshold,
        isPaired: false,
        sampling: 'UNKNOWN',
        isControl: input.isControl ?? false,
      });
    });
    return this.db.trial.findUniqueOrThrow({ where: { id } });
  }

  /** Keeps what the measurements of reference notes say, each as the newest computation of its note. */
  async saveReadings(
    tx: Db,
    readings: readonly { readonly noteId: string; readonly reading: TrialReading }[],
  ): Promise<void> {
    const rows = await tx.metric.findMany({ where: { scope: '' } });
    const metrics = new Map(rows.map((metric) => [metric.key, metric]));
    for (const { noteId, reading } of readings) await saveComparisons(tx, { noteId }, reading.comparisons, metrics);
  }

  /** What trials that came with an imported audit say here, of runs that are in the project; nothing is written. */
  readRecorded(tx: Db, projectId: string, trials: readonly RecordedTrialData[], tiers: Tiers): Promise<ReadTrials> {
    return readRecordedTrials(tx, projectId, tiers, trials);
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

  private async insertTrial(
    tx: Db,
    viewer: Viewer,
    item: AuditItemRow,
    tiers: ReadonlyMap<string, DifferenceTier>,
    { beforeRunIds, afterRunIds, ...data }: NewTrial,
  ): Promise<string> {
    const { projectId, id: auditItemId, auditId } = item;
    const trial = await tx.trial.create({
      data: { ...data, projectId, auditItemId, createdById: viewer.id },
      include: { primaryMetric: true },
    });
    checkFraction(trial.threshold, trial.primaryMetric);
    const link = (arm: 'BEFORE' | 'AFTER') => (runId: string, order: number) => ({
      trialId: trial.id,
      runId,
      arm,
      order,
    });
    await tx.trialRun.createMany({
      data: [...beforeRunIds.map(link('BEFORE')), ...afterRunIds.map(link('AFTER'))],
    });
    const isPlan = beforeRunIds.length === 0 && afterRunIds.length === 0;
    const reading = isPlan ? null : await computeTrial(tx, trial, tiers);
    if (reading) await this.audits.reindex(tx, auditItemId);
    await record(tx, viewer, [
      {
        projectId,
        auditId,
        auditItemId,
        subject: 'trial',
        subjectId: trial.id,
        field: 'created',
        after: toJson({ metric: trial.primaryMetric.key, verdict: reading?.verdict ?? null }),
      },
    ]);
    return trial.id;
  }

  /** Refuses runs that are not there, not of the project, no measurement, or in both arms. */
  private async checkArms(projectId: string, { beforeRunIds, afterRunIds }: CreateTrialInput): Promise<void> {
    const ids = [...beforeRunIds, ...afterRunIds];
    if (ids.length === 0) return;
    for (const [place, arm] of [
      ['beforeRunIds', beforeRunIds],
      ['afterRunIds', afterRunIds],
    ] as const) {
      if (arm.length < 1 || arm.length > RUN_LIMIT) {
        throw invalidInput(
          {
            en: `${place} has ${arm.length} runs; 1 to ${RUN_LIMIT} are needed, or none in both arms for a plan`,
            zh: `${place} 有 ${arm.length} 次运行，须为 1 至 ${RUN_LIMIT} 次；若只是计划，两组都应为空`,
          },
          { place, given: arm.length },
        );
      }
    }
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
    if (repeated !== undefined) {
      throw invalidInput(
        { en: `The run "${repeated}" is named twice`, zh: `运行“${repeated}”出现了两次` },
        { runId: repeated },
      );
    }
    const found = await this.db.run.findMany({
      where: { id: { in: ids }, projectId },
      select: { id: true, status: true },
    });
    const byId = new Map(found.map(({ id, status }) => [id, status]));
    const missing = ids.find((id) => !byId.has(id));
    if (missing !== undefined) {
      throw notFound(
        { en: `There is no run "${missing}" in this project`, zh: `该项目中没有运行“${missing}”` },
        { runId: missing },
      );
    }
    const failed = ids.find((id) => byId.get(id) === 'FAILED');
    if (failed !== undefined) {
      throw conflict(
        {
          en: `The run "${failed}" failed: its numbers are no measurement`,
          zh: `运行“${failed}”已失败，其数值不能作为测量结果`,
        },
        { current: { id: failed, status: 'FAILED' } },
      );
    }
  }

  /** The facts of the audit's environment, as they are now. */
  private async auditFacts({ auditId }: AuditItemRow) {
    const { environment } = await this.db.audit.findUniqueOrThrow({
      where: { id: auditId },
      select: { environment: { include: { hardware: true } } },
    });
    return this.environments.snapshot(environment);
  }
}

function newestComputation(rows: readonly ComparisonRow[]): Comparison[] {
  const newest = Math.max(...rows.map(({ computation }) => computation));
  return rows.filter(({ computation }) => computation === newest).map(toComparison);
}

interface NewTrial {
  readonly beforeRunIds: readonly string[];
  readonly afterRunIds: readonly string[];
  readonly primaryMetricId: string;
  readonly guardrails: string[];
  readonly variable: string[];
  readonly hypothesis: string | null;
  readonly threshold: number | null;
  readonly isPaired: boolean;
  readonly sampling: 'SEPARATE_SESSIONS' | 'ONE_SESSION' | 'UNKNOWN';
  readonly isControl: boolean;
}

function runsIn(links: readonly { arm: string; run: Parameters<typeof toRun>[0] }[], arm: 'BEFORE' | 'AFTER'): Run[] {
  return links.filter((link) => link.arm === arm).map(({ run }) => toRun(run));
}

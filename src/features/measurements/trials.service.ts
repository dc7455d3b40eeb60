import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../domain/errors.js';
import { optionalText, textList } from '../../domain/text-limits.js';
import type { AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { AuditsService } from '../audits/audits.service.js';
import { RulesService } from '../catalog/rules.service.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { requireMetric } from './measurements.queries.js';
import type { CreateTrialInput, RecordMeasurementInput, Trial } from './measurements.types.js';
import { checkRuns, checkSizes, RUN_LIMIT, type ArmIds } from './trial-arms.js';
import { computeTrial, saveFirstProof } from './trial-computation.js';
import { equalTrial } from './equal-trial.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import { runsOf, typedArms } from './typed-arms.js';
import { checkFraction, checkThreshold, givenFacts, givenWorkload, metricFor } from './typed-measurement.js';

/** Most entries of the lists of a trial that are not runs. */
const LIST_LIMIT = 100;

export interface NewTrial extends ArmIds {
  readonly primaryMetricId: string;
  readonly guardrails: readonly string[];
  readonly variable: readonly string[];
  readonly hypothesis: string | null;
  readonly threshold: number | null;
  readonly isPaired: boolean;
  readonly sampling: 'SEPARATE_SESSIONS' | 'ONE_SESSION' | 'UNKNOWN';
  readonly isSaidControl: boolean;
  readonly plannedRunsPerArm: number | null;
}

/** Makes trials. */
@Injectable()
export class TrialsService {
  constructor(
    private readonly db: Database,
    private readonly rules: RulesService,
    private readonly environments: EnvironmentsService,
    private readonly audits: AuditsService,
  ) {}

  /** Two typed-in arms become runs, a trial of them, and its comparison, all at once or not at all. */
  async record(viewer: Viewer, input: RecordMeasurementInput): Promise<Trial> {
    const item = await this.audits.requireItem(viewer, 'WRITE_MEASUREMENTS', input.auditItemId);
    const measured = typedArms(input);
    const threshold = checkThreshold(input.threshold);
    const variable = textList(input.variable ?? [], 'variable', LIST_LIMIT);
    const hypothesis = optionalText(input.hypothesis, 'hypothesis');
    const known = await this.auditFacts(item);
    const before = {
      arm: 'before',
      measured: measured.before,
      environment: { ...known, ...givenFacts(input.environmentBefore, 'environmentBefore') },
      workload: givenWorkload(input.workloadBefore, 'workloadBefore'),
    } as const;
    const after = {
      arm: 'after',
      measured: measured.after,
      environment: { ...known, ...givenFacts(input.environmentAfter, 'environmentAfter') },
      workload: givenWorkload(input.workloadAfter, 'workloadAfter'),
    } as const;
    const factRules = await this.rules.factRules();
    const id = await once(this.db, viewer, 'recordMeasurement', input, async (tx) => {
      await this.audits.touchOpen(tx, item.auditId);
      await this.audits.refuseArchived(tx, item.id);
      const metric = await metricFor(tx, item.projectId, input);
      const recording = { projectId: item.projectId, viewer, metric, recording: uuidv7() };
      const [made, madeAfter] = [runsOf(recording, before, input), runsOf(recording, after, input)];
      await tx.run.createMany({ data: [...made.runs, ...madeAfter.runs] });
      await tx.observation.createMany({ data: [...made.observations, ...madeAfter.observations] });
      return this.insertTrial(tx, viewer, item, factRules, {
        beforeRunIds: made.runs.map(({ id: runId }) => runId),
        afterRunIds: madeAfter.runs.map(({ id: runId }) => runId),
        primaryMetricId: metric.id,
        guardrails: [],
        variable,
        hypothesis,
        threshold,
        isPaired: input.pairs ?? false,
        sampling: input.sampling ?? 'UNKNOWN',
        isSaidControl: input.isControl ?? false,
        plannedRunsPerArm: null,
      });
    });
    return this.db.trial.findUniqueOrThrow({ where: { id } });
  }

  /**
   * A trial of runs that are there, compared at once; without runs it is a plan. The same runs of an item, to be judged in
   * the same way, are the trial that is there.
   */
  async createTrial(viewer: Viewer, input: CreateTrialInput): Promise<Trial> {
    const item = await this.audits.requireItem(viewer, 'WRITE_MEASUREMENTS', input.auditItemId);
    const threshold = checkThreshold(input.threshold);
    const plannedRunsPerArm = checkPlan(input.plannedRunsPerArm ?? null);
    const variable = textList(input.variable, 'variable', LIST_LIMIT);
    const guardrails = textList(input.guardrails ?? [], 'guardrails', LIST_LIMIT);
    const hypothesis = optionalText(input.hypothesis, 'hypothesis');
    const metric = await requireMetric(this.db, item.projectId, input.primaryMetric);
    for (const key of guardrails) await requireMetric(this.db, item.projectId, key);
    if (guardrails.includes(metric.key)) throw inTwoRoles(metric.key);
    if (input.beforeRunIds.length + input.afterRunIds.length > 0) {
      checkSizes(input);
      await checkRuns(this.db, item.projectId, input);
    }
    const factRules = await this.rules.factRules();
    const wanted = {
      beforeRunIds: input.beforeRunIds,
      afterRunIds: input.afterRunIds,
      primaryMetricId: metric.id,
      guardrails,
      variable,
      hypothesis,
      threshold,
      isPaired: false,
      sampling: 'UNKNOWN',
      isSaidControl: input.isControl ?? false,
      plannedRunsPerArm,
    } as const;
    let isNew = false;
    const id = await once(this.db, viewer, 'createTrial', input, async (tx) => {
      await this.audits.touchOpen(tx, item.auditId);
      await this.audits.refuseArchived(tx, item.id);
      const known = await equalTrial(tx, item.id, wanted);
      if (known !== null) return known;
      isNew = true;
      return this.insertTrial(tx, viewer, item, factRules, wanted);
    });
    return { ...(await this.db.trial.findUniqueOrThrow({ where: { id } })), isNew };
  }

  private async insertTrial(
    tx: Db,
    viewer: Viewer,
    item: AuditItemRow,
    factRules: FactRules,
    { beforeRunIds, afterRunIds, ...data }: NewTrial,
  ): Promise<string> {
    const { projectId, id: auditItemId, auditId } = item;
    const trial = await tx.trial.create({
      data: {
        ...data,
        guardrails: [...data.guardrails],
        variable: [...data.variable],
        isControl: data.isSaidControl,
        projectId,
        auditItemId,
        createdById: viewer.id,
      },
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
    const reading = isPlan ? null : await computeTrial(tx, trial, factRules, 'CREATED');
    if (reading) {
      await saveFirstProof(tx, trial, reading);
      await this.audits.reindex(tx, auditItemId);
    }
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

  /** The facts of the audit's environment, as they are now. */
  private async auditFacts({ auditId }: AuditItemRow) {
    const { environment } = await this.db.audit.findUniqueOrThrow({
      where: { id: auditId },
      select: { environment: { include: { hardware: true } } },
    });
    return this.environments.snapshot(environment);
  }
}

function checkPlan(planned: number | null): number | null {
  if (planned === null || (planned >= 1 && planned <= RUN_LIMIT)) return planned;
  throw invalidInput(
    {
      en: `plannedRunsPerArm must be 1 to ${RUN_LIMIT}, and is ${planned}`,
      zh: `plannedRunsPerArm 须为 1 至 ${RUN_LIMIT}，现为 ${planned}`,
    },
    { plannedRunsPerArm: planned },
  );
}

function inTwoRoles(metric: string) {
  return invalidInput(
    {
      en: `"${metric}" cannot be both the primary metric and a guardrail`,
      zh: `“${metric}”不能既是主指标又是护栏指标`,
    },
    { metric },
  );
}

import { Injectable } from '@nestjs/common';
import { METHOD_VERSION } from '../../domain/measurement/compare.js';
import { warningsShape } from '../../domain/measurement/stored.js';
import { weightOver } from '../../domain/measurement/trial.js';
import type { EvidenceLevel } from '../../domain/measurement/verdict.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import type { Comparison as ComparisonRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { batches } from '../../platform/database/batches.js';
import { Database, type Db } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import { groupByKey } from '../../platform/graphql/loader.js';
import { AuditsService } from '../audits/audits.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { measuredRuns, newestRows, type MeasuredRun } from './measurements.queries.js';
import type { Trial } from './measurements.types.js';
import { KnownFloors } from './noise-floors.js';
import { isSameComputation, saveComputed, type Computed } from './trial-computation.js';
import { isPlan, recordTrial, TrialChangesService, type FoundTrial } from './trial-changes.service.js';
import type { RecomputeProjectInput, RecomputeTrialInput, RecomputationReport } from './trial-changes.types.js';
import { metricsOf, noiseContext, overrideOf, readArms } from './trial-reading.js';

/** Trials that are read together: their runs and comparisons are in memory at once. */
const TRIAL_BATCH = 200;

/** Most changes that a report names. */
const REPORT_LIMIT = 1_000;

/** A trial, what its newest computation says, and what another one would. */
interface Recomputed {
  readonly trial: FoundTrial;
  readonly stored: readonly ComparisonRow[];
  readonly computed: Computed;
}

type Change = RecomputationReport['changed'][number];

/** Computes trials anew, by the method and the noise floors of today. Where that says the same, nothing is written. */
@Injectable()
export class RecomputationService {
  constructor(
    private readonly db: Database,
    private readonly projects: ProjectsService,
    private readonly audits: AuditsService,
    private readonly trials: TrialChangesService,
  ) {}

  async one(viewer: Viewer, input: RecomputeTrialInput): Promise<Trial> {
    const found = await this.trials.require(viewer, 'WRITE_MEASUREMENTS', input.trialId);
    const factRules = await this.trials.factRules();
    await once(this.db, viewer, 'recomputeTrial', input, async (tx) => {
      const trial = await this.trials.hold(tx, found);
      if (trial.verdict === null) throw isPlan(trial.id);
      for (const one of await recompute(tx, trial.projectId, [trial], factRules)) {
        await this.save(tx, viewer, one);
        await this.trials.follow(tx, viewer, [trial.auditItemId]);
      }
      return trial.id;
    });
    return this.db.trial.findUniqueOrThrow({ where: { id: input.trialId } });
  }

  /** All trials of a project but those of closed audits and archived items. */
  async project(viewer: Viewer, input: RecomputeProjectInput): Promise<RecomputationReport> {
    const { id: projectId } = await this.projects.require(viewer, 'MANAGE_PROJECT', input.projectId);
    const factRules = await this.trials.factRules();
    const isDryRun = input.dryRun ?? false;
    if (isDryRun) return this.db.$transaction((tx) => this.all(tx, viewer, projectId, factRules, 'DRY_RUN'));
    return once(this.db, viewer, 'recomputeProject', input, async (tx) => {
      await this.audits.touchAllOpen(tx, projectId);
      return this.all(tx, viewer, projectId, factRules, 'WRITE');
    });
  }

  private async all(
    tx: Db,
    viewer: Viewer,
    projectId: string,
    factRules: FactRules,
    mode: 'WRITE' | 'DRY_RUN',
  ): Promise<RecomputationReport> {
    const measured = { projectId, verdict: { not: null } };
    const where = { ...measured, auditItem: { isArchived: false, audit: { status: 'OPEN' as const } } };
    const total = await tx.trial.count({ where: measured });
    const ids = (await tx.trial.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } })).map(({ id }) => id);
    const changed: Change[] = [];
    const items = new Set<string>();
    let newCount = 0;
    for (const some of batches(ids, TRIAL_BATCH)) {
      const trials = await tx.trial.findMany({
        where: { id: { in: some } },
        orderBy: { id: 'asc' },
        include: { primaryMetric: true, auditItem: { select: { auditId: true } } },
      });
      for (const one of await recompute(tx, projectId, trials, factRules)) {
        newCount += 1;
        const change = changeOf(one);
        if (change) changed.push(change);
        if (mode === 'DRY_RUN') continue;
        await this.save(tx, viewer, one);
        items.add(one.trial.auditItemId);
      }
    }
    if (items.size > 0) await this.trials.follow(tx, viewer, [...items]);
    return {
      isDryRun: mode === 'DRY_RUN',
      methodVersion: METHOD_VERSION,
      trialCount: ids.length,
      newCount,
      leftOutCount: total - ids.length,
      changedCount: changed.length,
      changed: changed.slice(0, REPORT_LIMIT),
    };
  }

  private async save(tx: Db, viewer: Viewer, one: Recomputed): Promise<void> {
    await saveComputed(tx, one.trial, one.computed, 'RECOMPUTED');
    const change = changeOf(one);
    if (!change) return;
    await recordTrial(tx, viewer, one.trial, {
      field: 'recomputed',
      before: { verdict: change.verdictBefore, evidence: change.evidenceBefore },
      after: { verdict: change.verdictAfter, evidence: change.evidenceAfter, methodVersion: METHOD_VERSION },
    });
  }
}

/** Those of the trials whose computation would be another one, in a number of statements that does not grow with them. */
async function recompute(
  tx: Db,
  projectId: string,
  trials: readonly FoundTrial[],
  factRules: FactRules,
): Promise<readonly Recomputed[]> {
  const ids = trials.map(({ id }) => id);
  const links = await tx.trialRun.findMany({ where: { trialId: { in: ids } }, orderBy: { order: 'asc' } });
  const runs = await measuredRuns(tx, [...new Set(links.map(({ runId }) => runId))]);
  const floors = await KnownFloors.of(tx, projectId, factRules);
  const stored = groupByKey(ids, await newestRows(tx, ids), ({ trialId }) => trialId ?? '');
  const linked = groupByKey(ids, links, ({ trialId }) => trialId);
  return trials.flatMap((trial, index): Recomputed[] => {
    const inArm = (arm: 'BEFORE' | 'AFTER'): MeasuredRun[] =>
      (linked[index] ?? []).flatMap((link) => (link.arm === arm ? (runs.get(link.runId) ?? []) : []));
    const arms = { before: inArm('BEFORE'), after: inArm('AFTER') };
    const metrics = metricsOf(arms, trial.primaryMetric);
    const known = floors.in(noiseContext(arms.before, factRules), metrics, trial.id);
    const reading = readArms({ ...trial, override: overrideOf(trial) }, arms, factRules, known);
    const own = stored[index] ?? [];
    const computed = { reading, metrics };
    return isSameComputation(own, computed) ? [] : [{ trial, stored: own, computed }];
  });
}

/** Whether people see another result; null where the computation differs in its numbers alone. */
function changeOf({ trial, stored, computed }: Recomputed): Change | null {
  const { verdict, evidence } = computed.reading;
  const before = { verdict: trial.verdict ?? 'INCONCLUSIVE', evidence: storedEvidence(stored) };
  if (before.verdict === verdict && before.evidence === evidence) return null;
  return {
    trialId: trial.id,
    verdictBefore: before.verdict,
    verdictAfter: verdict,
    evidenceBefore: before.evidence,
    evidenceAfter: evidence,
  };
}

function storedEvidence(rows: readonly ComparisonRow[]): EvidenceLevel {
  const primary = rows
    .filter(({ role }) => role === 'PRIMARY')
    .map((row) => ({ ...row, warnings: warningsShape.parse(row.warnings) }));
  return primary.length === 0 ? 'NONE' : weightOver(primary).evidence;
}

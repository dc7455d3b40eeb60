import { Injectable } from '@nestjs/common';
import { conflict } from '../../domain/errors.js';
import { wasLook } from '../../domain/measurement/planned-runs.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import type { Trial } from './measurements.types.js';
import { checkRuns, checkSizes, type ArmIds } from './trial-arms.js';
import { newestPrimary, noRuns, recordTrial, TrialChangesService } from './trial-changes.service.js';
import type { ExtendTrialInput } from './trial-changes.types.js';

/** Adds runs to trials. */
@Injectable()
export class TrialExtensionService {
  constructor(
    private readonly db: Database,
    private readonly trials: TrialChangesService,
  ) {}

  /** The runs of a trial become more, or a plan gets its first; the comparison is another one, and the old ones stay. */
  async extend(viewer: Viewer, input: ExtendTrialInput): Promise<Trial> {
    const { id, beforeRunIds, afterRunIds } = input;
    const found = await this.trials.require(viewer, 'WRITE_MEASUREMENTS', id);
    if (beforeRunIds.length + afterRunIds.length === 0) throw noRuns();
    await checkRuns(this.db, found.projectId, input);
    const factRules = await this.trials.factRules();
    await once(this.db, viewer, 'extendTrial', input, async (tx) => {
      const trial = await this.trials.hold(tx, found);
      const there = await armsOf(tx, id);
      checkNew(there, input);
      checkSizes({
        beforeRunIds: [...there.beforeRunIds, ...beforeRunIds],
        afterRunIds: [...there.afterRunIds, ...afterRunIds],
      });
      const primary = await newestPrimary(tx, id);
      const looks = trial.looks + (wasLook(primary) ? 1 : 0);
      await tx.trial.update({ where: { id }, data: { looks } });
      await tx.trialRun.createMany({ data: linksBehind(id, there, input) });
      const cause = primary.length === 0 ? 'CREATED' : 'EXTENDED';
      const reading = await this.trials.compute(tx, viewer, { ...trial, looks }, factRules, cause);
      const counts = ({ beforeRunIds: before, afterRunIds: after }: ArmIds) => [before.length, after.length] as const;
      const [[before, after], [more, moreAfter]] = [counts(there), counts(input)];
      await recordTrial(tx, viewer, trial, {
        field: 'extended',
        before: { before, after, verdict: trial.verdict },
        after: { before: before + more, after: after + moreAfter, looks, verdict: reading.verdict },
      });
      return id;
    });
    return this.db.trial.findUniqueOrThrow({ where: { id } });
  }
}

async function armsOf(tx: Db, trialId: string): Promise<ArmIds> {
  const links = await tx.trialRun.findMany({ where: { trialId }, orderBy: { order: 'asc' } });
  const inArm = (arm: 'BEFORE' | 'AFTER') => links.filter((link) => link.arm === arm).map(({ runId }) => runId);
  return { beforeRunIds: inArm('BEFORE'), afterRunIds: inArm('AFTER') };
}

/** Runs count once, in one arm. */
function checkNew(there: ArmIds, added: ArmIds): void {
  const known = new Set([...there.beforeRunIds, ...there.afterRunIds]);
  const runId = [...added.beforeRunIds, ...added.afterRunIds].find((id) => known.has(id));
  if (runId === undefined) return;
  const arm = there.beforeRunIds.includes(runId) ? 'BEFORE' : 'AFTER';
  throw conflict(
    { en: `The run "${runId}" is in this trial already`, zh: `运行“${runId}”已在该试验中` },
    { current: { runId, arm } },
  );
}

function linksBehind(trialId: string, there: ArmIds, { beforeRunIds, afterRunIds }: ArmIds) {
  const link = (arm: 'BEFORE' | 'AFTER', first: number) => (runId: string, index: number) => ({
    trialId,
    runId,
    arm,
    order: first + index,
  });
  return [
    ...beforeRunIds.map(link('BEFORE', there.beforeRunIds.length)),
    ...afterRunIds.map(link('AFTER', there.afterRunIds.length)),
  ];
}

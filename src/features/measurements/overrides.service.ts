import { Injectable } from '@nestjs/common';
import { conflict, forbidden } from '../../domain/errors.js';
import { allRoles, permissions } from '../../domain/permissions.js';
import { optionalText, requiredText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import { authoredBy, isReviewRequired } from '../audits/audits.service.js';
import type { Trial } from './measurements.types.js';
import { newestPrimary, recordTrial, TrialChangesService, type FoundTrial } from './trial-changes.service.js';
import type { OverrideComparabilityInput, WithdrawOverrideInput } from './trial-changes.types.js';
import { overrideOf } from './trial-reading.js';

const noOverride = { overrideReason: null, overriddenById: null, overriddenByName: null, overriddenAt: null } as const;

/** The word of reviewers over differences that block a comparison. */
@Injectable()
export class OverridesService {
  constructor(
    private readonly db: Database,
    private readonly trials: TrialChangesService,
  ) {}

  /** The arms of a trial are compared although something that blocks differs; the reason stays with the comparison. */
  async override(viewer: Viewer, input: OverrideComparabilityInput): Promise<Trial> {
    const found = await this.trials.require(viewer, 'REVIEW_AUDITS', input.trialId);
    const reason = requiredText(input.reason, 'reason', TEXT_LIMITS.long);
    const factRules = await this.trials.factRules();
    await once(this.db, viewer, 'overrideComparability', input, async (tx) => {
      const trial = await this.trials.hold(tx, found);
      await refuseOwn(tx, viewer, trial);
      if (trial.overrideReason !== null) throw isOverridden(trial);
      if (!(await isBlocked(tx, trial.id))) throw nothingToOverride(trial);
      const { name } = await tx.user.findUniqueOrThrow({ where: { id: viewer.id } });
      const overridden = await tx.trial.update({
        where: { id: trial.id },
        data: {
          overrideReason: reason,
          overriddenById: viewer.id,
          overriddenByName: name,
          overriddenAt: new Date(),
        },
      });
      const reading = await this.trials.compute(tx, viewer, { ...trial, ...overridden }, factRules, 'OVERRIDDEN');
      // Units, direction and target are no matter of opinion
      if (reading.verdict === 'NOT_COMPARABLE') {
        throw cannotOverride(trial, reading.comparisons[0]?.result.warnings[0]?.code ?? '');
      }
      await recordTrial(tx, viewer, trial, {
        field: 'overridden',
        before: { verdict: trial.verdict },
        after: { verdict: reading.verdict },
        reason,
      });
      return trial.id;
    });
    return this.db.trial.findUniqueOrThrow({ where: { id: input.trialId } });
  }

  /** The arms are not comparable again; what was said stays in the history and in the old computations. */
  async withdraw(viewer: Viewer, input: WithdrawOverrideInput): Promise<Trial> {
    const found = await this.trials.require(viewer, 'REVIEW_AUDITS', input.trialId);
    const reason = optionalText(input.reason, 'reason', TEXT_LIMITS.long);
    const factRules = await this.trials.factRules();
    await once(this.db, viewer, 'withdrawOverride', input, async (tx) => {
      const trial = await this.trials.hold(tx, found);
      if (trial.overrideReason === null) throw notOverridden(trial);
      await tx.trial.update({ where: { id: trial.id }, data: noOverride });
      const plain = { ...trial, ...noOverride };
      await this.trials.compute(tx, viewer, plain, factRules, 'OVERRIDE_WITHDRAWN');
      await recordTrial(tx, viewer, trial, {
        field: 'overridden',
        before: { verdict: trial.verdict, ...overrideOf(trial) },
        after: null,
        reason,
      });
      return trial.id;
    });
    return this.db.trial.findUniqueOrThrow({ where: { id: input.trialId } });
  }
}

async function isBlocked(tx: Db, trialId: string): Promise<boolean> {
  const primary = await newestPrimary(tx, trialId);
  return primary.some(({ warnings }) => warnings.some(({ code }) => code === 'BLOCKING_DIFFERENCE'));
}

/** As with acceptance: whoever measured, or said what came out, does not judge it, unless there is nobody else to. */
async function refuseOwn(tx: Db, { id: viewerId }: Viewer, trial: FoundTrial): Promise<void> {
  const isAuthor = (await authoredBy(tx, viewerId, [trial.auditItemId])).has(trial.auditItemId);
  const isOwn = trial.createdById === viewerId || isAuthor || (await hasExtended(tx, viewerId, trial.id));
  if (!isOwn) return;
  const needsOther = await isReviewRequired(tx, trial.auditItem.auditId);
  if (needsOther || (await hasOtherReviewer(tx, viewerId, trial.projectId))) throw ownTrial();
}

async function hasExtended(tx: Db, viewerId: string, trialId: string): Promise<boolean> {
  const where = { subject: 'trial', subjectId: trialId, field: 'extended', viewerId };
  return (await tx.historyEntry.count({ where })) > 0;
}

const reviewing = allRoles.filter((role) => permissions(role).includes('REVIEW_AUDITS'));

/** A role in the project stands before one by the team. */
async function hasOtherReviewer(tx: Db, viewerId: string, projectId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM "Project" p JOIN "User" u ON u.id <> ${viewerId}
      LEFT JOIN "ProjectMember" m ON m."projectId" = p.id AND m."userId" = u.id
      LEFT JOIN "TeamMember" t ON t."teamId" = p."teamId" AND t."userId" = u.id
      WHERE p.id = ${projectId} AND coalesce(m.role, t.role)::text = ANY (${reviewing})
    ) AS found`;
  return rows[0]?.found ?? false;
}

function currentOf({ id, verdict, overrideReason }: FoundTrial) {
  return { current: { id, verdict, overrideReason } };
}

function isOverridden(trial: FoundTrial) {
  return conflict(
    {
      en: 'A reviewer has overridden this already: withdrawOverride takes it back',
      zh: '已有复核人判定可对比，可用 withdrawOverride 撤回',
    },
    currentOf(trial),
  );
}

function notOverridden(trial: FoundTrial) {
  return conflict({ en: 'Nobody has overridden this trial', zh: '该试验没有人工判定可对比' }, currentOf(trial));
}

function nothingToOverride(trial: FoundTrial) {
  return conflict(
    {
      en: 'Only a trial whose arms differ in something that blocks can be overridden',
      zh: '只有因阻断级差异而不可比的试验才能判定为可对比',
    },
    currentOf(trial),
  );
}

function cannotOverride(trial: FoundTrial, cause: string) {
  return conflict(
    {
      en: `The arms are not comparable for another reason too, which nobody can override: ${cause}`,
      zh: `两组不可比还另有原因，任何人都不能改判：${cause}`,
    },
    { ...currentOf(trial), cause },
  );
}

function ownTrial() {
  return forbidden({
    en: 'Whoever measured, or said what came out, does not judge whether the arms can be compared: another reviewer does',
    zh: '进行测量或给出结论的人不能判定两组是否可比，须由另一位复核人判定',
  });
}

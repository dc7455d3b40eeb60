import { Injectable } from '@nestjs/common';
import { conflict, invalidInput, notFound } from '../../domain/errors.js';
import { warningsShape } from '../../domain/measurement/stored.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import type { TrialReading } from '../../domain/measurement/trial.js';
import type { Permission } from '../../domain/permissions.js';
import type { Comparison as ComparisonRow } from '../../generated/prisma/client.js';
import type { ComputationCause } from '../../generated/prisma/enums.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { AuditsService } from '../audits/audits.service.js';
import { RulesService } from '../catalog/rules.service.js';
import { newestRows } from './measurements.queries.js';
import { saveProofs } from './saved-proof.js';
import { computeTrial, type StoredTrial } from './trial-computation.js';
import { TrialFollowersService } from './trial-followers.service.js';

const withMetric = { primaryMetric: true, auditItem: { select: { auditId: true } } } as const;

/** A trial as a change finds it. */
export type FoundTrial = StoredTrial & { readonly auditItem: { readonly auditId: string } };

/** What changes of trials have in common: who may, what is open, and what follows from another computation. */
@Injectable()
export class TrialChangesService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly rules: RulesService,
    private readonly audits: AuditsService,
    private readonly followers: TrialFollowersService,
  ) {}

  factRules(): Promise<FactRules> {
    return this.rules.factRules();
  }

  /** The trial, if the viewer has this right in its project; NOT_FOUND for a stranger. */
  async require(viewer: Viewer, needed: Permission, id: string): Promise<FoundTrial> {
    const found = await this.db.trial.findUnique({ where: { id }, include: withMetric });
    return this.access.require(viewer, needed, found, noTrial(id));
  }

  /** The trial as it is in the transaction, which holds its audit; CONFLICT for a closed audit or an archived item. */
  async hold(tx: Db, { id, auditItemId, auditItem }: FoundTrial): Promise<FoundTrial> {
    await this.audits.touchOpen(tx, auditItem.auditId);
    await this.audits.refuseArchived(tx, auditItemId);
    return tx.trial.findUniqueOrThrow({ where: { id }, include: withMetric });
  }

  /** Computes a trial anew, with all that follows: what it proves of its item, and what is found of it. */
  async compute(
    tx: Db,
    viewer: Viewer,
    trial: FoundTrial,
    factRules: FactRules,
    cause: ComputationCause,
  ): Promise<TrialReading> {
    const reading = await computeTrial(tx, trial, factRules, cause);
    await this.follow(tx, viewer, [trial.auditItemId]);
    return reading;
  }

  /** What follows from new computations of trials of these items. */
  async follow(tx: Db, viewer: Viewer, auditItemIds: readonly string[]): Promise<void> {
    await saveProofs(tx, viewer, auditItemIds);
    await this.audits.reindex(tx, ...auditItemIds);
    await this.followers.tell(tx, auditItemIds);
  }
}

/** One change of a trial for the history. */
export async function recordTrial(
  tx: Db,
  viewer: Viewer,
  { id, projectId, auditItemId, auditItem }: FoundTrial,
  change: {
    readonly field: string;
    readonly before: object | null;
    readonly after: object | null;
    readonly reason?: string | null;
  },
): Promise<void> {
  const { field, before, after, reason = null } = change;
  const place = { projectId, auditId: auditItem.auditId, auditItemId, subject: 'trial' as const, subjectId: id };
  await record(tx, viewer, [
    { ...place, field, before: before && toJson(before), after: after && toJson(after), reason },
  ]);
}

/** Of the newest computation of a trial what its primary metric says; nothing for a plan. */
export async function newestPrimary(tx: Db, trialId: string) {
  const rows = await newestRows(tx, [trialId]);
  return rows.filter(({ role }) => role === 'PRIMARY').map(toJudged);
}

function toJudged(row: ComparisonRow) {
  return { ...row, warnings: warningsShape.parse(row.warnings) };
}

export function noTrial(id: string) {
  return notFound({ en: `There is no trial "${id}"`, zh: `没有试验“${id}”` }, { id });
}

/** What to throw where a plan has nothing to compute. */
export function isPlan(id: string) {
  return conflict(
    { en: 'This trial is a plan: it has no runs yet', zh: '该试验仅为计划，尚无运行' },
    { current: { id, verdict: null } },
  );
}

/** What to throw where nothing was given to add. */
export function noRuns() {
  return invalidInput({
    en: 'Name at least one run to add; a plan needs runs in both arms',
    zh: '请至少给出一次要增加的运行；计划须两组都有运行',
  });
}

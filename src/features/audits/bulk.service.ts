import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../domain/errors.js';
import type { BothLanguages } from '../../domain/locale.js';
import type { AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { PeopleService } from '../projects/people.service.js';
import { archived, itemsWhere, touchOpenAudit } from './audits.queries.js';
import { AuditsService } from './audits.service.js';
import type { BulkItemResult, BulkUpdate, BulkUpdateAuditItemsInput } from './bulk.types.js';
import { changeOf, type ChangeRules, type ItemChange } from './item-changes.js';
import { changeRules, type Changer } from './review.queries.js';
import { requireSection } from './sections.queries.js';

/** Most items that one request changes. */
const MOST_CHANGES = 500;

/** An item with what becomes of it. */
interface Planned {
  readonly row: AuditItemRow;
  readonly change: ItemChange | null;
  readonly leftOut: BothLanguages | null;
}

/** Changes many items of one audit at once, by the rules that hold for one. */
@Injectable()
export class BulkService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly people: PeopleService,
  ) {}

  /**
   * An item that the rules refuse is left out with their reason; the others are changed all at once. Beyond the limit items
   * are left out too, and the same request again goes on with them.
   */
  async update(viewer: Viewer, input: BulkUpdateAuditItemsInput): Promise<BulkUpdate> {
    const audit = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const { patch } = input;
    if (Object.values(patch).every((value) => value === undefined)) throw nothingToChange();
    if (patch.assigneeId) await this.people.require(audit.projectId, patch.assigneeId, 'assigneeId', 'WRITE_AUDITS');
    const changer = { id: viewer.id, isReviewer: await this.audits.isReviewer(viewer, audit.projectId) };
    if (input.dryRun === true) {
      await this.audits.requireOpen(audit.id);
      return reportOf(await this.planned(this.db, changer, input), true);
    }
    return once(this.db, viewer, 'bulkUpdateAuditItems', input, async (tx) => {
      await touchOpenAudit(tx, audit.id);
      const planned = await this.planned(tx, changer, input);
      await this.write(tx, viewer, planned);
      return reportOf(planned, false);
    });
  }

  private async planned(db: Db, changer: Changer, input: BulkUpdateAuditItemsInput): Promise<readonly Planned[]> {
    if (input.filter?.section) await requireSection(db, input.auditId, input.filter.section);
    const rows = await db.auditItem.findMany({
      where: itemsWhere(input.auditId, input.filter ?? {}),
      orderBy: { position: 'asc' },
    });
    const rulesOf = await changeRules(db, changer, input.auditId, rows);
    let changes = 0;
    return rows.map((row) => {
      const planned = plannedOf(row, input, rulesOf(row));
      if (planned.change === null) return planned;
      changes += 1;
      return changes > MOST_CHANGES ? { row, change: null, leftOut: beyondLimit } : planned;
    });
  }

  private async write(tx: Db, viewer: Viewer, planned: readonly Planned[]): Promise<void> {
    const changed = planned.flatMap(({ row, change }) => (change ? [{ row, change }] : []));
    if (changed.length === 0) return;
    const now = new Date();
    const rows = changed.map(({ row, change }) => ({ id: row.id, ...change.data }));
    await tx.$executeRaw`
      UPDATE "AuditItem" AS item SET
        "work" = next."work", "outcome" = next."outcome", "reasonCode" = next."reasonCode", "reason" = next."reason",
        "remark" = next."remark", "expiresAt" = next."expiresAt", "assigneeId" = next."assigneeId",
        "dueAt" = next."dueAt", "priority" = next."priority", "recheckCode" = next."recheckCode",
        "recheckSince" = next."recheckSince", "recheckOfId" = next."recheckOfId",
        "assessedById" = next."assessedById", "assessedAt" = next."assessedAt",
        "submittedById" = next."submittedById", "submittedAt" = next."submittedAt",
        "acceptedById" = next."acceptedById", "acceptedAt" = next."acceptedAt",
        "version" = item."version" + 1, "updatedAt" = ${now}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS next(
        id text, "work" "Work", "outcome" "Outcome", "reasonCode" "ReasonCode", "reason" text, "remark" text,
        "expiresAt" timestamptz, "assigneeId" text, "dueAt" timestamptz, "priority" "Priority",
        "recheckCode" "RecheckCode", "recheckSince" timestamptz, "recheckOfId" text, "assessedById" text,
        "assessedAt" timestamptz, "submittedById" text, "submittedAt" timestamptz, "acceptedById" text,
        "acceptedAt" timestamptz)
      WHERE item."id" = next.id`;
    await record(
      tx,
      viewer,
      changed.flatMap(({ change }) => change.changes),
    );
    await this.audits.reindex(tx, ...changed.filter(({ change }) => change.changesWords).map(({ row }) => row.id));
  }
}

function plannedOf(
  row: AuditItemRow,
  { patch, unchangedSince }: BulkUpdateAuditItemsInput,
  rules: ChangeRules,
): Planned {
  if (row.isArchived) return { row, change: null, leftOut: archived(row).text };
  if (unchangedSince && row.updatedAt > unchangedSince) return { row, change: null, leftOut: changedSince(row) };
  try {
    return { row, change: changeOf(row, patch, rules), leftOut: null };
  } catch (error) {
    if (error instanceof DomainError) return { row, change: null, leftOut: error.text };
    throw error;
  }
}

function reportOf(planned: readonly Planned[], isDryRun: boolean): BulkUpdate {
  const results = planned.map(({ row, change, leftOut }): BulkItemResult => ({
    auditItemId: row.id,
    effect: leftOut !== null ? 'LEFT_OUT' : change === null ? 'UNCHANGED' : 'CHANGED',
    reason: leftOut,
  }));
  const count = (effect: BulkItemResult['effect']) => results.filter((result) => result.effect === effect).length;
  return {
    isDryRun,
    matched: results.length,
    changed: count('CHANGED'),
    unchanged: count('UNCHANGED'),
    leftOut: count('LEFT_OUT'),
    results,
  };
}

const beyondLimit: BothLanguages = {
  en: `One request changes at most ${MOST_CHANGES} items; send it again for the rest`,
  zh: `一次请求最多修改 ${MOST_CHANGES} 个条目，其余请再次提交`,
};

function changedSince({ updatedAt }: AuditItemRow): BothLanguages {
  const at = updatedAt.toISOString();
  return { en: `Somebody changed it since, at ${at}`, zh: `该条目在此之后已被修改（${at}）` };
}

function nothingToChange() {
  return invalidInput(
    { en: 'patch is empty: name at least one field to change', zh: 'patch 为空：请至少给出一个要修改的字段' },
    { place: 'patch' },
  );
}

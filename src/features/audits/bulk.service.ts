import { Injectable } from '@nestjs/common';
import { DomainError } from '../../domain/errors.js';
import type { BothLanguages } from '../../domain/locale.js';
import type { AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { checkFilter } from '../../platform/graphql/filter.js';
import { startAfterPosition, toCursor, type PageRequest } from '../../platform/graphql/page.js';
import { PeopleService } from '../projects/people.service.js';
import { archived, itemsWhere, touchOpenAudit } from './audits.queries.js';
import { AuditsService } from './audits.service.js';
import { checkPatch } from './bulk.checks.js';
import type { BulkItemResult, BulkUpdate, BulkUpdateAuditItemsInput } from './bulk.types.js';
import { changeOf, type ChangeRules, type ItemChange } from './item-changes.js';
import { changeRules, isReviewRequired, type Changer } from './review.queries.js';
import { requireSection } from './sections.queries.js';

/** Most items that one request changes, and most characters of remarks and reasons that it writes: each is searched anew. */
const MOST_CHANGES = 500;
const MOST_CHARACTERS = 1_000_000;

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
   * are left out too: `next` is the place where another request goes on with them.
   */
  async update(viewer: Viewer, input: BulkUpdateAuditItemsInput): Promise<BulkUpdate> {
    const audit = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const { patch } = input;
    checkFilter(input.filter);
    await this.people.requireAssignee(audit.projectId, patch.assigneeId);
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
    const requiresReview = await isReviewRequired(db, input.auditId);
    checkPatch(input.patch, { requiresReview, auditId: input.auditId, now: new Date() });
    if (input.filter?.section) await requireSection(db, input.auditId, input.filter.section);
    const rows = await db.auditItem.findMany({
      where: {
        AND: [itemsWhere(input.auditId, input.filter ?? {}), { position: { gt: startAfterPosition(placeOf(input)) } }],
      },
      orderBy: { position: 'asc' },
    });
    const rulesOf = await changeRules(db, changer, requiresReview, rows);
    let [changes, characters] = [0, 0];
    return rows.map((row) => {
      const planned = plannedOf(row, input, rulesOf(row));
      if (planned.change === null) return planned;
      changes += 1;
      characters += charactersOf(planned.change);
      const isBeyond = changes > MOST_CHANGES || (changes > 1 && characters > MOST_CHARACTERS);
      return isBeyond ? { row, change: null, leftOut: beyondLimit } : planned;
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

/** How much text a change writes. */
function charactersOf({ data, changesWords }: ItemChange): number {
  return changesWords ? (data.remark?.length ?? 0) + (data.reason?.length ?? 0) : 0;
}

function reportOf(planned: readonly Planned[], isDryRun: boolean): BulkUpdate {
  const results = planned.map(({ row, change, leftOut }): BulkItemResult => ({
    auditItemId: row.id,
    effect: leftOut !== null ? 'LEFT_OUT' : change === null ? 'UNCHANGED' : 'CHANGED',
    reason: leftOut,
  }));
  const count = (effect: BulkItemResult['effect']) => results.filter((result) => result.effect === effect).length;
  const next = nextOf(planned);
  return {
    isDryRun,
    matched: results.length,
    changed: count('CHANGED'),
    unchanged: count('UNCHANGED'),
    leftOut: count('LEFT_OUT'),
    hasMore: next !== null,
    next,
    results,
  };
}

const beyondLimit: BothLanguages = {
  en: `One request changes at most ${MOST_CHANGES} items, and ${MOST_CHARACTERS} characters of their texts; go on with "after" for the rest`,
  zh: `一次请求最多修改 ${MOST_CHANGES} 个条目、${MOST_CHARACTERS} 个文本字符，其余请用 after 继续`,
};

function changedSince({ updatedAt }: AuditItemRow): BothLanguages {
  const at = updatedAt.toISOString();
  return { en: `Somebody changed it since, at ${at}`, zh: `该条目在此之后已被修改（${at}）` };
}

/** The place behind which items are looked at, as that of a page. */
function placeOf({ after }: BulkUpdateAuditItemsInput): PageRequest {
  return { first: MOST_CHANGES, after: after ?? null };
}

/** Where another request goes on: behind the last item before the first one that is beyond the limit. */
function nextOf(planned: readonly Planned[]): string | null {
  const first = planned.findIndex(({ leftOut }) => leftOut === beyondLimit);
  const last = planned[first - 1];
  return last === undefined ? null : toCursor(String(last.row.position));
}

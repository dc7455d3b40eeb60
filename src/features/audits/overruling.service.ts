import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../domain/errors.js';
import { optionalText } from '../../domain/text-limits.js';
import type { AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { archived, itemSubject, toAuditItem, touchOpenAudit } from './audits.queries.js';
import { AuditsService, staleItem } from './audits.service.js';
import type { AuditItem } from './audits.types.js';
import { takenBack } from './item-changes.js';
import { isReviewRequired } from './review.queries.js';
import type { OverruleApplicabilityInput, Overruling } from './scoping.types.js';

/** What a person says of an item instead of the rules. */
@Injectable()
export class OverrulingService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
  ) {}

  private readonly nameOf = perRequest(async (ids: readonly string[]) => {
    const rows = await this.db.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  /** Overrules the answer of the rules with a reason, or takes that back. */
  async overrule(viewer: Viewer, input: OverruleApplicabilityInput): Promise<AuditItem> {
    const { auditId } = await this.audits.requireItem(viewer, 'WRITE_AUDITS', input.id);
    const answer = input.answer ?? null;
    const reason = optionalText(input.reason, 'reason');
    if (answer === 'UNKNOWN') throw noAnswer();
    if (answer !== null && reason === null) throw noReason(answer);
    await once(this.db, viewer, 'overruleApplicability', input, async (tx) => {
      await touchOpenAudit(tx, auditId);
      await this.save(tx, viewer, input, answer, reason);
      return input.id;
    });
    return toAuditItem(await this.db.auditItem.findUniqueOrThrow({ where: { id: input.id } }));
  }

  /** Who overruled the rules for an item, when and why. */
  async of(
    request: object,
    { overruled, overruleReason, overruledById, overruledAt }: AuditItem,
  ): Promise<Overruling | null> {
    if (overruled === null) return null;
    const by = overruledById === null ? null : await this.nameOf(request).load(overruledById);
    return { answer: overruled, reason: overruleReason ?? '', by: by?.name ?? null, at: overruledAt };
  }

  private async save(
    tx: Db,
    viewer: Viewer,
    { id, version }: OverruleApplicabilityInput,
    answer: 'YES' | 'NO' | null,
    reason: string | null,
  ): Promise<void> {
    const current = await tx.auditItem.findUniqueOrThrow({ where: { id } });
    if (current.version !== version) throw staleItem(current, version);
    if (current.isArchived) throw archived(current);
    const kept = answer === null ? null : reason;
    // Of an item that nobody assessed the mark asks about this decision alone
    const clearsRecheck = current.recheckCode !== null && current.outcome === 'NOT_ASSESSED';
    if (current.overruled === answer && current.overruleReason === kept && !clearsRecheck) return;
    const isOverruled = current.overruled !== answer || current.overruleReason !== kept;
    const requiresReview = isOverruled && (await isReviewRequired(tx, current.auditId));
    const review = takenBack(current, { requiresReview, reason });
    const { count } = await tx.auditItem.updateMany({
      where: { id, version },
      data: {
        overruled: answer,
        overruleReason: kept,
        overruledById: answer === null ? null : viewer.id,
        overruledAt: answer === null ? null : new Date(),
        ...(clearsRecheck ? { recheckCode: null, recheckSince: null } : {}),
        ...review.data,
        version: { increment: 1 },
        updatedAt: new Date(),
      },
    });
    if (count === 0) throw staleItem(await tx.auditItem.findUniqueOrThrow({ where: { id } }), version);
    const subject = itemSubject(current);
    await record(tx, viewer, [
      { ...subject, field: 'overruled', ...change(current, answer, reason) },
      ...(clearsRecheck ? [{ ...subject, field: 'recheck', before: current.recheckCode, after: null, reason }] : []),
      ...review.changes,
    ]);
  }
}

/** The history keeps the old reason beside the new one. */
function change(current: AuditItemRow, answer: 'YES' | 'NO' | null, reason: string | null) {
  const { overruled, overruleReason } = current;
  return {
    before: overruled === null ? null : { answer: overruled, reason: overruleReason },
    after: answer === null ? null : { answer, reason },
    reason,
  };
}

function noAnswer() {
  return invalidInput({
    en: 'answer is YES or NO, or null to take the overruling back; UNKNOWN is what the rules say where they cannot tell',
    zh: 'answer 只能是 YES 或 NO，或以 null 撤回人工判定；UNKNOWN 由规则在无法判断时给出',
  });
}

function noReason(answer: string) {
  return invalidInput(
    { en: `Overruling the rules with ${answer} needs a reason`, zh: `以 ${answer} 推翻规则须说明理由` },
    { answer, missing: ['reason'] },
  );
}

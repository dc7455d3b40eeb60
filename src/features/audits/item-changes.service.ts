import { Injectable } from '@nestjs/common';
import { conflict, forbidden } from '../../domain/errors.js';
import { optionalText, requiredText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { PeopleService } from '../projects/people.service.js';
import { archived, currentState, itemSubject, toAuditItem, touchOpenAudit } from './audits.queries.js';
import { AuditsService, staleItem } from './audits.service.js';
import type { AuditItem, UpdateAuditItemInput } from './audits.types.js';
import { CommentsService } from './comments.service.js';
import { changeOf, type Patch } from './item-changes.js';
import { authoredBy, changeRules, isReviewRequired, type Changer } from './review.queries.js';
import type { RejectAuditItemInput, AcceptAuditItemInput, SubmitAuditItemInput } from './review.types.js';

/** What people say of one item, and the review of it. */
@Injectable()
export class ItemChangesService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly comments: CommentsService,
    private readonly people: PeopleService,
  ) {}

  async update(viewer: Viewer, { id, version, ...patch }: UpdateAuditItemInput): Promise<AuditItem> {
    const found = await this.audits.requireItem(viewer, 'WRITE_AUDITS', id);
    await this.people.requireAssignee(found.projectId, patch.assigneeId);
    const changer = { id: viewer.id, isReviewer: await this.audits.isReviewer(viewer, found.projectId) };
    return this.written(viewer, 'updateAuditItem', { id, version, ...patch }, found, (tx, current) =>
      this.save(tx, viewer, changer, current, patch),
    );
  }

  /** Asks for a review of what was said of an item; a comment for the reviewers may go with it. */
  async submit(viewer: Viewer, input: SubmitAuditItemInput): Promise<AuditItem> {
    const found = await this.audits.requireItem(viewer, 'WRITE_AUDITS', input.id);
    const body = optionalText(input.comment, 'comment');
    const mentioned = body === null ? [] : await this.comments.mentionedIn(found.projectId, body, []);
    return this.written(viewer, 'submitAuditItem', input, found, async (tx, current) => {
      if (current.work === 'IN_REVIEW') throw isSubmitted(current);
      // Whoever submits says nothing that a reviewer would
      const changer = { id: viewer.id, isReviewer: false };
      await this.save(tx, viewer, changer, current, { work: 'IN_REVIEW' }, body);
      if (body !== null) await this.comments.write(tx, viewer, found, { body, mentioned });
    });
  }

  /** A reviewer who is not the author says that it is so: the item is DONE. */
  async accept(viewer: Viewer, input: AcceptAuditItemInput): Promise<AuditItem> {
    const body = optionalText(input.comment, 'comment');
    return this.review(viewer, 'acceptAuditItem', input, 'ACCEPTED', body);
  }

  /** A reviewer gives the item back; the comment says what is missing. */
  async reject(viewer: Viewer, input: RejectAuditItemInput): Promise<AuditItem> {
    const body = requiredText(input.comment, 'comment', TEXT_LIMITS.long);
    return this.review(viewer, 'rejectAuditItem', input, 'REJECTED', body);
  }

  private async review(
    viewer: Viewer,
    mutation: string,
    input: AcceptAuditItemInput,
    decision: 'ACCEPTED' | 'REJECTED',
    body: string | null,
  ): Promise<AuditItem> {
    const found = await this.audits.requireItem(viewer, 'REVIEW_AUDITS', input.id);
    const mentioned = body === null ? [] : await this.comments.mentionedIn(found.projectId, body, []);
    return this.written(viewer, mutation, input, found, async (tx, current) => {
      if (current.work !== 'IN_REVIEW') throw notInReview(current);
      if ((await authoredBy(tx, viewer.id, [current.id])).has(current.id)) throw ownWork();
      const isAccepted = decision === 'ACCEPTED';
      await tx.auditItem.update({
        where: { id: current.id },
        data: {
          work: isAccepted ? 'DONE' : 'IN_PROGRESS',
          ...(isAccepted ? { acceptedById: viewer.id, acceptedAt: new Date() } : {}),
          version: { increment: 1 },
          updatedAt: new Date(),
        },
      });
      const subject = itemSubject(current);
      await record(tx, viewer, [
        { ...subject, field: 'work', before: current.work, after: isAccepted ? 'DONE' : 'IN_PROGRESS', reason: body },
        ...(isAccepted
          ? [{ ...subject, field: 'acceptedById', before: current.acceptedById, after: viewer.id, reason: body }]
          : []),
      ]);
      if (body !== null) await this.comments.write(tx, viewer, found, { body, decision, mentioned });
    });
  }

  /** Runs a change once, on the item as it is in the transaction, at the version that the caller has seen. */
  private async written<I extends { id: string; version: number; clientMutationId?: string | null }>(
    viewer: Viewer,
    mutation: string,
    input: I,
    { id, auditId }: AuditItemRow,
    change: (tx: Db, current: AuditItemRow) => Promise<void>,
  ): Promise<AuditItem> {
    await once(this.db, viewer, mutation, input, async (tx) => {
      await touchOpenAudit(tx, auditId);
      const current = await tx.auditItem.findUniqueOrThrow({ where: { id } });
      if (current.version !== input.version) throw staleItem(current, input.version);
      if (current.isArchived) throw archived(current);
      await change(tx, current);
      return id;
    });
    return toAuditItem(await this.db.auditItem.findUniqueOrThrow({ where: { id } }));
  }

  private async save(
    tx: Db,
    viewer: Viewer,
    changer: Changer,
    current: AuditItemRow,
    patch: Patch,
    reason: string | null = null,
  ): Promise<void> {
    const requiresReview = await isReviewRequired(tx, current.auditId);
    const rulesOf = await changeRules(tx, changer, requiresReview, [current]);
    const change = changeOf(current, patch, rulesOf(current));
    if (change === null) return;
    await tx.auditItem.update({
      where: { id: current.id },
      data: { ...change.data, version: { increment: 1 }, updatedAt: new Date() },
    });
    await record(tx, viewer, reason === null ? change.changes : change.changes.map((one) => ({ ...one, reason })));
    if (change.changesWords) await this.audits.reindex(tx, current.id);
  }
}

function notInReview(current: AuditItemRow) {
  return conflict(
    {
      en: `Only an item that is IN_REVIEW is accepted or rejected, and this one is ${current.work}`,
      zh: `只有处于 IN_REVIEW 的条目才能通过或驳回，该条目为 ${current.work}`,
    },
    { current: currentState(current) },
  );
}

function isSubmitted(current: AuditItemRow) {
  return conflict(
    {
      en: 'This item waits for a review already: acceptAuditItem or rejectAuditItem ends it, and IN_PROGRESS takes it back',
      zh: '该条目已在等待评审：由 acceptAuditItem 或 rejectAuditItem 结束评审，或改为 IN_PROGRESS 撤回',
    },
    { current: currentState(current) },
  );
}

function ownWork() {
  return forbidden({
    en: 'Whoever submitted an item, or said what came out, does not review it: another person does. Where there is nobody else, updateAudit with requiresReview: false lets items be DONE without a review',
    zh: '提交条目或给出结论的人不能评审该条目，须由另一人评审。如没有其他人，可用 updateAudit 设 requiresReview: false，使条目无需评审即可完成',
  });
}

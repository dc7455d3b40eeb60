import { Injectable } from '@nestjs/common';
import { conflict, invalidInput } from '../../domain/errors.js';
import { optionalText, requiredText } from '../../domain/text-limits.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record, type Change } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { auditSubject, staleAudit } from './audits.queries.js';
import { AuditsService } from './audits.service.js';
import type { Audit } from './audits.types.js';
import { MilestonesService } from './milestones.service.js';
import type { CloseAuditInput, ReopenAuditInput, UpdateAuditInput } from './state.types.js';

/** The audit itself: its title, whether it needs reviews, and whether it is open. */
@Injectable()
export class AuditStateService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly milestones: MilestonesService,
  ) {}

  async update(viewer: Viewer, input: UpdateAuditInput): Promise<Audit> {
    const isRule = input.requiresReview !== undefined && input.requiresReview !== null;
    const found = await this.audits.require(viewer, isRule ? 'MANAGE_PROJECT' : 'WRITE_AUDITS', input.auditId);
    const title = input.title === undefined || input.title === null ? null : requiredText(input.title, 'title');
    if (title === null && !isRule) throw nothingToChange();
    return this.written(viewer, 'updateAudit', input, async (tx) => {
      const current = await this.audits.touchOpenAt(tx, found.id, input.version);
      const requiresReview = input.requiresReview ?? current.requiresReview;
      const next = { title: title ?? current.title, requiresReview };
      return (['title', 'requiresReview'] as const)
        .filter((field) => next[field] !== current[field])
        .map((field) => ({ field, before: current[field], after: next[field] }));
    });
  }

  /** Ends the work on an audit, and keeps a milestone of how it stood. */
  async close(viewer: Viewer, input: CloseAuditInput): Promise<Audit> {
    const found = await this.audits.require(viewer, 'REVIEW_AUDITS', input.auditId);
    const reason = optionalText(input.reason, 'reason');
    const close = async (tx: Db): Promise<readonly FieldChange[]> => {
      await this.audits.touchOpenAt(tx, found.id, input.version);
      return [{ field: 'status', before: 'OPEN', after: 'CLOSED', reason }];
    };
    // The milestone keeps the audit as it is then: closed
    return this.written(viewer, 'closeAudit', input, close, (tx) =>
      this.milestones.takeNumbered(tx, viewer, found.id, { en: 'Closed', zh: '关闭时' }),
    );
  }

  async reopen(viewer: Viewer, input: ReopenAuditInput): Promise<Audit> {
    await this.audits.require(viewer, 'MANAGE_PROJECT', input.auditId);
    const reason = optionalText(input.reason, 'reason');
    return this.written(viewer, 'reopenAudit', input, async (tx) => {
      const current = await tx.audit.findUniqueOrThrow({ where: { id: input.auditId } });
      if (current.version !== input.version) throw staleAudit(current, input.version);
      if (current.status === 'OPEN') throw isOpen(current.id);
      return [{ field: 'status', before: 'CLOSED', after: 'OPEN', reason }];
    });
  }

  private async written<I extends { auditId: string; version: number; clientMutationId?: string | null }>(
    viewer: Viewer,
    mutation: string,
    input: I,
    change: (tx: Db) => Promise<readonly FieldChange[]>,
    afterwards?: (tx: Db) => Promise<unknown>,
  ): Promise<Audit> {
    const { auditId: id, version } = input;
    await once(this.db, viewer, mutation, input, async (tx) => {
      const fields = await change(tx);
      if (fields.length === 0) return id;
      const { count } = await tx.audit.updateMany({
        where: { id, version },
        data: { ...dataOf(fields), version: { increment: 1 }, touchedAt: new Date() },
      });
      const row = await tx.audit.findUniqueOrThrow({ where: { id } });
      if (count === 0) throw staleAudit(row, version);
      await record(
        tx,
        viewer,
        fields.map((field) => ({ ...auditSubject(row), ...field })),
      );
      await afterwards?.(tx);
      return id;
    });
    return this.db.audit.findUniqueOrThrow({ where: { id } });
  }
}

type FieldChange = Pick<Change, 'field' | 'before' | 'after' | 'reason'>;

function dataOf(fields: readonly FieldChange[]): Prisma.AuditUncheckedUpdateManyInput {
  const status = fields.find(({ field }) => field === 'status');
  const closedAt = status === undefined ? {} : { closedAt: status.after === 'CLOSED' ? new Date() : null };
  return { ...Object.fromEntries(fields.map(({ field, after }) => [field, after])), ...closedAt };
}

function isOpen(id: string) {
  return conflict(
    { en: 'This audit is open already', zh: '该审计并未关闭，仍在进行中' },
    { current: { id, status: 'OPEN' } },
  );
}

function nothingToChange() {
  return invalidInput({ en: 'Give title or requiresReview', zh: '须给出 title 或 requiresReview' });
}

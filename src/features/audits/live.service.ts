import { Injectable } from '@nestjs/common';
import { DomainError } from '../../domain/errors.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { AuditChanges } from '../../platform/events/audit-changes.service.js';
import type { AuditNews as Change } from '../../platform/events/follower.js';
import { AuditsService } from './audits.service.js';
import type { AuditNews } from './live.types.js';

/** An event of a subscription, or why there are no more of them. */
export type LiveEvent = { readonly news: AuditNews } | { readonly refusal: DomainError };

/** Live audits: what others change, as it happens. */
@Injectable()
export class LiveService {
  constructor(
    private readonly audits: AuditsService,
    private readonly changes: AuditChanges,
  ) {}

  /**
   * The news of an audit for somebody who may see it, asked again before each; it ends when they may not any more. It is
   * followed before the first word, so that nothing is missed in between.
   */
  async follow(viewer: Viewer, auditId: string): Promise<AsyncIterableIterator<LiveEvent>> {
    const changes = await this.changes.follow(auditId);
    // What is known of rights lives as long as a viewer object: a new one for each question
    return new LiveEvents(auditId, changes, () => this.refusalOf({ ...viewer }, auditId));
  }

  private async refusalOf(viewer: Viewer, auditId: string): Promise<DomainError | null> {
    try {
      await this.audits.require(viewer, 'READ_PROJECT', auditId);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }
}

/** No generator: one that waits for its next event cannot be ended from outside. */
class LiveEvents implements AsyncIterableIterator<LiveEvent> {
  private isStarted = false;
  private isOver = false;

  constructor(
    private readonly auditId: string,
    private readonly changes: AsyncIterableIterator<Change>,
    private readonly refusalOf: () => Promise<DomainError | null>,
  ) {}

  async next(): Promise<IteratorResult<LiveEvent>> {
    const news = await this.newsOf();
    if (news === null) return { done: true, value: undefined };
    const refusal = await this.refusalOf();
    if (this.isOver) return { done: true, value: undefined };
    if (refusal === null) return { done: false, value: { news } };
    await this.changes.return?.();
    return { done: false, value: { refusal } };
  }

  async return(): Promise<IteratorResult<LiveEvent>> {
    this.isOver = true;
    await this.changes.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async newsOf(): Promise<AuditNews | null> {
    const { auditId } = this;
    if (this.isOver) return null;
    if (!this.isStarted) {
      this.isStarted = true;
      return { auditId, kind: 'STARTED', itemIds: [], isWhole: false };
    }
    const next = await this.changes.next();
    if (next.done === true) return null;
    const { kind, itemIds } = next.value;
    return { auditId, kind, itemIds, isWhole: itemIds === null };
  }
}

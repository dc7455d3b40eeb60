import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { z } from 'zod';
import { cutText } from '../../domain/cut-text.js';
import type { Listen } from '../database/notifications.js';
import { Follower, type AuditNews } from './follower.js';

/** Injection token of the way to hear what the database tells. */
export const LISTEN = Symbol('LISTEN');

/** The channel that the trigger on the history tells changes by. */
const CHANNEL = 'tunebook_audits';

const messageShape = z.object({ auditId: z.string(), itemIds: z.array(z.string()).nullable() });

/**
 * Tells what changes in audits, whoever changed it and by whichever replica: the database tells of every entry of the
 * history once it is committed. It begins to listen when somebody follows for the first time.
 */
@Injectable()
export class AuditChanges implements OnModuleDestroy {
  private readonly log = new Logger('AuditChanges');
  private readonly followers = new Map<string, Set<Follower>>();
  private listening: Promise<() => Promise<void>> | null = null;

  constructor(@Inject(LISTEN) private readonly listen: Listen) {}

  /** The news of an audit from now on. Whoever is slow gets several changes as one. */
  async follow(auditId: string): Promise<AsyncIterableIterator<AuditNews>> {
    this.listening ??= this.listen(CHANNEL, {
      heard: (payload) => this.tell(payload),
      missed: () => this.everybody((follower) => follower.tell({ kind: 'MISSED', itemIds: null })),
    }).catch((error: unknown) => {
      this.listening = null;
      throw error;
    });
    await this.listening;
    const follower = new Follower(() => {
      const others = this.followers.get(auditId);
      others?.delete(follower);
      if (others?.size === 0) this.followers.delete(auditId);
    });
    this.followers.set(auditId, (this.followers.get(auditId) ?? new Set()).add(follower));
    return follower;
  }

  /** How many follow an audit, or any of them. */
  count(auditId?: string): number {
    if (auditId !== undefined) return this.followers.get(auditId)?.size ?? 0;
    return [...this.followers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async onModuleDestroy(): Promise<void> {
    this.everybody((follower) => void follower.return());
    await (
      await this.listening?.catch(() => null)
    )?.();
  }

  private tell(payload: string): void {
    const read = messageShape.safeParse(jsonOf(payload));
    if (!read.success) {
      this.log.warn(`A message on ${CHANNEL} cannot be read: ${cutText(payload, 200)}`);
      return;
    }
    const { auditId, itemIds } = read.data;
    for (const follower of this.followers.get(auditId) ?? []) follower.tell({ kind: 'CHANGED', itemIds });
  }

  private everybody(what: (follower: Follower) => void): void {
    for (const follower of [...this.followers.values()].flatMap((some) => [...some])) what(follower);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { expiredCause } from '../../domain/audit/expiry.js';
import { joinedCause } from '../../domain/audit/rescope.js';
import type { AuditItem as AuditItemRow, Prisma } from '../../generated/prisma/client.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { causeOf, itemSubject, touchOpenAudits } from './audits.queries.js';

/** So often the dates of outcomes are looked at: they are days, so minutes late is in time. */
const EVERY_MS = 5 * 60_000;
/** Items that get a mark in one transaction. */
const BATCH = 500;

/** Deferred and rejected items whose date is reached get a re-check mark; what was said of them stays. */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Expiry');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly db: Database) {}

  onApplicationBootstrap(): void {
    const look = (): void => {
      this.running = this.expire(new Date()).catch((error: unknown) => this.log.error(error));
    };
    look();
    this.timer = setInterval(look, EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  /** Marks the items of open audits whose date lies before `now`; how many there were. Many replicas may do it at once. */
  async expire(now: Date): Promise<number> {
    for (let total = 0; ;) {
      const count = await this.db.$transaction((tx) => this.expireSome(tx, now));
      total += count;
      if (count < BATCH) return total;
    }
  }

  private async expireSome(tx: Db, now: Date): Promise<number> {
    const due: Prisma.AuditItemWhereInput = {
      expiresAt: { lte: now },
      outcome: { in: ['DEFERRED', 'REJECTED'] },
      isArchived: false,
      OR: [{ recheckCode: null }, { recheckCode: { not: 'EXPIRED' } }],
      audit: { status: 'OPEN' },
    };
    const found = await tx.auditItem.findMany({ where: due, take: BATCH, select: { id: true, auditId: true } });
    if (found.length === 0) return 0;
    // Locks the audits as every other change does, then looks again: somebody may have been faster
    await touchOpenAudits(tx, { id: { in: [...new Set(found.map(({ auditId }) => auditId))] } });
    const rows = await tx.auditItem.findMany({ where: { AND: [due, { id: { in: found.map(({ id }) => id) } }] } });
    const marked = rows.map((row) => ({ row, cause: joinedCause(causeOf(row), expiredCause(row)) }));
    await writeMarks(tx, now, marked);
    await record(
      tx,
      null,
      marked.map(({ row, cause }) => ({
        ...itemSubject(row),
        field: 'recheck',
        before: row.recheckCode,
        after: 'EXPIRED',
        reason: cause.en,
      })),
    );
    return found.length;
  }
}

async function writeMarks(
  tx: Db,
  now: Date,
  marked: readonly { readonly row: AuditItemRow; readonly cause: { readonly en: string; readonly zh: string } }[],
): Promise<void> {
  const rows = marked.map(({ row, cause }) => ({ id: row.id, cause }));
  await tx.$executeRaw`
    UPDATE "AuditItem" AS item SET
      "recheckCode" = 'EXPIRED', "recheckCause" = next.cause,
      "recheckSince" = COALESCE(CASE WHEN item."recheckCode" IS NULL THEN NULL ELSE item."recheckSince" END, ${now}),
      "version" = item."version" + 1, "updatedAt" = ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS next(id text, cause jsonb)
    WHERE item."id" = next.id`;
}

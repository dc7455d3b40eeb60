import type { ScopeChange } from '../../domain/audit/rescope.js';
import type { Answer, Applies } from '../../domain/applicability/evaluate.js';
import type { BothLanguages } from '../../domain/locale.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';

/** What the rules look at of an item of an audit. */
export const scopedItem = {
  id: true,
  auditId: true,
  projectId: true,
  releaseItemId: true,
  position: true,
  isArchived: true,
  applies: true,
  appliesReasons: true,
  isPast: true,
  overruled: true,
  outcome: true,
  measuredProof: true,
  recheckCode: true,
  recheckCause: true,
  remark: true,
  reason: true,
  expectation: true,
  releaseItem: { select: { revision: { select: { applicability: true, recheckOn: true } } } },
} satisfies Prisma.AuditItemSelect;
export type ScopedItemRow = Prisma.AuditItemGetPayload<{ select: typeof scopedItem }>;

/** An item with what becomes of it. */
export interface Rescoped {
  readonly row: ScopedItemRow;
  readonly next: Answer;
  readonly change: ScopeChange;
  /** The re-check mark's cause as it is to be, null where the change puts none. */
  readonly cause: BothLanguages | null;
}

/** Writes what the rules now say, and the re-check marks, in one statement. An item that does not change is left alone. */
export async function writeScope(tx: Db, rescoped: readonly Rescoped[]): Promise<void> {
  if (rescoped.length === 0) return;
  const rows = rescoped.map(({ row, next, cause }) => ({
    id: row.id,
    applies: next.answer satisfies Applies,
    reasons: next.reasons,
    past: next.isPast,
    cause,
  }));
  await tx.$executeRaw`
    UPDATE "AuditItem" AS item SET
      "applies" = next.applies::"Applies",
      "appliesReasons" = next.reasons,
      "isPast" = next.past,
      "recheckCode" = CASE WHEN next.cause IS NULL THEN item."recheckCode" ELSE 'ENVIRONMENT_CHANGED'::"RecheckCode" END,
      "recheckCause" = COALESCE(next.cause, item."recheckCause"),
      "recheckSince" = CASE WHEN next.cause IS NULL THEN item."recheckSince" ELSE COALESCE(item."recheckSince", now()) END,
      "version" = item."version" + 1,
      "updatedAt" = now()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS next(id text, applies text, reasons jsonb, past boolean, cause jsonb)
    WHERE item."id" = next.id`;
}

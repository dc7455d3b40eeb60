import type { Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../auth/viewer.js';
import type { Db } from './database.js';

type Json = Prisma.InputJsonValue | null;

/** One change of one field. A new object is one change of the field `created`. */
export interface Change {
  readonly projectId: string | null;
  readonly auditId?: string;
  readonly auditItemId?: string;
  readonly subject:
    | 'checklist'
    | 'project'
    | 'environment'
    | 'audit'
    | 'auditItem'
    | 'comment'
    | 'milestone'
    | 'proposal'
    | 'evidence'
    | 'run'
    | 'columnMapping'
    | 'trial'
    | 'note'
    | 'serviceToken';
  readonly subjectId: string;
  readonly field: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly reason?: string | null;
}

/**
 * Appends to the history, in the transaction of the change itself. Nothing ever changes or removes an entry: the database
 * refuses it. Without a viewer it was a rule, such as a date that was reached.
 */
export async function record(tx: Db, viewer: Viewer | null, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.historyEntry.createMany({
    data: changes.map(({ before, after, reason, ...change }) => ({
      ...change,
      viewerId: viewer?.id ?? null,
      ...(before === undefined || before === null ? {} : { before }),
      ...(after === undefined || after === null ? {} : { after }),
      reason: reason ?? null,
    })),
  });
}

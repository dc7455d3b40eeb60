import { limitExceeded } from '../../domain/errors.js';
import { timeOf } from '../../domain/time.js';
import { Prisma, type HistoryEntry as HistoryRow } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import type { ParentRows } from '../../platform/graphql/loader.js';
import { badCursor, toCursor } from '../../platform/graphql/page.js';
import type { HistoryFilter } from './history.types.js';

/** What a history is of. */
export type HistoryOwner = 'audit' | 'auditItem' | 'project';

const columns = {
  audit: Prisma.sql`"auditId"`,
  auditItem: Prisma.sql`"auditItemId"`,
  project: Prisma.sql`"projectId"`,
} as const;

/** Most values in one condition of a filter. */
const MOST_VALUES = 500;

/** Where an entry stands in the order of the history: imported ones keep their own time. */
export function keyOfEntry({ at, id }: Pick<HistoryRow, 'at' | 'id'>): string {
  return `${at.toISOString()} ${id}`;
}

/** The pages of many histories at once, newest first, and how many entries each has; two statements. */
export async function pagesOfHistory(
  db: Db,
  owner: HistoryOwner,
  ids: readonly string[],
  filter: HistoryFilter,
  take: number,
  after: string | null,
): Promise<ParentRows<HistoryRow>[]> {
  const where = conditions(filter);
  const behind = after === null ? Prisma.empty : behindKey(after);
  const rows = await db.$queryRaw<(HistoryRow & { parentId: string })[]>`
    SELECT entry.*, parent.id AS "parentId"
    FROM unnest(${[...ids]}::text[]) AS parent(id)
    CROSS JOIN LATERAL (
      SELECT h.* FROM "HistoryEntry" h
      WHERE h.${columns[owner]} = parent.id ${where} ${behind}
      ORDER BY h."at" DESC, h."id" DESC
      LIMIT ${take}
    ) entry
    ORDER BY entry."at" DESC, entry."id" DESC`;
  const counts = await db.$queryRaw<{ id: string; count: number }[]>`
    SELECT h.${columns[owner]} AS id, count(*)::int AS count FROM "HistoryEntry" h
    WHERE h.${columns[owner]} = ANY (${[...ids]}) ${where} GROUP BY 1`;
  const countOf = new Map(counts.map(({ id, count }) => [id, count]));
  return ids.map((parentId) => ({
    parentId,
    rows: rows.filter((row) => row.parentId === parentId),
    totalCount: countOf.get(parentId) ?? 0,
  }));
}

/** Those of the owners in whose history the entry of this place stands, whatever a filter lets through. */
export async function holdersOf(
  db: Db,
  owner: HistoryOwner,
  ids: readonly string[],
  key: string,
): Promise<readonly string[]> {
  const [, id = ''] = key.split(' ');
  const found = await db.$queryRaw<(Pick<HistoryRow, 'at' | 'id'> & { parentId: string })[]>`
    SELECT h."at", h."id", h.${columns[owner]} AS "parentId" FROM "HistoryEntry" h
    WHERE h."id" = ${id} AND h.${columns[owner]} = ANY (${[...ids]})`;
  return found.filter((entry) => keyOfEntry(entry) === key).map(({ parentId }) => parentId);
}

/** An entry with the key of the item that it is of, by its checklist or by the audit. */
export type ExportedRow = HistoryRow & { readonly itemKey: string | null };

/** All of an audit's history, oldest first. */
export function wholeHistory(db: Db, auditId: string): Promise<ExportedRow[]> {
  return db.$queryRaw<ExportedRow[]>`
    SELECT h.*, coalesce(r."key", i."customKey") AS "itemKey"
    FROM "HistoryEntry" h
    LEFT JOIN "AuditItem" i ON i."id" = h."auditItemId"
    LEFT JOIN "ReleaseItem" r ON r."id" = i."releaseItemId"
    WHERE h."auditId" = ${auditId}
    ORDER BY h."at", h."id"`;
}

function conditions({ fields, subjects, itemIds, by, since, until }: HistoryFilter): Prisma.Sql {
  const found: Prisma.Sql[] = [];
  if (fields) found.push(Prisma.sql`h."field" = ANY (${limited(fields, 'fields')})`);
  if (subjects) found.push(Prisma.sql`h."subject" = ANY (${limited(subjects, 'subjects')})`);
  if (itemIds) found.push(Prisma.sql`h."auditItemId" = ANY (${limited(itemIds, 'itemIds')})`);
  if (by) found.push(Prisma.sql`h."viewerId" = ${by}`);
  if (since) found.push(Prisma.sql`h."at" >= ${since}`);
  if (until) found.push(Prisma.sql`h."at" < ${until}`);
  return found.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(found, ' AND ')}`;
}

function limited(values: readonly string[], place: string): string[] {
  if (values.length <= MOST_VALUES) return [...values];
  throw limitExceeded(
    {
      en: `filter.${place} has ${values.length} entries; at most ${MOST_VALUES} are taken`,
      zh: `filter.${place} 有 ${values.length} 项，最多 ${MOST_VALUES} 项`,
    },
    { place, limit: MOST_VALUES },
  );
}

function behindKey(key: string): Prisma.Sql {
  const [, time = '', id] = /^(\S{24}) ([0-9a-f-]{1,64})$/.exec(key) ?? [];
  const at = timeOf(time);
  if (id === undefined || at === null) throw badCursor(toCursor(key));
  return Prisma.sql`AND (h."at", h."id") < (${at}, ${id})`;
}

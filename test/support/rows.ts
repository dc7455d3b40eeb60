import { Prisma } from '../../src/generated/prisma/client.js';
import type { Database } from '../../src/platform/database/database.js';

/** How many rows each table has, by its name: equal before and after what must write nothing. */
export async function rowsOf(db: Database): Promise<Readonly<Record<string, number>>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;
  const counts = tables.map(
    ({ name }) => Prisma.sql`SELECT ${name}::text AS name, count(*)::int AS count FROM ${Prisma.raw(`"${name}"`)}`,
  );
  const rows = await db.$queryRaw<{ name: string; count: number }[]>(Prisma.join(counts, ' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** What was added to which table between two counts. */
export function added(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const names = Object.keys(after).filter((name) => after[name] !== before[name]);
  return Object.fromEntries(names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]));
}

/** Everything that stands in the database, as one text: to look for what must not be in it. */
export async function textOfRows(db: Database, tables: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    tables.map((name) =>
      db.$queryRaw<{ row: string }[]>(Prisma.sql`SELECT t::text AS row FROM ${Prisma.raw(`"${name}"`)} t`),
    ),
  );
  return texts.flat().map(({ row }) => row).join('\n'); // prettier-ignore
}

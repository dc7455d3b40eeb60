import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Database } from '../src/platform/database/database.js';
import { openTestDatabase } from './support/database.js';

let db: Database;
let mostAtOnce = 0;
beforeAll(async () => {
  const opened = await openTestDatabase();
  const client = await opened.pool.connect();
  countAtOnce(client);
  client.release();
  db = new Database(opened);
});
afterAll(() => db.onApplicationShutdown());

/** Counts the statements that wait for their answer on this connection, which the next transaction gets. */
function countAtOnce(client: pg.PoolClient): void {
  let underWay = 0;
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const counting = async (...args: unknown[]): Promise<unknown> => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    try {
      return await query(...args);
    } finally {
      underWay -= 1;
    }
  };
  Object.assign(client, { query: counting });
}

describe('a transaction', () => {
  it('sends one statement at a time, whatever is asked side by side', async () => {
    const read = await db.$transaction(async (tx) => {
      const projects = tx.project.findMany({
        include: { members: true, environments: true, audits: true, notes: true },
      });
      return Promise.all([projects, tx.user.count(), tx.note.count()]);
    });
    expect(read[0]).toEqual([]);
    expect(mostAtOnce).toBe(1);
  });

  it('is undone where a statement among others fails', async () => {
    const failing = db.$transaction(async (tx) => {
      await tx.user.create({ data: { id: 'undone', name: 'Undone', role: 'MEMBER' } });
      await Promise.all([tx.$queryRaw`SELECT 1 / 0`, tx.user.count(), tx.project.count()]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await db.user.count({ where: { id: 'undone' } })).toBe(0);
    expect(mostAtOnce).toBe(1);
  });
});

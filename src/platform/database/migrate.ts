import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { root } from '../root.js';

/** The migrations of this version. */
export const migrationsFolder = join(root, 'prisma/migrations');

/** The database and the migrations of this version do not fit. The message is meant for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the bytes of the file, as Prisma Migrate computes it. */
  readonly checksum: string;
}

interface AppliedMigration {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

/** The advisory lock that Prisma Migrate takes, so that both exclude each other. */
const PRISMA_LOCK = 72707369;

/** The table as Prisma Migrate makes it, so that its commands understand a database of ours. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies the migrations that the database does not have yet, in the order of their names, and gives back their names.
 * Does what `prisma migrate deploy` does, and refuses what that overlooks.
 * @throws MigrationError for an edited, unknown, half-applied or failing migration.
 */
export async function migrate(pool: pg.Pool, folder: string = migrationsFolder): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const client = await pool.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${PRISMA_LOCK})`);
    try {
      await client.query(CREATE_TABLE);
      const { rows } = await client.query<AppliedMigration>(
        'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
      );
      refuseMisfits(migrations, rows);
      const appliedBefore = new Set(rows.map((row) => row.migration_name));
      const missing = migrations.filter((migration) => !appliedBefore.has(migration.name));
      for (const migration of missing) await apply(client, migration);
      return missing.map((migration) => migration.name);
    } finally {
      await client.query(`SELECT pg_advisory_unlock(${PRISMA_LOCK})`);
    }
  } finally {
    client.release();
  }
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(join(folder, name, 'migration.sql'));
      return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
}

function refuseMisfits(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const halfApplied = applied.filter((row) => row.finished_at === null);
  if (halfApplied.length > 0) {
    throw new MigrationError(
      `The database has a migration that was begun and not finished: ${namesOf(halfApplied)}. ` +
        `Restore a backup, or repair it by hand and run "npx prisma migrate resolve".`,
    );
  }
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const unknown = applied.filter((row) => !byName.has(row.migration_name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database has migrations that this version does not know: ${namesOf(unknown)}. ` +
        `A newer version of Tunebook used it: start that version, or restore a backup.`,
    );
  }
  const edited = applied.filter((row) => byName.get(row.migration_name)?.checksum !== row.checksum);
  if (edited.length > 0) {
    throw new MigrationError(
      `Migrations were edited after the database had applied them: ${namesOf(edited)}. ` +
        `Undo the edit; what must change goes into a new migration.`,
    );
  }
}

/** The record and the change are one transaction, so a process that is killed in between leaves neither. */
async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
      randomUUID(),
      checksum,
      name,
    ]);
    // Without parameters the file goes to the database as one message of many statements.
    await client.query(sql);
    await client.query(
      `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1
       WHERE migration_name = $1 AND rolled_back_at IS NULL`,
      [name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new MigrationError(`Migration ${name} failed, and changed nothing: ${String(error)}`, { cause: error });
  }
}

function namesOf(rows: readonly AppliedMigration[]): string {
  return rows.map((row) => row.migration_name).join(', ');
}

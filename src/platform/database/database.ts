import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { PrismaClient, type Prisma } from '../../generated/prisma/client.js';
import type { OpenedDatabase } from './connect.js';
import { OneByOnePg } from './one-by-one.js';

/** The database, or an open transaction on it. Inside a transaction only the transaction is used. */
export type Db = Prisma.TransactionClient;

/** The Prisma client over the embedded database or over a PostgreSQL server: both speak through one pool. */
@Injectable()
export class Database extends PrismaClient implements OnApplicationShutdown {
  /** For what Prisma cannot say; `search` and the migrations use it. */
  readonly pool: pg.Pool;

  constructor(
    private readonly opened: OpenedDatabase,
    log: Prisma.LogDefinition[] = [],
  ) {
    super({
      adapter: new OneByOnePg(opened.pool),
      // The embedded database has one connection: transactions queue, so they may wait longer than Prisma's 2 s.
      transactionOptions: { maxWait: 20_000, timeout: 60_000 },
      log,
    });
    this.pool = opened.pool;
  }

  /** Closes last, after every service had its turn to finish. */
  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
    await this.opened.close();
  }
}

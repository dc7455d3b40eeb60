import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../../src/app.module.js';
import { httpAdapter } from '../../src/application.js';
import { Authenticator, OWNER_ID } from '../../src/platform/auth/authenticate.js';
import { anonymous, type Viewer } from '../../src/platform/auth/viewer.js';
import type { Config } from '../../src/platform/config.js';
import type { OpenedDatabase } from '../../src/platform/database/connect.js';
import { Database } from '../../src/platform/database/database.js';
import { openTestDatabase } from './database.js';

/** Takes whoever the header names for the viewer, or whose token is shown; nobody named is nobody. */
@Injectable()
class HeaderAuthenticator extends Authenticator {
  constructor(private readonly database: Database) {
    super(database, null);
  }

  override async viewerOf({ headers }: Parameters<Authenticator['viewerOf']>[0]): Promise<Viewer> {
    const { authorization } = headers;
    if (authorization !== undefined) return super.viewerOf({ headers });
    const id = headers['x-test-viewer'];
    if (typeof id !== 'string') return anonymous;
    if (id === OWNER_ID) return super.viewerOf({ headers: {} });
    const { name, locale, role } = await this.database.user.findUniqueOrThrow({ where: { id } });
    return { id, name, locale, role };
  }
}

/** What came back from the API. `errorCode` is that of the first error. */
export interface Answer {
  // What a query gives back is for the spec to say.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any;
  readonly errors: readonly { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
  readonly errorCode: string | undefined;
}

export interface Client {
  send(query: string, variables?: Record<string, unknown>): Promise<Answer>;
}

export interface TestApp {
  readonly db: Database;
  readonly nest: NestFastifyApplication;
  readonly evidenceFolder: string;
  /** Asks as this viewer; as nobody for null. */
  as(viewer: { readonly id: string } | null): Client;
  /** Asks as whoever shows this secret. */
  withToken(secret: string): Client;
  /** Asks as the owner of single-user mode. */
  readonly owner: Client;
  /** How many SQL statements a piece of work makes. */
  statementsOf(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** The real application on a database of its own; its settings are these and the usual ones. */
export async function startApp(settings: Partial<Config> = {}): Promise<TestApp> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tunebook-test-'));
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    dataFolder,
    evidenceFolder: join(dataFolder, 'evidence'),
    databaseUrl: null,
    logLevel: 'fatal',
    ...settings,
  };
  const opened = await openTestDatabase();
  try {
    return await appOn(config, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function appOn(config: Config, opened: OpenedDatabase): Promise<TestApp> {
  const db = new Database(opened, [{ emit: 'event', level: 'query' }]);
  let statements = 0;
  db.$on('query' as never, () => {
    statements += 1;
  });
  const module = await Test.createTestingModule({ imports: [AppModule.on(config, opened)] })
    .overrideProvider(Database)
    .useValue(db)
    .overrideProvider(Authenticator)
    .useValue(new HeaderAuthenticator(db))
    .compile();
  const nest = module.createNestApplication<NestFastifyApplication>(httpAdapter(), { logger: false });
  await nest.init();
  await nest.getHttpAdapter().getInstance().ready();
  const sending = (headers: Record<string, string>): Client => ({
    send: async (query, variables) => {
      const { body } = await request(nest.getHttpServer()).post('/graphql').set(headers).send({ query, variables });
      const { data = null, errors = [] } = body as Partial<Answer>;
      return { data, errors, errorCode: errors[0]?.extensions['code'] as string | undefined };
    },
  });
  const as: TestApp['as'] = (viewer) => sending(viewer ? { 'x-test-viewer': viewer.id } : {});
  return {
    db,
    nest,
    evidenceFolder: config.evidenceFolder,
    as,
    withToken: (secret) => sending({ authorization: `Bearer ${secret}` }),
    owner: as({ id: OWNER_ID }),
    statementsOf: async (work) => {
      const before = statements;
      await work();
      return statements - before;
    },
    close: async () => {
      await nest.close();
      await rm(config.dataFolder, { recursive: true, force: true });
    },
  };
}

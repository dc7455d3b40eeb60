import 'reflect-metadata';
import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import multipart from '@fastify/multipart';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import type { Config } from './platform/config.js';
import type { OpenedDatabase } from './platform/database/connect.js';
import { folderSecret } from './platform/database/data-folder-lock.js';
import { keepOperations } from './platform/graphql/operations.js';
import { refuseForeign } from './platform/http/refuse-foreign.js';
import { migrate } from './platform/database/migrate.js';

/** Largest request body in bytes: a 50 MB file as a JSON text, so that the importer can say what is wrong with it. */
const BODY_LIMIT = 80 * 1024 * 1024;

const levels: Readonly<Record<Config['logLevel'], LogLevel[]>> = {
  fatal: ['fatal'],
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug'],
  trace: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/** How the HTTP server is set up, for the service and for tests. */
export function httpAdapter(): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    // The schemas of routes are those of libraries: checking them takes longer at every start than all else of a route.
    ajv: { customOptions: { validateSchema: false } },
  });
  adapter.getInstance().addHook('onRequest', refuseForeign);
  adapter.getInstance().addHook('onRoute', keepOperations);
  void adapter.getInstance().register(multipart);
  return adapter;
}

/** Builds the application on an opened and migrated database; content is loaded, and nothing listens yet. */
export async function applicationOn(config: Config, opened: OpenedDatabase): Promise<NestFastifyApplication> {
  const secret = opened.lock === null ? null : await folderSecret(config.dataFolder);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.on(config, opened, secret), httpAdapter(), {
    logger: new ConsoleLogger({ logLevels: levels[config.logLevel], prefix: 'Tunebook' }),
    abortOnError: false,
  });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

/** Brings the database up to date, and builds the application on it. What fails closes the database. */
export async function createApplication(config: Config, opened: OpenedDatabase): Promise<NestFastifyApplication> {
  try {
    await migrate(opened.pool);
    return await applicationOn(config, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readConfig, type Config } from './platform/config.js';
import { openDatabase } from './platform/database/connect.js';
import { explain, portTaken } from './platform/explain.js';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  // Opening waits for other threads that compile: meanwhile this one loads the application.
  const [opened, { createApplication }] = await Promise.all([openDatabase(config), import('./application.js')]);
  const app = await createApplication(config, opened);
  try {
    app.enableShutdownHooks();
    const url = await listen(app, config);
    await opened.lock?.setAddress(url);
    const where = opened.isEmbedded ? `the embedded database in ${config.dataFolder}` : 'PostgreSQL';
    console.log(`Tunebook answers at ${url}/graphql, on ${where}. Stop it with Ctrl-C.`);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Asks Fastify, since Nest prints the error with its stack before it gives it back. */
async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<string> {
  try {
    return await app.getHttpAdapter().getInstance().listen({ host, port });
  } catch (error) {
    throw portTaken(error, host, port) ?? error;
  }
}

try {
  await start();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

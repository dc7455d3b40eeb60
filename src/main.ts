import { createApplication } from './application.js';
import { ConfigError, readConfig } from './platform/config.js';
import { DatabaseUnavailableError } from './platform/database/connect.js';
import { DataFolderBusyError } from './platform/database/data-folder-lock.js';
import { MigrationError } from './platform/database/migrate.js';

/** Errors that the operator can mend: their message says all, a stack would only hide it. */
const forTheOperator = [ConfigError, DatabaseUnavailableError, DataFolderBusyError, MigrationError];

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const { app, opened } = await createApplication(config);
  app.enableShutdownHooks();
  await app.listen(config.port, config.host);
  const url = await app.getUrl();
  await opened.lock?.setAddress(url);
  const where = opened.isEmbedded ? `the embedded database in ${config.dataFolder}` : 'PostgreSQL';
  console.log(`Tunebook answers at ${url}/graphql, on ${where}. Stop it with Ctrl-C.`);
}

start().catch((error: unknown) => {
  const isExpected = forTheOperator.some((kind) => error instanceof kind);
  console.error(isExpected && error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

import { readConfig } from './platform/config.js';
import { openDatabase } from './platform/database/connect.js';
import { explain } from './platform/explain.js';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  // Opening waits for other threads that compile: meanwhile this one loads the application.
  const [opened, { createApplication }] = await Promise.all([openDatabase(config), import('./application.js')]);
  const app = await createApplication(config, opened);
  try {
    app.enableShutdownHooks();
    await app.listen(config.port, config.host);
    const url = await app.getUrl();
    await opened.lock?.setAddress(url);
    const where = opened.isEmbedded ? `the embedded database in ${config.dataFolder}` : 'PostgreSQL';
    console.log(`Tunebook answers at ${url}/graphql, on ${where}. Stop it with Ctrl-C.`);
  } catch (error) {
    await app.close();
    throw error;
  }
}

try {
  await start();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

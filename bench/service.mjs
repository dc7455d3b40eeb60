// The built service without a port, for measurements: requests go through HTTP's own handlers.
import { join } from 'node:path';
import { orExplain, prepare, root } from '../scripts/prepare.mjs';

/** Starts it on an empty database: the embedded one in memory, or the server that `databaseUrl` names. */
export async function startService(databaseUrl = null) {
  await orExplain(prepare, 130);
  const from = (path) => import(join(root, 'dist', path));
  const { applicationOn } = await from('application.js');
  const { openDatabase, IN_MEMORY } = await from('platform/database/connect.js');
  const { migrate } = await from('platform/database/migrate.js');
  const opened = await openDatabase({ databaseUrl, dataFolder: IN_MEMORY });
  await migrate(opened.pool);
  const config = {
    host: '127.0.0.1',
    port: 0,
    dataFolder: '',
    evidenceFolder: '',
    databaseUrl: null,
    logLevel: 'error',
  };
  const app = await applicationOn(config, opened);

  /** Counts what goes to the database by looking over the shoulder of its connections. */
  let statements = 0;
  const watched = new WeakSet();
  opened.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client);
    client.query = (...args) => {
      statements += 1;
      return query(...args);
    };
  });

  return {
    pool: opened.pool,
    /** What a query gives back; throws the first error. */
    async ask(query, variables) {
      const { body } = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } });
      const { data, errors } = JSON.parse(body);
      if (errors) throw new Error(errors[0].message);
      return data;
    },
    /** How many SQL statements a piece of work makes. */
    async statementsOf(work) {
      const before = statements;
      await work();
      return statements - before;
    },
    close: () => app.close(),
  };
}

/** The value below which this share of the times lies. */
export const quantile = (times, share) => times.sort((a, b) => a - b)[Math.floor(times.length * share)];

import { join } from 'node:path';
import { applicationOn } from '../../src/application.js';
import { Database } from '../../src/platform/database/database.js';
import { openTestDatabase } from './database.js';

export interface ListeningService {
  readonly address: string;
  readonly db: Database;
  /** Asks as the owner, who shows nothing. */
  // What a query gives back is for the spec to say.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ask(query: string, variables?: Record<string, unknown>): Promise<any>;
  /** Makes a service token by the API; its id and its secret. */
  token(projectIds: readonly string[], right?: 'INGEST' | 'READ_ONLY'): Promise<{ id: string; secret: string }>;
  close(): Promise<void>;
}

/** The application as it is in use, on a database of its own and with the authentication of the product. */
export async function listeningService(folder: string): Promise<ListeningService> {
  const dataFolder = join(folder, 'data');
  const app = await applicationOn(
    {
      host: '127.0.0.1',
      port: 0,
      dataFolder,
      evidenceFolder: join(dataFolder, 'evidence'),
      databaseUrl: null,
      logLevel: 'fatal',
    },
    { ...(await openTestDatabase()), lock: null },
  );
  await app.listen(0, '127.0.0.1');
  const address = await app.getUrl();
  const ask: ListeningService['ask'] = async (query, variables = {}) => {
    const body = JSON.stringify({ query, variables });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body });
    const { data, errors } = await response.json();
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  return {
    address,
    db: app.get(Database),
    ask,
    token: async (projectIds, right = 'INGEST') => {
      const { createServiceToken } = await ask(
        'mutation($input: CreateServiceTokenInput!) { createServiceToken(input: $input) { token serviceToken { id } } }',
        { input: { name: 'nightly', projectIds, right } },
      );
      return { id: createServiceToken.serviceToken.id, secret: createServiceToken.token };
    },
    close: () => app.close(),
  };
}

// `npm run schemas`: writes the files that are made from code: src/schema.graphql and content/schema/*.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orExplain, prepare, root, say } from './prepare.mjs';

await orExplain(prepare, 130);
const from = (path) => import(join(root, 'dist', path));
const { applicationOn } = await from('application.js');
const { openDatabase, IN_MEMORY } = await from('platform/database/connect.js');
const { migrate } = await from('platform/database/migrate.js');
const { schemaText } = await from('platform/graphql/schema-text.js');
const { jsonSchemas } = await from('domain/content/json-schema.js');

const opened = await openDatabase({ databaseUrl: null, dataFolder: IN_MEMORY });
await migrate(opened.pool);
const config = { host: '127.0.0.1', port: 0, dataFolder: '', evidenceFolder: '', databaseUrl: null, logLevel: 'error' };
const app = await applicationOn(config, opened);
writeFileSync(join(root, 'src/schema.graphql'), schemaText(app));
await app.close();

mkdirSync(join(root, 'content/schema'), { recursive: true });
for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(join(root, `content/schema/${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
say('src/schema.graphql and content/schema are up to date.');

// `npm run bench:audit`: the page of one audit with all its items, through GraphQL and HTTP's own handlers, beside the
// floor: the same JSON from one hand-written statement over the plain driver. Both on the embedded database, in turn.
import { join } from 'node:path';
import { orExplain, prepare, root } from '../scripts/prepare.mjs';

const ROUNDS = 40;

await orExplain(prepare, 130);
const from = (path) => import(join(root, 'dist', path));
const { applicationOn } = await from('application.js');
const { openDatabase, IN_MEMORY } = await from('platform/database/connect.js');
const { migrate } = await from('platform/database/migrate.js');

const opened = await openDatabase({ databaseUrl: null, dataFolder: IN_MEMORY });
await migrate(opened.pool);
const config = { host: '127.0.0.1', port: 0, dataFolder: '', evidenceFolder: '', databaseUrl: null, logLevel: 'error' };
const app = await applicationOn(config, opened);

async function ask(query, variables) {
  const { body } = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } });
  const { data, errors } = JSON.parse(body);
  if (errors) throw new Error(errors[0].message);
  return data;
}

const PAGE = `query($id: ID!) { audit(id: $id) {
  title status progress { total applicable assessed done verified }
  items { edges { node {
    id version work outcome proof applicability { answer reasons { en zh } }
    item { key title { en zh } summary { en zh } tags } trials { verdict }
  } } }
} }`;

const FLOOR = `SELECT json_build_object('title', a.title, 'status', a.status, 'items', (
  SELECT json_agg(json_build_object('id', i.id, 'version', i.version, 'work', i.work, 'outcome', i.outcome,
    'proof', i."measuredProof", 'applies', i.applies, 'reasons', i."appliesReasons", 'key', r.key, 'title', v.title,
    'summary', v.summary, 'tags', v.tags,
    'trials', (SELECT json_agg(t.verdict) FROM "Trial" t WHERE t."auditItemId" = i.id)) ORDER BY i.position)
  FROM "AuditItem" i JOIN "ReleaseItem" r ON r.id = i."releaseItemId" JOIN "ItemRevision" v ON v.id = r."revisionId"
  WHERE i."auditId" = a.id)) AS page
  FROM "Audit" a WHERE a.id = $1`;

const { createProject } = await ask(
  'mutation { createProject(input: { slug: "bench", name: "x", hardware: "h100-sxm" }) { id } }',
);
const { openAudit } = await ask(
  'mutation($id: ID!) { openAudit(input: { projectId: $id, checklist: "ai-systems-performance" }) { id } }',
  { id: createProject.id },
);
const { id } = openAudit;

/** Counts what goes to the database by looking over the shoulder of its only connection. */
const client = await opened.pool.connect();
const query = client.query.bind(client);
let statements = 0;
client.query = (...args) => {
  statements += 1;
  return query(...args);
};
client.release();

const page = { times: [], run: () => ask(PAGE, { id }) };
const floor = {
  times: [],
  run: async () => JSON.stringify((await opened.pool.query(FLOOR, [id])).rows[0].page),
};
for (let round = -5; round < ROUNDS; round++) {
  for (const side of [page, floor]) {
    const began = performance.now();
    await side.run();
    if (round >= 0) side.times.push(performance.now() - began);
  }
}
statements = 0;
await page.run();
const counted = statements;
const at = (times, share) => times.sort((a, b) => a - b)[Math.floor(times.length * share)];
for (const [name, { times }] of Object.entries({ page, floor })) {
  console.log(`${name.padEnd(6)} median ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms`);
}
console.log(`ratio ${(at(page.times, 0.5) / at(floor.times, 0.5)).toFixed(1)}, ${counted} SQL statements`);
await app.close();

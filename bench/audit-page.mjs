// `npm run bench:audit`: the page of one audit with all its items, through GraphQL and HTTP's own handlers, beside the
// floor: the same JSON from one hand-written statement over the plain driver. Both on the embedded database, in turn.
import { quantile, startService } from './service.mjs';

const ROUNDS = 40;

const { ask, statementsOf, pool, close } = await startService();

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

const page = { times: [], run: () => ask(PAGE, { id }) };
const floor = {
  times: [],
  run: async () => JSON.stringify((await pool.query(FLOOR, [id])).rows[0].page),
};
for (let round = -5; round < ROUNDS; round++) {
  for (const side of [page, floor]) {
    const began = performance.now();
    await side.run();
    if (round >= 0) side.times.push(performance.now() - began);
  }
}
const counted = await statementsOf(page.run);
for (const [name, { times }] of Object.entries({ page, floor })) {
  console.log(
    `${name.padEnd(6)} median ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`,
  );
}
console.log(`ratio ${(quantile(page.times, 0.5) / quantile(floor.times, 0.5)).toFixed(1)}, ${counted} SQL statements`);
await close();

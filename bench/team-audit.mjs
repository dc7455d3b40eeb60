// `npm run bench:team`: what a team does with an audit of 400 items, through GraphQL and HTTP's own handlers: SQL statements,
// times, and their ratio to the floor, which is the JSON of all rows of the audit's items from one statement over the plain
// driver. Everything runs on the embedded database, or on the server of DATABASE_URL in a database of its own.
import { quantile, startService } from './service.mjs';

const ITEMS = 400;
const TRIALS = 60;
const ROUNDS = 15;

const { ask, statementsOf, pool, close } = await startService(process.env.DATABASE_URL);

const slug = `bench-${Date.now()}`;
const content = JSON.stringify({
  format: 'tunebook-checklist/1',
  title: { en: 'Bench', zh: '基准' },
  sections: Array.from({ length: 10 }, (_, section) => ({
    key: `section-${section}`,
    title: { en: `Section ${section}`, zh: `章节 ${section}` },
    items: Array.from({ length: ITEMS / 10 }, (__, item) => ({
      key: `item-${item}`,
      title: { en: `Item ${section}.${item}`, zh: `条目 ${section}.${item}` },
      summary: { en: 'What it is, and when it pays.', zh: '它是什么，何时值得做。' },
    })),
  })),
});
await ask('mutation($input: ImportChecklistInput!) { importChecklist(input: $input) { itemCount } }', {
  input: { slug, content },
});
const { createProject } = await ask('mutation($input: CreateProjectInput!) { createProject(input: $input) { id } }', {
  input: { slug, name: 'Bench', hardware: 'h100-sxm' },
});
const { openAudit } = await ask(
  `mutation($input: OpenAuditInput!) { openAudit(input: $input) { id items(first: 500) { edges { node { id } } } } }`,
  { input: { projectId: createProject.id, checklist: slug } },
);
const { id } = openAudit;
const items = openAudit.items.edges.map(({ node }) => node.id);
for (const auditItemId of items.slice(0, TRIALS)) {
  await ask('mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }', {
    input: {
      auditItemId,
      metric: 'training.throughput',
      before: [100, 101, 99, 100],
      after: [110, 111, 109, 110],
      sampling: 'SEPARATE_SESSIONS',
    },
  });
  await ask('mutation($input: AddCommentInput!) { addComment(input: $input) { id } }', {
    input: { auditItemId, body: 'Measured with locked clocks.' },
  });
  await ask('mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }', {
    input: { id: auditItemId, version: 1, work: 'DONE', outcome: 'APPLIED', remark: 'Kept' },
  });
}

const PAGE = `query($id: ID!) { audit(id: $id) {
  title status progress { total applicable assessed done verified } sections { section { key } progress { done } }
  items(first: 500) { edges { node {
    id version work outcome proof priority dueAt assignee { name } commentCount applicability { answer reasons { en zh } }
    item { key title { en zh } summary { en zh } tags } trials { verdict }
  } } }
} }`;
const exported = (format) => ({
  [`export ${format}`]: () => ask(`query($id: ID!) { auditExport(id: $id, format: ${format}) { content } }`, { id }),
});
let priority = 'LOW';
const work = {
  'audit page': () => ask(PAGE, { id }),
  ...exported('JSON'),
  ...exported('MARKDOWN'),
  ...exported('HTML'),
  ...exported('CSV'),
  'bulk of 400': async () => {
    priority = priority === 'LOW' ? 'HIGH' : 'LOW';
    const input = { auditId: id, patch: { priority } };
    const { bulkUpdateAuditItems } = await ask(
      'mutation($input: BulkUpdateAuditItemsInput!) { bulkUpdateAuditItems(input: $input) { changed } }',
      { input },
    );
    if (bulkUpdateAuditItems.changed !== ITEMS) throw new Error('Not all items were changed');
  },
  portfolio: () =>
    ask(`{ portfolio { auditCount total { total verified stale open } byProject(first: 100) { edges { node { counts { done } } } }
      bySection { key counts { done } } byHardware { slug counts { done } } verifiedGains { count medianGain } } }`),
  plan: () =>
    ask('query($id: ID!) { audit(id: $id) { plan(first: 400) { edges { node { rank score auditItem { id } } } } } }', {
      id,
    }),
};

const FLOOR = `SELECT json_agg(row_to_json(i) ORDER BY i.position) AS rows FROM "AuditItem" i WHERE i."auditId" = $1`;
const floor = async () => JSON.stringify((await pool.query(FLOOR, [id])).rows[0].rows);

async function timed(run) {
  const times = [];
  for (let round = -3; round < ROUNDS; round++) {
    const began = performance.now();
    await run();
    if (round >= 0) times.push(performance.now() - began);
  }
  return { median: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

const least = await timed(floor);
console.log(`${ITEMS} items, ${TRIALS} trials; floor: median ${least.median.toFixed(1)} ms`);
for (const [name, run] of Object.entries(work)) {
  const { median, p95 } = await timed(run);
  const figures = [
    `${await statementsOf(run)} statements`,
    `median ${median.toFixed(1)} ms`,
    `p95 ${p95.toFixed(1)} ms`,
  ];
  console.log(`${name.padEnd(16)} ${figures.join(', ')}, ${(median / least.median).toFixed(1)} times the floor`);
}
await close();

// `npm run bench:series`: the history of a metric over a project with 20,000 runs in eight environment classes, through
// GraphQL and HTTP's own handlers, beside the floor: the same points as JSON from one hand-written statement over the plain
// driver. On the embedded database, or on the server of DATABASE_URL in a database of its own. RUNS sets another number.
import { quantile, startService } from './service.mjs';

const RUNS = Number(process.env.RUNS ?? 20_000);
const ROUNDS = 15;

const { ask, statementsOf, pool, close } = await startService(process.env.DATABASE_URL);

const slug = `bench-${Date.now()}`;
const { createProject } = await ask(
  'mutation($slug: String!) { createProject(input: { slug: $slug, name: "x" }) { id } }',
  {
    slug,
  },
);
const { id } = createProject;
const owner = (await pool.query('SELECT id FROM "User" LIMIT 1')).rows[0].id;
const metric = (await pool.query(`SELECT id FROM "Metric" WHERE key = 'training.throughput' AND scope = ''`)).rows[0]
  .id;

// Eight kinds of machine, five drivers one after the other, and twenty more facts as real runs have them
await pool.query(
  `INSERT INTO "Run" (id, "projectId", source, status, environment, workload, "startedAt", "createdById")
   SELECT 'run-' || lpad(n::text, 6, '0'), $1, 'IMPORT', 'OK',
     jsonb_build_object('gpu.sku', 'GPU ' || n % 8, 'gpu.count', 8, 'driver', (n * 5 / $3)::text) ||
       (SELECT jsonb_object_agg('env.SETTING_' || s, 'value ' || s) FROM generate_series(1, 20) s),
     jsonb_build_object('workload.model', 'llama', 'workload.precision', 'bf16'),
     '2026-01-01T00:00:00Z'::timestamptz + n * interval '10 minutes', $2
   FROM generate_series(1, $3::int) n`,
  [id, owner, RUNS],
);
await pool.query(
  `INSERT INTO "Observation" (id, "runId", "metricId", dimensions, "seriesKey", value, position, repeats)
   SELECT m.key || '-' || r.id, r.id, m.id, '{}'::jsonb, '', 100 + length(r.id) * random(), row_number() OVER (PARTITION BY r.id ORDER BY m.key),
     ARRAY[100, 101, 102]
   FROM "Run" r CROSS JOIN (SELECT * FROM "Metric" WHERE scope = '' AND key <> 'training.throughput' ORDER BY key LIMIT 4) m WHERE r."projectId" = $1
   UNION ALL
   SELECT 'series-' || r.id, r.id, $2, '{}'::jsonb, '', 100 + random(), 0, ARRAY[100, 101, 102] FROM "Run" r WHERE r."projectId" = $1`,
  [id, metric],
);
await pool.query('ANALYZE');

const QUERY = `query($slug: String!, $points: Int!) { project(slug: $slug) { series(metric: "training.throughput") { totalCount
  edges { node { classId identity pointCount marks { itemKey } noiseFloor { value }
    points(first: $points) { edges { node { at value n spread segment changes { key before after } arms { arm } } } } } } } } }`;
const FLOOR = `SELECT json_agg(json_build_object('sku', sku, 'at', at, 'value', value, 'repeats', repeats)) AS rows FROM (
  SELECT r.environment ->> 'gpu.sku' AS sku, coalesce(r."startedAt", r."createdAt") AS at, o.value, o.repeats,
    row_number() OVER (PARTITION BY r.environment ->> 'gpu.sku' ORDER BY coalesce(r."startedAt", r."createdAt") DESC) AS place
  FROM "Run" r JOIN "Observation" o ON o."runId" = r.id AND o."metricId" = $2
  WHERE r."projectId" = $1 AND r.status <> 'FAILED') points WHERE place <= $3`;

async function timed(run) {
  const times = [];
  for (let round = -3; round < ROUNDS; round++) {
    const began = performance.now();
    await run();
    if (round >= 0) times.push(performance.now() - began);
  }
  return { median: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

for (const points of [100, 1000]) {
  const floor = await timed(async () => JSON.stringify((await pool.query(FLOOR, [id, metric, points])).rows[0].rows));
  const run = () => ask(QUERY, { slug, points });
  const { median, p95 } = await timed(run);
  const found = (await run()).project.series.edges.reduce((sum, { node }) => sum + node.points.edges.length, 0);
  console.log(
    `${RUNS} runs, ${found} points: median ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ${await statementsOf(run)} statements; ` +
      `floor ${floor.median.toFixed(0)} ms, ${(median / floor.median).toFixed(1)} times the floor`,
  );
}
await close();

import { digestOf } from '../../domain/content/digest.js';
import { conflict } from '../../domain/errors.js';
import { seriesKeyOf } from '../../domain/importers/in-unit.js';
import { normalizeFacts, redactCommand, redactFacts } from '../../domain/measurement/redact.js';
import type { RecordedRun } from '../../domain/report/measurement-record.js';
import type { Metric, Prisma } from '../../generated/prisma/client.js';
import { batches } from '../../platform/database/batches.js';
import type { Db } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import { FROM_RECORD, TYPED_IN } from './measurement-record.rows.js';
import type { RecordedPeople } from './recorded-people.js';

/** What a run is known by in a project. */
interface Identity {
  readonly contentHash: string;
  readonly part: number;
}

/**
 * Nobody here has seen the files that the runs were read from, so the hash that a record names is marked, and the file
 * itself can still be imported. A run that was typed in is known by all that it says; equal ones are counted.
 */
function identities(runs: readonly RecordedRun[]): readonly Identity[] {
  const counts = new Map<string, number>();
  return runs.map(({ id, createdBy, evidence, attachments, contentHash, part, ...content }) => {
    if (contentHash !== null) return { contentHash: `${FROM_RECORD}${contentHash}`, part };
    const hash = `${TYPED_IN}${digestOf(content)}`;
    const count = counts.get(hash) ?? 0;
    counts.set(hash, count + 1);
    return { contentHash: hash, part: count };
  });
}

interface KnownRun {
  readonly id: string;
  readonly contentHash: string | null;
  readonly part: number;
  readonly status: string;
}

/** The runs of a record in a project: those that are there, by id or by content, else new ones; their ids by the old. */
export async function placeRuns(
  tx: Db,
  projectId: string,
  runs: readonly RecordedRun[],
  metrics: ReadonlyMap<string, Metric>,
  people: RecordedPeople,
): Promise<{ readonly ids: ReadonlyMap<string, string>; readonly newCount: number }> {
  if (runs.length === 0) return { ids: new Map(), newCount: 0 };
  const identityOf = identities(runs);
  const hashes = [...runs.map(({ contentHash }) => contentHash ?? ''), ...identityOf.map((one) => one.contentHash)];
  const known = await tx.$queryRaw<KnownRun[]>`
    SELECT "id", "contentHash", "part", "status"::text AS "status" FROM "Run"
    WHERE "projectId" = ${projectId} AND ("id" = ANY (${runs.map(({ id }) => id)}) OR "contentHash" = ANY (${hashes}))`;
  const byId = new Map(known.map((run) => [run.id, run]));
  const byContent = new Map(known.map((run) => [`${run.contentHash} ${run.part}`, run]));
  const evidenceIds = await evidenceOf(tx, projectId, runs);
  const ids = new Map<string, string>();
  const made: { id: string; run: RecordedRun; identity: Identity; place: string }[] = [];
  runs.forEach((run, index) => {
    const identity = identityOf[index] ?? { contentHash: `${TYPED_IN}${run.id}`, part: 0 };
    const found =
      byId.get(run.id) ??
      (run.contentHash === null ? undefined : byContent.get(`${run.contentHash} ${run.part}`)) ??
      byContent.get(`${identity.contentHash} ${identity.part}`);
    if (found?.status === 'FAILED') throw failedRun(found.id);
    const id = found?.id ?? uuidv7();
    ids.set(run.id, id);
    if (!found) made.push({ id, run, identity, place: `runs[${index}]` });
  });
  const rows = made.map(({ id, run, identity, place }) => ({
    ...identity,
    id,
    projectId,
    source: run.source,
    status: run.status,
    tool: run.tool,
    toolVersion: run.toolVersion,
    format: run.format,
    fileName: run.fileName,
    session: run.session,
    block: run.block,
    variant: run.variant,
    environment: toJson(redactFacts(normalizeFacts(run.environment, 'environment')).facts),
    workload: toJson(redactFacts(normalizeFacts(run.workload, 'workload')).facts),
    factSources: run.factSources,
    leftOut: run.leftOut,
    command: run.command === null ? null : redactCommand(run.command),
    commit: run.commit,
    imageDigest: run.imageDigest,
    evidenceId: (run.evidence && evidenceIds.get(run.evidence.sha256)) ?? null,
    startedAt: run.startedAt,
    createdAt: run.createdAt,
    createdById: people.maker(run.createdBy, `${place}.createdBy`),
  }));
  for (const batch of batches(rows)) await tx.run.createMany({ data: batch });
  const observations = made.flatMap(({ id, run }) => observationRows(id, run, metrics));
  for (const batch of batches(observations)) await tx.observation.createMany({ data: batch });
  return { ids, newCount: made.length };
}

function observationRows(
  runId: string,
  { observations }: RecordedRun,
  metrics: ReadonlyMap<string, Metric>,
): Prisma.ObservationCreateManyInput[] {
  return observations.map(({ metric, dimensions, distribution, summary, ...values }, position) => ({
    ...values,
    runId,
    position,
    metricId: metrics.get(metric)?.id ?? '',
    dimensions,
    seriesKey: seriesKeyOf(dimensions),
    ...(distribution === null ? {} : { distribution: toJson(distribution) }),
    ...(summary === null ? {} : { summary: toJson(summary) }),
  }));
}

/** Raw files that the project has, by their SHA-256: knowing the hash of another project's file gives no right to it. */
async function evidenceOf(tx: Db, projectId: string, runs: readonly RecordedRun[]): Promise<Map<string, string>> {
  const named = [...new Set(runs.flatMap(({ evidence }) => evidence?.sha256 ?? []))];
  if (named.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; sha256: string }[]>`
    SELECT "id", "sha256" FROM "Evidence" WHERE "projectId" = ${projectId} AND "sha256" = ANY (${named})`;
  return new Map(rows.map(({ id, sha256 }) => [sha256, id]));
}

function failedRun(id: string) {
  return conflict(
    {
      en: `The run "${id}" is in this project and failed: its numbers are no measurement`,
      zh: `该项目中的运行“${id}”已失败，其数值不能作为测量结果`,
    },
    { current: { id, status: 'FAILED' } },
  );
}

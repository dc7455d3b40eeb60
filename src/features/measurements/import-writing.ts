import { z } from 'zod';
import type { ImportProblem } from '../../domain/importers/importer.js';
import { isProblemCode } from '../../domain/importers/problem-codes.js';
import { seriesKeyOf } from '../../domain/importers/in-unit.js';
import type { Prisma, Run as RunRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { batches } from '../../platform/database/batches.js';
import type { Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import type { ChosenMapping } from './column-mappings.service.js';
import type { JoinedRun } from './import-context.service.js';
import { evidenceRow, type KeptFile } from './import-contents.service.js';
import type { Origin } from './run-origin.js';

/** Most problems that are kept with an import. */
const KEPT_PROBLEMS = 1_000;

/** A run of the file that is to be written, and its place in the file. */
export interface NumberedRun {
  readonly part: number;
  readonly run: JoinedRun;
}

/** What is written of a file. */
export interface ImportData {
  readonly projectId: string;
  readonly fileName: string;
  readonly format: string;
  readonly contentHash: string;
  readonly file: KeptFile;
  readonly origin: Origin;
  readonly mapping: ChosenMapping | null;
  readonly runs: readonly NumberedRun[];
  readonly leftOutRuns: number;
  readonly leftOutValues: number;
  /** The blocking first. */
  readonly problems: readonly ImportProblem[];
}

/** What is there of a run: where its observations end, and which it has. */
type Known = Pick<RunRow, 'id' | 'part' | 'leftOut'>;

/** The runs that the same content made before. */
export function knownRuns(db: Db, projectId: string, contentHash: string): Promise<Known[]> {
  return db.run.findMany({ where: { projectId, contentHash }, select: { id: true, part: true, leftOut: true } });
}

/** True where a run adds nothing to what is there. */
export function isThere({ part, run }: NumberedRun, known: readonly Known[]): boolean {
  const found = known.find((each) => each.part === part);
  return found !== undefined && found.leftOut <= run.leftOut;
}

/**
 * Writes the runs that are not there yet, and the values that runs lack which were written in part; what is there stays.
 * Gives the ids of the new runs.
 */
export async function writeImport(tx: Db, viewer: Viewer, data: ImportData): Promise<{ newIds: string[] }> {
  const { projectId, contentHash } = data;
  const known = await knownRuns(tx, projectId, contentHash);
  const missing = data.runs.filter((run) => !isThere(run, known));
  if (missing.length === 0) return { newIds: [] };
  const evidenceId = await evidenceRow(tx, viewer, projectId, data.fileName, data.file);
  const { id: importId } = await tx.import.create({ data: { ...importRow(data), evidenceId, createdById: viewer.id } });
  const added: NumberedRun[] = [];
  for (const numbered of missing) {
    const found = known.find(({ part }) => part === numbered.part);
    if (found) await complete(tx, viewer, projectId, found, numbered.run);
    else added.push(numbered);
  }
  const rows = added.map((numbered) => ({ ...runRow(viewer, data, numbered), evidenceId, importId }));
  for (const batch of batches(rows)) await tx.run.createMany({ data: batch });
  const observations = added.flatMap(({ run }, index) => observationRows(rows[index]?.id ?? '', run, 0));
  for (const batch of batches(observations)) await tx.observation.createMany({ data: batch });
  await record(
    tx,
    viewer,
    rows.map(({ id }) => ({
      projectId,
      subject: 'run',
      subjectId: id,
      field: 'created',
      after: { format: data.format, fileName: data.fileName, sha256: data.file.sha256 },
    })),
  );
  return { newIds: rows.map(({ id }) => id) };
}

function importRow({ projectId, fileName, format, contentHash, mapping, problems, ...data }: ImportData) {
  const { leftOutRuns, leftOutValues } = data;
  return {
    projectId,
    fileName,
    format,
    contentHash,
    ...(mapping ? { mapping: toJson({ name: mapping.name, mapping: mapping.mapping }) } : {}),
    isPartial: leftOutRuns + leftOutValues > 0,
    leftOutRuns,
    leftOutValues,
    problemCount: problems.length,
    problems: jsonOfProblems(problems.slice(0, KEPT_PROBLEMS)),
  };
}

function runRow(
  viewer: Viewer,
  { projectId, format, fileName, contentHash, origin }: ImportData,
  { part, run }: NumberedRun,
) {
  return {
    id: uuidv7(),
    projectId,
    ...origin,
    status: statusOf(run),
    tool: run.tool,
    toolVersion: run.toolVersion,
    format,
    fileName,
    contentHash,
    part,
    session: run.session,
    block: run.block,
    environment: toJson(run.environment),
    workload: toJson(run.workload),
    factSources: toJson(run.sources),
    command: run.command,
    variant: run.variant,
    leftOut: run.leftOut,
    createdById: viewer.id,
    startedAt: run.startedAt === null ? null : new Date(run.startedAt),
  };
}

/** A run of which something was left out is never taken for a whole one. */
export function statusOf({ status, leftOut }: JoinedRun): JoinedRun['status'] {
  return status === 'OK' && leftOut > 0 ? 'PARTIAL' : status;
}

/** Adds the values that a run lacks, behind those that it has. */
async function complete(tx: Db, viewer: Viewer, projectId: string, known: Known, run: JoinedRun): Promise<void> {
  const there = await tx.observation.findMany({
    where: { runId: known.id },
    select: { metricId: true, seriesKey: true, position: true },
  });
  const series = new Set(there.map(({ metricId, seriesKey }) => `${metricId} ${seriesKey}`));
  const next = 1 + Math.max(-1, ...there.map(({ position }) => position));
  const lacking = run.observations.filter(
    ({ metric, dimensions }) => !series.has(`${metric.id} ${seriesKeyOf(dimensions)}`),
  );
  const rows = observationRows(known.id, { ...run, observations: lacking }, next);
  for (const batch of batches(rows)) await tx.observation.createMany({ data: batch });
  await tx.run.update({ where: { id: known.id }, data: { status: statusOf(run), leftOut: run.leftOut } });
  await record(tx, viewer, [
    {
      projectId,
      subject: 'run',
      subjectId: known.id,
      field: 'leftOut',
      before: known.leftOut,
      after: run.leftOut,
    },
  ]);
}

function observationRows(runId: string, run: JoinedRun, first: number): Prisma.ObservationCreateManyInput[] {
  return run.observations.map((observation, index) => ({
    runId,
    position: first + index,
    metricId: observation.metric.id,
    dimensions: observation.dimensions,
    seriesKey: seriesKeyOf(observation.dimensions),
    value: observation.value,
    repeats: [...(observation.repeats ?? [])],
    blocks: [...(observation.blocks ?? [])],
    samples: [...(observation.samples ?? [])],
    ...(observation.summary ? { summary: toJson(observation.summary) } : {}),
    ...(observation.distribution ? { distribution: toJson(observation.distribution) } : {}),
  }));
}

const problemsShape = z.array(
  z.object({
    line: z.number().nullable(),
    severity: z.enum(['ERROR', 'WARNING']),
    scope: z.enum(['FILE', 'RUN', 'VALUE']),
    code: z.string(),
    value: z.string().optional(),
    message: z.object({ en: z.string(), zh: z.string() }),
  }),
);

/** The problems of an import, from their JSON column. */
export function problemsOf(json: unknown): ImportProblem[] {
  return problemsShape.parse(json).map(({ value, code, ...problem }) => ({ ...problem, code: isProblemCode(code) ? code : 'NOTE', ...(value === undefined ? {} : { value }) }));
} // prettier-ignore

function jsonOfProblems(problems: readonly ImportProblem[]): Prisma.InputJsonArray {
  return problems.map((problem) => toJson(problem));
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput, notFound } from '../../domain/errors.js';
import { importers, readContent, type Candidate } from '../../domain/importers/index.js';
import type { ImportProblem as ReadProblem, ReadRun } from '../../domain/importers/importer.js';
import { inUnitOf, seriesKeyOf, type ObservationIn } from '../../domain/importers/in-unit.js';
import { textIn } from '../../domain/locale.js';
import { optionalText, requiredText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { Metric, Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { constraintOf } from '../../platform/database/constraint.js';
import { batches } from '../../platform/database/batches.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { EvidenceStore } from '../../platform/evidence/evidence-store.js';
import { ProjectsService } from '../projects/projects.service.js';
import { toObservation, toRun } from './measurements.queries.js';
import type { ImportFormat, ImportReport, ImportRunInput, Observation } from './measurements.types.js';
import { sourceFor } from './run-source.js';
import { givenFacts, givenWorkload } from './typed-measurement.js';

/** Most runs and observations that a report shows. */
const REPORT_LIMIT = 100;

type MeasuredObservation = ObservationIn<Metric>;

interface MeasuredRun extends Omit<ReadRun, 'observations'> {
  readonly observations: readonly MeasuredObservation[];
}

/** Reads the output of benchmark tools into runs. The same content again gives the same runs. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly db: Database,
    private readonly projects: ProjectsService,
    private readonly evidence: EvidenceStore,
  ) {}

  /** What can be read. */
  formats(): ImportFormat[] {
    return importers.map(({ tool, what }) => ({ format: tool, reads: what }));
  }

  async importRun(viewer: Viewer, input: ImportRunInput): Promise<ImportReport> {
    const { id: projectId } = await this.projects.require(viewer, 'WRITE_MEASUREMENTS', input.projectId);
    const fileName = requiredText(input.fileName, 'fileName', 255);
    const context = {
      environment: givenFacts(input.environment, 'environment'),
      workload: givenWorkload(input.workload, 'workload'),
      session: optionalText(input.session, 'session', TEXT_LIMITS.name),
      block: optionalText(input.block, 'block', TEXT_LIMITS.name),
    };
    const content = await this.contentOf(projectId, input);
    const { format, candidates, reading } = readContent(content, input.format ?? undefined);
    const measured = await this.measure(projectId, reading.runs);
    const problems = [...reading.problems, ...measured.problems];
    const runs = measured.runs.map((run) => ({
      ...run,
      environment: { ...run.environment, ...context.environment },
      workload: { ...run.workload, ...context.workload },
      session: context.session ?? run.session,
      block: context.block ?? run.block,
    }));
    const report = reportOf(viewer, format, candidates, runs, problems);
    if (input.dryRun || problems.some(({ severity }) => severity === 'ERROR')) return report;

    const { content: text, ...request } = input;
    const contentHash = createHash('sha256').update(`${format}\n`).update(content).digest('hex');
    // The bytes go first: a row never names a file that is not there.
    const sha256 = await this.evidence.put(Buffer.from(content, 'utf8'));
    const write = () =>
      once(this.db, viewer, 'importRun', { ...request, contentHash }, (tx) =>
        this.write(
          tx,
          viewer,
          { projectId, fileName, format, contentHash, sha256, size: Buffer.byteLength(content) },
          runs,
        ),
      );
    const written = await write().catch((error: unknown) => {
      // Somebody imported the same content at the same moment: now it is there.
      if (
        constraintOf(error)?.startsWith('Run_projectId_contentHash') ||
        constraintOf(error)?.startsWith('Evidence_')
      ) {
        return write();
      }
      throw error;
    });
    const rows = await this.db.run.findMany({
      where: { projectId, contentHash },
      orderBy: { part: 'asc' },
      take: REPORT_LIMIT,
    });
    const isNew = written.state === 'new';
    return {
      ...report,
      runs: rows.map((row) => ({ ...toRun(row), isNew })),
      problems: [...report.problems, ...(isNew ? [] : differentContext(viewer, rows, runs))],
    };
  }

  private async contentOf(projectId: string, { content, evidenceId }: ImportRunInput): Promise<string> {
    const [text, id] = [content ?? null, evidenceId ?? null];
    if (text !== null && id === null) return text;
    if (text === null && id !== null) {
      const found = await this.db.evidence.findFirst({ where: { id, projectId } });
      if (!found) {
        throw notFound({ en: `There is no evidence "${id}" in this project`, zh: `该项目中没有证据“${id}”` }, { id });
      }
      return (await this.evidence.get(found.sha256)).toString('utf8');
    }
    throw invalidInput({
      en: 'Give exactly one of content and evidenceId',
      zh: '须且只须给出 content 与 evidenceId 之一',
    });
  }

  /** Finds the metric of each observation and converts it to that metric's unit; what does not fit is a problem. */
  private async measure(
    projectId: string,
    runs: readonly ReadRun[],
  ): Promise<{ runs: MeasuredRun[]; problems: ReadProblem[] }> {
    const keys = [...new Set(runs.flatMap(({ observations }) => observations.map(({ metric }) => metric)))];
    const rows = await this.db.metric.findMany({ where: { key: { in: keys }, scope: { in: ['', projectId] } } });
    const metrics = new Map(rows.map((metric) => [metric.key, metric]));
    const problems = new Map<string, ReadProblem>();
    const measured = runs.map((run) => ({
      ...run,
      observations: run.observations.flatMap((observation): MeasuredObservation[] => {
        const metric = metrics.get(observation.metric);
        if (!metric) {
          const key = observation.metric;
          problems.set(key, {
            line: null,
            severity: 'ERROR',
            message: { en: `There is no metric "${key}"`, zh: `没有指标“${key}”` },
          });
          return [];
        }
        try {
          return [inUnitOf(metric, observation)];
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          problems.set(`${metric.key} ${observation.unit}`, { line: null, severity: 'ERROR', message: error.text });
          return [];
        }
      }),
    }));
    return { runs: measured, problems: [...problems.values()] };
  }

  private async write(
    tx: Db,
    viewer: Viewer,
    file: {
      projectId: string;
      fileName: string;
      format: string | null;
      contentHash: string;
      sha256: string;
      size: number;
    },
    runs: readonly MeasuredRun[],
  ): Promise<{ state: 'new' | 'known' }> {
    const { projectId, fileName, format, contentHash, sha256, size } = file;
    if (await tx.run.findFirst({ where: { projectId, contentHash }, select: { id: true } })) return { state: 'known' };
    const evidence = await tx.evidence.upsert({
      where: { projectId_sha256: { projectId, sha256 } },
      create: { projectId, sha256, fileName, mediaType: 'text/plain', size },
      update: {},
    });
    const rows = runs.map((run, part) => ({
      id: uuidv7(),
      projectId,
      source: sourceFor(viewer, 'IMPORT'),
      status: run.status,
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
      command: run.command,
      variant: run.variant,
      evidenceId: evidence.id,
      startedAt: run.startedAt === null ? null : new Date(run.startedAt),
      createdById: viewer.id,
    }));
    for (const batch of batches(rows)) await tx.run.createMany({ data: batch });
    const observations = runs.flatMap((run, part) => observationRows(rows[part]?.id ?? '', run));
    for (const batch of batches(observations)) await tx.observation.createMany({ data: batch });
    await record(
      tx,
      viewer,
      rows.map(({ id }) => ({
        projectId,
        subject: 'run',
        subjectId: id,
        field: 'created',
        after: { format, fileName, sha256 },
      })),
    );
    return { state: 'new' };
  }
}

function observationRows(runId: string, run: MeasuredRun): Prisma.ObservationCreateManyInput[] {
  return run.observations.map((observation, position) => ({
    runId,
    position,
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

function shown({ metric, dimensions, value, repeats, distribution, summary }: MeasuredObservation): Observation {
  return toObservation({
    metricId: metric.id,
    dimensions,
    value,
    repeats: [...(repeats ?? [])],
    distribution: distribution ?? null,
    summary: summary ?? null,
  });
}

function reportOf(
  viewer: Viewer,
  format: string | null,
  candidates: readonly Candidate[],
  runs: readonly MeasuredRun[],
  problems: readonly ReadProblem[],
): ImportReport {
  const observations = runs.flatMap((run) => run.observations);
  return {
    format,
    candidates: candidates.map((candidate) => candidate.format),
    found: candidates.map((candidate) => ({ ...candidate, metrics: [...candidate.metrics] })),
    runs: [],
    observations: observations.slice(0, REPORT_LIMIT).map(shown),
    observationCount: observations.length,
    problems: blockingFirst(problems)
      .slice(0, REPORT_LIMIT)
      .map(({ line, message, severity }) => ({
        line,
        message: textIn(message, viewer.locale),
        isBlocking: severity === 'ERROR',
      })),
  };
}

/** What keeps the file from being written must be in the report, however many warnings there are. */
function blockingFirst(problems: readonly ReadProblem[]): ReadProblem[] {
  const isBlocking = ({ severity }: ReadProblem) => severity === 'ERROR';
  return [...problems.filter(isBlocking), ...problems.filter((problem) => !isBlocking(problem))];
}

/** Tells that the content was there before with another context than was given now: the first import stands. */
function differentContext(
  viewer: Viewer,
  rows: readonly { session: string | null; block: string | null; environment: unknown; workload: unknown }[],
  given: readonly MeasuredRun[],
): ImportReport['problems'] {
  const isSame = rows.every((row, index) => {
    const run = given[index];
    return (
      run !== undefined &&
      row.session === run.session &&
      row.block === run.block &&
      canonical(row.environment) === canonical(run.environment) &&
      canonical(row.workload) === canonical(run.workload)
    );
  });
  if (isSame) return [];
  const message = {
    en: 'This content was imported before with another environment, workload, session or block; the first import stands',
    zh: '相同内容此前已导入，但当时给出的环境、负载、会话或区组不同；以首次导入为准',
  };
  return [{ line: null, message: textIn(message, viewer.locale), isBlocking: false }];
}

function canonical(facts: unknown): string {
  return JSON.stringify(Object.entries(facts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}

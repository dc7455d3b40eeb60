import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { limitExceeded } from '../../domain/errors.js';
import { textIn } from '../../domain/locale.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import { readAuditRecord, type RecordProblem } from '../../domain/report/read-record.js';
import { withoutCi } from '../../domain/report/record-rights.js';
import { recordDifferences, withoutSamples } from '../../domain/report/record-differences.js';
import { optionalText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import { ProjectsService } from '../projects/projects.service.js';
import { AuditRecordService } from './audit-record.service.js';
import { ImportTargetService, type ImportTarget } from './import-target.service.js';
import { RecordWriterService } from './record-writer.service.js';
import type { AuditImportReport, ImportAuditInput } from './reports.types.js';

/** Largest file in bytes. */
const CONTENT_LIMIT = 50 * 1024 * 1024;
/** Most problems that a report shows. */
const REPORT_LIMIT = 100;

/** What an import did, as it is kept for a repeated request: problems in both languages. */
interface Imported extends Omit<AuditImportReport, 'audit' | 'problems' | 'isDryRun'> {
  readonly auditId: string;
  readonly problems: readonly RecordProblem[];
}

/** Undoes a dry run: nothing of what it wrote stays. */
class DryRun extends Error {
  constructor(readonly result: Imported) {
    super('A dry run writes nothing');
  }
}

/** Makes audits of exported ones. What rules and measurements say is computed anew. */
@Injectable()
export class AuditImportService {
  constructor(
    private readonly db: Database,
    private readonly projects: ProjectsService,
    private readonly records: AuditRecordService,
    private readonly targets: ImportTargetService,
    private readonly writer: RecordWriterService,
  ) {}

  /** Says what the file holds and what of it comes out differently here; writes all of it or, for a dry run, nothing. */
  async importAudit(viewer: Viewer, input: ImportAuditInput): Promise<AuditImportReport> {
    const { id: projectId } = await this.projects.require(viewer, 'WRITE_AUDITS', input.projectId);
    await this.projects.require(viewer, 'WRITE_MEASUREMENTS', projectId);
    const { content, ...request } = input;
    const size = Buffer.byteLength(content);
    if (size > CONTENT_LIMIT) throw tooLarge(size);
    const title = optionalText(input.title, 'title', TEXT_LIMITS.name)?.trim() ?? null;
    const reading = readAuditRecord(content, new Date());
    if (!reading.record) return blockedReport(viewer, reading.problems, input);
    const given = title === null ? reading.record : withTitle(reading.record, title);
    const target = await this.targets.of(viewer, projectId, given);
    const { record, problems: changed } =
      target.people.standing === 'RESTORES' ? { record: given, problems: [] } : withoutCi(given);
    const problems = [...reading.problems, ...target.problems, ...changed];
    if (problems.some(({ isBlocking }) => isBlocking)) return blockedReport(viewer, problems, input);
    const write = (tx: Db) => this.write(tx, viewer, record, target, problems);
    if (input.dryRun) return this.report(viewer, await this.tried(write), null);
    const contentHash = createHash('sha256').update(content).digest('hex');
    const imported = await once(this.db, viewer, 'importAudit', { ...request, contentHash }, write);
    return this.report(viewer, imported, await this.db.audit.findUniqueOrThrow({ where: { id: imported.auditId } }));
  }

  private async write(
    tx: Db,
    viewer: Viewer,
    record: AuditRecord,
    target: ImportTarget,
    problems: readonly RecordProblem[],
  ): Promise<Imported> {
    const { auditId, newRunCount, environment } = await this.writer.write(tx, viewer, record, target);
    const made = await this.records.inTransaction(tx, auditId);
    const said = [...problems, ...target.people.problems];
    const places = new Set([...said.map(({ place }) => place), ...target.people.places]);
    const differences = recordDifferences(
      withoutSamples(record),
      withoutSamples({ ...made, history: made.history.slice(0, -1) }),
    );
    const others = differences.filter(({ place }) => !isUnder(place, places) && !isRecording.test(place));
    const all = [...said, ...others];
    return {
      auditId,
      problems: all.slice(0, REPORT_LIMIT),
      problemCount: all.length,
      environment,
      itemCount: record.items.length,
      trialCount: record.trials.length,
      runCount: record.runs.length,
      newRunCount,
      commentCount: record.items.reduce((sum, { comments }) => sum + comments.length, 0),
      milestoneCount: record.milestones.length,
      historyCount: record.history.length,
    };
  }

  private async tried(write: (tx: Db) => Promise<Imported>): Promise<Imported> {
    try {
      return await this.db.$transaction(async (tx) => {
        throw new DryRun(await write(tx));
      });
    } catch (error) {
      if (error instanceof DryRun) return error.result;
      throw error;
    }
  }

  private report(viewer: Viewer, { auditId: _, ...imported }: Imported, audit: AuditImportReport['audit']) {
    return { ...imported, audit, problems: shown(viewer, imported.problems), isDryRun: audit === null };
  }
}

/** A run that the project has was recorded here, whenever and by whom: what was measured is the same. */
const isRecording = /^runs\[\d+\]\.created(At|By)$/;

/** Whether something was said of this place, or of what it is in. */
function isUnder(place: string, places: ReadonlySet<string>): boolean {
  return [...place.matchAll(/[.[]|$/g)].some(({ index }) => places.has(place.slice(0, index)));
}

function withTitle(record: AuditRecord, title: string): AuditRecord {
  return { ...record, audit: { ...record.audit, title } };
}

function shown(viewer: Viewer, problems: readonly RecordProblem[]): AuditImportReport['problems'] {
  return problems.map(({ place, message, isBlocking }) => ({
    place,
    message: textIn(message, viewer.locale),
    isBlocking,
  }));
}

/** What keeps the file from being written must be in the report, however much else there is to say. */
function blockedReport(
  viewer: Viewer,
  problems: readonly RecordProblem[],
  { dryRun }: Pick<ImportAuditInput, 'dryRun'>,
): AuditImportReport {
  const isBlocking = (problem: RecordProblem) => problem.isBlocking;
  const sorted = [...problems.filter(isBlocking), ...problems.filter((problem) => !isBlocking(problem))];
  return {
    audit: null,
    problems: shown(viewer, sorted.slice(0, REPORT_LIMIT)),
    problemCount: problems.length,
    environment: null,
    itemCount: 0,
    trialCount: 0,
    runCount: 0,
    newRunCount: 0,
    commentCount: 0,
    milestoneCount: 0,
    historyCount: 0,
    isDryRun: dryRun ?? false,
  };
}

function tooLarge(size: number) {
  return limitExceeded(
    {
      en: `The file has ${size} bytes; at most ${CONTENT_LIMIT} are read`,
      zh: `文件有 ${size} 字节，最多读取 ${CONTENT_LIMIT} 字节`,
    },
    { limit: CONTENT_LIMIT },
  );
}

import { Injectable } from '@nestjs/common';
import { digestOf } from '../../domain/content/digest.js';
import { cutToLength } from '../../domain/cut-text.js';
import { TEXT_LIMITS } from '../../domain/text-limits.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { batches } from '../../platform/database/batches.js';
import type { Db } from '../../platform/database/database.js';
import { record as remember } from '../../platform/database/history.js';
import { uuidv7 } from '../../platform/database/id.js';
import { factsOf, toJson } from '../../platform/database/json.js';
import { AuditsService, auditSubject } from '../audits/audits.service.js';
import { CommentsService } from '../audits/comments.service.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { attachmentRows, commentRows, historyRows, itemRows, milestoneRows } from './audit-import.rows.js';
import { placeRuns } from './audit-import.runs.js';
import { trialRows } from './audit-import.trials.js';
import type { ImportTarget } from './import-target.service.js';

/** What was made of a record. */
export interface WrittenAudit {
  readonly auditId: string;
  readonly newRunCount: number;
  /** The name that its environment has in the project. */
  readonly environment: string | null;
}

/** Writes what a record says as an audit of a project. */
@Injectable()
export class RecordWriterService {
  constructor(
    private readonly audits: AuditsService,
    private readonly comments: CommentsService,
    private readonly measurements: MeasurementsService,
    private readonly environments: EnvironmentsService,
  ) {}

  /** All in the caller's transaction. */
  async write(tx: Db, viewer: Viewer, record: AuditRecord, target: ImportTarget): Promise<WrittenAudit> {
    const { projectId, people } = target;
    // One import after the other: runs, metrics and environments of a project are looked for and then made
    await tx.$queryRaw`SELECT "id" FROM "Project" WHERE "id" = ${projectId} FOR NO KEY UPDATE`;
    const environment = await this.environment(tx, viewer, target);
    const metrics = await this.metrics(tx, record, target);
    const runs = await placeRuns(tx, projectId, record.runs, metrics, people);
    const auditId = uuidv7();
    const ids = new Map([[record.audit.id, auditId], ...newIds(record), ...runs.ids]);
    const trials = await this.measurements.readRecorded(
      tx,
      projectId,
      trialRows(record, people, metrics, ids),
      target.factRules,
    );
    const { createdBy, createdAt, endToEndTrial, clonedFrom, timeBreakdown, id: _, ...audit } = record.audit;
    await tx.audit.create({
      data: {
        ...audit,
        id: auditId,
        projectId,
        releaseId: target.releaseId,
        environmentId: environment?.id ?? null,
        scopeFacts: toJson(target.scope.facts),
        scopeHardwareId: target.scope.hardware?.id ?? null,
        scopedAt: record.scope.at,
        ...(timeBreakdown && {
          timeBreakdown: toJson({ ...timeBreakdown, byId: people.giver(timeBreakdown.byId) }),
        }),
        clonedFromId: target.clonedFromId,
        createdById: people.maker(createdBy, 'audit.createdBy'),
        // A clock that is fast elsewhere makes no audit newer than those that are opened here
        createdAt: new Date(Math.min(Date.parse(createdAt), Date.now())),
      },
    });
    for (const batch of batches(itemRows(record, target, { auditId, projectId }, ids, trials.proofs))) {
      await tx.auditItem.createMany({ data: batch });
    }
    await this.measurements.insertRecorded(tx, trials);
    const endToEndTrialId = endToEndTrial === null ? null : (ids.get(endToEndTrial) ?? null);
    if (endToEndTrialId !== null) await tx.audit.update({ where: { id: auditId }, data: { endToEndTrialId } });
    await this.texts(tx, viewer, record, { auditId, projectId }, ids);
    return { auditId, newRunCount: runs.newCount, environment: environment?.name ?? null };
  }

  /** An environment of the project with this name, hardware and these facts; else a new one, of a name that is free. */
  private async environment(tx: Db, viewer: Viewer, { projectId, environment }: ImportTarget) {
    if (environment === null) return null;
    const { name, hardware, facts } = environment;
    const hardwareId = hardware?.id ?? null;
    const there = await tx.environment.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
    const same = there.find(
      (one) =>
        isNamed(one.name, name) &&
        one.hardwareId === hardwareId &&
        digestOf(factsOf(one.facts)) === digestOf(factsOf(facts)),
    );
    if (same) return { id: same.id, name: same.name };
    const taken = new Set(there.map((one) => one.name));
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = numbered(name, count);
    return { id: await this.environments.insert(tx, viewer, { projectId, name: free, hardwareId, facts }), name: free };
  }

  /** All metrics of the record by key: those that are here, and those that the project named itself elsewhere. */
  private async metrics(tx: Db, record: AuditRecord, { projectId, metrics }: ImportTarget) {
    const own = record.metrics.flatMap(({ key, name, unit, direction }) =>
      metrics.has(key) || direction === null || direction === 'TARGET' ? [] : [{ key, name, unit, direction }],
    );
    return new Map([...metrics, ...(await this.measurements.nameMetrics(tx, projectId, own))]);
  }

  private async texts(
    tx: Db,
    viewer: Viewer,
    record: AuditRecord,
    place: { readonly auditId: string; readonly projectId: string },
    ids: ReadonlyMap<string, string>,
  ): Promise<void> {
    for (const batch of batches(commentRows(record, place.projectId, ids))) {
      await tx.comment.createMany({ data: batch });
    }
    // A run that is there already can have the same file
    for (const batch of batches(attachmentRows(record, place.projectId, ids))) {
      await tx.attachment.createMany({ data: batch, skipDuplicates: true });
    }
    for (const batch of batches(milestoneRows(record, place, ids))) await tx.milestone.createMany({ data: batch });
    for (const batch of batches(historyRows(record, place, ids))) await tx.historyEntry.createMany({ data: batch });
    const { format, exportedAt, project, audit } = record;
    await remember(tx, viewer, [
      {
        ...auditSubject({ id: place.auditId, projectId: place.projectId }),
        field: 'imported',
        after: { format, exportedAt, project: project.slug, auditId: audit.id },
      },
    ]);
    const itemIds = record.items.map(({ id }) => ids.get(id) ?? '');
    await this.audits.reindex(tx, ...itemIds);
    const commented = record.items.filter(({ comments }) => comments.length > 0);
    await this.comments.reindex(tx, ...commented.map(({ id }) => ids.get(id) ?? ''));
  }
}

/** `default (2)`: the name with a number, no longer than a name can be, and never cut in the middle of a character. */
function numbered(name: string, count: number): string {
  const number = ` (${count})`;
  return `${cutToLength(name, TEXT_LIMITS.name - number.length)}${number}`;
}

/** Whether something has this name, or this name with a number. */
function isNamed(given: string, name: string): boolean {
  const count = / \((\d+)\)$/.exec(given)?.[1];
  return given === name || (count !== undefined && given === numbered(name, Number(count)));
}

/** New ids for what is made anew, rising in the order of the record, which is that of their making. */
function newIds({ items, trials, milestones }: AuditRecord): readonly [string, string][] {
  const fresh = ({ id }: { readonly id: string }): [string, string] => [id, uuidv7()];
  const comments = items.flatMap((item) => item.comments);
  return [...items.map(fresh), ...comments.map(fresh), ...trials.map(fresh), ...milestones.map(fresh)];
}

import { Injectable } from '@nestjs/common';
import { digestOf } from '../../domain/content/digest.js';
import { isControl } from '../../domain/measurement/compare.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import type { RecordedTrial } from '../../domain/report/measurement-record.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Db } from '../../platform/database/database.js';
import { record as remember } from '../../platform/database/history.js';
import { uuidv7 } from '../../platform/database/id.js';
import { factsOf, toJson } from '../../platform/database/json.js';
import { AuditsService, auditSubject } from '../audits/audits.service.js';
import { CommentsService } from '../audits/comments.service.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { commentRows, historyRows, itemRows, milestoneRows } from './audit-import.rows.js';
import { batches, placeRuns } from './audit-import.runs.js';
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
    const metricIds = await this.metrics(tx, record, target);
    const runs = await placeRuns(tx, projectId, record.runs, metricIds, people);
    const auditId = uuidv7();
    const ids = new Map([[record.audit.id, auditId], ...newIds(record), ...runs.ids]);
    const { createdBy, endToEndTrial, clonedFrom, timeBreakdown, id: _, ...audit } = record.audit;
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
        ...(timeBreakdown === null ? {} : { timeBreakdown: toJson(this.breakdown(timeBreakdown, people)) }),
        clonedFromId: target.clonedFromId,
        createdById: people.maker(createdBy, 'audit.createdBy'),
      },
    });
    for (const batch of batches(itemRows(record, target, { auditId, projectId }, ids))) {
      await tx.auditItem.createMany({ data: batch });
    }
    await this.trials(tx, record, target, ids, metricIds);
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
    const isNamed = (one: { name: string }) => one.name === name || one.name.startsWith(`${name} (`);
    const same = there.find(
      (one) =>
        isNamed(one) && one.hardwareId === hardwareId && digestOf(factsOf(one.facts)) === digestOf(factsOf(facts)),
    );
    if (same) return { id: same.id, name: same.name };
    const taken = new Set(there.map((one) => one.name));
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
    return { id: await this.environments.insert(tx, viewer, { projectId, name: free, hardwareId, facts }), name: free };
  }

  private async metrics(tx: Db, record: AuditRecord, target: ImportTarget): Promise<ReadonlyMap<string, string>> {
    const ids = new Map([...target.metrics].map(([key, { id }]) => [key, id]));
    for (const { key, name, unit, direction } of record.metrics) {
      if (ids.has(key) || direction === null || direction === 'TARGET') continue;
      const own = { key, name, unit, direction };
      ids.set(key, (await this.measurements.nameMetric(tx, target.projectId, own)).id);
    }
    return ids;
  }

  private breakdown(
    { byId, ...shares }: NonNullable<AuditRecord['audit']['timeBreakdown']>,
    people: ImportTarget['people'],
  ) {
    return { ...shares, byId: people.has(byId) ? byId : null };
  }

  /** In the order of the record, so that the newest trial of an item is the newest again. */
  private async trials(
    tx: Db,
    record: AuditRecord,
    { projectId, people, tiers }: ImportTarget,
    ids: Map<string, string>,
    metricIds: ReadonlyMap<string, string>,
  ): Promise<void> {
    const itemIds = new Map(record.items.map(({ key, id }) => [key, ids.get(id) ?? '']));
    const runIds = (old: readonly string[]) => old.map((id) => ids.get(id) ?? '');
    for (const [index, trial] of record.trials.entries()) {
      const made = await this.measurements.insertRecorded(tx, tiers, {
        projectId,
        auditItemId: itemIds.get(trial.auditItemKey) ?? '',
        hypothesis: trial.hypothesis,
        variable: trial.variable,
        primaryMetricId: metricIds.get(trial.primaryMetric) ?? '',
        guardrails: trial.guardrails,
        threshold: trial.threshold,
        isPaired: trial.isPaired,
        sampling: trial.sampling,
        isSaidControl: isSaidControl(record, trial),
        originId: trial.originId,
        createdById: people.maker(trial.createdBy, `trials[${index}].createdBy`),
        createdAt: trial.createdAt,
        beforeRunIds: runIds(trial.beforeRunIds),
        afterRunIds: runIds(trial.afterRunIds),
      });
      ids.set(trial.id, made);
    }
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

/** New ids for what is made anew, rising in the order of the record, which is that of their making. */
function newIds({ items, milestones }: AuditRecord): readonly [string, string][] {
  const fresh = ({ id }: { readonly id: string }): [string, string] => [id, uuidv7()];
  return [...items.map(fresh), ...items.flatMap(({ comments }) => comments.map(fresh)), ...milestones.map(fresh)];
}

/** Whether somebody said that nothing was changed: where the arms tell it themselves, nobody needed to. */
function isSaidControl({ runs }: AuditRecord, trial: RecordedTrial): boolean {
  const variants = new Map(runs.map(({ id, variant }) => [id, variant]));
  const only = (ids: readonly string[]): string | null => {
    const found = new Set(ids.map((id) => variants.get(id) ?? null));
    return found.size === 1 ? ([...found][0] ?? null) : null;
  };
  const isInferred = isControl({
    variantBefore: only(trial.beforeRunIds),
    variantAfter: only(trial.afterRunIds),
    isSaid: false,
    hasDeclared: trial.variable.length > 0,
  });
  return trial.isControl && !isInferred;
}

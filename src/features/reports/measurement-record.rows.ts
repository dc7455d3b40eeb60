import {
  differencesShape,
  dimensionsShape,
  distributionShape,
  factSourcesShape,
  samplesShape,
  summaryShape,
  warningsShape,
} from '../../domain/measurement/stored.js';
import { inReport, type InReport } from '../../domain/measurement/report-family.js';
import { warningText } from '../../domain/measurement/warnings.js';
import type {
  RecordedComparison,
  RecordedMetric,
  RecordedRun,
  RecordedTrial,
} from '../../domain/report/measurement-record.js';
import type { RecordedAttachment, RecordedPerson } from '../../domain/report/record-parts.js';
import { factsOf } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { AttachmentRow, AuditRows, RunRows } from './audit-record.queries.js';
import { grouped } from './grouped.js';

export type People = ReadonlyMap<string, string>;

/** A moment as a record has it. */
export const time = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Somebody by id and name. */
export function person(people: People, id: string): RecordedPerson {
  return { id, name: people.get(id) ?? '' };
}

/** Somebody, or nobody. */
export function maybe(people: People, id: string | null): RecordedPerson | null {
  return id === null ? null : person(people, id);
}

/** The name that somebody has now, else the one that was written down. */
export function nameOf(people: People, id: string | null, written: string | null): string | null {
  return id === null ? written : (people.get(id) ?? written);
}

/** Files that are attached to something, as a record has them; the bytes are no part of it. */
export function toRecordedAttachments(rows: readonly AttachmentRow[], people: People): RecordedAttachment[] {
  return rows.map(({ sha256, fileName, mediaType, size, caption, createdAt, createdById, createdByName }) => ({
    sha256,
    fileName,
    mediaType,
    size,
    caption,
    attachedAt: createdAt.toISOString(),
    attachedBy: nameOf(people, createdById, createdByName),
  }));
}

/** A metric as a record has it. */
export function toRecordedMetric(row: AuditRows['metrics'][number]): RecordedMetric {
  const { key, scope, name, unit, dimension, direction, target, isExact, smallestEffect, role } = row;
  const isOwn = scope !== '';
  return { key, isOwn, name: toLocalizedText(name), unit, dimension, direction, target, isExact, smallestEffect, role };
}

/** Marks the content hash of a run that came with a record: nobody here has seen the file that it names. */
export const FROM_RECORD = 'record:';
/** Marks that of a run which was typed in where it was measured. */
export const TYPED_IN = `${FROM_RECORD}typed:`;

function contentHashOf(stored: string | null): string | null {
  if (stored === null || stored.startsWith(TYPED_IN)) return null;
  return stored.startsWith(FROM_RECORD) ? stored.slice(FROM_RECORD.length) : stored;
}

/** Runs as a record has them, oldest first. */
export function toRecordedRuns(
  { runs, observations, evidence, attachments }: RunRows & Pick<AuditRows, 'attachments'>,
  metricKeys: ReadonlyMap<string, string>,
  people: People,
): RecordedRun[] {
  const ofRun = grouped(observations, ({ runId }) => runId);
  const attached = grouped(attachments, ({ runId }) => runId ?? '');
  const files = new Map(evidence.map(({ id, ...file }) => [id, file]));
  return runs.map((run) => ({
    id: run.id,
    source: run.source,
    status: run.status,
    tool: run.tool,
    toolVersion: run.toolVersion,
    format: run.format,
    fileName: run.fileName,
    contentHash: contentHashOf(run.contentHash),
    part: contentHashOf(run.contentHash) === null ? 0 : run.part,
    session: run.session,
    block: run.block,
    variant: run.variant,
    environment: factsOf(run.environment),
    workload: factsOf(run.workload),
    factSources: factSourcesShape.parse(run.factSources),
    leftOut: run.leftOut,
    command: run.command,
    commit: run.commit,
    imageDigest: run.imageDigest,
    evidence: run.evidenceId === null ? null : (files.get(run.evidenceId) ?? null),
    startedAt: time(run.startedAt),
    createdAt: run.createdAt.toISOString(),
    createdBy: person(people, run.createdById),
    attachments: toRecordedAttachments(attached.get(run.id) ?? [], people),
    observations: (ofRun.get(run.id) ?? []).map((one) => ({
      metric: metricKeys.get(one.metricId) ?? '',
      dimensions: dimensionsShape.parse(one.dimensions),
      value: one.value,
      repeats: one.repeats,
      blocks: one.blocks,
      samples: one.samples,
      summary: one.summary === null ? null : summaryShape.parse(one.summary),
      distribution: one.distribution === null ? null : distributionShape.parse(one.distribution),
    })),
  }));
}

/** Trials with their newest comparisons; `keys` are those of the items by their ids. */
export function toRecordedTrials(rows: AuditRows, keys: ReadonlyMap<string, string>): RecordedTrial[] {
  const { people } = rows;
  const judged = judgedRows(rows);
  const metricKeys = new Map(rows.metrics.map(({ id, key }) => [id, key]));
  const links = grouped(rows.links, ({ trialId }) => trialId);
  const attached = grouped(rows.attachments, ({ trialId }) => trialId ?? '');
  const comparisons = grouped(rows.comparisons, ({ trialId }) => trialId ?? '');
  return rows.trials.map((trial) => {
    const ofTrial = links.get(trial.id) ?? [];
    const inArm = (arm: 'BEFORE' | 'AFTER') => ofTrial.filter((link) => link.arm === arm).map(({ runId }) => runId);
    return {
      id: trial.id,
      originId: trial.originId ?? trial.id,
      auditItemKey: keys.get(trial.auditItemId) ?? '',
      hypothesis: trial.hypothesis,
      variable: trial.variable,
      primaryMetric: metricKeys.get(trial.primaryMetricId) ?? '',
      guardrails: trial.guardrails,
      threshold: trial.threshold,
      isPaired: trial.isPaired,
      sampling: trial.sampling,
      isControl: trial.isControl,
      isSaidControl: trial.isSaidControl,
      plannedRunsPerArm: trial.plannedRunsPerArm,
      looks: trial.looks,
      override: overrideIn(trial),
      createdAt: trial.createdAt.toISOString(),
      createdBy: person(people, trial.createdById),
      attachments: toRecordedAttachments(attached.get(trial.id) ?? [], people),
      beforeRunIds: inArm('BEFORE'),
      afterRunIds: inArm('AFTER'),
      verdict: trial.verdict,
      comparisons: (comparisons.get(trial.id) ?? []).map((row) =>
        toRecordedComparison(row, metricKeys, judged.get(row.id)),
      ),
    };
  });
}

/** What each comparison is worth among all of the audit, by its id. */
function judgedRows({ trials, comparisons }: AuditRows): ReadonlyMap<string, InReport> {
  const of = new Map(trials.map(({ id, isControl, looks }) => [id, { isControl, looks }]));
  const single = { isControl: false, looks: 1 };
  const judged = inReport(comparisons.map((row) => ({ ...row, ...(of.get(row.trialId ?? '') ?? single) })));
  return new Map(comparisons.map(({ id }, index) => [id, judged[index] ?? notJudged]));
}

const notJudged: InReport = { reportAdjustedP: null, survivesReport: null };

/** Whoever has no account any more has the name that they had. */
function overrideIn(trial: AuditRows['trials'][number]): RecordedTrial['override'] {
  const { overrideReason: reason, overriddenById: id, overriddenByName, overriddenAt: at } = trial;
  if (reason === null || at === null) return null;
  return { reason, by: { id: id ?? trial.id, name: overriddenByName ?? '' }, at: at.toISOString() };
}

function toRecordedComparison(
  row: AuditRows['comparisons'][number],
  metricKeys: ReadonlyMap<string, string>,
  judged: InReport = notJudged,
): RecordedComparison {
  const { id, trialId, noteId, metricId, position, computation, cause, ...result } = row;
  return {
    ...result,
    ...judged,
    metric: metricKeys.get(metricId) ?? '',
    dimensions: dimensionsShape.parse(row.dimensions),
    computedAt: row.computedAt.toISOString(),
    warnings: warningsShape.parse(row.warnings).map((warning) => ({ ...warning, message: warningText(warning) })),
    differences: differencesShape.parse(row.differences),
    samples: samplesShape.parse(row.samples),
  };
}

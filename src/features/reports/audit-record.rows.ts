import { z } from 'zod';
import { effectiveApplies, progressOf, shownProof, type ItemCount } from '../../domain/audit/progress.js';
import { milestoneSnapshot, redactedSnapshot } from '../../domain/audit/milestone.js';
import { timeBreakdownOf } from '../../domain/audit/time-breakdown.js';
import { customItemOf } from '../../domain/audit/custom-item.js';
import { redactChanged, redactSettings } from '../../domain/measurement/redact-json.js';
import { RECORD_FORMAT, type AuditRecord, type RecordedItem } from '../../domain/report/audit-record.js';
import { factsOf, textsOf } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { AuditRows, ReleaseItemRow } from './audit-record.queries.js';
import { grouped } from './grouped.js';
import {
  maybe,
  nameOf,
  person,
  time,
  toRecordedAttachments,
  toRecordedMetric,
  toRecordedRuns,
  toRecordedTrials,
} from './measurement-record.rows.js';

type ItemRow = AuditRows['items'][number];

const objectShape = z.record(z.string(), z.unknown());
const objectOf = (json: unknown): Record<string, unknown> => objectShape.parse(json);

/** What a record says of an audit. `adoptable` are the notes that whoever asks may see. */
export function toAuditRecord(
  rows: AuditRows,
  adoptable: ReadonlyMap<string, AuditRows['notes'][number]>,
  exportedAt: Date,
): AuditRecord {
  const { head, people } = rows;
  const items = recordedItems(rows, adoptable);
  const inProgress = rows.items.filter(({ isArchived }) => !isArchived);
  const sectionOf = new Map(items.map(({ id, section }) => [id, section]));
  const bySection = grouped(inProgress, ({ id }) => sectionOf.get(id) ?? '');
  return {
    format: RECORD_FORMAT,
    exportedAt: exportedAt.toISOString(),
    audit: {
      id: head.id,
      title: head.title,
      status: head.status,
      createdAt: head.createdAt.toISOString(),
      createdBy: person(people, head.createdById),
      closedAt: time(head.closedAt),
      requiresReview: head.requiresReview,
      clonedFrom: head.clonedFromId,
      timeBreakdown: timeBreakdownOf(head.timeBreakdown),
      endToEndTrial: head.endToEndTrialId,
    },
    project: { slug: head.projectSlug, name: head.projectName },
    checklist: {
      slug: head.checklist,
      version: head.version,
      title: toLocalizedText(head.releaseTitle),
      digest: head.digest,
    },
    environment:
      head.environment === null
        ? null
        : {
            name: head.environment,
            hardware: hardwareOf(head.hardwareSlug, head.hardwareName),
            facts: factsOf(head.environmentFacts),
          },
    scope: {
      hardware: hardwareOf(head.scopeSlug, head.scopeName),
      facts: factsOf(head.scopeFacts),
      at: head.scopedAt.toISOString(),
    },
    progress: progressOf(inProgress.map(toCount)),
    sections: rows.sections.map(({ key, title, order }) => ({
      key,
      title: toLocalizedText(title),
      order,
      progress: progressOf((bySection.get(key) ?? []).map(toCount)),
    })),
    items,
    metrics: rows.metrics.map(toRecordedMetric),
    runs: toRecordedRuns(rows, new Map(rows.metrics.map(({ id, key }) => [id, key])), people),
    trials: toRecordedTrials(rows, new Map(items.map(({ id, key }) => [id, key]))),
    milestones: rows.milestones.map(({ id, name, createdAt, createdById, createdByName, snapshot }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      createdBy: nameOf(people, createdById, createdByName),
      snapshot: redactedSnapshot(milestoneSnapshot.parse(snapshot)),
    })),
    history: recordedHistory(rows, items),
  };
}

function hardwareOf(slug: string | null, name: string | null) {
  return slug === null ? null : { slug, name: name ?? slug };
}

function toCount({ applies, overruled, work, outcome, measuredProof, recheckCode }: ItemRow): ItemCount {
  return {
    applies,
    overruled,
    work,
    outcome,
    measuredProof,
    hasRecheck: recheckCode === null ? 'NO' : 'YES',
    count: 1,
  };
}

/** What an item is, whether of the release or of this audit alone. */
function subjectOf(row: ItemRow, releaseItems: ReadonlyMap<string, ReleaseItemRow>) {
  const found = row.releaseItemId === null ? undefined : releaseItems.get(row.releaseItemId);
  if (found) {
    return { key: found.key, section: found.section, title: toLocalizedText(found.title), release: found.version };
  }
  const { title } = customItemOf(row.custom);
  return { key: row.customKey ?? '', section: row.customSection ?? '', title, release: null };
}

function recordedItems(rows: AuditRows, adoptable: ReadonlyMap<string, AuditRows['notes'][number]>): RecordedItem[] {
  const { people } = rows;
  const releaseItems = new Map(rows.releaseItems.map((one) => [one.id, one]));
  const comments = grouped(rows.comments, ({ auditItemId }) => auditItemId);
  const attached = grouped(rows.attachments, ({ auditItemId }) => auditItemId ?? '');
  const trials = grouped(rows.trials, ({ auditItemId }) => auditItemId);
  return rows.items.map((row) => {
    const isCustom = row.releaseItemId === null;
    const note = row.adoptedFromId === null ? undefined : adoptable.get(row.adoptedFromId);
    return {
      id: row.id,
      ...subjectOf(row, releaseItems),
      isCustom,
      custom: isCustom ? objectOf(row.custom) : null,
      isArchived: row.isArchived,
      applicability: {
        answer: effectiveApplies(row),
        derived: row.applies,
        reasons: textsOf(row.appliesReasons),
        isPast: row.isPast,
      },
      overruling:
        row.overruled === null
          ? null
          : {
              answer: row.overruled,
              reason: row.overruleReason,
              by: maybe(people, row.overruledById),
              at: time(row.overruledAt),
            },
      work: row.work,
      outcome: row.outcome,
      reasonCode: row.reasonCode,
      reason: row.reason,
      remark: row.remark,
      recheck: recheckOf(row, releaseItems),
      proof: shownProof(row),
      expectation: row.expectation,
      plannedChange: redactSettings(row.plannedChange),
      adoptedFrom: note ? { id: note.id, slug: note.slug, title: toLocalizedText(note.title) } : null,
      assignee: maybe(people, row.assigneeId),
      dueAt: time(row.dueAt),
      priority: row.priority,
      expiresAt: time(row.expiresAt),
      assessedBy: maybe(people, row.assessedById),
      assessedAt: time(row.assessedAt),
      submittedBy: maybe(people, row.submittedById),
      submittedAt: time(row.submittedAt),
      acceptedBy: maybe(people, row.acceptedById),
      acceptedAt: time(row.acceptedAt),
      updatedAt: row.updatedAt.toISOString(),
      comments: (comments.get(row.id) ?? []).map((comment) => ({
        id: comment.id,
        author: nameOf(people, comment.authorId, comment.authorName) ?? '',
        body: comment.body,
        decision: comment.decision,
        createdAt: comment.createdAt.toISOString(),
        editedAt: time(comment.editedAt),
        replyTo: comment.parentId,
      })),
      trialIds: (trials.get(row.id) ?? []).map(({ id }) => id),
      attachments: toRecordedAttachments(attached.get(row.id) ?? [], people),
    };
  });
}

function recheckOf(row: ItemRow, releaseItems: ReadonlyMap<string, ReleaseItemRow>): RecordedItem['recheck'] {
  const { recheckCode, recheckCause, recheckSince, recheckOfId } = row;
  if (recheckCode === null || recheckSince === null) return null;
  return {
    code: recheckCode,
    cause: toLocalizedText(recheckCause ?? {}),
    since: recheckSince.toISOString(),
    release: recheckOfId === null ? null : (releaseItems.get(recheckOfId)?.version ?? null),
  };
}

function recordedHistory({ history, people }: AuditRows, items: readonly RecordedItem[]): AuditRecord['history'] {
  const keys = new Map(items.map(({ id, key }) => [id, key]));
  return history.map((entry) => ({
    at: entry.at.toISOString(),
    by: nameOf(people, entry.viewerId, entry.byName),
    subject: entry.subject,
    subjectId: entry.subjectId,
    itemKey: entry.auditItemId === null ? null : (keys.get(entry.auditItemId) ?? null),
    field: entry.field,
    before: redactChanged(entry.field, entry.before),
    after: redactChanged(entry.field, entry.after),
    reason: entry.reason,
  }));
}

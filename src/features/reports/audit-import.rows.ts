import type { Answer } from '../../domain/applicability/evaluate.js';
import { customItemJson, customItemOf } from '../../domain/audit/custom-item.js';
import { redactedSnapshot } from '../../domain/audit/milestone.js';
import type { Proof } from '../../domain/audit/proof.js';
import { redactChanged, redactSettings } from '../../domain/measurement/redact-json.js';
import type { AuditRecord, RecordedItem } from '../../domain/report/audit-record.js';
import { relabeled } from '../../domain/report/record-differences.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import type { ImportTarget, TargetItem } from './import-target.service.js';

/** The audit and the project that rows are for. */
interface Place {
  readonly auditId: string;
  readonly projectId: string;
}

type Ids = ReadonlyMap<string, string>;

/** JSON for a column that can be empty: nothing where there is nothing. */
function optional<K extends string>(name: K, value: unknown): Partial<Record<K, Prisma.InputJsonValue>> {
  if (value === null || value === undefined) return {};
  const part: Partial<Record<K, Prisma.InputJsonValue>> = {};
  part[name] = value;
  return part;
}

/**
 * The items of an imported audit: those of the record in its order, then those that the release has beside them, the
 * archived ones last. What the rules say is computed from the scope of the audit; an archived item keeps what they said.
 * `proofs` are what measurements say, by the new ids.
 */
export function itemRows(
  record: AuditRecord,
  target: ImportTarget,
  place: Place,
  ids: Ids,
  proofs: ReadonlyMap<string, Proof | null>,
): Prisma.AuditItemCreateManyInput[] {
  const named = new Set(record.items.map(({ key }) => key));
  const there = record.items.filter(({ isArchived }) => !isArchived);
  const archived = record.items.filter(({ isArchived }) => isArchived);
  const recorded = (item: RecordedItem) => recordedRow(item, target, ids.get(item.id) ?? uuidv7());
  const rows = [
    ...there.map(recorded),
    ...target.items.filter(({ key }) => !named.has(key)).map((item) => newRow(item, target)),
    ...archived.map(recorded),
  ];
  return rows.map((row, position) => ({ ...row, ...place, position, measuredProof: proofs.get(row.id) ?? null }));
}

type ItemRow = Omit<Prisma.AuditItemCreateManyInput, 'id' | 'auditId' | 'projectId' | 'position'> & {
  readonly id: string;
};

function answered({ answer, reasons, isPast }: Pick<Answer, 'answer' | 'reasons' | 'isPast'>) {
  return { applies: answer, appliesReasons: reasons.map(({ en, zh }) => ({ en, zh })), isPast };
}

function newRow({ id, applicability }: TargetItem, { rules, known }: ImportTarget): ItemRow {
  return { id: uuidv7(), releaseItemId: id, ...answered(rules.answer(applicability, known)) };
}

function recordedRow(item: RecordedItem, target: ImportTarget, id: string): ItemRow {
  const { people, rules, known } = target;
  const place = `items.${item.key}`;
  const ofRelease = item.release === null ? null : target.itemOf(item.release, item.key);
  const { derived, reasons, isPast } = item.applicability;
  const said = { answer: item.isArchived ? derived : 'YES', reasons, isPast } as const;
  return {
    id,
    releaseItemId: ofRelease?.id ?? null,
    ...optional('custom', item.custom && toJson(customItemJson(customItemOf(item.custom)))),
    customKey: item.isCustom ? item.key : null,
    customSection: item.isCustom ? item.section : null,
    ...answered(ofRelease === null || item.isArchived ? said : rules.answer(ofRelease.applicability, known)),
    overruled: item.overruling?.answer ?? null,
    overruleReason: item.overruling?.reason ?? null,
    overruledById: item.overruling && people.author(item.overruling.by, `${place}.overruling.by`),
    overruledAt: item.overruling?.at ?? null,
    work: item.work,
    outcome: item.outcome,
    reasonCode: item.reasonCode,
    reason: item.reason,
    remark: item.remark,
    ...recheckRow(item, target),
    adoptedFromId: (item.adoptedFrom && target.notes.get(item.adoptedFrom.id)) ?? null,
    expectation: item.expectation,
    ...optional('plannedChange', redactSettings(item.plannedChange)),
    assigneeId: people.match(item.assignee, `${place}.assignee`, 'WRITE_AUDITS'),
    dueAt: item.dueAt,
    priority: item.priority,
    expiresAt: item.expiresAt,
    isArchived: item.isArchived,
    assessedById: people[item.outcome === 'NOT_ASSESSED' ? 'actor' : 'author'](item.assessedBy, `${place}.assessedBy`),
    assessedAt: item.assessedAt,
    submittedById: people[item.work === 'IN_REVIEW' ? 'author' : 'actor'](item.submittedBy, `${place}.submittedBy`),
    submittedAt: item.submittedAt,
    acceptedById: people.actor(item.acceptedBy, `${place}.acceptedBy`),
    acceptedAt: item.acceptedAt,
    updatedAt: item.updatedAt,
  };
}

function recheckRow({ key, recheck }: RecordedItem, target: ImportTarget) {
  if (recheck === null) return {};
  const { code, cause, since, release } = recheck;
  return {
    recheckCode: code,
    recheckCause: toJson(cause),
    recheckSince: since,
    recheckOfId: release === null ? null : (target.itemOf(release, key)?.id ?? null),
  };
}

/** Comments with the names of their authors as text; the openers of threads come first. */
export function commentRows({ items }: AuditRecord, projectId: string, ids: Ids): Prisma.CommentCreateManyInput[] {
  const rows = items.flatMap((item) =>
    item.comments.map(({ id, author, replyTo, ...comment }) => ({
      ...comment,
      id: ids.get(id) ?? uuidv7(),
      projectId,
      auditItemId: ids.get(item.id) ?? '',
      authorName: author,
      parentId: replyTo === null ? null : (ids.get(replyTo) ?? null),
    })),
  );
  const isOpener = ({ parentId }: { parentId: string | null }) => parentId === null;
  return [...rows.filter(isOpener), ...rows.filter((row) => !isOpener(row))];
}

/** What a file is attached to: one of them. */
type AttachedTo = Pick<Prisma.AttachmentCreateManyInput, 'auditItemId' | 'trialId' | 'runId'>;

/**
 * Attachments with the names of who made them as text. They name the bytes of their files, and give no right to them: the
 * project has these, or lacks them until somebody uploads them.
 */
export function attachmentRows(
  { items, trials, runs }: AuditRecord,
  projectId: string,
  ids: Ids,
): Prisma.AttachmentCreateManyInput[] {
  const rows = (attachments: RecordedItem['attachments'], to: AttachedTo) =>
    attachments.map(({ attachedAt, attachedBy, ...file }) => ({
      ...file,
      ...to,
      id: uuidv7(),
      projectId,
      createdAt: attachedAt,
      createdByName: attachedBy,
    }));
  return [
    ...items.flatMap(({ id, attachments }) => rows(attachments, { auditItemId: ids.get(id) ?? '' })),
    ...trials.flatMap(({ id, attachments }) => rows(attachments, { trialId: ids.get(id) ?? '' })),
    ...runs.flatMap(({ id, attachments }) => rows(attachments, { runId: ids.get(id) ?? '' })),
  ];
}

/** Milestones with the names of who took them as text. */
export function milestoneRows(
  { milestones }: AuditRecord,
  { auditId, projectId }: Place,
  ids: Ids,
): Prisma.MilestoneCreateManyInput[] {
  return milestones.map(({ id, createdBy, snapshot, ...milestone }) => ({
    ...milestone,
    id: ids.get(id) ?? uuidv7(),
    auditId,
    projectId,
    snapshot: toJson(relabeled(redactedSnapshot(snapshot), ids)),
    createdByName: createdBy,
  }));
}

/**
 * The history with the names of who made it as text. What it is about is the new thing; what is not in the record gets an
 * id that nothing has, so that no file writes into the history of something else.
 */
export function historyRows(
  record: AuditRecord,
  { auditId, projectId }: Place,
  ids: Ids,
): Prisma.HistoryEntryCreateManyInput[] {
  const itemIds = new Map(record.items.map(({ key, id }) => [key, ids.get(id)]));
  const others = new Map<string, string>();
  const subjectOf = (old: string): string => {
    const known = ids.get(old) ?? others.get(old);
    if (known !== undefined) return known;
    const made = uuidv7();
    others.set(old, made);
    return made;
  };
  return record.history.map(({ at, by, subject, subjectId, itemKey, field, before, after, reason }) => ({
    id: uuidv7(),
    at,
    byName: by,
    projectId,
    auditId,
    auditItemId: itemKey === null ? null : (itemIds.get(itemKey) ?? null),
    subject,
    subjectId: subjectOf(subjectId),
    field,
    ...optional('before', relabeled(redactChanged(field, before), ids)),
    ...optional('after', relabeled(redactChanged(field, after), ids)),
    reason,
  }));
}

import { carriedWork, type CarriedPart } from '../../domain/audit/clone.js';
import { Prisma, type AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import type { Change } from '../../platform/database/history.js';
import { uuidv7 } from '../../platform/database/id.js';
import { textsOf, toJson } from '../../platform/database/json.js';
import { itemSubject } from '../audits/audits.service.js';

export type Parts = ReadonlySet<CarriedPart>;

/** What a clone is made by. */
export interface CloneRules {
  readonly auditId: string;
  readonly parts: Parts;
  readonly requiresReview: boolean;
  /** Ids of those who may be given work. */
  readonly assignable: ReadonlySet<string>;
  /** Who said something of each item there, by its id; nobody where states are not carried. */
  readonly authors: ReadonlyMap<string, readonly string[]>;
  /** Where the history says that it came from. */
  readonly reason: string;
}

/** An item of a clone: the row to be written, what was carried into it, and the item that it comes from. */
export interface ClonedItem {
  readonly from: AuditItemRow;
  readonly row: Prisma.AuditItemCreateManyInput & { readonly id: string };
  readonly carried: Readonly<Record<string, unknown>>;
}

/** An item as the clone begins with it. What measurements proved of it stays where it was measured. */
export function clonedItem(from: AuditItemRow, rules: CloneRules): ClonedItem {
  const { parts } = rules;
  const states = parts.has('STATES') ? statesOf(from, rules) : {};
  const remarks = parts.has('REMARKS') ? remarksOf(from) : {};
  const assignments = parts.has('ASSIGNMENTS') ? assignmentsOf(from, rules) : {};
  const carried = said({ ...states, ...coAuthors(from, rules), ...remarks, ...assignments });
  return {
    from,
    carried,
    row: {
      id: uuidv7(),
      auditId: rules.auditId,
      projectId: from.projectId,
      releaseItemId: from.releaseItemId,
      custom: jsonOf(from.custom),
      customKey: from.customKey,
      customSection: from.customSection,
      position: from.position,
      applies: from.applies,
      appliesReasons: textsOf(from.appliesReasons),
      isPast: from.isPast,
      ...states,
      ...remarks,
      ...assignments,
    },
  };
}

function statesOf(from: AuditItemRow, { requiresReview }: CloneRules) {
  const { outcome, reasonCode, reason, expiresAt, recheckCode, recheckCause, recheckSince, recheckOfId } = from;
  const { overruled, overruleReason, overruledById, overruledAt, assessedById, assessedAt } = from;
  return {
    work: carriedWork(from.work, { requiresReview }),
    outcome,
    reasonCode,
    reason,
    expiresAt,
    assessedById,
    assessedAt,
    recheckCode,
    recheckCause: jsonOf(recheckCause),
    recheckSince,
    recheckOfId,
    overruled,
    overruleReason,
    overruledById,
    overruledAt,
  };
}

/** Who is an author of what is carried beside whoever assessed it last: none of them reviews it in the clone. */
function coAuthors({ id, assessedById }: AuditItemRow, { authors }: CloneRules): Readonly<Record<string, unknown>> {
  const others = (authors.get(id) ?? []).filter((author) => author !== assessedById);
  return others.length === 0 ? {} : { coAuthors: others };
}

function remarksOf({ remark, expectation, plannedChange, adoptedFromId }: AuditItemRow) {
  return { remark, expectation, plannedChange: jsonOf(plannedChange), adoptedFromId };
}

function assignmentsOf({ assigneeId, dueAt, priority }: AuditItemRow, { assignable }: CloneRules) {
  return { assigneeId: assigneeId !== null && assignable.has(assigneeId) ? assigneeId : null, dueAt, priority };
}

/** What an item begins with where nobody said anything; all else begins with nothing. */
const unsaid: Readonly<Record<string, string>> = { work: 'TODO', outcome: 'NOT_ASSESSED', priority: 'NORMAL' };

function said(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== null && value !== Prisma.DbNull && value !== unsaid[name],
    ),
  );
}

function jsonOf(value: unknown) {
  return typeof value === 'object' && value !== null ? toJson(value) : Prisma.DbNull;
}

/** What the history of the clone says of its items: that custom ones are new, and the values that came with each. */
export function itemChanges(items: readonly ClonedItem[], { auditId, reason }: CloneRules): Change[] {
  return items.flatMap(({ from, row, carried }): Change[] => {
    const subject = itemSubject({ id: row.id, auditId, projectId: from.projectId });
    const { customKey: key, customSection: section, custom } = from;
    return [
      ...(from.releaseItemId === null
        ? [{ ...subject, field: 'created', after: toJson({ key, section, custom }), reason }]
        : []),
      ...(Object.keys(carried).length > 0 ? [{ ...subject, field: 'carried', after: toJson(carried), reason }] : []),
    ];
  });
}

/** Copies the threads of the items with their authors and times; the ids of the items that have some, and the history. */
export async function copyComments(
  tx: Db,
  items: readonly ClonedItem[],
  { auditId, reason }: CloneRules,
): Promise<{ readonly itemIds: readonly string[]; readonly changes: readonly Change[] }> {
  const itemOf = new Map(items.map(({ from, row }) => [from.id, row.id]));
  const rows = await tx.comment.findMany({
    where: { auditItem: { auditId: items[0]?.from.auditId ?? '' }, auditItemId: { in: [...itemOf.keys()] } },
    orderBy: { id: 'asc' },
  });
  const idOf = new Map(rows.map(({ id }) => [id, uuidv7()]));
  const copies = rows.map(({ id, auditItemId, parentId, ...row }) => ({
    ...row,
    id: idOf.get(id) ?? uuidv7(),
    version: 1,
    auditItemId: itemOf.get(auditItemId) ?? auditItemId,
    parentId: parentId === null ? null : (idOf.get(parentId) ?? null),
  }));
  // Those that open a thread first: the others name them
  await tx.comment.createMany({
    data: [
      ...copies.filter(({ parentId }) => parentId === null),
      ...copies.filter(({ parentId }) => parentId !== null),
    ],
  });
  const changes = copies.map(
    ({ id, auditItemId, projectId, body, parentId, decision, authorId, authorName, ...times }): Change => ({
      projectId,
      auditId,
      auditItemId,
      subject: 'comment',
      subjectId: id,
      field: 'carried',
      after: toJson({
        body,
        replyTo: parentId,
        decision,
        authorId,
        authorName,
        createdAt: times.createdAt,
        editedAt: times.editedAt,
      }),
      reason,
    }),
  );
  return { itemIds: [...new Set(copies.map(({ auditItemId }) => auditItemId))], changes };
}

import {
  checkAssessment,
  checkTransition,
  expiryAfter,
  isReassessed,
  type Assessment,
  type RecheckAnswer,
} from '../../domain/audit/transitions.js';
import { invalidInput } from '../../domain/errors.js';
import { optionalText } from '../../domain/text-limits.js';
import type { AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import type { Change } from '../../platform/database/history.js';
import { currentState, itemSubject } from './audits.queries.js';
import type { AuditItemPatch, UpdateAuditItemInput } from './audits.types.js';

/** A change of one item, or of many at once. */
export type Patch = AuditItemPatch | Omit<UpdateAuditItemInput, 'id' | 'version'>;

/** The columns that a person changes, by the names that the history gives them. */
const editable = [
  'work',
  'outcome',
  'reasonCode',
  'reason',
  'remark',
  'expiresAt',
  'assigneeId',
  'dueAt',
  'priority',
] as const;
type Editable = Pick<AuditItemRow, (typeof editable)[number]>;

/** What else becomes of an item with a change. */
type Consequences = Pick<
  AuditItemRow,
  | 'recheckCode'
  | 'recheckSince'
  | 'recheckOfId'
  | 'assessedById'
  | 'assessedAt'
  | 'submittedById'
  | 'submittedAt'
  | 'acceptedById'
  | 'acceptedAt'
>;

/** A change of an item that is allowed: what is to be written, and what the history says of it. */
export interface ItemChange {
  readonly data: Editable & Consequences;
  readonly changes: readonly Change[];
  /** Whether the search has to learn of it. */
  readonly changesWords: boolean;
}

export interface ChangeRules {
  readonly viewerId: string;
  readonly requiresReview: boolean;
  /** Whether the viewer reviews in an audit that requires it, and is not an author of what the item says. */
  readonly isOtherReviewer: boolean;
  readonly now: Date;
}

/** Fields of which the reason of the outcome says nothing. */
const withoutReason: ReadonlySet<string> = new Set(['assigneeId', 'dueAt', 'priority']);

/**
 * What a patch makes of an item: absent fields are left alone, null clears. Null where nothing changes; the error of the
 * first rule that it breaks. Nothing is written here, so that a dry run and the change itself cannot disagree.
 */
export function changeOf(current: AuditItemRow, patch: Patch, rules: ChangeRules): ItemChange | null {
  const next = patched(current, patch, rules.now);
  checkAssessment(next);
  const recheck = recheckAnswer(current, next, patch, rules);
  const { requiresReview, now } = rules;
  checkTransition(current, next, { requiresReview, recheck, now, current: currentState(current) });
  const fields = editable.filter((field) => !isSame(next[field], current[field]));
  if (fields.length === 0 && recheck === 'NONE') return null;
  const subject = itemSubject(current);
  const changes: Change[] = fields.map((field) => ({
    ...subject,
    field,
    before: jsonOf(current[field]),
    after: jsonOf(next[field]),
    reason: withoutReason.has(field) ? null : next.reason,
  }));
  if (recheck !== 'NONE') changes.push({ ...subject, field: 'recheck', before: current.recheckCode, after: null });
  if (current.acceptedById !== null && !isStillAccepted(current, next)) {
    changes.push({ ...subject, field: 'acceptedById', before: current.acceptedById, after: null });
  }
  // Behind the mark: what stands before an acceptance was accepted
  if (recheck === 'CONFIRMED') changes.push({ ...subject, ...confirmation(current, rules) });
  return {
    data: { ...next, ...consequences(current, next, recheck, rules) },
    changes,
    changesWords: fields.includes('remark') || fields.includes('reason'),
  };
}

/** Assessing again is what a re-check mark asks for, whether or not the outcome is another one. */
function recheckAnswer(current: AuditItemRow, next: Editable, patch: Patch, rules: ChangeRules): RecheckAnswer {
  if (current.recheckCode === null || patch.outcome === undefined) return 'NONE';
  const isKept = current.acceptedById !== null && isStillAccepted(current, next);
  return isKept && rules.requiresReview && rules.isOtherReviewer ? 'CONFIRMED' : 'ASSESSED';
}

/** Whoever confirms what was accepted accepts it as it is now. */
function confirmation({ acceptedById, acceptedAt }: AuditItemRow, { viewerId, now }: ChangeRules) {
  return acceptedById === viewerId
    ? { field: 'acceptedAt', before: jsonOf(acceptedAt), after: jsonOf(now) }
    : { field: 'acceptedById', before: acceptedById, after: viewerId };
}

/**
 * What becomes of an item of which something else than its assessment changed, such as its text: in an audit that
 * requires reviews what is DONE is in progress again, since nobody accepted it so. Nothing in any other case.
 */
export function takenBack(
  current: AuditItemRow,
  { requiresReview, reason }: { readonly requiresReview: boolean; readonly reason: string | null },
): { readonly data: Partial<TakenBack>; readonly changes: readonly Change[] } {
  if (!requiresReview || current.work !== 'DONE') return { data: {}, changes: [] };
  const subject = itemSubject(current);
  const { acceptedById } = current;
  const accepted = { ...subject, field: 'acceptedById', before: acceptedById, after: null, reason };
  return {
    data: { work: 'IN_PROGRESS', acceptedById: null, acceptedAt: null },
    changes: [
      { ...subject, field: 'work', before: current.work, after: 'IN_PROGRESS', reason },
      ...(acceptedById === null ? [] : [accepted]),
    ],
  };
}

type TakenBack = Pick<AuditItemRow, 'work' | 'acceptedById' | 'acceptedAt'>;

function patched(current: AuditItemRow, patch: Patch, now: Date): Editable {
  const { work, outcome, reasonCode, reason, expiresAt, assigneeId, dueAt, priority } = patch;
  const nextOutcome = outcome === undefined ? current.outcome : (outcome ?? 'NOT_ASSESSED');
  return {
    work: work === undefined ? current.work : (work ?? 'TODO'),
    outcome: nextOutcome,
    reasonCode: reasonCode === undefined ? current.reasonCode : reasonCode,
    reason: reason === undefined ? current.reason : optionalText(reason, 'reason'),
    remark: withRemark(current.remark, patch),
    expiresAt: nextExpiry(current, nextOutcome, outcome !== undefined, expiresAt, now),
    assigneeId: assigneeId === undefined ? current.assigneeId : assigneeId,
    dueAt: dueAt === undefined ? current.dueAt : dueAt,
    priority: priority === undefined ? current.priority : (priority ?? 'NORMAL'),
  };
}

function withRemark(current: string | null, { remark, addRemark }: Patch) {
  const kept = remark === undefined ? current : optionalText(remark, 'remark');
  const added = optionalText(addRemark, 'addRemark');
  if (added === null) return kept;
  return optionalText(kept === null ? added : `${kept}\n\n${added}`, 'remark');
}

function nextExpiry(
  current: AuditItemRow,
  outcome: Assessment['outcome'],
  isAssessed: boolean,
  given: Date | null | undefined,
  now: Date,
): Date | null {
  if (given === undefined) {
    const kept = expiryAfter(current, outcome);
    // Whoever says the same again after the date has passed means it without that date
    return isAssessed && kept !== null && kept <= now ? null : kept;
  }
  if (given !== null && given <= now && given.getTime() !== current.expiresAt?.getTime()) {
    throw inThePast(given);
  }
  return given;
}

/** What to throw for a date of expiry that has been reached. */
export function inThePast(given: Date) {
  return invalidInput(
    {
      en: `expiresAt must lie in the future, and is ${given.toISOString()}`,
      zh: `expiresAt 须为将来的时间，现为 ${given.toISOString()}`,
    },
    { place: 'expiresAt' },
  );
}

function consequences(current: AuditItemRow, next: Editable, recheck: RecheckAnswer, rules: ChangeRules): Consequences {
  const { recheckCode, recheckSince, recheckOfId, assessedById, assessedAt } = current;
  const { submittedById, submittedAt, acceptedById, acceptedAt } = current;
  const by = (isNow: boolean, id: string | null, at: Date | null): [string | null, Date | null] =>
    isNow ? [rules.viewerId, rules.now] : [id, at];
  const isSubmitted = next.work === 'IN_REVIEW' && current.work !== 'IN_REVIEW';
  const isWithdrawn = current.work === 'IN_REVIEW' && next.work !== 'IN_REVIEW';
  const isAssessed = isReassessed(current, next) || recheck === 'ASSESSED';
  const [nextAssessedById, nextAssessedAt] = by(isAssessed, assessedById, assessedAt);
  const [nextSubmittedById, nextSubmittedAt] = isWithdrawn ? [null, null] : by(isSubmitted, submittedById, submittedAt);
  const [nextAcceptedById, nextAcceptedAt] = isStillAccepted(current, next)
    ? by(recheck === 'CONFIRMED', acceptedById, acceptedAt)
    : [null, null];
  return {
    ...(recheck !== 'NONE'
      ? { recheckCode: null, recheckSince: null, recheckOfId: null }
      : { recheckCode, recheckSince, recheckOfId }),
    assessedById: nextAssessedById,
    assessedAt: nextAssessedAt,
    submittedById: nextSubmittedById,
    submittedAt: nextSubmittedAt,
    acceptedById: nextAcceptedById,
    acceptedAt: nextAcceptedAt,
  };
}

function isStillAccepted(current: AuditItemRow, next: Editable): boolean {
  return next.work === 'DONE' && !isReassessed(current, next);
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}

function jsonOf(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}

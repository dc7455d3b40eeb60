import { z } from 'zod';
import { subjects } from '../audit/history-labels.js';
import { milestoneSnapshot } from '../audit/milestone.js';
import { timeBreakdownShape } from '../audit/time-breakdown.js';
import { releasePattern } from '../content/schema.js';
import { TEXT_LIMITS } from '../text-limits.js';
import { measurements } from './measurement-record.js';
import {
  attachments,
  bothLanguages,
  facts,
  filledLongText,
  filledName,
  hardware,
  id,
  json,
  key,
  LIST_LIMITS,
  listOf,
  localized,
  longText,
  name,
  optionalLongText,
  person,
  progress,
  time,
} from './record-parts.js';

/** The format of a record. The number rises when what an older reader does not know would be read wrongly. */
export const RECORD_FORMAT = 'tunebook-audit/1';

const answer = z.enum(['YES', 'NO', 'UNKNOWN']);
const version = z.string().regex(releasePattern).max(50);

const comment = z.object({
  id,
  author: name,
  /** Markdown. */
  body: filledLongText,
  /** The word of a reviewer on what was submitted. */
  decision: z.enum(['ACCEPTED', 'REJECTED']).nullable(),
  createdAt: time,
  editedAt: time.nullable(),
  /** The comment that opened the thread; null for that one itself. */
  replyTo: id.nullable(),
});
export type RecordedComment = z.output<typeof comment>;

const item = z.object({
  id,
  /** `section/topic`, or `custom/topic` for an item of this audit alone. */
  key,
  /** Key of the section that it stands in. */
  section: key,
  title: localized,
  /** The release of the checklist that it is of; that of an archived item can be an older one. Null for a custom item. */
  release: version.nullable(),
  isCustom: z.boolean(),
  /** The texts of a custom item, as `customItemOf` reads them. */
  custom: z.record(z.string(), json).nullable(),
  /** Whether an upgrade took it out, or a person a custom one: it counts for nothing and is shown apart. */
  isArchived: z.boolean(),
  applicability: z.object({
    /** What counts: a person's word over that of the rules. */
    answer,
    /** What the rules say, with their reasons. */
    derived: answer,
    reasons: listOf(bothLanguages, LIST_LIMITS.reasons),
    /** A version is newer than the item's range: what it works around is gone. */
    isPast: z.boolean(),
  }),
  /** What a person says instead of the rules. */
  overruling: z.object({ answer, reason: optionalLongText, by: person.nullable(), at: time.nullable() }).nullable(),
  work: z.enum(['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE']),
  outcome: z.enum(['NOT_ASSESSED', 'ALREADY_IN_PLACE', 'APPLIED', 'REJECTED', 'DEFERRED', 'NOT_APPLICABLE']),
  reasonCode: z
    .enum(['OUT_OF_SCOPE', 'CONSTRAINT', 'TRIED_WITHOUT_GAIN', 'TOO_RISKY', 'TOO_COSTLY', 'LATER', 'OTHER'])
    .nullable(),
  /** Markdown, as the remark is. */
  reason: optionalLongText,
  remark: optionalLongText,
  /** Set where the result is to be looked at again: work, outcome and reason are then the old ones. */
  recheck: z
    .object({
      code: z.enum(['CHECK_CHANGED', 'ENVIRONMENT_CHANGED', 'EXPIRED']),
      cause: localized,
      since: time,
      /** The release whose check the result was given for, where it changed since. */
      release: version.nullable(),
    })
    .nullable(),
  /** What measurements say; null unless the outcome is APPLIED. */
  proof: z.enum(['VERIFIED', 'INDICATED', 'UNVERIFIED', 'REGRESSED']).nullable(),
  expectation: optionalLongText,
  /** The settings that an adopted note changed. */
  plannedChange: json,
  /** The note that it was adopted from; `slug` for a reference note. */
  adoptedFrom: z.object({ id, slug: key.nullable(), title: localized }).nullable(),
  assignee: person.nullable(),
  dueAt: time.nullable(),
  priority: z.enum(['LOW', 'NORMAL', 'HIGH']),
  expiresAt: time.nullable(),
  assessedBy: person.nullable(),
  assessedAt: time.nullable(),
  submittedBy: person.nullable(),
  submittedAt: time.nullable(),
  acceptedBy: person.nullable(),
  acceptedAt: time.nullable(),
  updatedAt: time,
  /** Oldest first. */
  comments: listOf(comment, LIST_LIMITS.comments),
  /** Oldest first. */
  trialIds: listOf(id, LIST_LIMITS.trialsOfItem),
  attachments,
});
export type RecordedItem = z.output<typeof item>;

const historyEntry = z.object({
  at: time,
  /** Null where a rule did it, such as a date that was reached. */
  by: name.nullable(),
  subject: z.enum(Object.keys(subjects)),
  subjectId: key,
  /** Key of the item that it is about. */
  itemKey: key.nullable(),
  field: z.string().min(1).max(TEXT_LIMITS.name),
  before: json,
  after: json,
  reason: longText.nullable(),
});
export type RecordedHistoryEntry = z.output<typeof historyEntry>;

const count = z.int().min(0).max(LIST_LIMITS.items);

/** A snapshot as the database keeps it, no larger than one that an audit of a record can have. */
const snapshot = milestoneSnapshot.extend({
  checklist: key,
  release: name,
  environmentName: name.nullable(),
  scope: z.object({ hardware: key.nullable(), facts }),
  progress: z.object({ total: count, applicable: count, assessed: count, done: count, verified: count }),
  items: listOf(
    milestoneSnapshot.shape.items.element.extend({
      key,
      section: key,
      title: localized,
      reason: longText.nullable(),
      remark: longText.nullable(),
      assignee: name.nullable(),
    }),
    LIST_LIMITS.items,
  ),
});

const milestone = z.object({
  id,
  name: filledName,
  createdAt: time,
  createdBy: name.nullable(),
  snapshot,
});
export type RecordedMilestone = z.output<typeof milestone>;

/**
 * Everything that one audit is, as one JSON value: what reports are rendered from, and what an import reads. Times are ISO
 * 8601 in UTC, gains are fractions, values are in the unit of their metric.
 */
export const auditRecord = z.object({
  format: z.literal(RECORD_FORMAT),
  exportedAt: time,
  audit: z.object({
    id,
    title: filledName,
    status: z.enum(['OPEN', 'CLOSED']),
    createdAt: time,
    createdBy: person,
    closedAt: time.nullable(),
    requiresReview: z.boolean(),
    /** Id of the audit that it was cloned from. */
    clonedFrom: id.nullable(),
    /** Shares of compute, communication, input and host, with where they come from. */
    timeBreakdown: timeBreakdownShape
      .extend({ note: optionalLongText.default(null), at: time, byId: key.nullable().default(null) })
      .nullable(),
    /** Id of the trial that measured all applied items together. */
    endToEndTrial: id.nullable(),
  }),
  project: z.object({ slug: key, name }),
  checklist: z.object({
    slug: key,
    version,
    title: localized,
    /** SHA-256 over all that the release says. */
    digest: z.string().max(64),
  }),
  /** As it is now; what the audit was scoped by stands in `scope`. */
  environment: z.object({ name: filledName, hardware: hardware.nullable(), facts }).nullable(),
  /** The hardware and the facts that the rules were asked about. */
  scope: z.object({ hardware: hardware.nullable(), facts, at: time }),
  /** Over the items that are not archived, as everywhere in the product. */
  progress,
  /** In the order of the checklist. */
  sections: listOf(z.object({ key, title: localized, order: z.int(), progress }), LIST_LIMITS.sections),
  /** In the order of the audit, the archived ones last. */
  items: listOf(item, LIST_LIMITS.items),
  ...measurements,
  /** Oldest first, as the history is. */
  milestones: listOf(milestone, LIST_LIMITS.milestones),
  history: listOf(historyEntry, LIST_LIMITS.history),
});
export type AuditRecord = z.output<typeof auditRecord>;

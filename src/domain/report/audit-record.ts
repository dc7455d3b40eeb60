import { z } from 'zod';
import { milestoneSnapshot } from '../audit/milestone.js';
import { timeBreakdownShape } from '../audit/time-breakdown.js';
import { releasePattern } from '../content/schema.js';
import { TEXT_LIMITS } from '../text-limits.js';
import { measurements } from './measurement-record.js';
import {
  bothLanguages,
  facts,
  filledName,
  hardware,
  id,
  json,
  key,
  localized,
  longText,
  name,
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
  body: longText,
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
    reasons: z.array(bothLanguages),
    /** A version is newer than the item's range: what it works around is gone. */
    isPast: z.boolean(),
  }),
  /** What a person says instead of the rules. */
  overruling: z.object({ answer, reason: longText.nullable(), by: person.nullable(), at: time.nullable() }).nullable(),
  work: z.enum(['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE']),
  outcome: z.enum(['NOT_ASSESSED', 'ALREADY_IN_PLACE', 'APPLIED', 'REJECTED', 'DEFERRED', 'NOT_APPLICABLE']),
  reasonCode: z
    .enum(['OUT_OF_SCOPE', 'CONSTRAINT', 'TRIED_WITHOUT_GAIN', 'TOO_RISKY', 'TOO_COSTLY', 'LATER', 'OTHER'])
    .nullable(),
  /** Markdown, as the remark is. */
  reason: longText.nullable(),
  remark: longText.nullable(),
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
  expectation: longText.nullable(),
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
  comments: z.array(comment),
  /** Oldest first. */
  trialIds: z.array(id),
});
export type RecordedItem = z.output<typeof item>;

const historyEntry = z.object({
  at: time,
  /** Null where a rule did it, such as a date that was reached. */
  by: name.nullable(),
  subject: z.string().min(1).max(TEXT_LIMITS.tag),
  subjectId: key,
  /** Key of the item that it is about. */
  itemKey: key.nullable(),
  field: z.string().min(1).max(TEXT_LIMITS.name),
  before: json,
  after: json,
  reason: longText.nullable(),
});
export type RecordedHistoryEntry = z.output<typeof historyEntry>;

const milestone = z.object({
  id,
  name,
  createdAt: time,
  createdBy: name.nullable(),
  snapshot: milestoneSnapshot,
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
    timeBreakdown: timeBreakdownShape.nullable(),
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
  sections: z.array(z.object({ key, title: localized, order: z.int(), progress })),
  /** In the order of the audit, the archived ones last. */
  items: z.array(item).max(5_000),
  ...measurements,
  /** Oldest first, as the history is. */
  milestones: z.array(milestone),
  history: z.array(historyEntry),
});
export type AuditRecord = z.output<typeof auditRecord>;

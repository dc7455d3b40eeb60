import { z } from 'zod';
import { redactFacts } from '../measurement/redact.js';
import { evidenceShape, verdictShape } from '../measurement/stored.js';
import { effectiveApplies } from './progress.js';

/** The format of a snapshot. The number rises when what an older reader does not know would be read wrongly. */
export const MILESTONE_FORMAT = 'tunebook-milestone/1';

const text = z.object({ en: z.string().nullable(), zh: z.string().nullable() });
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const applies = z.enum(['YES', 'NO', 'UNKNOWN']);

/** What the newest trial with a verdict says of an item, on its primary metric; gains are fractions. */
const trialVerdict = z.object({
  metric: z.string(),
  verdict: verdictShape,
  gain: z.number().nullable(),
  gainLow: z.number().nullable(),
  gainHigh: z.number().nullable(),
  evidence: evidenceShape,
});

const item = z.object({
  /** `section/topic`, or `custom/topic` for an item of the audit alone. */
  key: z.string(),
  isCustom: z.boolean(),
  isArchived: z.boolean(),
  /** Key of the section that it stands in. */
  section: z.string(),
  title: text,
  /** What the rules say, and what a person says instead. */
  applies,
  overruled: applies.nullable(),
  work: z.enum(['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE']),
  outcome: z.enum(['NOT_ASSESSED', 'ALREADY_IN_PLACE', 'APPLIED', 'REJECTED', 'DEFERRED', 'NOT_APPLICABLE']),
  reasonCode: z
    .enum(['OUT_OF_SCOPE', 'CONSTRAINT', 'TRIED_WITHOUT_GAIN', 'TOO_RISKY', 'TOO_COSTLY', 'LATER', 'OTHER'])
    .nullable(),
  reason: z.string().nullable(),
  remark: z.string().nullable(),
  recheck: z.enum(['CHECK_CHANGED', 'ENVIRONMENT_CHANGED', 'EXPIRED']).nullable(),
  /** Null unless the outcome is APPLIED. */
  proof: z.enum(['VERIFIED', 'INDICATED', 'UNVERIFIED', 'REGRESSED']).nullable(),
  /** Name of the person whose it is. */
  assignee: z.string().nullable(),
  verdict: trialVerdict.nullable(),
});

const count = z.int().min(0);

/** Shares of the time of a step, with where they come from. */
export const timeBreakdown = z.record(z.string(), z.unknown()).nullable();

/** What a milestone keeps of an audit, whole: it says the same when everything that it names has changed. */
export const milestoneSnapshot = z.object({
  format: z.literal(MILESTONE_FORMAT),
  checklist: z.string(),
  /** Version of the release. */
  release: z.string(),
  status: z.enum(['OPEN', 'CLOSED']),
  environmentName: z.string().nullable(),
  /** What the rules were asked about: the slug of a hardware profile, and the facts over those of it. */
  scope: z.object({
    hardware: z.string().nullable(),
    facts: z.record(z.string(), z.union([scalar, z.array(scalar).readonly(), z.null()])),
  }),
  progress: z.object({ total: count, applicable: count, assessed: count, done: count, verified: count }),
  timeBreakdown,
  /** In the order of the audit, the archived ones last. */
  items: z.array(item),
});

export type MilestoneSnapshot = z.output<typeof milestoneSnapshot>;
export type MilestoneItem = z.output<typeof item>;

/** The snapshot without what its facts tell of a person, a machine or a secret. */
export function redactedSnapshot(snapshot: MilestoneSnapshot): MilestoneSnapshot {
  const { scope } = snapshot;
  return { ...snapshot, scope: { ...scope, facts: redactFacts(scope.facts).facts } };
}

/** A snapshot without its items, for lists of milestones. */
export const milestoneHead = milestoneSnapshot.omit({ items: true });
export type MilestoneHead = z.output<typeof milestoneHead>;

/** What differs of an item between two states of an audit. */
export type MilestoneDifferenceKind =
  'ADDED' | 'REMOVED' | 'WORK' | 'OUTCOME' | 'PROOF' | 'VERDICT' | 'APPLICABILITY' | 'RECHECK' | 'TEXT';

/** An item that differs, with both of its states; null on the side where the audit did not have it. */
export interface MilestoneItemDifference {
  readonly key: string;
  readonly kinds: readonly MilestoneDifferenceKind[];
  readonly before: MilestoneItem | null;
  readonly after: MilestoneItem | null;
}

/**
 * The items that differ, in the order of the later state, and then those that it lacks. They are matched by key. An item
 * that was archived counts as removed, and one that is there again as added; only what else differs of an item that is
 * in both is told apart.
 */
export function milestoneDifferences(
  before: readonly MilestoneItem[],
  after: readonly MilestoneItem[],
): readonly MilestoneItemDifference[] {
  const earlier = new Map(before.map((one) => [one.key, one]));
  const later = new Set(after.map(({ key }) => key));
  const pairs = [
    ...after.map((one) => ({ key: one.key, before: earlier.get(one.key) ?? null, after: one })),
    ...before.filter(({ key }) => !later.has(key)).map((one) => ({ key: one.key, before: one, after: null })),
  ];
  return pairs
    .map((pair) => ({ ...pair, kinds: kindsOf(pair.before, pair.after) }))
    .filter(({ kinds }) => kinds.length > 0);
}

function kindsOf(before: MilestoneItem | null, after: MilestoneItem | null): readonly MilestoneDifferenceKind[] {
  const [wasThere, isThere] = [before, after].map((one) => one !== null && !one.isArchived);
  if (wasThere !== isThere) return isThere ? ['ADDED'] : ['REMOVED'];
  if (before === null || after === null) return [];
  const differs: Readonly<Record<Exclude<MilestoneDifferenceKind, 'ADDED' | 'REMOVED'>, boolean>> = {
    WORK: before.work !== after.work,
    OUTCOME: before.outcome !== after.outcome || before.reasonCode !== after.reasonCode,
    PROOF: before.proof !== after.proof,
    VERDICT: !isSameVerdict(before.verdict, after.verdict),
    APPLICABILITY: effectiveApplies(before) !== effectiveApplies(after),
    RECHECK: before.recheck !== after.recheck,
    TEXT:
      before.reason !== after.reason ||
      before.remark !== after.remark ||
      before.title.en !== after.title.en ||
      before.title.zh !== after.title.zh,
  };
  return kinds.filter((kind) => differs[kind]);
}

const kinds = ['WORK', 'OUTCOME', 'PROOF', 'VERDICT', 'APPLICABILITY', 'RECHECK', 'TEXT'] as const;

/** Another trial, or another computation, shows in its numbers too. */
function isSameVerdict(one: MilestoneItem['verdict'], other: MilestoneItem['verdict']): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.metric === other.metric &&
    one.verdict === other.verdict &&
    one.evidence === other.evidence &&
    one.gain === other.gain &&
    one.gainLow === other.gainLow &&
    one.gainHigh === other.gainHigh
  );
}

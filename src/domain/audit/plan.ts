import type { Applies } from '../applicability/evaluate.js';
import type { BothLanguages } from '../locale.js';
import { ceilingOf, otherShare, type TimePart, type TimeShares } from './time-breakdown.js';
import {
  countedTrials,
  expectedGainOf,
  isDeadEnd,
  summaryOf,
  type ExpectedGain,
  type MeasuredGain,
  type StatedGain,
  type TrialSummary,
} from './plan-gain.js';
import { isOpen, isPutOff } from './open.js';
import { raiseWhatIsNeeded } from './plan-order.js';
import { explanationOf } from './plan-text.js';
import type { Outcome, Work } from './transitions.js';

/** An item of an audit, as far as the plan looks at it. Archived ones are not given. */
export interface PlannableItem {
  readonly id: string;
  /** section/topic */
  readonly key: string;
  /** Its place in the audit. */
  readonly position: number;
  readonly title: BothLanguages;
  /** What the rules say, after a person's overruling, and why. */
  readonly applies: Applies;
  readonly appliesReasons: readonly BothLanguages[];
  readonly work: Work;
  readonly outcome: Outcome;
  readonly hasRecheck: boolean;
  readonly expiresAt: Date | null;
  /** What it relieves, and what it costs; null where nobody says. */
  readonly bottleneck: string | null;
  readonly effort: string | null;
  /** Its primary metric, with the smallest effect that matters as a fraction. */
  readonly metric: string | null;
  readonly threshold: number;
  readonly stated: readonly StatedGain[];
  /** Keys of the items that must be in place first. */
  readonly requires: readonly string[];
  /** Trials of the same practice, this audit's own included. */
  readonly trials: readonly MeasuredGain[];
  /** What the reference notes about it measured. */
  readonly notes: readonly MeasuredGain[];
}

export interface PlanEntry {
  /** From 1. */
  readonly rank: number;
  readonly id: string;
  readonly isOpen: boolean;
  readonly score: number;
  readonly expected: ExpectedGain;
  readonly evidence: TrialSummary;
  readonly isDeadEnd: boolean;
  /** The part of the time that the item works on; null for one that is not about a part. */
  readonly part: TimePart | null;
  /** The share of that part; null where it is unknown. */
  readonly share: number | null;
  /** What counts of the time: the share, or at most what the known parts leave; PARTLESS_SHARE for what is about no one part; 1 where nothing is known. */
  readonly countedShare: number;
  /** What the expected gain saves of that time, a fraction; below 0 where it takes more. */
  readonly saved: number;
  /** The largest gain that is possible, a fraction; null where none is known. */
  readonly ceiling: number | null;
  readonly effort: string | null;
  readonly effortFactor: number;
  readonly threshold: number;
  readonly isBelowThreshold: boolean;
  /** Whether it is in place and only to be looked at again. */
  readonly isInPlace: boolean;
  readonly explanation: readonly BothLanguages[];
}

/** The part of the time that an item works on, by what it relieves. Others (latency, cost, reliability, any) are about no one part. */
const partOf: Readonly<Record<string, TimePart>> = {
  compute: 'compute',
  'memory-bandwidth': 'compute',
  'memory-capacity': 'compute',
  power: 'compute',
  communication: 'communication',
  input: 'input',
  storage: 'input',
  host: 'host',
};
/**
 * What is about no one part of the time counts as if it worked on half of it, once the parts are known: it may touch all of
 * it or hardly any, and must neither outrank what is known to be about most of the time nor vanish.
 */
export const PARTLESS_SHARE = 0.5;
/**
 * How much of that time one operation takes that somebody measured alone is not known here: a tenth is assumed, so that what
 * was measured on a whole job comes first.
 */
export const OPERATION_SHARE = 0.1;
/** What an item costs, as a divisor of its score: M is twice S. */
export const EFFORT_FACTORS: Readonly<Record<string, number>> = { XS: 0.5, S: 1, M: 2, L: 4, XL: 8 };
/** Where nobody says the effort, it counts as M. */
export const UNSPECIFIED_EFFORT = 2;
/** It is not known whether the item applies: half of it counts. */
export const UNKNOWN_APPLICABILITY = 0.5;

/** A figure that is worse without end counts as this many times the time. */
const MOST_LOST = 1e6;

/**
 * The share of its time that a gain saves, g / (1 + g): done 1.25 times as fast is 0.2 of the time saved, and no gain saves
 * more than all of it. A gain of a time is old / new − 1 and one of a rate new / old − 1 (`compare`), so that both are
 * speed-ups; a loss is time added, below 0.
 */
export function savedBy(gain: number): number {
  return gain <= -1 ? -MOST_LOST : Math.max(-MOST_LOST, gain / (1 + gain));
}

/**
 * The items of an audit in the order in which they are worth a try:
 * score = weight of the evidence × share of the time × time saved of it × applicability / effort factor, with g / (1 + g) for the
 * time that a gain g saves, UNKNOWN_APPLICABILITY where it is unknown whether the item applies, and
 * OPERATION_SHARE for a gain of one operation. The share of a part that
 * is not known counts as what the known parts leave of the step, else as 1. The ceiling is Amdahl's, 1 / (1 − share) − 1: what is in place and only to be looked at again comes after what
 * promises a gain, then what cannot bring the smallest effect that matters or is expected to cost time, and dead ends last; equals stand by position. What an item needs is raised to right before it.
 * `which` is ALL for what is settled too.
 */
export function planOf(
  items: readonly PlannableItem[],
  breakdown: PlanBreakdown | null,
  now: Date,
  which: 'OPEN' | 'ALL' = 'OPEN',
): readonly PlanEntry[] {
  const scored = items
    .filter((item) => item.applies !== 'NO')
    .map((item) => ({ item, isOpen: isOpen({ ...item, isPutOff: isPutOff(item, now) }) }))
    .filter((one) => which === 'ALL' || one.isOpen)
    .map((one) => ({ ...one, scored: scoreOf(one.item, breakdown) }))
    .map((one) => ({ ...one, isSunk: one.scored.isDeadEnd || one.scored.isBelowThreshold }))
    .toSorted(
      (a, b) =>
        groupOf(a.scored) - groupOf(b.scored) || b.scored.score - a.scored.score || a.item.position - b.item.position,
    );
  return raiseWhatIsNeeded(scored, items).map(({ entry, raisedFor, missing }, index) => ({
    ...entry.scored,
    rank: index + 1,
    id: entry.item.id,
    isOpen: entry.isOpen,
    explanation: explanationOf(entry.item, entry.scored, { hasBreakdown: breakdown !== null, raisedFor, missing }),
  }));
}

/** Where the time goes, and of what the shares are. */
export interface PlanBreakdown extends TimeShares {
  readonly of: 'STEP' | 'DEVICE_TIME';
}

export type Scored = Omit<PlanEntry, 'rank' | 'id' | 'isOpen' | 'explanation'>;

function scoreOf(item: PlannableItem, breakdown: PlanBreakdown | null): Scored {
  const { threshold, effort } = item;
  const expected = expectedGainOf(item);
  const evidence = summaryOf(countedTrials(item.trials));
  const part = item.bottleneck === null ? null : (partOf[item.bottleneck] ?? null);
  const share = part === null || breakdown === null ? null : breakdown[part];
  const countedShare = breakdown === null ? 1 : part === null ? PARTLESS_SHARE : (share ?? leftShare(breakdown));
  const ceiling = part === null || breakdown === null ? null : ceilingOf(countedShare);
  const effortFactor = effort === null ? UNSPECIFIED_EFFORT : (EFFORT_FACTORS[effort] ?? UNSPECIFIED_EFFORT);
  const saved = savedBy(expected.gain);
  const applies = item.applies === 'UNKNOWN' ? UNKNOWN_APPLICABILITY : 1;
  const operation = expected.isOfWholeJob ? 1 : OPERATION_SHARE;
  return {
    // A loss of no time is 0, not −0
    score: (expected.weight * countedShare * operation * saved * applies) / effortFactor + 0,
    expected,
    evidence,
    isDeadEnd: isDeadEnd(evidence),
    part,
    share,
    countedShare,
    saved,
    ceiling,
    effort,
    effortFactor,
    threshold,
    isBelowThreshold: ceiling !== null && ceiling < threshold,
    isInPlace: item.outcome === 'APPLIED' || item.outcome === 'ALREADY_IN_PLACE',
  };
}

/** What the known parts of a step leave to one that is not known. Shares of the device's time leave out the host. */
function leftShare(breakdown: PlanBreakdown): number {
  return breakdown.of === 'STEP' ? otherShare(breakdown) : 1;
}

function groupOf({ isDeadEnd, isBelowThreshold, isInPlace, saved }: Scored): number {
  if (isDeadEnd) return 3;
  if (isBelowThreshold || saved < 0) return 2;
  return isInPlace ? 1 : 0;
}

import type { Applies } from '../applicability/evaluate.js';
import type { BothLanguages } from '../locale.js';
import { ceilingOf, type TimePart, type TimeShares } from './time-breakdown.js';
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

/** An item that another one needs and that is not in place. */
export interface Missing {
  readonly item: PlannableItem;
  readonly isPlanned: boolean;
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
  /** The largest gain that is possible, a fraction; null where none is known. */
  readonly ceiling: number | null;
  readonly effort: string | null;
  readonly effortFactor: number;
  readonly threshold: number;
  /** Whether more of the gain was expected than counts. */
  readonly isCapped: boolean;
  readonly isBelowThreshold: boolean;
  readonly explanation: readonly BothLanguages[];
}

/** The part of the time that an item works on, by what it relieves. Others, such as cost, are not about a part. */
const partOf: Readonly<Record<string, TimePart>> = {
  compute: 'compute',
  'memory-bandwidth': 'compute',
  'memory-capacity': 'compute',
  power: 'compute',
  communication: 'communication',
  input: 'input',
  storage: 'input',
  host: 'host',
  latency: 'host',
};
/** What an item costs, as a divisor of its score: M is twice S. */
export const EFFORT_FACTORS: Readonly<Record<string, number>> = { XS: 0.5, S: 1, M: 2, L: 4, XL: 8 };
/** Where nobody says the effort, it counts as M. */
export const UNSPECIFIED_EFFORT = 2;
/**
 * What was measured or stated elsewhere, often of a single operation, counts as a doubling at most. What trials measured
 * counts in full.
 */
export const MOST_COUNTED_ELSEWHERE = 1;
/** It is not known whether the item applies: half of it counts. */
export const UNKNOWN_APPLICABILITY = 0.5;

/**
 * Whether something is left to do: the result is to be looked at again, or the work is not done and nothing is said yet,
 * or it was deferred to no date or to one that is past. Never for what does not apply.
 */
export function isOpen(
  item: Pick<PlannableItem, 'applies' | 'work' | 'outcome' | 'hasRecheck' | 'expiresAt'>,
  now: Date,
): boolean {
  if (item.applies === 'NO') return false;
  if (item.hasRecheck) return true;
  if (item.work === 'DONE') return false;
  if (item.outcome === 'NOT_ASSESSED') return true;
  return item.outcome === 'DEFERRED' && (item.expiresAt === null || item.expiresAt <= now);
}

/**
 * The items of an audit in the order in which they are worth a try:
 * score = weight of the evidence × min(gain, ceiling) × share of the time / effort factor, halved where it is unknown whether the item
 * applies; gains from elsewhere count as MOST_COUNTED_ELSEWHERE at most. The ceiling is Amdahl's: 1 / (1 − share) − 1; an unknown share counts as 1 and gives none. What cannot bring the smallest
 * effect that matters comes after all others, and dead ends last; equals stand by position. An item comes after those that it needs.
 * `which` is ALL for what is settled too.
 */
export function planOf(
  items: readonly PlannableItem[],
  breakdown: TimeShares | null,
  now: Date,
  which: 'OPEN' | 'ALL' = 'OPEN',
): readonly PlanEntry[] {
  const planned = items.filter((item) => item.applies !== 'NO' && (which === 'ALL' || isOpen(item, now)));
  const keys = new Set(planned.map(({ key }) => key));
  const byKey = new Map(items.map((item) => [item.key, item]));
  const missingOf = new Map(
    planned.map((item): [string, readonly Missing[]] => [item.key, missingFor(item, byKey, keys)]),
  );
  const scored = planned
    .map((item) => ({ item, ...scoreOf(item, breakdown) }))
    .toSorted((a, b) => groupOf(a) - groupOf(b) || b.score - a.score || a.item.position - b.item.position);
  return afterWhatTheyNeed(scored, missingOf).map(({ item, ...entry }, index) => ({
    ...entry,
    rank: index + 1,
    id: item.id,
    isOpen: isOpen(item, now),
    explanation: explanationOf(item, entry, breakdown !== null, missingOf.get(item.key) ?? []),
  }));
}

export type Scored = Omit<PlanEntry, 'rank' | 'id' | 'isOpen' | 'explanation'>;

function scoreOf(item: PlannableItem, breakdown: TimeShares | null): Scored {
  const { threshold, effort } = item;
  const counted = countedTrials(item.trials);
  const expected = expectedGainOf({ ...item, trials: counted });
  const evidence = summaryOf(counted);
  const part = item.bottleneck === null ? null : (partOf[item.bottleneck] ?? null);
  const share = part === null || breakdown === null ? null : breakdown[part];
  const ceiling = share === null ? null : ceilingOf(share);
  const effortFactor = effort === null ? UNSPECIFIED_EFFORT : (EFFORT_FACTORS[effort] ?? UNSPECIFIED_EFFORT);
  const most = expected.basis === 'TRIALS' ? Infinity : MOST_COUNTED_ELSEWHERE;
  const possible = Math.max(0, Math.min(expected.gain, ceiling ?? Infinity, most));
  const applies = item.applies === 'UNKNOWN' ? UNKNOWN_APPLICABILITY : 1;
  return {
    score: (expected.weight * possible * (share ?? 1) * applies) / effortFactor,
    expected,
    evidence,
    isDeadEnd: isDeadEnd(evidence),
    part,
    share,
    ceiling,
    effort,
    effortFactor,
    threshold,
    isCapped: expected.gain > most && (ceiling === null || ceiling > most),
    isBelowThreshold: ceiling !== null && ceiling < threshold,
  };
}

function groupOf({ isDeadEnd, isBelowThreshold }: Scored): number {
  return isDeadEnd ? 2 : isBelowThreshold ? 1 : 0;
}

/** What does not apply here cannot be missing here, and what another checklist holds is not known. */
function missingFor(
  item: PlannableItem,
  byKey: ReadonlyMap<string, PlannableItem>,
  planned: ReadonlySet<string>,
): readonly Missing[] {
  return [...new Set(item.requires)].flatMap((key): Missing[] => {
    const needed = byKey.get(key);
    if (!needed || needed === item || needed.applies === 'NO') return [];
    if (['APPLIED', 'ALREADY_IN_PLACE', 'NOT_APPLICABLE'].includes(needed.outcome)) return [];
    return [{ item: needed, isPlanned: planned.has(key) }];
  });
}

/** Each goes right behind the last of those that it needs, or stays. Those that need each other stay as they are. */
function afterWhatTheyNeed<E extends { readonly item: PlannableItem }>(
  entries: readonly E[],
  missingOf: ReadonlyMap<string, readonly Missing[]>,
): readonly E[] {
  const ordered: E[] = [];
  const placed = new Set<string>();
  const isReady = ({ item }: E) =>
    (missingOf.get(item.key) ?? []).every((missing) => !missing.isPlanned || placed.has(missing.item.key));
  let waiting: readonly E[] = [];
  const place = (entry: E): void => {
    ordered.push(entry);
    placed.add(entry.item.key);
  };
  for (const entry of entries) {
    if (!isReady(entry)) {
      waiting = [...waiting, entry];
      continue;
    }
    place(entry);
    for (let next = waiting.find(isReady); next; next = waiting.find(isReady)) {
      place(next);
      waiting = waiting.filter((other) => other !== next);
    }
  }
  return [...ordered, ...waiting];
}

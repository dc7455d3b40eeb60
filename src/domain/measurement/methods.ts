import { FEWEST_BLOCKS } from './arms.js';
import type { ComparisonWarning } from './compare.js';
import type { Interval } from './order-statistics.js';
import {
  ascending,
  at,
  evenlyThinned,
  largestOf,
  middleOf,
  momentsOf,
  pairwiseDifferences,
  smallestOf,
  walshAverages,
} from './order-statistics.js';
import { FEWEST_FOR_NOISE_FLOOR, floorFactor, spreadOfFloor } from './noise.js';
import { gapFactorOfLook } from './looks.js';
import { moreRunsPerArm, type Plan } from './planning.js';
import { rankTest } from './rank-test.js';
import { signedRankTest } from './signed-rank.js';
import { type EvidenceLevel, type Verdict, directionOf, isBeyond, reaches, verdictOf } from './verdict.js';
import { welchOnLogs } from './welch.js';

export type Method =
  'EXACT_COMPARISON' | 'NOISE_FLOOR' | 'RANGE_GAP' | 'MANN_WHITNEY' | 'SIGNED_RANK' | 'WELCH_LOG' | 'NONE';

/** The fewest values of the smaller arm that a rank test takes. */
export const FEWEST_FOR_RANKS = 4;

/** Both arms on the scale of the test: logarithms, or distances to the target in the metric's unit. */
export interface Question {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** +1 where higher on this scale is better, −1 where lower is. */
  readonly sign: 1 | -1;
  /** τ, and the noise floor, as the caller knows them. */
  readonly threshold: number;
  readonly noiseFloor: number | null;
  /** How many values told the floor; null where it is exact. */
  readonly noiseFloorCount?: number | null;
  /** Which look at growing data this is; the first where absent. */
  readonly look?: number;
  /** A threshold on the scale of the test: ln(1 + τ) on logarithms. */
  readonly limitOf: (threshold: number) => number;
}

/** What one row of the table of methods answers. Shift and intervals are on the scale of the test, plus is better. */
export interface Finding {
  readonly method: Method;
  readonly evidence: EvidenceLevel;
  readonly verdict: Verdict;
  readonly isStrong: boolean;
  readonly shift: number | null;
  readonly interval95: Interval | null;
  readonly interval90: Interval | null;
  readonly pValue: number | null;
  readonly requiredGain: number;
  readonly moreRunsPerArm: number | null;
  readonly warnings: readonly ComparisonWarning[];
}

const withoutInterval = { isStrong: false, interval95: null, interval90: null, pValue: null } as const;

/** Nothing can be said: why stands in the warning. */
export function nothingShown(requiredGain: number, moreRuns: number | null, warning: ComparisonWarning): Finding {
  return {
    ...withoutInterval,
    method: 'NONE',
    evidence: 'NONE',
    verdict: 'INCONCLUSIVE',
    shift: null,
    requiredGain,
    moreRunsPerArm: moreRuns,
    warnings: [warning],
  };
}

/**
 * Counted values: the medians are compared, and any difference below τ is no meaningful change. `shift` is null where
 * the logarithm does not exist; then a change counts when |after − before| ≥ τ · the smaller size, which is the same test.
 */
export function exactFinding(input: {
  readonly before: number;
  readonly after: number;
  readonly sign: 1 | -1;
  readonly threshold: number;
  readonly shift: number | null;
  readonly limit: number;
}): Finding {
  const difference = input.after - input.before;
  const smaller = Math.min(Math.abs(input.before), Math.abs(input.after));
  const counts =
    input.shift === null
      ? reaches(difference, input.threshold * smaller)
      : reaches(input.shift, input.limit) && difference !== 0;
  return {
    ...withoutInterval,
    method: 'EXACT_COMPARISON',
    evidence: 'EXACT',
    verdict: counts ? directionOf(input.sign * difference) : 'NO_MEANINGFUL_CHANGE',
    shift: input.shift === null ? null : input.sign * input.shift,
    requiredGain: input.threshold,
    moreRunsPerArm: null,
    warnings: [],
  };
}

/** The most values of an arm, or pairs, that are compared with each other: the work grows with their number. */
export const MOST_COMPARED = 2_000;

/** Thinned in the order of their size, so that no rhythm of the measurement can be hit. */
function thinned(values: readonly number[]): readonly number[] {
  return values.length > MOST_COMPARED ? evenlyThinned([...ascending(values)], MOST_COMPARED) : values;
}

function withThinning(finding: Finding, { before, after }: Pick<Question, 'before' | 'after'>): Finding {
  if (Math.max(before.length, after.length) <= MOST_COMPARED) return finding;
  const details = { before: before.length, after: after.length, kept: MOST_COMPARED };
  return { ...finding, warnings: [...finding.warnings, { code: 'VALUES_THINNED', details }] };
}

/** The row of the smaller arm: one value, two or three, four and more. */
export function findingByCount(all: Question): Finding {
  return withThinning(findingOf({ ...all, before: thinned(all.before), after: thinned(all.after) }), all);
}

function findingOf(question: Question): Finding {
  const fewest = Math.min(question.before.length, question.after.length);
  if (fewest === 1) return singleRunFinding(question);
  return fewest < FEWEST_FOR_RANKS ? rangeGapFinding(question) : rankFinding(question);
}

/**
 * One value says nothing about its own noise, so the noise floor has to. A change that does not reach three times the
 * floor, as large as it may be, may still be one: the answer is then INCONCLUSIVE, never "no change".
 */
function singleRunFinding(question: Question): Finding {
  const { noiseFloor, sign, threshold } = question;
  const shift = sign * middleOf(pairwiseDifferences(question.before, question.after));
  const requiredGain = Math.min(
    Number.MAX_VALUE,
    Math.max(2 * threshold, floorFactor(question.noiseFloorCount ?? null) * (noiseFloor ?? 0)),
  );
  const isShown = noiseFloor !== null && reaches(shift, question.limitOf(requiredGain));
  const spread = noiseFloor === null ? 0 : spreadOfFloor(noiseFloor);
  return {
    ...withoutInterval,
    method: 'NOISE_FLOOR',
    evidence: 'SINGLE_RUN',
    verdict: isShown ? directionOf(shift) : 'INCONCLUSIVE',
    shift,
    requiredGain,
    moreRunsPerArm: isShown ? null : moreRunsPerArm(twoArms(question, shift, spread)),
    warnings: noiseFloor === null ? [{ code: 'NO_NOISE_FLOOR', details: { runsNeeded: FEWEST_FOR_NOISE_FLOOR } }] : [],
  };
}

/**
 * Two or three values: the arms must lie apart by more than twice the larger of the two ranges. This row has no
 * interval, so it never shows that nothing changed.
 */
function rangeGapFinding(question: Question): Finding {
  const { before, after, sign, threshold } = question;
  const shift = sign * middleOf(pairwiseDifferences(before, after));
  const [lowBefore, highBefore] = [smallestOf(before), largestOf(before)];
  const [lowAfter, highAfter] = [smallestOf(after), largestOf(after)];
  const gap = Math.max(lowAfter - highBefore, lowBefore - highAfter);
  const range = Math.max(highBefore - lowBefore, highAfter - lowAfter);
  const requiredGain = Math.min(Number.MAX_VALUE, 2 * threshold);
  const isShown =
    gap > 0 && gap > gapFactorOfLook(question.look ?? 1) * range && reaches(shift, question.limitOf(requiredGain));
  return {
    ...withoutInterval,
    method: 'RANGE_GAP',
    evidence: 'INDICATIVE',
    verdict: isShown ? directionOf(shift) : 'INCONCLUSIVE',
    shift,
    requiredGain,
    moreRunsPerArm: isShown ? null : moreRunsPerArm(twoArms(question, shift, pooledSpread(before, after))),
    warnings: [],
  };
}

function rankFinding(question: Question): Finding {
  const { before, after } = question;
  const test = rankTest(before, after, question.look);
  const plan = twoArms(question, test.shift, pooledSpread(before, after));
  return intervalFinding({ method: 'MANN_WHITNEY', evidence: 'STATISTICAL', question, test, plan });
}

/** At least six pairs: `before[i]` and `after[i]` are the two values of one block. */
export function pairedFinding(question: Question): Finding {
  const differences = differencesOf(question);
  const test = signedRankTest(differences, question.look);
  const plan = pairsPlan(question, differences, test.shift);
  return withThinning(intervalFinding({ method: 'SIGNED_RANK', evidence: 'PAIRED', question, test, plan }), question);
}

function differencesOf({ before, after }: Pick<Question, 'before' | 'after'>): readonly number[] {
  return thinned(after.map((value, index) => value - at(before, index)));
}

function pairsPlan(question: Question, differences: readonly number[], shift: number): Plan {
  const spread = momentsOf(differences).sd ?? 0;
  return { ...twoArms(question, shift, spread), design: 'PAIRS', fewest: FEWEST_BLOCKS };
}

/** How many more blocks settle what the blocks that there are, too few for the paired test, do not; two tell a spread. */
export function moreBlocks(question: Question): number | null {
  const differences = differencesOf(question);
  if (differences.length < 2) return null;
  return moreRunsPerArm(pairsPlan(question, differences, middleOf(walshAverages(differences))));
}

export interface SummaryOfArm {
  readonly mean: number;
  readonly sd: number;
  readonly n: number | null;
}

/** An unknown count is taken as 2, the fewest that have a spread: the widest interval that it can be. */
const ASSUMED_COUNT = 2;

/** Mean and spread only. The means must be positive. */
export function summaryFinding(
  before: SummaryOfArm,
  after: SummaryOfArm,
  question: Omit<Question, 'before' | 'after'>,
): Finding {
  const [one, other] = [before, after].map(({ n, ...arm }) => ({ ...arm, n: n ?? ASSUMED_COUNT }));
  if (!one || !other) throw new RangeError('Two arms are compared');
  if (Math.min(one.n, other.n) < 2) {
    const warning = { code: 'TOO_FEW_VALUES', details: { before: one.n, after: other.n, needed: 2 } };
    return nothingShown(question.threshold, 2 - Math.min(one.n, other.n), warning);
  }
  const test = welchOnLogs(one, other, question.look);
  const limit = question.limitOf(question.threshold);
  const spread = Math.sqrt(((one.sd / one.mean) ** 2 + (other.sd / other.mean) ** 2) / 2);
  const n = Math.min(one.n, other.n);
  const look = nextLook(question);
  const plan: Plan = { design: 'TWO_ARMS', n, fewest: FEWEST_FOR_RANKS, spread, shift: test.shift, limit, look };
  return intervalFinding({ method: 'WELCH_LOG', evidence: 'SUMMARY', question, test, plan });
}

function intervalFinding(input: {
  readonly method: Method;
  readonly evidence: EvidenceLevel;
  readonly question: Pick<Question, 'sign' | 'threshold' | 'limitOf'>;
  readonly test: {
    readonly shift: number;
    readonly p: number | null;
    readonly interval95: Interval | null;
    readonly interval90: Interval | null;
  };
  readonly plan: Plan;
}): Finding {
  const { test, plan } = input;
  const { sign, threshold, limitOf } = input.question;
  const limit = limitOf(threshold);
  const shift = sign * test.shift;
  const interval95 = better(sign, test.interval95);
  const interval90 = better(sign, test.interval90);
  const verdict = verdictOf({ shift, interval95, interval90, limit });
  return {
    method: input.method,
    evidence: input.evidence,
    verdict,
    isStrong: isBeyond(verdict, interval95, limit),
    shift,
    interval95,
    interval90,
    pValue: test.p,
    requiredGain: threshold,
    moreRunsPerArm: verdict === 'INCONCLUSIVE' ? moreRunsPerArm(plan) : null,
    warnings: [],
  };
}

function better(sign: 1 | -1, interval: Interval | null): Interval | null {
  return interval && sign === -1 ? { low: -interval.high, high: -interval.low } : interval;
}

function twoArms(question: Question, shift: number, spread: number): Plan {
  const n = Math.min(question.before.length, question.after.length);
  return {
    design: 'TWO_ARMS',
    n,
    fewest: FEWEST_FOR_RANKS,
    spread,
    shift,
    limit: question.limitOf(question.threshold),
    // One value without a noise floor could show nothing, so it was no look.
    look: n === 1 && question.noiseFloor === null ? (question.look ?? 1) : nextLook(question),
  };
}

/** More runs are another look. */
function nextLook({ look = 1 }: Pick<Question, 'look'>): number {
  return look + 1;
}

/** Root of the mean of both variances: the same whichever arm comes first. */
function pooledSpread(before: readonly number[], after: readonly number[]): number {
  return Math.sqrt(((momentsOf(before).sd ?? 0) ** 2 + (momentsOf(after).sd ?? 0) ** 2) / 2);
}

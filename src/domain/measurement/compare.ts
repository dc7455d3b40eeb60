import { invalidInput } from '../errors.js';
import { sessionCheck, valuesOf } from './arms.js';
import { type EnvironmentDifference, isUnknownOnOneSide } from './environment-diff.js';
import type { Method, SummaryOfArm } from './methods.js';
import type { MetricDefinition } from './metric.js';
import { medianOf } from './order-statistics.js';
import { overriddenWarning, type Override } from './override.js';
import { readingOf, type Scale } from './readings.js';
import { cappedAt, type EvidenceLevel, type Verdict } from './verdict.js';

/** Stored with every comparison; raised when the same data could get another answer. */
export const METHOD_VERSION = '1.1.0';

export interface MeasuredValue {
  readonly value: number;
  /** One allocation of the machine with fresh processes; null where it is not known. */
  readonly session: string | null;
  /** Values of both arms in the same block were measured side by side. */
  readonly block: string | null;
  readonly runId: string | null;
}

/** How the values behind a summary came about; separate sessions where nobody says otherwise. */
export type SummarySampling = 'SEPARATE_SESSIONS' | 'ONE_SESSION' | 'UNKNOWN';

/** One arm: single values, or no more than mean and standard deviation (of single values) from a report. */
export type ArmData =
  | { readonly kind: 'values'; readonly values: readonly MeasuredValue[] }
  | ({ readonly kind: 'summary'; readonly sampling?: SummarySampling } & SummaryOfArm);

/** Values are in the metric's unit. Noise floor and threshold are fractions; with TARGET the threshold is in the unit. */
export interface ComparisonInput {
  readonly metric: MetricDefinition;
  readonly before: ArmData;
  readonly after: ArmData;
  readonly noiseFloor: number | null;
  readonly userThreshold: number | null;
  readonly differences: readonly EnvironmentDifference[];
  /** How many values told the noise floor; null where it is exact. */
  readonly noiseFloorCount?: number | null;
  /** Which look at growing data this is (looks.ts); the first where absent. */
  readonly look?: number;
  /** A reviewer's word that the arms can be compared although they differ. */
  readonly override?: Override | null;
}

export interface ComparisonWarning {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Never NaN or infinite: what cannot be said is null, and a warning says why. */
export interface ComparisonResult {
  /** Values that were compared; 0 for a summary that does not say how many. */
  readonly nBefore: number;
  readonly nAfter: number;
  /** Null for a summary, whose median nobody knows. */
  readonly medianBefore: number | null;
  readonly medianAfter: number | null;
  /** after / before by the shift of the method. */
  readonly ratio: number | null;
  /** A fraction, plus is better: exp(s · shift) − 1. */
  readonly gain: number | null;
  readonly gainLow: number | null;
  readonly gainHigh: number | null;
  readonly gainLow90: number | null;
  readonly gainHigh90: number | null;
  readonly pValue: number | null;
  /** τ: the largest of smallest effect, noise floor and the user's threshold. */
  readonly threshold: number;
  /** What this row had to reach: 2τ for two or three values, max(2τ, 3 × noise floor) for one, else τ. */
  readonly requiredGain: number;
  readonly method: Method;
  readonly methodVersion: string;
  readonly evidence: EvidenceLevel;
  readonly verdict: Verdict;
  readonly isStrong: boolean;
  readonly isConfounded: boolean;
  readonly moreRunsPerArm: number | null;
  readonly warnings: readonly ComparisonWarning[];
  readonly differences: readonly EnvironmentDifference[];
}

/**
 * The verdict on one metric of two arms, by the method that the data allow (methods.ts). Swapping the arms mirrors it.
 * Throws INVALID_INPUT for a value that is not a finite number.
 */
export function compare(input: ComparisonInput): ComparisonResult {
  refuseNonFinite(input.before);
  refuseNonFinite(input.after);
  const blocking = blockingReason(input.differences);
  if (blocking && !input.override) return notComparable(input, blocking);
  const scale = scaleOf(input);
  if ('code' in scale) return notComparable(input, scale);
  const { finding, compared, warnings } = readingOf(input, scale);
  const { shift, interval95, interval90 } = finding;
  const sessions = sessionCheck(compared, input);
  const confounding = confoundingDifferences(input.differences);
  const isConfounded = confounding.length > 0;
  const isLog = scale.target === null;
  const medians = { medianBefore: medianIn(compared.before), medianAfter: medianIn(compared.after) };
  const gainAt = (place: number | undefined): number | null =>
    isLog && place !== undefined ? finiteOrNull(Math.expm1(place)) : null;
  return {
    nBefore: countIn(input.before, compared.before),
    nAfter: countIn(input.after, compared.after),
    ...medians,
    ratio: isLog ? ratioAt(shift, scale.sign) : quotient(medians),
    gain: gainAt(shift ?? undefined),
    gainLow: gainAt(interval95?.low),
    gainHigh: gainAt(interval95?.high),
    gainLow90: gainAt(interval90?.low),
    gainHigh90: gainAt(interval90?.high),
    pValue: finding.pValue,
    threshold: scale.threshold,
    requiredGain: finding.requiredGain,
    method: finding.method,
    methodVersion: METHOD_VERSION,
    evidence: sessions.isCapped || isConfounded ? cappedAt(finding.evidence, 'INDICATIVE') : finding.evidence,
    verdict: finding.verdict,
    isStrong: finding.isStrong,
    isConfounded,
    moreRunsPerArm: finding.moreRunsPerArm,
    warnings: [
      ...overriddenWarning(blocking, input.override ?? null),
      ...confoundingWarnings(confounding),
      ...sessions.warnings,
      ...finding.warnings,
      ...warnings,
    ],
    differences: input.differences,
  };
}

/** The result where the arms must not be compared, for example because their units do not fit: no more than the data. */
export function notComparable(input: ComparisonInput, reason: ComparisonWarning): ComparisonResult {
  const before = input.before.kind === 'values' ? input.before.values : [];
  const after = input.after.kind === 'values' ? input.after.values : [];
  const threshold = thresholdOf(input, input.noiseFloor);
  return {
    nBefore: countIn(input.before, before),
    nAfter: countIn(input.after, after),
    medianBefore: medianIn(before),
    medianAfter: medianIn(after),
    ratio: null,
    gain: null,
    gainLow: null,
    gainHigh: null,
    gainLow90: null,
    gainHigh90: null,
    pValue: null,
    threshold,
    requiredGain: threshold,
    method: 'NONE',
    methodVersion: METHOD_VERSION,
    evidence: 'NONE',
    verdict: 'NOT_COMPARABLE',
    isStrong: false,
    isConfounded: false,
    moreRunsPerArm: null,
    warnings: [reason],
    differences: input.differences,
  };
}

/**
 * A trial is an A/A run when the caller says so, or when both arms name the same variant and no variable was declared:
 * one that was declared may have changed, even where no fact shows it.
 */
export function isControl(input: {
  readonly variantBefore: string | null;
  readonly variantAfter: string | null;
  readonly isSaid: boolean;
  readonly hasDeclared: boolean;
}): boolean {
  if (input.isSaid) return true;
  return !input.hasDeclared && input.variantBefore !== null && input.variantBefore === input.variantAfter;
}

function refuseNonFinite(arm: ArmData): void {
  const numbers = arm.kind === 'values' ? arm.values.map(({ value }) => value) : [arm.mean, arm.sd, arm.n ?? 0];
  const wrong = numbers.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) {
    throw invalidInput({
      en: `A measured value is a finite number, not ${wrong}.`,
      zh: `测量值必须是有限数值，收到 ${wrong}。`,
    });
  }
}

/** An undeclared difference that blocks; one that is unknown on a side may be equal, so it does not. */
function blockingReason(differences: readonly EnvironmentDifference[]): ComparisonWarning | null {
  const blocking = differences.filter(
    (difference) => difference.tier === 'BLOCK' && !difference.isDeclared && !isUnknownOnOneSide(difference),
  );
  if (blocking.length === 0) return null;
  const named = blocking.map(({ key, before, after }) => ({ key, before, after }));
  return { code: 'BLOCKING_DIFFERENCE', details: { keys: named.map(({ key }) => key), differences: named } };
}

/** What else changed, or may have: it does not forbid the comparison, but another cause is possible. */
function confoundingDifferences(differences: readonly EnvironmentDifference[]): readonly EnvironmentDifference[] {
  return differences.filter(({ tier, isDeclared }) => tier !== 'INFO' && !isDeclared);
}

function confoundingWarnings(confounding: readonly EnvironmentDifference[]): readonly ComparisonWarning[] {
  const keysOf = (differences: readonly EnvironmentDifference[]) => differences.map(({ key }) => key);
  const unknown = confounding.filter(isUnknownOnOneSide);
  const warnings: ComparisonWarning[] = [];
  if (confounding.length > 0) warnings.push({ code: 'CONFOUNDED', details: { keys: keysOf(confounding) } });
  if (unknown.length > 0) warnings.push({ code: 'UNKNOWN_ON_ONE_SIDE', details: { keys: keysOf(unknown) } });
  return warnings;
}

/** How the metric is judged, or the warning that says why it is not. */
function scaleOf(input: ComparisonInput): Scale | ComparisonWarning {
  const { direction, target, unit, key } = input.metric;
  const { noiseFloorCount = null, look = 1 } = input;
  if (direction === null) return { code: 'NO_DIRECTION', details: { metric: key } };
  if (direction !== 'TARGET') {
    const sign = direction === 'HIGHER_IS_BETTER' ? 1 : -1;
    const { noiseFloor } = input;
    const threshold = thresholdOf(input, noiseFloor);
    return { target: null, unit, sign, threshold, noiseFloor, noiseFloorCount, look, limitOf: Math.log1p };
  }
  if (target === null) return { code: 'NO_TARGET', details: { metric: key } };
  // the floor is a fraction of the value: near the target that is a fraction of the target, and nothing near zero
  const noiseFloor = input.noiseFloor === null || target === 0 ? null : input.noiseFloor * Math.abs(target);
  return {
    target,
    unit,
    sign: -1,
    threshold: thresholdOf(input, noiseFloor),
    noiseFloor,
    noiseFloorCount,
    look,
    limitOf: (distance) => distance,
  };
}

function thresholdOf({ metric, userThreshold }: ComparisonInput, noiseFloor: number | null): number {
  return Math.max(metric.smallestEffect, noiseFloor ?? 0, userThreshold ?? 0);
}

function countIn(arm: ArmData, compared: readonly MeasuredValue[]): number {
  return arm.kind === 'values' ? compared.length : (arm.n ?? 0);
}

function medianIn(values: readonly MeasuredValue[]): number | null {
  return values.length === 0 ? null : finiteOrNull(medianOf(valuesOf(values)));
}

function ratioAt(shift: number | null, sign: 1 | -1): number | null {
  return shift === null ? null : finiteOrNull(Math.exp(sign * shift));
}

function quotient({
  medianBefore,
  medianAfter,
}: Pick<ComparisonResult, 'medianBefore' | 'medianAfter'>): number | null {
  if (medianBefore === null || medianAfter === null || !(medianBefore > 0) || !(medianAfter > 0)) return null;
  return finiteOrNull(medianAfter / medianBefore);
}

/** Also turns −0 into 0: both read "no change". */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null;
}

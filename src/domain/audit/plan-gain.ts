import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';

/** What an expected gain rests on, the best first. */
export type PlanBasis =
  'TRIALS' | 'REFERENCE_NOTES' | 'OWN_MEASUREMENT' | 'PUBLIC_BENCHMARK' | 'VENDOR_DOC' | 'EXPERT_OPINION' | 'NONE';

/** What a trial, or the measurement of a reference note, says on its primary metric. */
export interface MeasuredGain {
  readonly verdict: Verdict;
  readonly evidence: EvidenceLevel;
  readonly metric: string;
  /** A fraction, plus is better; null where none can be given. */
  readonly gain: number | null;
  /** On the hardware profile that the audit is scoped by. */
  readonly isSameHardware: boolean;
}

/** What the content says that an item may bring: times better, 1.5 is half as good again. */
export interface StatedGain {
  readonly basis: Exclude<PlanBasis, 'TRIALS' | 'REFERENCE_NOTES' | 'NONE'>;
  readonly metric: string;
  readonly ratioFrom: number;
  readonly ratioTo: number;
}

/** What trials of a practice say together. */
export interface TrialSummary {
  readonly trialCount: number;
  readonly helped: number;
  readonly neutral: number;
  readonly hurt: number;
  readonly inconclusive: number;
  /** A fraction, of those that have a gain; null where none has. */
  readonly medianGain: number | null;
  /** Whether all of them are of the audit's hardware. */
  readonly isSameHardware: boolean;
}

export interface ExpectedGain {
  readonly basis: PlanBasis;
  /** A fraction. */
  readonly gain: number;
  /** How much the basis can be relied upon, 0 to 1. */
  readonly weight: number;
  /** The metric that it is of; null where they differ, or nothing is known. */
  readonly metric: string | null;
  /** How many measurements it is the median of; 0 for what was only stated. */
  readonly count: number;
}

/** How much one comparison counts by its evidence. */
export const EVIDENCE_WEIGHTS: Readonly<Record<EvidenceLevel, number>> = {
  EXACT: 1, PAIRED: 1, STATISTICAL: 1, SUMMARY: 0.8, INDICATIVE: 0.6, SINGLE_RUN: 0.4, NONE: 0.2,
}; // prettier-ignore
/** How much the word of the content counts, the strongest first; NONE is for what nobody measured. */
export const BASIS_WEIGHTS = {
  REFERENCE_NOTES: 0.7,
  OWN_MEASUREMENT: 0.7,
  PUBLIC_BENCHMARK: 0.6,
  VENDOR_DOC: 0.5,
  EXPERT_OPINION: 0.3,
  NONE: 0.2,
} as const;
/** n trials count n / (n + 2): one says little, many say nearly all. */
export const TRIALS_OF_HALF_WEIGHT = 2;
/** From this many trials on the same hardware, those on other hardware are left out. */
export const ENOUGH_ON_HARDWARE = 3;
/** From this many trials on, a median of nothing or less is a dead end. */
export const ENOUGH_FOR_DEAD_END = 2;
/** Where a metric says no smallest effect that matters. */
export const DEFAULT_THRESHOLD = 0.02;

/** The trials that count here: those that compared something, on the same hardware where there are enough of them. */
export function countedTrials(trials: readonly MeasuredGain[]): readonly MeasuredGain[] {
  const compared = trials.filter(({ verdict }) => verdict !== 'NOT_COMPARABLE');
  const same = compared.filter(({ isSameHardware }) => isSameHardware);
  return same.length >= ENOUGH_ON_HARDWARE ? same : compared;
}

export function summaryOf(trials: readonly MeasuredGain[]): TrialSummary {
  const count = (...verdicts: readonly Verdict[]) => trials.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    trialCount: trials.length,
    helped: count('IMPROVED'),
    neutral: count('NO_MEANINGFUL_CHANGE'),
    hurt: count('REGRESSED', 'BLOCKED_BY_GUARDRAIL'),
    inconclusive: count('INCONCLUSIVE', 'NOT_COMPARABLE'),
    medianGain: medianOf(gainsOf(trials)),
    isSameHardware: trials.length > 0 && trials.every(({ isSameHardware }) => isSameHardware),
  };
}

/** Tried often enough and no better: the median gain is not above 0, or nothing helped where no trial has a gain. */
export function isDeadEnd({ trialCount, helped, neutral, hurt, medianGain }: TrialSummary): boolean {
  if (trialCount < ENOUGH_FOR_DEAD_END) return false;
  return medianGain === null ? helped === 0 && neutral + hurt >= ENOUGH_FOR_DEAD_END : medianGain <= 0;
}

/**
 * What an item may bring, from the best basis that there is: the median of trials, the median of measured reference notes,
 * what the content states (the geometric mean of its range), or, where nobody measured it, the smallest effect that matters.
 */
export function expectedGainOf(item: {
  readonly trials: readonly MeasuredGain[];
  readonly notes: readonly MeasuredGain[];
  readonly stated: readonly StatedGain[];
  readonly metric: string | null;
  readonly threshold: number;
}): ExpectedGain {
  const ofTrials = measured(item.trials);
  if (ofTrials) {
    const weight = ofTrials.evidence * (ofTrials.count / (ofTrials.count + TRIALS_OF_HALF_WEIGHT));
    return { basis: 'TRIALS', ...ofTrials.found, weight };
  }
  const ofNotes = measured(item.notes);
  if (ofNotes) {
    return { basis: 'REFERENCE_NOTES', ...ofNotes.found, weight: ofNotes.evidence * BASIS_WEIGHTS.REFERENCE_NOTES };
  }
  const [strongest] = item.stated.toSorted((a, b) => BASIS_WEIGHTS[b.basis] - BASIS_WEIGHTS[a.basis]);
  if (strongest) {
    const { basis, metric, ratioFrom, ratioTo } = strongest;
    return { basis, metric, gain: Math.sqrt(ratioFrom * ratioTo) - 1, weight: BASIS_WEIGHTS[basis], count: 0 };
  }
  return { basis: 'NONE', metric: item.metric, gain: item.threshold, weight: BASIS_WEIGHTS.NONE, count: 0 };
}

function measured(all: readonly MeasuredGain[]) {
  const rows = all.filter(({ gain }) => gain !== null);
  const gain = medianOf(gainsOf(rows));
  if (gain === null) return null;
  const metrics = new Set(rows.map(({ metric }) => metric));
  const [only] = metrics;
  const evidence = rows.reduce((sum, one) => sum + EVIDENCE_WEIGHTS[one.evidence], 0) / rows.length;
  const found = { gain, metric: metrics.size === 1 ? (only ?? null) : null, count: rows.length };
  return { found, evidence, count: rows.length };
}

/** What a guardrail blocks cannot be had: it counts as no gain at most. */
function gainsOf(trials: readonly MeasuredGain[]): readonly number[] {
  return trials.flatMap(({ gain, verdict }) => {
    if (gain === null) return [];
    return [verdict === 'BLOCKED_BY_GUARDRAIL' ? Math.min(gain, 0) : gain];
  });
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

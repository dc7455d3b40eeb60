import type { Direction } from '../measurement/metric.js';
import { medianOf } from '../measurement/order-statistics.js';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';

/** What an expected gain rests on, the best first. */
const bases = [
  'TRIALS', 'REFERENCE_NOTES', 'OWN_MEASUREMENT', 'PUBLIC_BENCHMARK', 'VENDOR_DOC', 'EXPERT_OPINION', 'NONE',
] as const; // prettier-ignore
export type PlanBasis = (typeof bases)[number];

/** What a trial, or the measurement of a reference note, says on its primary metric. */
export interface MeasuredGain {
  readonly verdict: Verdict;
  readonly evidence: EvidenceLevel;
  readonly metric: string;
  /** Whether the metric is one of time or rate (`saysTime`). */
  readonly isOfTime: boolean;
  /** How many times better, less 1: 0.25 is done in 1 / 1.25 of the time. Plus is better; null where none can be given. */
  readonly gain: number | null;
  /** On the hardware profile that the audit is scoped by. */
  readonly isSameHardware: boolean;
}

/** What the content says that an item may bring: times better, 1.5 is half as good again. */
export interface StatedGain {
  readonly basis: Exclude<PlanBasis, 'TRIALS' | 'REFERENCE_NOTES' | 'NONE'>;
  readonly metric: string;
  /** Whether the metric is one of time or rate (`saysTime`). */
  readonly isOfTime: boolean;
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
  /** A fraction, of those that settled something and have a gain; null where none has. */
  readonly medianGain: number | null;
  /** Whether all of them are of the audit's hardware. */
  readonly isSameHardware: boolean;
}

interface Figure {
  /** How many times better, less 1. */
  readonly gain: number;
  /** The metric that it is of; null where they differ, or nothing is known. */
  readonly metric: string | null;
  /** How many measurements it is the median of; 0 for what was only stated. */
  readonly count: number;
  /** Whether it is of a whole job; else of one operation, link or file that was measured alone. */
  readonly isOfWholeJob: boolean;
}

/** A gain that somebody measured or stated, with what the trials say together where it is the median of trials. */
export type KnownGain = Figure &
  (
    | { readonly basis: 'TRIALS'; readonly trials: TrialSummary }
    | { readonly basis: 'REFERENCE_NOTES' | StatedGain['basis']; readonly trials: null }
  );

export type ExpectedGain = (KnownGain | (Figure & { readonly basis: 'NONE'; readonly trials: null })) & {
  /** How much the basis can be relied upon, 0 to 1. */
  readonly weight: number;
  /** What the weight would be without the trials; the same where there are none. */
  readonly weightWithoutTrials: number;
  /** What is known of memory, energy and the like, and says nothing of time: shown, and not counted. Null where there is none. */
  readonly aside: KnownGain | null;
};

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
    medianGain: middleOf(gainsOf(trials.filter(settles))),
    isSameHardware: trials.length > 0 && trials.every(({ isSameHardware }) => isSameHardware),
  };
}

/** Tried often enough with a verdict and no better: the median gain is not above 0, or nothing helped where no trial has a gain. */
export function isDeadEnd({ helped, neutral, hurt, medianGain }: TrialSummary): boolean {
  if (helped + neutral + hurt < ENOUGH_FOR_DEAD_END) return false;
  return medianGain === null ? helped === 0 : medianGain <= 0;
}

/** Whether a trial says anything of its gain: one value that is far off settles nothing. */
function settles({ verdict }: MeasuredGain): boolean {
  return verdict !== 'NOT_COMPARABLE' && verdict !== 'INCONCLUSIVE';
}

/** Themes of metrics of one operation, link or file. */
const operationThemes: ReadonlySet<string> = new Set(['kernel', 'io', 'network', 'fabric', 'compile']);
/** Times of a whole job; others of this theme are of whatever was timed, which in a reference measurement is one operation. */
const timesOfJobs: ReadonlySet<string> = new Set(['time.job', 'time.per_token', 'time.first_request']);

/**
 * Whether a gain on this metric is of a whole job. What a team times itself is the job that it cares for; what somebody
 * else timed is one operation, as the conditions of the reference notes say.
 */
function isOfWholeJob(metric: string, basis: PlanBasis): boolean {
  const [theme = ''] = metric.split('.');
  if (operationThemes.has(theme)) return false;
  return theme !== 'time' || basis === 'TRIALS' || timesOfJobs.has(metric);
}

/**
 * Whether a better figure of this metric is time saved, by its entry in the catalog: a time, also per something, of which
 * less is better, or a rate of which more is better. Bytes, energy, money, shares and quality say nothing of time.
 */
export function saysTime(metric: { readonly dimension: string; readonly direction: Direction | null }): boolean {
  const { dimension, direction } = metric;
  if (dimension === 'time' || dimension.startsWith('time-per-')) return direction === 'LOWER_IS_BETTER';
  return dimension.endsWith('-rate') && direction === 'HIGHER_IS_BETTER';
}

/** What was measured of an item, and what it states; with the metric and the effect that stand in where both are silent. */
export interface GainSources {
  readonly trials: readonly MeasuredGain[];
  readonly notes: readonly MeasuredGain[];
  readonly stated: readonly StatedGain[];
  readonly metric: string | null;
  readonly threshold: number;
}

/**
 * What an item may bring in time, from the best basis that there is: the median of trials, the median of measured reference
 * notes, what the content states (the geometric mean of its range), or, where nobody says anything of time, the smallest
 * effect that matters. Trials raise the weight w of what is known without them to w + (1 − w) × n / (n + 2) × mean evidence:
 * none lowers it.
 */
export function expectedGainOf(item: GainSources): ExpectedGain {
  const found = gainsByBasis(item, ({ isOfTime }) => isOfTime);
  const others = gainsByBasis(item, ({ isOfTime }) => !isOfTime);
  const [best] = found;
  const aside = asideOf(others, best?.known.basis ?? 'NONE');
  const without = found.find(({ known }) => known.basis !== 'TRIALS');
  const weightWithoutTrials = without?.weight ?? BASIS_WEIGHTS.NONE;
  if (!best) {
    const { metric, threshold } = item;
    const weight = weightWithoutTrials;
    const known = { basis: 'NONE', metric, gain: threshold, trials: null, count: 0, isOfWholeJob: true } as const;
    return { ...known, weight, weightWithoutTrials, aside };
  }
  const { known, weight } = best;
  const raised = weightWithoutTrials + (1 - weightWithoutTrials) * weight;
  return { ...known, weight: known.basis === 'TRIALS' ? raised : weight, weightWithoutTrials, aside };
}

/** Trials are always shown, other figures where they would have been the better basis. */
function asideOf([first]: readonly WeighedGain[], counted: PlanBasis): KnownGain | null {
  if (!first || !(first.known.basis === 'TRIALS' || isBetter(first.known.basis, counted))) return null;
  return first.known;
}

const isBetter = (basis: PlanBasis, other: PlanBasis): boolean => bases.indexOf(basis) < bases.indexOf(other);

interface WeighedGain {
  readonly known: KnownGain;
  /** Of trials: how far they raise the weight of what is known without them, 0 to 1. */
  readonly weight: number;
}

/** What the bases say, the best first, from those measurements and statements that the condition takes. */
function gainsByBasis(
  { trials, notes, stated }: GainSources,
  isMeant: (source: { readonly isOfTime: boolean }) => boolean,
): readonly WeighedGain[] {
  const compared = trials.filter((trial) => isMeant(trial) && trial.gain !== null && settles(trial));
  const counted = countedTrials(compared);
  const measured = notes.filter((note) => isMeant(note) && note.gain !== null);
  const [ofTrials, ofNotes] = [figureOf(counted, 'TRIALS'), figureOf(measured, 'REFERENCE_NOTES')];
  const [strongest] = stated.filter(isMeant).sort((a, b) => BASIS_WEIGHTS[b.basis] - BASIS_WEIGHTS[a.basis]);
  const found: WeighedGain[] = [];
  if (ofTrials) {
    const known = { basis: 'TRIALS', ...ofTrials, trials: summaryOf(counted) } as const;
    found.push({ known, weight: weightOfTrials(compared) });
  }
  if (ofNotes) {
    const known = { basis: 'REFERENCE_NOTES', ...ofNotes, trials: null } as const;
    found.push({ known, weight: meanEvidence(measured) * BASIS_WEIGHTS.REFERENCE_NOTES });
  }
  if (strongest) {
    const { basis, metric, ratioFrom, ratioTo } = strongest;
    const gain = Math.sqrt(ratioFrom * ratioTo) - 1;
    const known = { basis, metric, gain, trials: null, count: 0, isOfWholeJob: isOfWholeJob(metric, basis) };
    found.push({ known, weight: BASIS_WEIGHTS[basis] });
  }
  return found;
}

/**
 * n / (n + 2) × mean evidence, which is the sum of the evidence / (n + 2), of the best n trials for the n that gives most: a weak trial beside good ones takes nothing
 * away, and neither do those on other hardware that the gain leaves out.
 */
function weightOfTrials(trials: readonly MeasuredGain[]): number {
  const best = trials.map(({ evidence }) => EVIDENCE_WEIGHTS[evidence]).sort((a, b) => b - a);
  let [sum, weight] = [0, 0];
  for (const [index, evidence] of best.entries()) {
    sum += evidence;
    weight = Math.max(weight, sum / (index + 1 + TRIALS_OF_HALF_WEIGHT));
  }
  return weight;
}

function meanEvidence(rows: readonly MeasuredGain[]): number {
  return rows.reduce((sum, { evidence }) => sum + EVIDENCE_WEIGHTS[evidence], 0) / rows.length;
}

function figureOf(rows: readonly MeasuredGain[], basis: PlanBasis): Figure | null {
  const gain = middleOf(gainsOf(rows));
  if (gain === null) return null;
  const metrics = new Set(rows.map(({ metric }) => metric));
  const [only] = metrics;
  return {
    gain,
    metric: metrics.size === 1 ? (only ?? null) : null,
    count: rows.length,
    isOfWholeJob: rows.every(({ metric }) => isOfWholeJob(metric, basis)),
  };
}

/** What a guardrail blocks cannot be had: it counts as no gain at most. */
function gainsOf(trials: readonly MeasuredGain[]): readonly number[] {
  return trials.flatMap(({ gain, verdict }) => {
    if (gain === null) return [];
    return [verdict === 'BLOCKED_BY_GUARDRAIL' ? Math.min(gain, 0) : gain];
  });
}

/** The median of ratios: between two it is their geometric mean, as everywhere where gains are compared. */
function middleOf(gains: readonly number[]): number | null {
  if (gains.length === 0) return null;
  return Math.expm1(medianOf(gains.map((gain) => Math.log1p(Math.max(gain, LARGEST_LOSS)))));
}

/** A logarithm needs more than nothing left. */
const LARGEST_LOSS = 1e-9 - 1;

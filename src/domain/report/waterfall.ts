import { tellsOfItem, type Proof } from '../audit/proof.js';
import type { Outcome } from '../audit/transitions.js';
import type { BothLanguages } from '../locale.js';
import type { MetricRole } from '../measurement/metric.js';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';
import { waterfallRemarks } from './waterfall-text.js';

/** What a waterfall takes of a comparison. Gains are fractions, plus is better; medians are in the metric's unit. */
export interface WaterfallComparison {
  readonly metric: string;
  readonly role: MetricRole;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly seriesKey: string;
  readonly medianBefore: number | null;
  readonly medianAfter: number | null;
  readonly gain: number | null;
  readonly gainLow: number | null;
  readonly gainHigh: number | null;
  readonly threshold: number;
  readonly evidence: EvidenceLevel;
  readonly verdict: Verdict;
  readonly isConfounded: boolean;
}

export interface WaterfallTrial {
  readonly id: string;
  readonly auditItemKey: string;
  readonly primaryMetric: string;
  readonly isControl: boolean;
  readonly verdict: Verdict | null;
  /** ISO 8601 in UTC: when its last run began where that is known, else when it was recorded. */
  readonly measuredAt: string;
  /** Those of the newest computation. */
  readonly comparisons: readonly WaterfallComparison[];
}

export interface WaterfallItem {
  readonly key: string;
  readonly outcome: Outcome;
  readonly proof: Proof | null;
  readonly isArchived: boolean;
}

export interface WaterfallMetric {
  readonly key: string;
  readonly unit: string;
  readonly direction: 'HIGHER_IS_BETTER' | 'LOWER_IS_BETTER' | 'TARGET' | null;
}

/** Items, trials and metrics of one audit; trials in the order in which they were recorded. */
export interface WaterfallInput {
  readonly items: readonly WaterfallItem[];
  readonly trials: readonly WaterfallTrial[];
  readonly metrics: readonly WaterfallMetric[];
  /** Id of the trial that measured all applied items together. */
  readonly endToEndTrial: string | null;
}

/** What one applied item did to the metric. */
export interface WaterfallStep extends Omit<WaterfallComparison, 'metric' | 'role' | 'dimensions' | 'seriesKey'> {
  readonly itemKey: string;
  readonly trialId: string;
  readonly measuredAt: string;
  readonly proof: Proof | null;
  /** Whether it begins further than a threshold from where the step before ended. */
  readonly startsElsewhere: boolean;
}

/** How far the metric moved over all of it. */
export interface EndToEnd {
  readonly source: 'TRIAL' | 'FIRST_TO_LAST';
  /** Null for FIRST_TO_LAST, as verdict and interval are. */
  readonly trialId: string | null;
  readonly verdict: Verdict | null;
  readonly evidence: EvidenceLevel | null;
  readonly gain: number;
  readonly gainLow: number | null;
  readonly gainHigh: number | null;
}

/** The steps of one metric at one point of its dimensions, and whether they add up to what is seen end to end. */
export interface Waterfall {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly seriesKey: string;
  /** In the order of measurement. */
  readonly steps: readonly WaterfallStep[];
  /** Applied items whose newest trial gives no gain to count with: INCONCLUSIVE, NOT_COMPARABLE. */
  readonly notCounted: readonly WaterfallStep[];
  /** The steps multiplied; null without a step. */
  readonly gain: number | null;
  /** The 95 % interval, as if the steps were independent; null where a step has none. */
  readonly gainLow: number | null;
  readonly gainHigh: number | null;
  readonly endToEnd: EndToEnd | null;
  /** ln(product) − ln(end to end), plus where the steps promise more; null without an end-to-end check. */
  readonly difference: number | null;
  /** The largest of the steps: as a difference on logarithms it is ln(1 + threshold). Null without a step. */
  readonly threshold: number | null;
  readonly disagrees: boolean;
  /** What a person must know to read it. */
  readonly remarks: readonly BothLanguages[];
}

/** A difference of exactly the threshold may round to either side of it. */
const ROUNDING = 1e-12;

/** A trial that is INCONCLUSIVE or NOT_COMPARABLE shows no change that could be counted on. */
const counting: readonly Verdict[] = ['IMPROVED', 'REGRESSED', 'NO_MEANINGFUL_CHANGE', 'BLOCKED_BY_GUARDRAIL'];

/**
 * One waterfall for each metric and series that trials of applied items measured as their primary metric. Of each item
 * the newest trial with a verdict on that metric is its step; A/A runs and the end-to-end trial are none. Archived items
 * are left out, and metrics without HIGHER or LOWER as direction, which have no gain.
 */
export function waterfallsOf(input: WaterfallInput): readonly Waterfall[] {
  const endToEnd = input.trials.find(({ id }) => id === input.endToEndTrial) ?? null;
  const steps = stepsOf(input);
  return input.metrics
    .filter(({ direction }) => direction === 'HIGHER_IS_BETTER' || direction === 'LOWER_IS_BETTER')
    .flatMap((metric) => {
      const series = new Map<string, Measured[]>();
      for (const step of steps.filter(({ comparison }) => comparison.metric === metric.key)) {
        const { seriesKey } = step.comparison;
        series.set(seriesKey, [...(series.get(seriesKey) ?? []), step]);
      }
      return [...series.values()].map((measured) => waterfallOf(metric, measured, endToEnd));
    });
}

/** A comparison of the trial that is the step of an item. */
interface Measured {
  readonly item: WaterfallItem;
  readonly trial: WaterfallTrial;
  readonly comparison: WaterfallComparison;
}

/** In the order of measurement. */
function stepsOf({ items, trials, endToEndTrial }: WaterfallInput): readonly Measured[] {
  const applied = new Map(
    items.filter((item) => item.outcome === 'APPLIED' && !item.isArchived).map((item) => [item.key, item]),
  );
  const newest = new Map<string, WaterfallTrial>();
  for (const trial of trials) {
    if (!tellsOfItem(trial, endToEndTrial)) continue;
    newest.set(JSON.stringify([trial.auditItemKey, trial.primaryMetric]), trial);
  }
  return [...newest.values()]
    .sort((one, other) => compareTexts(one.measuredAt, other.measuredAt))
    .flatMap((trial) => {
      const item = applied.get(trial.auditItemKey);
      if (!item) return [];
      const primary = trial.comparisons.filter(
        ({ role, metric }) => role === 'PRIMARY' && metric === trial.primaryMetric,
      );
      return primary.map((comparison) => ({ item, trial, comparison }));
    });
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function waterfallOf(metric: WaterfallMetric, measured: readonly Measured[], trial: WaterfallTrial | null): Waterfall {
  const counts = ({ comparison }: Measured) => comparison.gain !== null && counting.includes(comparison.verdict);
  const steps = chained(measured.filter(counts));
  const [{ dimensions = {}, seriesKey = '' } = {}] = measured.map(({ comparison }) => comparison);
  const product = productOf(steps);
  const endToEnd = named(metric.key, seriesKey, trial) ?? firstToLast(metric, steps);
  const threshold = steps.length === 0 ? null : Math.max(...steps.map((step) => step.threshold));
  const difference =
    endToEnd === null || product.gain === null ? null : Math.log1p(product.gain) - Math.log1p(endToEnd.gain);
  const waterfall = {
    metric: metric.key,
    dimensions,
    seriesKey,
    steps,
    notCounted: measured.filter((one) => !counts(one)).map((one) => toStep(one, null)),
    ...product,
    endToEnd,
    difference,
    threshold,
    disagrees: difference !== null && threshold !== null && isBeyond(difference, threshold),
  };
  return { ...waterfall, remarks: waterfallRemarks(waterfall, metric.unit, trial === null ? 'UNNAMED' : 'NAMED') };
}

/** Whether a difference of logarithms is more than a threshold. */
function isBeyond(difference: number, threshold: number): boolean {
  return Math.abs(difference) > Math.log1p(threshold) + ROUNDING;
}

function chained(measured: readonly Measured[]): readonly WaterfallStep[] {
  return measured.map((one, index) => toStep(one, measured[index - 1] ?? null));
}

function toStep({ item, trial, comparison }: Measured, before: Measured | null): WaterfallStep {
  const { medianBefore, medianAfter, gain, gainLow, gainHigh, threshold, evidence, verdict, isConfounded } = comparison;
  return {
    itemKey: item.key,
    trialId: trial.id,
    measuredAt: trial.measuredAt,
    medianBefore,
    medianAfter,
    gain,
    gainLow,
    gainHigh,
    threshold,
    evidence,
    verdict,
    proof: item.proof,
    isConfounded,
    startsElsewhere: before !== null && isApart(before.comparison, comparison),
  };
}

/** Whether one ends further from where the other begins than the larger of their thresholds. */
function isApart(before: WaterfallComparison, after: WaterfallComparison): boolean {
  const [end, start] = [before.medianAfter, after.medianBefore];
  if (end === null || start === null || !(end > 0) || !(start > 0)) return false;
  return isBeyond(Math.log(start / end), Math.max(before.threshold, after.threshold));
}

/**
 * Gains multiply. The distances of the ends of their intervals, on logarithms, are added as independent errors are: by
 * the root of the sum of squares.
 */
function productOf(steps: readonly WaterfallStep[]): Pick<Waterfall, 'gain' | 'gainLow' | 'gainHigh'> {
  if (steps.length === 0) return { gain: null, gainLow: null, gainHigh: null };
  let [shift, below, above]: [number, number | null, number | null] = [0, 0, 0];
  for (const step of steps) {
    const place = Math.log1p(step.gain ?? 0);
    shift += place;
    const ends = intervalOf(step);
    below = ends === null || below === null ? null : below + (place - ends.low) ** 2;
    above = ends === null || above === null ? null : above + (ends.high - place) ** 2;
  }
  const gainLow = below === null ? null : finite(Math.expm1(shift - Math.sqrt(below)));
  const gainHigh = above === null ? null : finite(Math.expm1(shift + Math.sqrt(above)));
  return { gain: finite(Math.expm1(shift)), gainLow, gainHigh };
}

/** On logarithms. A metric that does not vary has no interval and needs none. */
function intervalOf({ gain, gainLow, gainHigh, evidence }: WaterfallStep) {
  if (gainLow !== null && gainHigh !== null) return { low: Math.log1p(gainLow), high: Math.log1p(gainHigh) };
  const place = Math.log1p(gain ?? 0);
  return evidence === 'EXACT' ? { low: place, high: place } : null;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null;
}

/** What the trial that was named for it says of this metric and series, whatever its role there. */
function named(metric: string, seriesKey: string, trial: WaterfallTrial | null): EndToEnd | null {
  const found = trial?.comparisons.find((one) => one.metric === metric && one.seriesKey === seriesKey);
  if (!trial || !found || found.gain === null) return null;
  const { gain, gainLow, gainHigh, verdict, evidence } = found;
  return { source: 'TRIAL', trialId: trial.id, verdict, evidence, gain, gainLow, gainHigh };
}

/** From the first median to the last; over a single step it would say what the step says. */
function firstToLast({ direction }: WaterfallMetric, steps: readonly WaterfallStep[]): EndToEnd | null {
  const [start, end] = [steps[0]?.medianBefore ?? null, steps.at(-1)?.medianAfter ?? null];
  if (steps.length < 2 || start === null || end === null || !(start > 0) || !(end > 0)) return null;
  const gain = finite((direction === 'HIGHER_IS_BETTER' ? end / start : start / end) - 1);
  if (gain === null) return null;
  return { source: 'FIRST_TO_LAST', trialId: null, verdict: null, evidence: null, gain, gainLow: null, gainHigh: null };
}

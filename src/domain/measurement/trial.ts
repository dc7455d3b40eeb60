import { valuesOf } from './arms.js';
import {
  compare,
  isControl,
  type ComparisonResult,
  type ComparisonWarning,
  type MeasuredValue,
  type SummarySampling,
} from './compare.js';
import type { SummaryOfArm } from './methods.js';
import {
  covers,
  environmentDifferences,
  exactFactsOfArm,
  factsOfArm,
  tierOf,
  type DifferenceTier,
  type EnvironmentDifference,
  type Facts,
} from './environment-diff.js';
import { guardrailsPassed, rawOutcome, withGuardrails, type Guardrail } from './guardrails.js';
import { adjustedOver } from './family.js';
import { alphaOfLook } from './looks.js';
import { groupedValue } from './measured-lengths.js';
import type { MetricDefinition, MetricRole } from './metric.js';
import { nearestKeys, unknownVariable } from './nearest-keys.js';
import type { UsedFloor } from './noise.js';
import type { Override } from './override.js';
import { smallestOf } from './order-statistics.js';
import { missingRuns, planWarning, withoutClaim } from './planned-runs.js';
import { seriesOf } from './trial-series.js';
import { cappedAt, type EvidenceLevel, type Verdict } from './verdict.js';

/** A summary as an observation keeps it, in the metric's unit. */
export interface StoredSummary extends SummaryOfArm {
  readonly sampling: SummarySampling;
}

/** What one run says about one metric at one point of its dimensions; values in the metric's unit. */
export interface TrialObservation {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly seriesKey: string;
  readonly value: number;
  readonly repeats: readonly number[];
  readonly blocks: readonly string[];
  /** Mean and deviation over repetitions that are not listed; null where there are none. */
  readonly summary?: StoredSummary | null;
}

export interface TrialRun {
  readonly id: string;
  /** A PARTIAL run failed in part: it is compared, and says so. */
  readonly status: 'OK' | 'PARTIAL' | 'FAILED';
  readonly session: string | null;
  readonly block: string | null;
  readonly variant: string | null;
  readonly environment: Facts;
  readonly workload: Facts;
  readonly observations: readonly TrialObservation[];
}

export interface TrialData {
  readonly before: readonly TrialRun[];
  readonly after: readonly TrialRun[];
  readonly variable: readonly string[];
  readonly primaryMetric: string;
  readonly guardrails: readonly string[];
  readonly threshold: number | null;
  /** The caller says that nothing was changed between the arms. */
  readonly isSaidControl: boolean;
  readonly metrics: ReadonlyMap<string, MetricDefinition>;
  readonly tiers: ReadonlyMap<string, DifferenceTier>;
  /** By metric key: what this environment and workload cannot resolve. */
  readonly noiseFloors: ReadonlyMap<string, UsedFloor>;
  /** Which look at growing data this is; the first where absent. */
  readonly looks?: number;
  /** Runs per arm that were planned beforehand: nothing is claimed with fewer. */
  readonly plannedRunsPerArm?: number | null;
  /** What a reviewer said over blocking differences. */
  readonly override?: Override | null;
}

/** One row of the answer: a metric at one point of its dimensions. */
export interface TrialComparison {
  readonly metric: string;
  readonly role: MetricRole;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly seriesKey: string;
  readonly result: ComparisonResult;
  /** Corrected over the rows of the primary metric (family.ts); null where there is no p or no correction to make. */
  readonly adjustedP: number | null;
  readonly before: readonly MeasuredValue[];
  readonly after: readonly MeasuredValue[];
}

/** What a trial says, primary metric first, then the guardrails, then whatever else both arms measured. */
export interface TrialReading {
  readonly verdict: Verdict;
  readonly evidence: EvidenceLevel;
  readonly isConfounded: boolean;
  readonly guardrailsPassed: boolean;
  /** Whether it is an A/A run: its values tell the noise of this environment and workload. */
  readonly isControl: boolean;
  readonly nBefore: number;
  readonly nAfter: number;
  readonly comparisons: readonly TrialComparison[];
}

/** Most rows of a trial that are kept. */
const ROW_LIMIT = 100;

export type FactsOfRun = Pick<TrialRun, 'environment' | 'workload' | 'variant'>;

/** Facts of a run in one namespace: its variant is a fact too, so that a declared one is seen to differ. */
export function factsOfRun(run: FactsOfRun): Facts {
  return { ...run.environment, ...run.workload, ...(run.variant === null ? {} : { variant: run.variant }) };
}

/**
 * Compares the arms of a trial on every metric that both measured. The primary metric must be among them: null where an
 * arm has no value for it.
 */
export function readTrial(data: TrialData): TrialReading | null {
  const differences = environmentDifferences({
    before: factsOfArm(data.before.map(factsOfRun)),
    after: factsOfArm(data.after.map(factsOfRun)),
    declared: data.variable,
    tiers: data.tiers,
  });
  const [looks, missing] = [data.looks ?? 1, missingRuns(data)];
  const rows = seriesOf(data).flatMap(({ arms, ...series }): TrialComparison[] => {
    const metric = data.metrics.get(series.metric);
    if (!metric) return [];
    const role = roleOf(series.metric, metric.role, data);
    if (role !== 'PRIMARY' && role !== 'GUARDRAIL' && metric.direction === null) return [];
    const floor = data.noiseFloors.get(series.metric);
    const result = compare({
      metric,
      ...arms,
      noiseFloor: floor?.value ?? null,
      noiseFloorCount: floor?.runCount ?? null,
      userThreshold: role === 'PRIMARY' ? data.threshold : null,
      differences,
      look: looks,
      override: data.override ?? null,
    });
    return [{ ...series, role, result: withoutClaim(result, missing), adjustedP: null }];
  });
  const guardrails = data.guardrails.flatMap((key) => guardrailsOf(key, rows, data.metrics));
  const ofTrial = trialWarnings(data, differences);
  const found = rows
    .filter(({ role }) => role === 'PRIMARY')
    .map((row) => ({ ...row, result: withWarnings(withGuardrails(row.result, guardrails), ofTrial) }));
  const corrected = found.length > 1 ? adjustedOver(found, looks) : [];
  const primary = found.map((row, index) => ({ ...row, adjustedP: corrected[index] ?? null }));
  if (primary.length === 0) return null;
  const others = rows.filter(({ role }) => role !== 'PRIMARY').sort((a, b) => rank(a.role) - rank(b.role));
  return {
    verdict: verdictOver(primary),
    ...weightOver(primary.map(({ result }) => result)),
    isControl: isControl({
      variantBefore: onlyVariant(data.before),
      variantAfter: onlyVariant(data.after),
      isSaid: data.isSaidControl,
      hasDeclared: data.variable.length > 0,
    }),
    comparisons: [...primary, ...others].slice(0, ROW_LIMIT),
  };
}

/** What of a comparison decides with others. */
export interface JudgedRow {
  readonly result: Pick<ComparisonResult, 'verdict'>;
  readonly adjustedP: number | null;
}

/**
 * One verdict over all points of the primary metric, such as message sizes: a trial improved where a point did and none
 * got worse. With several points, one that differs counts only if its p-value survives the correction.
 */
export function verdictOver(rows: readonly JudgedRow[]): Verdict {
  const [only] = rows;
  if (rows.length === 1 && only) return only.result.verdict;
  const counts = (row: JudgedRow) => row.adjustedP === null || row.adjustedP < 0.05;
  const has = (verdict: Verdict) => rows.some((row) => row.result.verdict === verdict && counts(row));
  if (has('NOT_COMPARABLE')) return 'NOT_COMPARABLE';
  if (has('REGRESSED')) return 'REGRESSED';
  if (has('BLOCKED_BY_GUARDRAIL')) return 'BLOCKED_BY_GUARDRAIL';
  if (has('IMPROVED')) return 'IMPROVED';
  return rows.every(({ result }) => result.verdict === 'NO_MEANINGFUL_CHANGE')
    ? 'NO_MEANINGFUL_CHANGE'
    : 'INCONCLUSIVE';
}

/** How much a trial carries over all points of its primary metric, at least one: as much as the weakest. Also of stored comparisons. */
export function weightOver(
  primary: readonly Pick<ComparisonResult, 'evidence' | 'isConfounded' | 'warnings' | 'nBefore' | 'nAfter'>[],
): Pick<TrialReading, 'evidence' | 'isConfounded' | 'guardrailsPassed' | 'nBefore' | 'nAfter'> {
  return {
    evidence: weakest(primary.map(({ evidence }) => evidence)),
    isConfounded: primary.some(({ isConfounded }) => isConfounded),
    guardrailsPassed: primary.every(guardrailsPassed),
    nBefore: smallestOf(primary.map(({ nBefore }) => nBefore)),
    nAfter: smallestOf(primary.map(({ nAfter }) => nAfter)),
  };
}

/** The variant that all runs of an arm name, null where they name none or several. */
function onlyVariant(runs: readonly TrialRun[]): string | null {
  const [first, ...others] = new Set(runs.map(({ variant }) => variant));
  return others.length === 0 ? (first ?? null) : null;
}

function weakest(levels: readonly EvidenceLevel[]): EvidenceLevel {
  return levels.reduce((weaker, level) => cappedAt(weaker, level));
}

function rank(role: MetricRole): number {
  return role === 'GUARDRAIL' ? 0 : role === 'SECONDARY' ? 1 : 2;
}

function roleOf(key: string, own: MetricRole, data: TrialData): MetricRole {
  if (key === data.primaryMetric) return 'PRIMARY';
  if (data.guardrails.includes(key)) return 'GUARDRAIL';
  return own === 'DIAGNOSTIC' ? 'DIAGNOSTIC' : 'SECONDARY';
}

function guardrailsOf(
  key: string,
  rows: readonly TrialComparison[],
  metrics: TrialData['metrics'],
): readonly Guardrail[] {
  const own = rows.filter(({ metric }) => metric === key);
  if (own.length === 0) return [{ key, result: null }];
  const direction = metrics.get(key)?.direction ?? null;
  return own.map(({ result, before, after }) => ({
    key,
    result,
    raw: result.gain === null ? rawOutcome(direction, valuesOf(before), valuesOf(after)) : null,
  }));
}

/** What holds of the trial as a whole, whatever the metric. */
function trialWarnings(data: TrialData, differences: readonly EnvironmentDifference[]): readonly ComparisonWarning[] {
  const partial = (runs: readonly TrialRun[]) => runs.filter(({ status }) => status !== 'OK').length;
  const [before, after] = [partial(data.before), partial(data.after)];
  const keys = [...new Set([...data.before, ...data.after].flatMap((run) => Object.keys(factsOfRun(run))))];
  const same = data.variable.filter((name) => !differences.some(({ key }) => covers(name, key)));
  const isKnown = (name: string) => keys.some((key) => covers(name, key));
  const unchanged = same.filter(isKnown);
  const warnings: ComparisonWarning[] = [];
  if (before + after > 0) warnings.push({ code: 'PARTIAL_RUNS', details: { before, after } });
  const looks = data.looks ?? 1;
  if (looks > 1) warnings.push({ code: 'EXTENDED', details: { looks, level: 1 - alphaOfLook(looks) } });
  warnings.push(...planWarning(data));
  if (unchanged.length > 0) warnings.push({ code: 'VARIABLE_UNCHANGED', details: { keys: unchanged } });
  for (const name of same.filter((one) => !isKnown(one))) {
    const near = nearestKeys(name, keys, [...data.tiers.keys()]);
    warnings.push(unknownVariable(name, near));
  }
  return warnings;
}

/** Runs that failed in part leave the verdict, and carry no more than an indication. */
function withWarnings(result: ComparisonResult, warnings: readonly ComparisonWarning[]): ComparisonResult {
  const isPartial = warnings.some(({ code }) => code === 'PARTIAL_RUNS');
  return {
    ...result,
    evidence: isPartial ? cappedAt(result.evidence, 'INDICATIVE') : result.evidence,
    warnings: [...result.warnings, ...warnings],
  };
}

/**
 * What makes noise floors of two trials comparable, as one text: all facts of an arm that matter, without the variant,
 * measured lengths as they are grouped. Facts of tier INFO (host, date) do not.
 */
export function noiseContextOf(runs: readonly FactsOfRun[], tiers: ReadonlyMap<string, DifferenceTier>): string {
  const facts = Object.entries(noiseFactsOf(runs, tiers));
  return JSON.stringify(facts.map(([key, value]) => [key, groupedValue(key, value)]));
}

/** As `noiseContextOf`, with measured lengths to the token: what stored floors without facts were named by. */
export function exactNoiseContextOf(runs: readonly FactsOfRun[], tiers: ReadonlyMap<string, DifferenceTier>): string {
  return JSON.stringify(Object.entries(mattering(exactFactsOfArm(runs.map(factsOfRun)), tiers)));
}

/** The facts of environment and workload that a noise floor holds for. */
export function noiseFactsOf(runs: readonly FactsOfRun[], tiers: ReadonlyMap<string, DifferenceTier>): Facts {
  return mattering(factsOfArm(runs.map(factsOfRun)), tiers);
}

function mattering(facts: Facts, tiers: ReadonlyMap<string, DifferenceTier>): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([key, value]) => key !== 'variant' && value !== null && tierOf(key, tiers) !== 'INFO',
    ),
  );
}

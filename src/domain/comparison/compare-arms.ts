import type { BothLanguages } from '../locale.js';
import type { MeasuredValue } from '../measurement/compare.js';
import type { DifferenceTier, EnvironmentDifference } from '../measurement/environment-diff.js';
import { rawOutcome, type RawOutcome } from '../measurement/guardrails.js';
import { adjustedOver, type FamilyRow } from '../measurement/family.js';
import type { MetricDefinition, MetricRole } from '../measurement/metric.js';
import type { UsedFloor } from '../measurement/noise.js';
import { readTrial, verdictOver, weightOver, type TrialComparison, type TrialRun } from '../measurement/trial.js';
import type { ComparisonResult } from '../measurement/compare.js';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';
import { warningText } from '../measurement/warnings.js';
import type { ArmName } from './read-arm.js';
import { pointsOf, type Dimensions, type Point, type TwoArms } from './points.js';

export interface ComparisonRequest extends TwoArms {
  /** Keys of the metrics that decide; null: those that the catalog calls primary and both arms have. */
  readonly primary: readonly string[] | null;
  /** Keys of the metrics that must not get worse; null: the guardrails of the catalog that both arms have. */
  readonly guardrails: readonly string[] | null;
  /** ALL: also rows of the other metrics that have a direction. */
  readonly others: 'NONE' | 'ALL';
  readonly variable: readonly string[];
  /** Smallest gain that matters, and the noise floor: fractions. */
  readonly threshold: number | null;
  readonly noiseFloor: number | null;
  readonly metrics: ReadonlyMap<string, MetricDefinition>;
  readonly tiers: ReadonlyMap<string, DifferenceTier>;
}

export interface RowWarning {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly text: BothLanguages;
}

export interface ComparedRow {
  readonly metric: MetricDefinition;
  readonly role: MetricRole;
  readonly dimensions: Dimensions;
  readonly result: ComparisonResult;
  /** Corrected over all primary rows that have a p value; null without one, and where the row stands alone. */
  readonly adjustedP: number | null;
  /** What the values say where no ratio can be formed. */
  readonly raw: RawOutcome | null;
  readonly warnings: readonly RowWarning[];
}

/** A series that only one arm has. */
export interface OneSidedSeries {
  readonly metric: string;
  readonly role: MetricRole;
  readonly dimensions: Dimensions;
  readonly arm: ArmName;
}

export interface ArmsComparison {
  readonly verdict: Verdict;
  readonly evidence: EvidenceLevel;
  readonly isConfounded: boolean;
  /** The smallest number of values over the primary rows. */
  readonly nBefore: number;
  readonly nAfter: number;
  readonly primary: readonly string[];
  /** How the primary metrics came about: named, the catalog's primary ones, or for want of them the secondary ones. */
  readonly primaryFrom: 'NAMED' | 'PRIMARY' | 'SECONDARY';
  readonly guardrails: readonly string[];
  /** Primary metrics first, then guardrails, then others. */
  readonly rows: readonly ComparedRow[];
  /** Primary rows with a p value: what the correction is over. */
  readonly familySize: number;
  readonly oneSided: readonly OneSidedSeries[];
  readonly differences: readonly EnvironmentDifference[];
}

/** Why two arms have nothing to compare, with the metrics of each. */
export interface NothingInCommon {
  readonly primary: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly oneSided: readonly OneSidedSeries[];
}

/** Most series of a metric that one reading keeps. */
const SERIES_AT_ONCE = 50;

/** Compares two arms on every point that both measured, by the method of the product; all primary rows are one family. */
export function compareArms(request: ComparisonRequest): ArmsComparison | { readonly nothing: NothingInCommon } {
  const points = pointsOf(request, request.variable, request.tiers);
  const inBoth = commonMetrics(points);
  const { primary, primaryFrom } = primaryOf(request, inBoth);
  const guardrails = (
    request.guardrails ?? inBoth.filter((key) => request.metrics.get(key)?.role === 'GUARDRAIL')
  ).filter((key) => !primary.includes(key));
  const others = inBoth.filter((key) => !primary.includes(key) && !guardrails.includes(key));
  const rowsFor = (keys: readonly string[], role: MetricRole | null) =>
    keys.flatMap((key) => points.flatMap((point) => rowsAt(point, key, role, guardrails, request)));
  const found = rowsFor(primary, 'PRIMARY');
  const oneSided = oneSidedSeries(points, (key) => roleOf(key, primary, guardrails, request.metrics));
  if (found.length === 0) {
    const [before, after] = [metricsIn(request.before), metricsIn(request.after)];
    return { nothing: { primary, before, after, oneSided } };
  }
  const known = found.filter(({ result }) => result.pValue !== null);
  const corrected = found.length > 1 ? adjustedOver(found) : [];
  const primaryRows = found.map((row, index) => ({ ...row, adjustedP: corrected[index] ?? null }));
  const rows = [
    ...primaryRows,
    ...rowsFor(guardrails, 'GUARDRAIL'),
    ...(request.others === 'ALL' ? rowsFor(others, null) : []),
  ];
  const { evidence, isConfounded, nBefore, nAfter } = weightOver(primaryRows.map(({ result }) => result));
  return {
    verdict: verdictOver(primaryRows),
    evidence,
    isConfounded,
    nBefore,
    nAfter,
    primary,
    primaryFrom,
    guardrails,
    rows,
    familySize: known.length,
    oneSided,
    differences: distinctDifferences(rows),
  };
}

function primaryOf(
  { primary, metrics }: ComparisonRequest,
  inBoth: readonly string[],
): Pick<ArmsComparison, 'primary' | 'primaryFrom'> {
  if (primary) return { primary, primaryFrom: 'NAMED' };
  const having = (role: MetricRole) =>
    inBoth.filter((key) => metrics.get(key)?.role === role && metrics.get(key)?.direction !== null);
  const own = having('PRIMARY');
  return own.length > 0
    ? { primary: own, primaryFrom: 'PRIMARY' }
    : { primary: having('SECONDARY'), primaryFrom: 'SECONDARY' };
}

function roleOf(
  key: string,
  primary: readonly string[],
  guardrails: readonly string[],
  metrics: ComparisonRequest['metrics'],
): MetricRole {
  if (primary.includes(key)) return 'PRIMARY';
  if (guardrails.includes(key)) return 'GUARDRAIL';
  return metrics.get(key)?.role ?? 'SECONDARY';
}

/** The rows of one metric at one point; `role` null for a metric that decides nothing, which keeps its own role. */
function rowsAt(
  point: Point,
  key: string,
  role: MetricRole | null,
  guardrails: readonly string[],
  request: ComparisonRequest,
): readonly (ComparedRow & FamilyRow)[] {
  const metric = request.metrics.get(key);
  if (!metric || (role === null && metric.direction === null)) return [];
  const watched = role === 'PRIMARY' ? guardrails : [];
  return seriesOf(point, key).flatMap((series) => {
    const reading = readTrial({
      before: onlySeries(point.before, key, series, watched),
      after: onlySeries(point.after, key, series, watched),
      variable: request.variable,
      primaryMetric: key,
      guardrails: watched,
      threshold: role === 'PRIMARY' ? request.threshold : null,
      isSaidControl: false,
      metrics: request.metrics,
      tiers: request.tiers,
      noiseFloors: statedFloor(key, request.noiseFloor),
    });
    const rows = (reading?.comparisons ?? []).filter((row) => row.role === 'PRIMARY');
    return rows.map((row) => ({
      metric,
      role: role ?? (metric.role === 'DIAGNOSTIC' ? 'DIAGNOSTIC' : 'SECONDARY'),
      dimensions: { ...point.at, ...row.dimensions },
      result: row.result,
      before: row.before,
      after: row.after,
      adjustedP: null,
      raw: rawOf(metric, row),
      warnings: row.result.warnings.map((warning) => ({ ...warning, text: warningText(warning) })),
    }));
  });
}

function rawOf({ direction }: MetricDefinition, { result, before, after }: TrialComparison): RawOutcome | null {
  const valuesOf = (arm: readonly MeasuredValue[]) => arm.map(({ value }) => value);
  return result.gain === null ? rawOutcome(direction, valuesOf(before), valuesOf(after)) : null;
}

/** The series of a metric at a point in portions: a reading keeps a limited number of rows. */
function seriesOf({ before }: Point, key: string): readonly ReadonlySet<string>[] {
  const keys = before.flatMap(({ observations }) =>
    observations.filter(({ metric }) => metric === key).map(({ seriesKey }) => seriesKey),
  );
  const all = [...new Set(keys)];
  return Array.from(
    { length: Math.ceil(all.length / SERIES_AT_ONCE) },
    (_, index) => new Set(all.slice(index * SERIES_AT_ONCE, (index + 1) * SERIES_AT_ONCE)),
  );
}

function onlySeries(
  runs: readonly TrialRun[],
  key: string,
  series: ReadonlySet<string>,
  watched: readonly string[],
): readonly TrialRun[] {
  return runs.map((run) => ({
    ...run,
    observations: run.observations.filter(
      ({ metric, seriesKey }) => (metric === key && series.has(seriesKey)) || watched.includes(metric),
    ),
  }));
}

function metricsIn(runs: readonly TrialRun[]): readonly string[] {
  return [...new Set(runs.flatMap(({ observations }) => observations.map(({ metric }) => metric)))];
}

/** Metrics that both arms have at one point at least, in the order of the files. */
function commonMetrics(points: readonly Point[]): readonly string[] {
  const common = points.flatMap(({ before, after }) => {
    const inAfter = new Set(metricsIn(after));
    return metricsIn(before).filter((key) => inAfter.has(key));
  });
  return [...new Set(common)];
}

function oneSidedSeries(points: readonly Point[], role: (key: string) => MetricRole): readonly OneSidedSeries[] {
  return points.flatMap(({ at, before, after }) => {
    const [inBefore, inAfter] = [seriesIn(before), seriesIn(after)];
    const only = (own: ReturnType<typeof seriesIn>, other: ReturnType<typeof seriesIn>, arm: ArmName) =>
      [...own]
        .filter(([id]) => !other.has(id))
        .map(([, { metric, dimensions }]) => ({
          metric,
          role: role(metric),
          dimensions: { ...at, ...dimensions },
          arm,
        }));
    return [...only(inBefore, inAfter, 'BEFORE'), ...only(inAfter, inBefore, 'AFTER')];
  });
}

function seriesIn(runs: readonly TrialRun[]) {
  const entries = runs.flatMap(({ observations }) =>
    observations.map(
      ({ metric, seriesKey, dimensions }) => [`${metric} ${seriesKey}`, { metric, dimensions }] as const,
    ),
  );
  return new Map(entries);
}

function distinctDifferences(rows: readonly ComparedRow[]): readonly EnvironmentDifference[] {
  const all = rows.flatMap(({ result }) => result.differences);
  return [...new Map(all.map((difference) => [JSON.stringify(difference), difference])).values()];
}

function statedFloor(key: string, value: number | null): ReadonlyMap<string, UsedFloor> {
  return new Map(value === null ? [] : [[key, { value, runCount: null }]]);
}

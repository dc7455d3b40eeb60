import { type Arms, FEWEST_BLOCKS, type Pairing, pairingOf, valuesOf } from './arms.js';
import type { ArmData, ComparisonInput, ComparisonWarning } from './compare.js';
import {
  exactFinding,
  FEWEST_FOR_RANKS,
  type Finding,
  findingByCount,
  moreBlocks,
  nothingShown,
  pairedFinding,
  type Question,
  summaryFinding,
  type SummaryOfArm,
} from './methods.js';
import { at, medianOf, momentsOf } from './order-statistics.js';
import { outlierPlaces } from './outliers.js';

/** The data of a comparison as one row of the table of methods reads them. */
export interface Reading {
  readonly finding: Finding;
  /** The single values that were compared; empty for an arm that is a summary. */
  readonly compared: Arms;
  readonly warnings: readonly ComparisonWarning[];
}

/** How values are placed for the test: logarithms, or for a TARGET metric distances to the target in its unit. */
export interface Scale extends Omit<Question, 'before' | 'after'> {
  /** The wanted value; null on logarithms. */
  readonly target: number | null;
  readonly unit: string;
}

/** Picks the row: exact, summary, paired blocks, or the number of values of the smaller arm. */
export function readingOf(input: ComparisonInput, scale: Scale): Reading {
  const arms: Arms = { before: valuesIn(input.before), after: valuesIn(input.after) };
  const fewest = Math.min(countedAs(input.before), countedAs(input.after));
  if (fewest === 0) {
    const details = { before: arms.before.length, after: arms.after.length, needed: 1 };
    return plain(nothingShown(scale.threshold, FEWEST_FOR_RANKS, { code: 'TOO_FEW_VALUES', details }), arms);
  }
  if (input.metric.isExact) return exactReading(input, arms, scale);
  if (input.before.kind === 'summary' || input.after.kind === 'summary') return summaryReading(input, arms, scale);
  return scale.target === null ? logReading(arms, scale) : targetReading(arms, scale);
}

const valuesIn = (arm: ArmData): Arms['before'] => (arm.kind === 'values' ? arm.values : []);
const countedAs = (arm: ArmData): number => (arm.kind === 'values' ? arm.values.length : 1);
const plain = (finding: Finding, compared: Arms): Reading => ({ finding, compared, warnings: [] });

/** Counted values do not need a test; an arm that varies is told, because the count then depends on something. */
function exactReading(input: ComparisonInput, arms: Arms, scale: Scale): Reading {
  const measure = measureOf(scale.target);
  const [before, after] = [input.before, input.after].map((arm) =>
    arm.kind === 'values' ? medianOf(valuesOf(arm.values).map(measure)) : measure(arm.mean),
  );
  if (before === undefined || after === undefined) throw new RangeError('Two arms are compared');
  const shift =
    scale.target !== null ? after - before : Math.min(before, after) > 0 ? Math.log(after) - Math.log(before) : null;
  const varying = [
    { arm: 'BEFORE', data: input.before },
    { arm: 'AFTER', data: input.after },
  ].filter(({ data }) => varies(data));
  const warnings: ComparisonWarning[] = [];
  if (varying.length > 0) warnings.push({ code: 'EXACT_VARIES', details: { arms: varying.map(({ arm }) => arm) } });
  if (shift === null) warnings.push(notPositive(scale, after - before));
  if (scale.target !== null) warnings.push(distanceWarning(scale, { before, after, difference: after - before }, null));
  const finding = exactFinding({ ...scale, before, after, shift, limit: scale.limitOf(scale.threshold) });
  return { finding, compared: arms, warnings };
}

function varies(arm: ArmData): boolean {
  return arm.kind === 'summary' ? arm.sd > 0 : new Set(valuesOf(arm.values)).size > 1;
}

function summaryReading(input: ComparisonInput, arms: Arms, scale: Scale): Reading {
  const [before, after] = [summaryOf(input.before), summaryOf(input.after)];
  const warnings = [
    ...summaryWarnings('BEFORE', input.before, input.metric.unit),
    ...summaryWarnings('AFTER', input.after, input.metric.unit),
    ...mixedWarnings(input),
  ];
  if (scale.target !== null) {
    // the mean distance to a target cannot be had from the mean
    return {
      ...plain(nothingShown(scale.threshold, null, { code: 'TARGET_NEEDS_VALUES', details: {} }), arms),
      warnings,
    };
  }
  if (!(Math.min(before.mean, after.mean) > 0)) {
    return {
      ...plain(nothingShown(scale.threshold, null, notPositive(scale, after.mean - before.mean)), arms),
      warnings,
    };
  }
  if (before.sd === 0 && after.sd === 0) warnings.push({ code: 'NO_SPREAD', details: {} });
  return { finding: summaryFinding(before, after, scale), compared: arms, warnings };
}

function summaryOf(arm: ArmData): SummaryOfArm {
  if (arm.kind === 'summary') return arm;
  const { mean, sd } = momentsOf(valuesOf(arm.values));
  return { mean, sd: sd ?? 0, n: arm.values.length };
}

function summaryWarnings(arm: 'BEFORE' | 'AFTER', data: ArmData, unit: string): readonly ComparisonWarning[] {
  if (data.kind === 'values') return [];
  const { mean, sd, n } = data;
  return n === null
    ? [{ code: 'SUMMARY_COUNT_UNKNOWN', details: { arm, mean, sd, unit } }]
    : [{ code: 'SUMMARY_ARM', details: { arm, mean, sd, n, unit } }];
}

/** Values against a summary are taken as their own mean and deviation. */
function mixedWarnings({ before, after }: ComparisonInput): readonly ComparisonWarning[] {
  if (before.kind === after.kind) return [];
  return [{ code: 'VALUES_AS_SUMMARY', details: { arm: before.kind === 'values' ? 'BEFORE' : 'AFTER' } }];
}

function logReading(arms: Arms, scale: Scale): Reading {
  const [before, after] = [valuesOf(arms.before), valuesOf(arms.after)];
  if (![...before, ...after].every((value) => value > 0)) {
    const warning = notPositive(scale, medianOf(after) - medianOf(before));
    return plain(nothingShown(scale.threshold, null, warning), arms);
  }
  const { finding, compared, warnings, pairing } = valuesFinding(arms, scale, { measure: itself, place: Math.log });
  const outliers = pairing ? outlyingPairs(pairing, scale) : outlierWarnings(compared, scale);
  return { finding, compared, warnings: [...warnings, ...outliers] };
}

/** Both arms become distances to the target: the smaller is better, and nothing is put on logarithms. */
function targetReading(arms: Arms, scale: Scale): Reading {
  const measure = measureOf(scale.target);
  const { finding, compared, warnings } = valuesFinding(arms, scale, { measure, place: itself });
  const distances = {
    before: medianOf(valuesOf(compared.before).map(measure)),
    after: medianOf(valuesOf(compared.after).map(measure)),
    difference: scale.sign * (finding.shift ?? 0) + 0,
  };
  return { finding, compared, warnings: [...warnings, distanceWarning(scale, distances, finding)] };
}

const itself = (value: number): number => value;

/** What is compared of a value: itself, or its distance to the target. */
function measureOf(target: number | null): (value: number) => number {
  return target === null ? itself : (value) => Math.abs(value - target);
}

/** Enough shared blocks give the paired row; else the smaller arm decides. */
function valuesFinding(
  arms: Arms,
  scale: Scale,
  { measure, place }: Readonly<Record<'measure' | 'place', (value: number) => number>>,
): Reading & { readonly pairing: Pairing | null } {
  const onScale = (values: readonly number[]): number[] => values.map((value) => place(measure(value)));
  const pairing = pairingOf(arms, measure);
  const pairs = pairing && { ...scale, before: pairing.before.map(place), after: pairing.after.map(place) };
  if (!pairing || !pairs || pairs.before.length < FEWEST_BLOCKS) {
    const question = { ...scale, before: onScale(valuesOf(arms.before)), after: onScale(valuesOf(arms.after)) };
    const finding = findingByCount(question);
    return { ...(pairs ? unpaired(finding, pairs) : { finding, warnings: [] }), compared: arms, pairing: null };
  }
  const finding = pairedFinding(pairs);
  const { before, after } = pairing.withoutPartner;
  const details = { before: valuesOf(before), after: valuesOf(after), unit: scale.unit };
  const isComplete = before.length + after.length === 0;
  const warnings = isComplete ? [] : [{ code: 'UNPAIRED_VALUES', details }];
  return { finding, compared: pairing.compared, warnings, pairing };
}

/** With fewer blocks than the paired test takes it is said, and more blocks are what is missing. */
function unpaired(finding: Finding, pairs: Question): Pick<Reading, 'finding' | 'warnings'> {
  const more = finding.moreRunsPerArm === null ? null : (moreBlocks(pairs) ?? finding.moreRunsPerArm);
  const details = { have: pairs.before.length, needed: FEWEST_BLOCKS };
  return { finding: { ...finding, moreRunsPerArm: more }, warnings: [{ code: 'PAIRS_NOT_USED', details }] };
}

/** What blocks share is no outlier: the differences within pairs are looked at. Both values of such a pair are named. */
function outlyingPairs({ before, after }: Pairing, scale: Scale): readonly ComparisonWarning[] {
  const differences = after.map((value, index) => Math.log(value) - Math.log(at(before, index)));
  const places = outlierPlaces(differences, scale.limitOf(scale.threshold));
  if (places.length === 0) return [];
  const pairs = places.map((index) => ({ before: at(before, index), after: at(after, index) }));
  return [{ code: 'OUTLIERS_KEPT', details: { pairs, unit: scale.unit } }];
}

function outlierWarnings(compared: Arms, scale: Scale): readonly ComparisonWarning[] {
  const limit = scale.limitOf(scale.threshold);
  const [before, after] = [compared.before, compared.after].map((arm) => {
    const values = valuesOf(arm);
    return outlierPlaces(values.map(Math.log), limit).map((index) => at(values, index));
  });
  if (!before?.length && !after?.length) return [];
  return [{ code: 'OUTLIERS_KEPT', details: { before, after, unit: scale.unit } }];
}

function notPositive({ unit }: Scale, difference: number): ComparisonWarning {
  return { code: 'NOT_POSITIVE', details: { difference, unit } };
}

/** A TARGET metric has no gain: the distances, their difference and its 95 % interval stand here, in the unit. */
function distanceWarning(
  { target, unit }: Scale,
  distances: { readonly before: number; readonly after: number; readonly difference: number },
  finding: Finding | null,
): ComparisonWarning {
  const interval = finding?.interval95 ?? null;
  return {
    code: 'TARGET_DISTANCE',
    details: {
      ...distances,
      low: interval ? -interval.high : null,
      high: interval ? -interval.low : null,
      target,
      unit,
    },
  };
}

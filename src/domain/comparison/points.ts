import { covers, tierOf, type DifferenceTier, type Facts, type FactValue } from '../measurement/environment-diff.js';
import { isMeasuredMean, lengthGroups, lengthsOf } from '../measurement/measured-lengths.js';
import { factsOfRun, type TrialRun } from '../measurement/trial.js';

export type Dimensions = Readonly<Record<string, string | number>>;

export interface TwoArms {
  readonly before: readonly TrialRun[];
  readonly after: readonly TrialRun[];
}

/** A point of a sweep with its runs; an arm may have none there. */
export interface Point extends TwoArms {
  /** What tells the point from the others, by names without the prefix `workload.`; empty where there is one point. */
  readonly at: Dimensions;
}

/**
 * Runs of a sweep are no repetitions of each other: they are told apart by the keys in which runs of one arm differ and
 * which the arms have in common, such as the concurrency. A key that was declared is what is compared, so it tells none apart.
 * Measured lengths near each other are one point.
 */
export function pointsOf(
  arms: TwoArms,
  declared: readonly string[],
  tiers: ReadonlyMap<string, DifferenceTier>,
): readonly Point[] {
  const all = [...arms.before, ...arms.after];
  const factsOf = withJoinedLengths(all);
  const axes = withoutRedundant(axesOf(arms, declared, tiers, factsOf), all, factsOf);
  const points = new Map<string, { at: Dimensions; before: TrialRun[]; after: TrialRun[] }>();
  for (const [arm, runs] of [['before', arms.before], ['after', arms.after]] as const) {
    for (const run of runs) {
      const at = Object.fromEntries(axes.map((axis) => [shortName(axis), shortValue(factsOf(run)[axis])]));
      const key = JSON.stringify(at);
      const point = points.get(key) ?? { at, before: [], after: [] };
      points.set(key, point);
      point[arm].push(run);
    }
  } // prettier-ignore
  const found = [...points.values()];
  const isShared = found.some(({ before, after }) => before.length > 0 && after.length > 0);
  return isShared || found.length === 0 ? found : [{ at: {}, ...arms }];
}

type FactsOf = (run: TrialRun) => Facts;

function withJoinedLengths(runs: readonly TrialRun[]): FactsOf {
  const keys = new Set(runs.flatMap((run) => Object.keys(factsOfRun(run))).filter(isMeasuredMean));
  const lengthOf = (run: TrialRun, key: string) => {
    const [length, ...others] = lengthsOf(factsOfRun(run)[key] ?? null) ?? [];
    return length === undefined || others.length > 0 ? null : length;
  };
  const groups = new Map([...keys].map((key) => [key, lengthGroups(runs.flatMap((run) => lengthOf(run, key) ?? []))]));
  const joined = new Map(
    runs.map((run) => {
      const lengths = [...groups].flatMap(([key, own]) => {
        const length = lengthOf(run, key);
        const value = length === null ? undefined : own.get(length);
        return value === undefined ? [] : [[key, value] as const];
      });
      return [run, { ...factsOfRun(run), ...Object.fromEntries(lengths) }];
    }),
  );
  return (run) => joined.get(run) ?? factsOfRun(run);
}

function axesOf(
  { before, after }: TwoArms,
  declared: readonly string[],
  tiers: ReadonlyMap<string, DifferenceTier>,
  factsOf: FactsOf,
): readonly string[] {
  const valuesIn = (runs: readonly TrialRun[], key: string) => new Set(runs.map((run) => textOf(factsOf(run)[key])));
  const keys = new Set([...before, ...after].flatMap((run) => Object.keys(factsOf(run))));
  return [...keys].filter((key) => {
    const tellsApart = key === 'variant' || (key.startsWith('workload.') && tierOf(key, tiers) === 'BLOCK');
    if (!tellsApart || declared.some((name) => covers(name, key))) return false;
    const [inBefore, inAfter] = [valuesIn(before, key), valuesIn(after, key)];
    return Math.max(inBefore.size, inAfter.size) > 1 && [...inBefore].some((value) => inAfter.has(value));
  });
}

/** Axes that tell no more apart than the others do are left out, the longest values first. */
function withoutRedundant(axes: readonly string[], runs: readonly TrialRun[], factsOf: FactsOf): readonly string[] {
  const partition = (names: readonly string[]): number =>
    new Set(runs.map((run) => JSON.stringify(names.map((name) => textOf(factsOf(run)[name]))))).size;
  const lengthOf = (axis: string): number =>
    Math.max(0, ...runs.map((run) => textOf(factsOf(run)[axis]).length)) + (axis === 'variant' ? 0.5 : 0);
  let kept = axes;
  for (const axis of [...axes].sort((one, other) => lengthOf(other) - lengthOf(one))) {
    const others = kept.filter((name) => name !== axis);
    if (partition(others) === partition(kept)) kept = others;
  }
  return kept;
}

function textOf(value: FactValue | undefined): string {
  return value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
}

/** `concurrency` for `workload.concurrency`. */
export function shortName(key: string): string {
  return key.replace(/^workload\.(settings\.)?/, '');
}

function shortValue(value: FactValue | undefined): string | number {
  return typeof value === 'number' ? value : textOf(value);
}

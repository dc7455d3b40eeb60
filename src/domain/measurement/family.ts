import type { ComparisonResult, MeasuredValue } from './compare.js';
import { holmOverKnown } from './holm.js';
import { pOfLook } from './looks.js';
import { combinations, rankP, ranksOf, type Ranks } from './rank-test.js';

/** A row of a family: a metric at one point, with the values that its p value is of. */
export interface FamilyRow {
  readonly result: Pick<ComparisonResult, 'pValue' | 'method'>;
  readonly before: readonly MeasuredValue[];
  readonly after: readonly MeasuredValue[];
}

/** Most ways of dealing the runs out to the arms that are tried: more than two arms of eight have. */
const MOST_DEALS = 20_000;

/**
 * The p values of rows corrected so that one false alarm among all of them stays at 5 %; null for a row without a p value.
 * Rows that the same runs measured move together, and then every way of dealing these runs out to the arms is tried:
 * min p, step-down (Westfall and Young 1993, 2.8). With four runs an arm it can show something in any number of rows, which
 * Holm cannot in two. Rows of other runs, of other tests, and of arms with too many ways get Holm's correction. `look` is
 * that of looks.ts.
 */
export function adjustedOver(rows: readonly FamilyRow[], look = 1): readonly (number | null)[] {
  const known = rows.flatMap((row, index) =>
    row.result.pValue === null ? [] : [{ row, index, p: row.result.pValue }],
  );
  const ranks = known.length > 1 ? sharedRanks(known.map(({ row }) => row)) : null;
  if (!ranks) return holmOverKnown(rows.map(({ result }) => pOfLook(result.pValue, look)));
  const [first] = known;
  const p = known.map((one) => one.p);
  const adjusted = overDeals(p, ranks, first?.row.before.length ?? 0);
  const found = new Map(known.map(({ index }, place) => [index, pOfLook(adjusted[place] ?? 1, look)]));
  return rows.map((_, index) => found.get(index) ?? null);
}

/** The ranks of the values of each row; null where the rows are not rank tests of the same runs. */
function sharedRanks(rows: readonly FamilyRow[]): readonly Ranks[] | null {
  const [first] = rows;
  if (!first) return null;
  const [m, n] = [first.before.length, first.after.length];
  if (!(combinations(m + n, m) <= MOST_DEALS)) return null;
  const runs = runsOf(first);
  const isShared = rows.every((row) => row.result.method === 'MANN_WHITNEY' && runsOf(row) === runs);
  if (!isShared) return null;
  const ranks = rows.map(({ before, after }) => ranksOf([...before, ...after].map(({ value }) => value)));
  // A test of something else, as of distances from a target, is not made again by the ranks of the values
  const isOfRanks = rows.every(({ result }, index) => {
    const own = ranks[index];
    return own && Math.abs(rankP(sumOfFirst(own, m), m, n, own.tieTerm) - (result.pValue ?? 0)) < 1e-9;
  });
  return isOfRanks ? ranks : null;
}

/** Which runs the values are of, in their order; a value without a run is told by its place alone. */
function runsOf({ before, after }: FamilyRow): string {
  return JSON.stringify([before.map(({ runId }) => runId), after.map(({ runId }) => runId)]);
}

function sumOfFirst({ ranks }: Ranks, count: number): number {
  return ranks.slice(0, count).reduce((sum, rank) => sum + rank, 0);
}

/** Step-down min p over all ways of choosing the runs of the first arm; the p values are those of the ranks. */
function overDeals(p: readonly number[], rows: readonly Ranks[], m: number): readonly number[] {
  const order = [...p.keys()].sort((a, b) => (p[a] ?? 0) - (p[b] ?? 0));
  const total = rows[0]?.ranks.length ?? 0;
  const hits = new Float64Array(p.length);
  const sums = new Float64Array(p.length);
  const known = rows.map(() => new Map<number, number>());
  let count = 0;
  const pAt = (index: number): number => {
    const [row, sum] = [rows[index], sums[index] ?? 0];
    let found = known[index]?.get(sum);
    if (found === undefined && row) known[index]?.set(sum, (found = rankP(sum, m, total - m, row.tieTerm)));
    return found ?? 1;
  };
  const judge = (): void => {
    count += 1;
    let smallest = 1;
    for (let place = order.length - 1; place >= 0; place -= 1) {
      const index = order[place] ?? 0;
      smallest = Math.min(smallest, pAt(index));
      if (smallest <= (p[index] ?? 0) + 1e-12) hits[index] = (hits[index] ?? 0) + 1;
    }
  };
  const deal = (from: number, left: number): void => {
    if (left === 0) return judge();
    for (let at = from; at <= total - left; at += 1) {
      rows.forEach(({ ranks }, index) => (sums[index] = (sums[index] ?? 0) + (ranks[at] ?? 0)));
      deal(at + 1, left - 1);
      rows.forEach(({ ranks }, index) => (sums[index] = (sums[index] ?? 0) - (ranks[at] ?? 0)));
    }
  };
  deal(0, m);
  const adjusted = new Array<number>(p.length).fill(1);
  let largest = 0;
  // With ties p is the normal approximation, which may be above the share of the deals
  for (const index of order) adjusted[index] = largest = Math.max(largest, p[index] ?? 0, (hits[index] ?? 0) / count);
  return adjusted;
}

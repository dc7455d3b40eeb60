import type { FactValue } from './environment-diff.js';

/**
 * Facts that are means of what was measured, such as the tokens of prompts: sampling and tokenizers move them a little from
 * run to run, so they are never asked to be equal to the token.
 */
const measuredMeans: ReadonlySet<string> = new Set(['workload.input_tokens', 'workload.output_tokens']);

/** Lengths are the same where they differ by at most this part of the larger one. */
export const LENGTH_TOLERANCE = 0.05;

export function isMeasuredMean(key: string): boolean {
  return measuredMeans.has(key);
}

/** Whether two values of a measured mean say the same; lists do where each of their values does. */
export function isSameLength(one: FactValue, other: FactValue): boolean {
  const [left, right] = [lengthsOf(one), lengthsOf(other)];
  if (left === null || right === null || left.length !== right.length) return false;
  return left.every((length, index) => isNear(length, right[index] ?? NaN));
}

/**
 * Lengths that are the same under one value, by each of them: the mean of those that lie within the tolerance, to the token.
 * Groups are formed upward from the shortest, so none is wider than the tolerance.
 */
export function lengthGroups(lengths: readonly number[]): ReadonlyMap<number, number> {
  const groups: number[][] = [];
  for (const length of [...lengths].sort((a, b) => a - b)) {
    const [last] = groups.slice(-1);
    if (last?.[0] !== undefined && isNear(last[0], length)) last.push(length);
    else groups.push([length]);
  }
  return new Map(
    groups.flatMap((group) => {
      const isOne = new Set(group).size === 1;
      const mean = group.reduce((sum, length) => sum + length, 0) / group.length;
      return group.map((length) => [length, isOne ? length : wholeLength(mean)] as const);
    }),
  );
}

/** To the token; one decimal below 10. */
export function wholeLength(mean: number): number {
  return mean < 10 ? Math.round(mean * 10) / 10 : Math.round(mean);
}

/** What runs are grouped by: a measured mean to two significant digits, any other value as it is. */
export function groupedValue(key: string, value: FactValue): FactValue {
  const lengths = isMeasuredMean(key) ? lengthsOf(value) : null;
  if (lengths === null) return value;
  const coarse = [...new Set(lengths.map((length) => Number(length.toPrecision(2))))];
  return coarse.length === 1 ? (coarse[0] ?? null) : coarse;
}

/** The numbers of a fact; null where one is none. */
export function lengthsOf(value: FactValue): readonly number[] | null {
  const given = typeof value === 'object' ? (value ?? []) : [value];
  const lengths = given.map((one) => (typeof one === 'string' && one.trim() !== '' ? Number(one) : one));
  const known = lengths.filter((one) => typeof one === 'number').filter(Number.isFinite);
  return known.length > 0 && known.length === given.length ? known : null;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= LENGTH_TOLERANCE * Math.max(Math.abs(one), Math.abs(other)) * (1 + 1e-12);
}

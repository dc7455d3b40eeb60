import { invalidInput } from '../errors.js';
import { studentQuantile, studentTwoSidedP } from './distributions.js';
import { levelsOfLook } from './looks.js';
import type { Interval } from './order-statistics.js';

export interface Summary {
  readonly mean: number;
  /** Standard deviation of single values, not of the mean. */
  readonly sd: number;
  readonly n: number;
}

export interface WelchTest {
  /** ln(mean after) − ln(mean before). */
  readonly shift: number;
  /** Null where both spreads are zero, as is p. */
  readonly df: number | null;
  readonly p: number | null;
  readonly interval95: Interval;
  readonly interval90: Interval;
}

/**
 * Welch's t on logarithms by the delta method: the variance of ln(mean) is about (sd / mean)² / n, with the degrees of
 * freedom of Welch and Satterthwaite. Throws INVALID_INPUT unless means are positive and each n is at least 2.
 */
export function welchOnLogs(before: Summary, after: Summary, look = 1): WelchTest {
  for (const arm of [before, after]) {
    if (!(arm.mean > 0) || !(arm.sd >= 0) || !(arm.n >= 2)) {
      throw invalidInput(
        {
          en: `Welch on logarithms needs a positive mean, a spread and n ≥ 2; got mean ${arm.mean}, sd ${arm.sd}, n ${arm.n}.`,
          zh: `对数尺度的 Welch 检验要求均值为正、有离散度且 n ≥ 2；收到均值 ${arm.mean}、标准差 ${arm.sd}、n ${arm.n}。`,
        },
        { ...arm },
      );
    }
  }
  const shift = Math.log(after.mean) - Math.log(before.mean);
  const errorBefore = before.sd / before.mean / Math.sqrt(before.n);
  const errorAfter = after.sd / after.mean / Math.sqrt(after.n);
  const error = Math.hypot(errorBefore, errorAfter);
  const point = { low: shift, high: shift };
  if (error === 0) return { shift, df: null, p: null, interval95: point, interval90: point };
  // Shares of the variance, whose own square may be no number: beyond the largest or below the smallest
  const share = (each: number): number => (Number.isFinite(error) ? (each / error) ** 2 : 0.5);
  const df = 1 / (share(errorBefore) ** 2 / (before.n - 1) + share(errorAfter) ** 2 / (after.n - 1));
  const { change, sameness } = levelsOfLook(look);
  const within = (level: number): Interval => {
    const reach = studentQuantile(level, df) * error;
    return { low: shift - reach, high: shift + reach };
  };
  return {
    shift,
    df,
    p: studentTwoSidedP(shift / error, df),
    interval95: within(change),
    interval90: within(sameness),
  };
}

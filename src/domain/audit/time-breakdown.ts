import { z } from 'zod';
import { invalidInput } from '../errors.js';
import { isWritableTime } from '../time.js';

/** The parts of the time of one step or request that a share is known of. */
export const timeParts = ['compute', 'communication', 'input', 'host'] as const;
export type TimePart = (typeof timeParts)[number];

/** Shares of the time, each 0 to 1 and together at most 1; null is unknown, not zero. */
export type TimeShares = Readonly<Record<TimePart, number | null>>;

const share = z.number().min(0).max(1).nullable().default(null);

/** A time breakdown in its JSON column: the shares, whether they were typed in or read from a file, by whom and when. */
export const timeBreakdownShape = z.object({
  compute: share,
  communication: share,
  input: share,
  host: share,
  source: z.enum(['TYPED', 'IMPORTED']),
  /** What the shares are of: the whole step, or the time of the device alone, where the time of the step is not known. */
  of: z.enum(['STEP', 'DEVICE_TIME']).default('STEP'),
  /** What a person says of it, or the file and the format that it was read from. */
  note: z.string().nullable().default(null),
  /** ISO 8601. */
  at: z.string().refine((at) => isWritableTime(new Date(at)), 'a time from year 0001 to 9999'),
  byId: z.string().nullable().default(null),
});
export type TimeBreakdown = z.output<typeof timeBreakdownShape>;

/** A time breakdown from its JSON column; null where there is none. */
export function timeBreakdownOf(json: unknown): TimeBreakdown | null {
  return json === null || json === undefined ? null : timeBreakdownShape.parse(json);
}

/** Numbers that people round may pass 1 by this. */
const ROUNDING = 1e-6;

/**
 * Checks shares that a person gives: each 0 to 1, together at most 1 (and 1e-6 for rounding). INVALID_INPUT names the
 * place and the value. Absent is unknown, as null.
 */
export function checkedShares(given: { readonly [part in TimePart]?: number | null | undefined }): TimeShares {
  const shares = {
    compute: given.compute ?? null,
    communication: given.communication ?? null,
    input: given.input ?? null,
    host: given.host ?? null,
  };
  for (const part of timeParts) {
    const value = shares[part];
    if (value === null || (value >= 0 && value <= 1)) continue;
    const hint = value > 1 && value <= 100 ? { en: `; ${value} % is ${value / 100}`, zh: `；${value}% 应写为 ${value / 100}` } : { en: '', zh: '' }; // prettier-ignore
    throw invalidInput(
      {
        en: `${part} must be a share from 0 to 1, and is ${value}${hint.en}`,
        zh: `${part} 须为 0 到 1 的占比，现为 ${value}${hint.zh}`,
      },
      { place: part, value },
    );
  }
  const sum = sumOf(shares);
  if (sum > 1 + ROUNDING) {
    const shown = Number(sum.toPrecision(6));
    throw invalidInput(
      {
        en: `The shares add up to ${shown}; together they are at most 1, the rest is other time`,
        zh: `各项占比之和为 ${shown}，不得超过 1，余下的为其他时间`,
      },
      { sum: shown },
    );
  }
  return shares;
}

/** What no known share takes: idle, unexplained, and what the unknown shares take. */
export function otherShare(shares: TimeShares): number {
  // Far below what anybody measures, above what adding up rounds
  return Math.max(0, Number((1 - sumOf(shares)).toPrecision(12)));
}

/** Whether no share is known, so that there is no breakdown. */
export function isUnknown(shares: TimeShares): boolean {
  return timeParts.every((part) => shares[part] === null);
}

function sumOf(shares: TimeShares): number {
  return timeParts.reduce((sum, part) => sum + (shares[part] ?? 0), 0);
}

/** The largest gain, as a fraction, that taking away a part of the time can bring, by Amdahl's law; null where it is all of it. */
export function ceilingOf(share: number): number | null {
  return share >= 1 ? null : share / (1 - share);
}

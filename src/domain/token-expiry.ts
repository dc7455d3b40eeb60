import { cutText } from './cut-text.js';
import { invalidInput } from './errors.js';

/** How long a service token is valid where nobody says it, in days. */
export const TOKEN_DAYS = 90;
/** Longest validity of a service token, in years. */
export const TOKEN_YEARS = 2;

const HOUR_MS = 3_600_000;
const unitsMs = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS } as const;

/** When a token ends: as given, else after TOKEN_DAYS. INVALID_INPUT for what is past or later than TOKEN_YEARS. */
export function tokenExpiry(given: Date | null, now: Date): Date {
  const expiresAt = given ?? new Date(now.getTime() + TOKEN_DAYS * unitsMs.d);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + TOKEN_YEARS);
  if (expiresAt > now && expiresAt <= latest) return expiresAt;
  const [shown, most] = [expiresAt.toISOString(), latest.toISOString()];
  throw invalidInput(
    {
      en: `expiresAt must be in the future and at most ${TOKEN_YEARS} years away (${most}), and is ${shown}`,
      zh: `expiresAt 须晚于当前时间且不超过 ${TOKEN_YEARS} 年（${most}），现为 ${shown}`,
    },
    { place: 'expiresAt', value: shown, latest: most },
  );
}

/**
 * The moment that a person means by `12h`, `90d` or `4w` from now, or by a date as `2027-01-31`, which is the last day
 * (UTC) on which the token works. INVALID_INPUT for any other text.
 */
export function expiryOf(text: string, now: Date): Date {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  if (count !== undefined && (unit === 'h' || unit === 'd' || unit === 'w')) {
    return new Date(now.getTime() + Number(count) * unitsMs[unit]);
  }
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : null;
  // A day that is in no calendar, such as 2027-02-30, is no date or another one
  if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) {
    return new Date(day.getTime() + unitsMs.d);
  }
  const shown = cutText(text, 100);
  throw invalidInput(
    {
      en: `"${shown}" is neither a time from now as 12h, 90d or 4w, nor a date as 2027-01-31`,
      zh: `“${shown}”既不是 12h、90d、4w 这样的时长，也不是 2027-01-31 这样的日期`,
    },
    { value: shown },
  );
}

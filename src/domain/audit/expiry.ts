import { cutText } from '../cut-text.js';
import type { BothLanguages } from '../locale.js';
import type { Outcome } from './transitions.js';

/** Why an outcome that held until a date is to be looked at again: the date, and the reason as it was given. */
export function expiredCause(item: {
  readonly outcome: Outcome;
  readonly expiresAt: Date | null;
  readonly reason: string | null;
}): BothLanguages {
  const day = item.expiresAt?.toISOString().slice(0, 10) ?? '';
  const what =
    item.outcome === 'DEFERRED'
      ? { en: `deferred until ${day}`, zh: `推迟至 ${day}，现已到期` }
      : { en: `rejected until ${day}`, zh: `否决有效期至 ${day}，现已到期` };
  const reason = shortened(item.reason);
  return reason === null ? what : { en: `${what.en}: ${reason}`, zh: `${what.zh}：${reason}` };
}

/** The whole reason stands beside the mark. */
const LONGEST_REASON = 300;

function shortened(reason: string | null): string | null {
  const line = reason?.replace(/\s+/g, ' ').trim() ?? '';
  if (line === '') return null;
  const start = cutText(line, LONGEST_REASON);
  return start.length < line.length ? `${start} …` : line;
}

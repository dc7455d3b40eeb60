import { cutText } from '../cut-text.js';
import { leftOut, type ImportProblem } from './importer.js';

/**
 * The time of an ISO 8601 text as UTC, or null with the reason where it is no time of the years 1970 to 2100, which no
 * clock of a benchmark shows. `given` is what the file says, `line` where.
 */
export function startedAtOf(
  iso: string,
  given: string,
  line: number,
): { readonly startedAt: string | null; readonly problems: readonly ImportProblem[] } {
  const time = new Date(iso);
  const year = time.getUTCFullYear();
  if (year >= 1970 && year <= 2100) return { startedAt: time.toISOString(), problems: [] };
  const shown = cutText(given, 40);
  return {
    startedAt: null,
    problems: [
      leftOut(
        line,
        `The date "${shown}" was left out: it is no time between 1970 and 2100`,
        `未采用日期“${shown}”：不是 1970 至 2100 年之间的时间`,
      ),
    ],
  };
}

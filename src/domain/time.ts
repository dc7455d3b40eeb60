/** The first and the last moment that a database, JSON and a reader of either write alike: the years 1 to 9999 in UTC. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a moment lies within the years 1 to 9999 in UTC; no valid date does not. */
export function isWritableTime(at: Date): boolean {
  const time = at.getTime();
  return time >= FIRST && time <= LAST;
}

/** The moment of a text just as `toISOString` writes it, within the years 1 to 9999; null for any other text. */
export function timeOf(text: string): Date | null {
  const at = new Date(text);
  return isWritableTime(at) && at.toISOString() === text ? at : null;
}

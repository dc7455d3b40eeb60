import { isObject, readJson, type JsonObject } from '../json.js';

/** One line of MLLOG. */
export interface MlperfEvent {
  readonly line: number;
  readonly time: number;
  readonly key: string;
  readonly value: unknown;
  readonly metadata: JsonObject;
}

const MARK = ':::MLLOG {';

/** The event that a line tells of, or null. `cut` where the line is one, and its JSON is broken. */
export function eventOf(text: string, line: number): MlperfEvent | 'cut' | null {
  const at = text.indexOf(MARK);
  if (at === -1) return null;
  const { documents } = readJson(text.slice(at + MARK.length - 1));
  const found = documents[0]?.value;
  if (!isObject(found) || typeof found.key !== 'string' || typeof found.time_ms !== 'number') return 'cut';
  const metadata = isObject(found.metadata) ? found.metadata : {};
  return { line, time: found.time_ms, key: found.key, value: found.value, metadata };
}

/** What the line before the events says of the system. */
export function systemOf(text: string): JsonObject | null {
  const at = text.indexOf(':::SYSJSON {');
  if (at === -1) return null;
  const found = readJson(text.slice(at + 11)).documents[0]?.value;
  return isObject(found) ? found : null;
}

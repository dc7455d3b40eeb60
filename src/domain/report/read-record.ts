import { z } from 'zod';
import { cutText } from '../cut-text.js';
import type { BothLanguages } from '../locale.js';
import { unstorableText } from '../storable.js';
import { auditRecord, RECORD_FORMAT, type AuditRecord } from './audit-record.js';
import { faultsOf } from './record-faults.js';
import { PROBLEM_LIMIT } from './record-parts.js';
import { futureTimes } from './record-times.js';

/** Something of a record that cannot be taken as it is, or is to be known; where it is blocking, nothing is written. */
export interface RecordProblem {
  /** Such as `items[3].work`; the whole file where it is empty. */
  readonly place: string;
  readonly message: BothLanguages;
  readonly isBlocking: boolean;
}

export interface RecordReading {
  /** Null where something blocks it. */
  readonly record: AuditRecord | null;
  readonly problems: readonly RecordProblem[];
}

/** Deepest nesting: a record has 8 levels, and what it keeps as JSON a few more. */
const DEPTH_LIMIT = 32;

/**
 * Reads a record from its JSON text, or finds what is wrong with it: of a wrong shape the first problems, else all. What a
 * newer version adds is named and left out. `now` is the end of the past.
 */
export function readAuditRecord(content: string, now: Date): RecordReading {
  let value: unknown;
  try {
    // Editors put a mark before the text
    value = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return blocked([blocking('', { en: `The file is not JSON: ${why}`, zh: `文件不是 JSON：${why}` })]);
  }
  const format = z.object({ format: z.unknown() }).safeParse(value).data?.format;
  if (format !== RECORD_FORMAT) return blocked([otherFormat(format)]);
  const read = auditRecord.safeParse(value);
  if (!read.success) return blocked(shapeProblems(value, read.error));
  // Behind the shape, which says how much there is to look at
  const unstorable = unstorableTexts(value);
  if (unstorable.length > 0) return blocked(unstorable);
  const problems = [...unknownFields(value, read.data), ...faultsOf(read.data), ...futureTimes(read.data, now)];
  const isBlocked = problems.some(({ isBlocking }) => isBlocking);
  return { record: isBlocked ? null : read.data, problems };
}

function blocked(problems: readonly RecordProblem[]): RecordReading {
  return { record: null, problems: problems.slice(0, PROBLEM_LIMIT) };
}

function blocking(place: string, message: BothLanguages): RecordProblem {
  return { place, message, isBlocking: true };
}

function otherFormat(format: unknown): RecordProblem {
  if (format === undefined || format === null || format === '') {
    return blocking('format', {
      en: `The file names no format; an exported audit has "${RECORD_FORMAT}"`,
      zh: `文件未注明格式；导出的审计为“${RECORD_FORMAT}”`,
    });
  }
  const shown = cutText(typeof format === 'string' ? format : JSON.stringify(format), 100);
  return blocking('format', {
    en: `"${shown}" is no format that can be read; an exported audit has "${RECORD_FORMAT}"`,
    zh: `格式“${shown}”无法读取；导出的审计为“${RECORD_FORMAT}”`,
  });
}

const inChinese = z.locales.zhCN().localeError;

function shapeProblems(value: unknown, error: z.ZodError): RecordProblem[] {
  const chinese = auditRecord.safeParse(value, { error: inChinese }).error?.issues ?? [];
  return error.issues.map(({ path, message }, index) =>
    blocking(placeOf(path), { en: message, zh: chinese[index]?.message ?? message }),
  );
}

/** A path as a person reads it: `items[3].work`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`;
    return place === '' ? String(step) : `${place}.${String(step)}`;
  }, '');
}

/** Text that cannot be stored, and nesting that no record has. */
function unstorableTexts(value: unknown): RecordProblem[] {
  const found: RecordProblem[] = [];
  // One list that grows and shrinks: a copy for each value would take longer than all else
  const path: PropertyKey[] = [];
  const say = (depth: number, message: BothLanguages) => found.push(blocking(placeOf(path.slice(0, depth)), message));
  const check = (text: string) => {
    const message = unstorableText(text);
    if (message !== null) say(path.length, message);
  };
  const walk = (one: unknown): void => {
    if (found.length >= PROBLEM_LIMIT) return;
    if (typeof one === 'string') check(one);
    if (typeof one !== 'object' || one === null) return;
    if (path.length > DEPTH_LIMIT) {
      say(4, { en: `is nested deeper than ${DEPTH_LIMIT} levels`, zh: `嵌套超过 ${DEPTH_LIMIT} 层` });
      return;
    }
    for (const [key, entry] of stepsOf(one)) {
      if (typeof key === 'number' && typeof entry === 'number') continue;
      path.push(key);
      if (typeof key === 'string') check(key);
      walk(entry);
      path.pop();
    }
  };
  walk(value);
  return found;
}

function stepsOf(value: object): Iterable<readonly [string | number, unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value);
}

/** What the file has and the shape does not: each kind of place once, with how often it is there. */
function unknownFields(value: unknown, read: unknown): RecordProblem[] {
  const counts = new Map<string, { readonly place: string; count: number }>();
  const walk = (given: unknown, kept: unknown, path: readonly PropertyKey[]): void => {
    if (Array.isArray(given) && Array.isArray(kept)) {
      given.forEach((entry, index) => {
        if (typeof entry === 'object') walk(entry, kept[index], [...path, index]);
      });
      return;
    }
    if (!isObject(given) || !isObject(kept)) return;
    for (const [key, entry] of Object.entries(given)) {
      const place = [...path, key];
      if (key in kept) walk(entry, kept[key], place);
      else {
        const kind = placeOf(place.filter((step) => typeof step !== 'number'));
        const known = counts.get(kind);
        if (known) known.count += 1;
        else if (counts.size < PROBLEM_LIMIT) counts.set(kind, { place: placeOf(place), count: 1 });
      }
    }
  };
  walk(value, read, []);
  return [...counts.values()].map(({ place, count }) => ({
    place,
    message: {
      en: `is not known to this version and is left out (places in the file: ${count})`,
      zh: `本版本不认识该字段，已略去（文件中共 ${count} 处）`,
    },
    isBlocking: false,
  }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

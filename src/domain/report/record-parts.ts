import { z } from 'zod';
import { TEXT_LIMITS } from '../text-limits.js';

// What the parts of an audit record are made of.

/** Most problems of one kind that are looked for: whoever reads them mends the first ones and tries again. */
export const PROBLEM_LIMIT = 100;

/**
 * Most entries of the lists of a record. No audit comes near to them; they are looked at before the entries are, so that
 * junk costs no more than what it is worth.
 */
export const LIST_LIMITS = {
  sections: 500,
  items: 5_000,
  /** Of one item, trial or run. */
  attachments: 1_000,
  /** Of one item. */
  reasons: 1_000,
  comments: 10_000,
  trialsOfItem: 20_000,
  metrics: 2_000,
  runs: 50_000,
  /** Of one run, and of the lists of numbers of one observation. */
  observations: 100_000,
  samples: 10_000,
  trials: 20_000,
  /** Of one arm, and of the other lists of a trial. */
  runsOfArm: 1_000,
  names: 100,
  comparisons: 1_000,
  /** Of one comparison: its warnings and differences, and the values of both arms. */
  details: 10_000,
  comparedValues: 2_000,
  milestones: 1_000,
  history: 200_000,
} as const;

/**
 * A list of these, at most so many; the entries are looked at one by one, and no more of them once there are problems
 * enough. Their messages are in the language of the parse.
 */
export function listOf<T extends z.ZodType>(entry: T, most: number) {
  return z.unknown().transform((value, { issues }): z.output<T>[] => {
    if (!Array.isArray(value)) {
      issues.push({ code: 'invalid_type', expected: 'array', input: value });
      return z.NEVER;
    }
    if (value.length > most) {
      issues.push({ code: 'too_big', origin: 'array', maximum: most, inclusive: true, input: value });
      return z.NEVER;
    }
    const given: unknown[] = value;
    const kept: z.output<T>[] = [];
    let found = 0;
    for (const [index, one] of given.entries()) {
      const read = entry.safeParse(one, { reportInput: true });
      if (read.success) {
        kept.push(read.data);
        continue;
      }
      for (const { message, ...issue } of read.error.issues) {
        issues.push({ input: undefined, ...issue, path: [index, ...issue.path] });
      }
      found += read.error.issues.length;
      if (found >= PROBLEM_LIMIT) break;
    }
    return kept;
  });
}

/** A text of a person, as Markdown where a field says so. */
export const longText = z.string().max(TEXT_LIMITS.long);
/** Whether nothing can be read of a text. */
export const isBlank = (text: string): boolean => text.trim() === '';
/** A text that a person need not write: blanks alone say nothing. */
export const optionalLongText = longText.nullable().transform((text) => (text === null || isBlank(text) ? null : text));
/** A text of which something can be read. */
export const filledLongText = longText.regex(/\S/);
export const name = z.string().max(TEXT_LIMITS.name);
/** A name of which something can be read. */
export const filledName = name.regex(/\S/);
/** Keys and names that tools give: longer ones than any that the product or a tool makes are refused. */
export const key = z.string().min(1).max(1_000);
/** An id of the installation that wrote the record: it tells equal things apart, and is made anew by an import. */
export const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** A moment as ISO 8601 in UTC, to the millisecond. */
export const time = z.iso.datetime({ precision: 3 }).regex(/^(?!0000)/);

export const localized = z.object({ en: longText.nullable(), zh: longText.nullable() });
export const bothLanguages = z.object({ en: longText, zh: longText });

/** Somebody by the id that they have in the installation that wrote the record, and by name. */
export const person = z.object({ id: key, name });
export type RecordedPerson = z.output<typeof person>;

const scalar = z.union([longText, z.number(), z.boolean()]);
/** Most keys of an object whose keys people and tools choose, and most entries of a fact. */
const KEY_LIMIT = 500;

/** An object whose keys people and tools choose; too many of them are not looked at one by one. */
export function tableOf<T extends z.ZodType>(entry: T) {
  return z
    .unknown()
    .transform((value, { issues }) => {
      if (typeof value !== 'object' || value === null || Object.keys(value).length <= KEY_LIMIT) return value;
      issues.push({ code: 'too_big', origin: 'map', maximum: KEY_LIMIT, inclusive: true, input: value });
      return z.NEVER;
    })
    .pipe(z.record(longText, entry));
}
/** Facts of environment and workload by key of the registry. */
export const facts = tableOf(z.union([scalar, listOf(scalar, KEY_LIMIT).readonly(), z.null()]));
export const hardware = z.object({ slug: key, name });

export const progress = z.object({
  total: z.int(),
  applicable: z.int(),
  assessed: z.int(),
  done: z.int(),
  verified: z.int(),
});

const attachment = z.object({
  /** SHA-256 of the bytes of the file, which is no part of the record. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  fileName: z.string().min(1).max(255),
  mediaType: z.string().min(1).max(100),
  size: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  caption: optionalLongText,
  attachedAt: time,
  attachedBy: name.nullable(),
});
export type RecordedAttachment = z.output<typeof attachment>;

/** The files that are attached to something, oldest first; older records have none. */
export const attachments = listOf(attachment, LIST_LIMITS.attachments).prefault([]);

/** JSON that the product keeps as it is. */
export const json = z.unknown();

import { z } from 'zod';
import { TEXT_LIMITS } from '../text-limits.js';

// What the parts of an audit record are made of.

/** A text of a person, as Markdown where a field says so. */
export const longText = z.string().max(TEXT_LIMITS.long);
export const name = z.string().max(TEXT_LIMITS.name);
/** A name of which something can be read. */
export const filledName = name.regex(/\S/);
/** Keys and names that tools give: longer ones than any that the product or a tool makes are refused. */
export const key = z.string().min(1).max(1_000);
/** An id of the installation that wrote the record: it tells equal things apart, and is made anew by an import. */
export const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** A moment as ISO 8601 in UTC, to the millisecond. */
export const time = z.iso.datetime({ precision: 3 }).refine((at) => !at.startsWith('0000'), 'a year from 0001');

export const localized = z.object({ en: longText.nullable(), zh: longText.nullable() });
export const bothLanguages = z.object({ en: longText, zh: longText });

/** Somebody by the id that they have in the installation that wrote the record, and by name. */
export const person = z.object({ id: key, name });
export type RecordedPerson = z.output<typeof person>;

const scalar = z.union([longText, z.number(), z.boolean()]);
/** Facts of environment and workload by key of the registry. */
export const facts = z.record(longText, z.union([scalar, z.array(scalar).readonly(), z.null()]));
export const hardware = z.object({ slug: key, name });

export const progress = z.object({
  total: z.int(),
  applicable: z.int(),
  assessed: z.int(),
  done: z.int(),
  verified: z.int(),
});

/** JSON that the product keeps as it is. */
export const json = z.unknown();

import { z } from 'zod';
import { columnMapping } from './mapping.js';

/** A mapping as callers give it: null says the same as nothing. */
export const givenMapping = z.preprocess(withoutNulls, columnMapping);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null && entry !== undefined)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
}

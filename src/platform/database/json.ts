import { z } from 'zod';
import type { Facts } from '../../domain/applicability/facts.js';
import type { Prisma } from '../../generated/prisma/client.js';

// JSON columns are checked where they are read; nothing else trusts their shape.

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const factsShape = z.record(z.string(), z.union([scalar, z.array(scalar), z.null()]));

/** Facts of an environment or a workload, from their JSON column. */
export function factsOf(json: unknown): Facts {
  return factsShape.parse(json);
}

const textsShape = z.array(z.object({ en: z.string(), zh: z.string() }));

/** Texts in both languages, from a JSON column. */
export function textsOf(json: unknown): { en: string; zh: string }[] {
  return textsShape.parse(json);
}

/** A value of our own types for a JSON column: what JSON cannot say is not in them. */
export function toJson(value: object): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(value)) as Prisma.InputJsonObject;
}

import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** What a fact must be. A bare value means "equals". */
const condition = z.union([
  scalar,
  z.strictObject({ in: z.array(scalar).min(1) }).describe('One of these values'),
  z.strictObject({ not: scalar }).describe('Any value but this one'),
  z
    .strictObject({ atLeast: z.number().optional(), atMost: z.number().optional() })
    .refine((range) => range.atLeast !== undefined || range.atMost !== undefined, 'atLeast or atMost')
    .describe('A number between these, both included'),
  z.strictObject({ version: z.string().min(1) }).describe('A version range such as ">=2.9" or ">=550 <580"'),
  z
    .strictObject({ name: z.string().min(1), version: z.string().min(1) })
    .describe('A container image of this name, without registry tag, whose tag lies in the version range'),
]);

export type Condition = z.infer<typeof condition>;

/**
 * Where an item applies. `all`, `any` and `not` combine; `capability` asks the hardware; every other key is a path of
 * environment-keys.yaml (`vendor`, `gpu.sku`, `gpu.count`, `driver`, `torch`, `workload.precision` …).
 */
export type Predicate =
  | { readonly all: readonly Predicate[] }
  | { readonly any: readonly Predicate[] }
  | { readonly not: Predicate }
  | { readonly capability: string }
  | { readonly [fact: string]: Condition };

const factPath = z.string().regex(/^[a-z][A-Za-z0-9]*(\.[A-Za-z0-9_]+)*$/, 'a path such as gpu.sku');
const combiners = new Set(['all', 'any', 'not', 'capability']);

export const predicate: z.ZodType<Predicate> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(predicate).min(1) }),
    z.strictObject({ any: z.array(predicate).min(1) }),
    z.strictObject({ not: predicate }),
    z.strictObject({ capability: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/) }),
    z
      .record(factPath, condition)
      .refine((fact) => Object.keys(fact).length === 1, 'one fact; combine several with all or any')
      .refine((fact) => !Object.keys(fact).some((key) => combiners.has(key)), 'all, any and not take predicates'),
  ]),
);

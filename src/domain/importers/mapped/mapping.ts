import { z } from 'zod';
import type { FactValue } from '../../measurement/environment-diff.js';
import { environmentKey, workloadKey } from '../../measurement/fact-key.js';

const column = z.string().min(1).max(250).describe('Name of the column; letter case and blanks do not matter');
const metric = z
  .string()
  .max(200)
  .regex(/^[a-z0-9]+(_[a-z0-9]+)*(\.[a-z0-9]+(_[a-z0-9]+)*)+$/)
  .describe('Key of the metric');
const unit = z.string().max(40).describe('Unit of the numbers, where no other column says it');
const dimensionName = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
const factKey = z
  .string()
  .max(200)
  .regex(/^[a-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*)*$/);
const dimensions = z
  .record(dimensionName, z.union([z.string().max(500), z.number()]))
  .default({})
  .describe('What tells these values from others of the same metric');

const columnRole = z.discriminatedUnion('role', [
  z.strictObject({
    column,
    role: z.literal('METRIC'),
    metric,
    unit: unit.optional(),
    unitColumn: column.optional().describe('The column that says the unit of each row'),
    dimensions,
  }),
  z.strictObject({ column, role: z.literal('DIMENSION'), name: dimensionName }),
  z.strictObject({ column, role: z.literal('WORKLOAD'), key: factKey.transform(workloadKey) }),
  z.strictObject({ column, role: z.literal('ENVIRONMENT'), key: factKey.transform(environmentKey) }),
  z.strictObject({
    column,
    role: z.enum(['VARIANT', 'SESSION', 'BLOCK', 'STARTED_AT', 'IGNORED', 'METRIC_NAME', 'VALUE', 'UNIT']),
  }),
]);

const fixedFacts = (keyOf: (key: string) => string) =>
  z
    .record(factKey, z.union([z.string().max(500), z.number(), z.boolean()]))
    .default({})
    .transform((facts) => inNamespace(facts, keyOf));

function inNamespace<V extends FactValue>(facts: Readonly<Record<string, V>>, keyOf: (key: string) => string) {
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [keyOf(key), value]));
}

/** What the columns of a table mean. */
export const columnMapping = z.strictObject({
  layout: z
    .enum(['WIDE', 'LONG'])
    .describe('WIDE: a column for each metric. LONG: the columns METRIC_NAME, VALUE and, where there is one, UNIT'),
  rows: z
    .enum(['EACH_ROW', 'GROUPED'])
    .describe(
      'EACH_ROW: a run for each row. GROUPED: rows with the same workload, environment, variant, session and block are one run, and rows of it with the same dimensions are repetitions',
    ),
  decimal: z
    .enum(['.', ','])
    .optional()
    .describe('What separates whole numbers from fractions, where the file does not show it'),
  rowsAt: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('JSON with several lists: the keys that lead to the list of rows, joined by dots'),
  columns: z.array(columnRole).min(1).max(1_000),
  fixed: z
    .strictObject({ environment: fixedFacts(environmentKey), workload: fixedFacts(workloadKey), dimensions })
    .prefault({})
    .describe('What no column says and all rows share; a column that says the same key stands over it'),
  metrics: z
    .array(z.strictObject({ name: z.string().min(1).max(250), metric, unit: unit.optional(), dimensions }))
    .max(1_000)
    .default([])
    .describe('LONG: which metric stands for each name; rows with other names are left out'),
});

export type ColumnMapping = z.infer<typeof columnMapping>;
export type ColumnRole = ColumnMapping['columns'][number];

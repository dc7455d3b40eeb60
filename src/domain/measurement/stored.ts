import { z } from 'zod';

// What runs and comparisons keep as JSON: checked where it is read.

export const verdictShape = z.enum([
  'IMPROVED',
  'REGRESSED',
  'NO_MEANINGFUL_CHANGE',
  'INCONCLUSIVE',
  'NOT_COMPARABLE',
  'BLOCKED_BY_GUARDRAIL',
]);

export const evidenceShape = z.enum([
  'EXACT', 'PAIRED', 'STATISTICAL', 'SUMMARY', 'INDICATIVE', 'SINGLE_RUN', 'NONE',
]); // prettier-ignore

export const dimensionsShape = z.record(z.string(), z.union([z.string(), z.number()]));

/** What happened inside a run. */
export const distributionShape = z.object({
  count: z.number(),
  mean: z.number().nullable(),
  sd: z.number().nullable(),
  min: z.number().nullable(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
});

/** Mean and deviation over repetitions that nobody listed: those of one run are of one session. */
export const summaryShape = z.object({
  mean: z.number(),
  sd: z.number(),
  n: z.number().nullable(),
  sampling: z.enum(['SEPARATE_SESSIONS', 'ONE_SESSION', 'UNKNOWN']).default('ONE_SESSION'),
});

export const warningsShape = z.array(z.object({ code: z.string(), details: z.record(z.string(), z.unknown()) }));

/** Who said a fact of a run that its file does not say. */
export const factSourceShape = z.enum(['CALLER', 'ENVIRONMENT']);

/** By key of the fact. */
export const factSourcesShape = z.record(z.string(), factSourceShape);

export const differencesShape = z.array(
  z.object({
    key: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    tier: z.enum(['BLOCK', 'WARN', 'INFO']),
    isDeclared: z.boolean(),
  }),
);

export const samplesShape = z.array(
  z.object({
    arm: z.enum(['BEFORE', 'AFTER']),
    value: z.number(),
    runId: z.string().nullable(),
    session: z.string().nullable(),
    block: z.string().nullable(),
  }),
);

import { z } from 'zod';

// What a comparison keeps as JSON: checked where it is read.

export const warningsShape = z.array(z.object({ code: z.string(), details: z.record(z.string(), z.unknown()) }));

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

import { z } from 'zod';
import { distributionShape, evidenceShape, verdictShape } from '../measurement/stored.js';
import { LARGEST_VALUE } from '../measurement/unit.js';
import { TEXT_LIMITS } from '../text-limits.js';
import { bothLanguages, facts, id, json, key, localized, longText, name, person, time } from './record-parts.js';

// The measurements of an audit record: metrics, runs, trials and what comparing their arms says.

const direction = z.enum(['HIGHER_IS_BETTER', 'LOWER_IS_BETTER', 'TARGET']);
const role = z.enum(['PRIMARY', 'SECONDARY', 'GUARDRAIL', 'DIAGNOSTIC']);

/** Most runs of an arm, values of a run, and entries of the other lists of a trial. */
const RUN_LIMIT = 1_000;
const SAMPLE_LIMIT = 10_000;
const LIST_LIMIT = 100;

/** A metric that runs of the record observe. `isOwn` where the project named it itself. */
const metric = z.object({
  key,
  isOwn: z.boolean(),
  name: localized,
  unit: z.string().min(1).max(TEXT_LIMITS.tag),
  dimension: key,
  /** Null for a metric that is context and gets no verdict. */
  direction: direction.nullable(),
  target: z.number().nullable(),
  isExact: z.boolean(),
  /** A fraction; for TARGET in the metric's unit. */
  smallestEffect: z.number(),
  role,
});
export type RecordedMetric = z.output<typeof metric>;

const dimensions = z.record(longText, z.union([longText, z.number()]));

/** What the database keeps. */
const measured = z.number().min(-LARGEST_VALUE).max(LARGEST_VALUE);

const observation = z.object({
  /** Key of the metric. */
  metric: key,
  dimensions,
  /** In the metric's unit, as all values here. */
  value: measured,
  repeats: z.array(measured).max(SAMPLE_LIMIT),
  blocks: z.array(longText).max(SAMPLE_LIMIT),
  samples: z.array(measured).max(SAMPLE_LIMIT),
  distribution: distributionShape.nullable(),
});
export type RecordedObservation = z.output<typeof observation>;

const run = z.object({
  id,
  source: z.enum(['MANUAL', 'IMPORT', 'CI']),
  status: z.enum(['OK', 'PARTIAL', 'FAILED']),
  tool: longText.nullable(),
  toolVersion: longText.nullable(),
  format: longText.nullable(),
  fileName: z.string().max(255).nullable(),
  /** SHA-256 over importer and content of the file that it was read from; null for a run that was typed in. */
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  part: z.int().min(0).max(1_000_000),
  session: longText.nullable(),
  block: longText.nullable(),
  variant: longText.nullable(),
  environment: facts,
  workload: facts,
  command: longText.nullable(),
  commit: longText.nullable(),
  imageDigest: longText.nullable(),
  /** The raw file, which is no part of the record. */
  evidence: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), fileName: z.string().max(255) }).nullable(),
  startedAt: time.nullable(),
  createdAt: time,
  createdBy: person,
  observations: z.array(observation).max(100_000),
});
export type RecordedRun = z.output<typeof run>;

const comparison = z.object({
  metric: key,
  role,
  dimensions,
  seriesKey: longText,
  nBefore: z.int(),
  nAfter: z.int(),
  medianBefore: z.number().nullable(),
  medianAfter: z.number().nullable(),
  ratio: z.number().nullable(),
  /** As a fraction; plus is better, whatever the direction. */
  gain: z.number().nullable(),
  gainLow: z.number().nullable(),
  gainHigh: z.number().nullable(),
  gainLow90: z.number().nullable(),
  gainHigh90: z.number().nullable(),
  pValue: z.number().nullable(),
  adjustedP: z.number().nullable(),
  threshold: z.number(),
  requiredGain: z.number(),
  method: name,
  methodVersion: name,
  computedAt: time,
  evidence: evidenceShape,
  verdict: verdictShape,
  isStrong: z.boolean(),
  isConfounded: z.boolean(),
  moreRunsPerArm: z.int().nullable(),
  warnings: z.array(z.object({ code: key, message: bothLanguages, details: z.record(z.string(), json) })),
  differences: z.array(
    z.object({
      key,
      before: longText.nullable(),
      after: longText.nullable(),
      tier: z.enum(['BLOCK', 'WARN', 'INFO']),
      isDeclared: z.boolean(),
    }),
  ),
  samples: z.array(
    z.object({
      arm: z.enum(['BEFORE', 'AFTER']),
      value: z.number(),
      runId: id.nullable(),
      session: longText.nullable(),
      block: longText.nullable(),
    }),
  ),
});
export type RecordedComparison = z.output<typeof comparison>;

const trial = z.object({
  id,
  /** The id that it had where it was measured: the same in every copy of the trial. */
  originId: id,
  auditItemKey: key,
  hypothesis: longText.nullable(),
  variable: z.array(key).max(LIST_LIMIT),
  /** Keys of metrics. */
  primaryMetric: key,
  guardrails: z.array(key).max(LIST_LIMIT),
  threshold: z.number().min(0).nullable(),
  isPaired: z.boolean(),
  sampling: z.enum(['SEPARATE_SESSIONS', 'ONE_SESSION', 'UNKNOWN']),
  isControl: z.boolean(),
  createdAt: time,
  createdBy: person,
  /** In the order of measurement; both empty for a plan. */
  beforeRunIds: z.array(id).max(RUN_LIMIT),
  afterRunIds: z.array(id).max(RUN_LIMIT),
  /** On the primary metric, over all its series; null for a plan. */
  verdict: verdictShape.nullable(),
  /** Those of the newest computation: the primary metric, the guardrails, then the rest. */
  comparisons: z.array(comparison),
});
export type RecordedTrial = z.output<typeof trial>;

/** The measurements of a record; lists in the order in which things were made. */
export const measurements = { metrics: z.array(metric), runs: z.array(run), trials: z.array(trial) };

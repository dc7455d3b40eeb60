import { z } from 'zod';
import { distributionShape, evidenceShape, factSourceShape, verdictShape } from '../measurement/stored.js';
import { LARGEST_VALUE } from '../measurement/unit.js';
import { TEXT_LIMITS } from '../text-limits.js';
import {
  attachments,
  bothLanguages,
  facts,
  filledName,
  id,
  json,
  key,
  LIST_LIMITS,
  listOf,
  localized,
  longText,
  name,
  optionalLongText,
  person,
  tableOf,
  time,
} from './record-parts.js';

// The measurements of an audit record: metrics, runs, trials and what comparing their arms says.

const direction = z.enum(['HIGHER_IS_BETTER', 'LOWER_IS_BETTER', 'TARGET']);
const role = z.enum(['PRIMARY', 'SECONDARY', 'GUARDRAIL', 'DIAGNOSTIC']);

/** Largest threshold, and what GraphQL counts to. */
const LARGEST_THRESHOLD = 1e6;
const LARGEST_COUNT = 2 ** 31 - 1;

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

const dimensions = tableOf(z.union([longText, z.number()]));

const sampling = z.enum(['SEPARATE_SESSIONS', 'ONE_SESSION', 'UNKNOWN']);

/** What the database keeps. */
const measured = z.number().min(-LARGEST_VALUE).max(LARGEST_VALUE);

/** As `listOf`, for lists that are long and mostly right: a number at a time would take longer than all else. */
function numbersOf(entry: typeof measured, most: number) {
  const slow = listOf(entry, most);
  const isRight = (value: unknown) => typeof value === 'number' && Math.abs(value) <= LARGEST_VALUE;
  return z.unknown().transform((value, context): number[] => {
    const given: readonly unknown[] = Array.isArray(value) ? value : [null];
    if (given.length <= most && given.every(isRight)) return given.filter((one) => typeof one === 'number');
    const { error } = slow.safeParse(value, { reportInput: true });
    for (const { message, ...issue } of error?.issues ?? []) context.issues.push({ input: undefined, ...issue });
    return z.NEVER;
  });
}

const observation = z.object({
  /** Key of the metric. */
  metric: key,
  dimensions,
  /** In the metric's unit, as all values here. */
  value: measured,
  repeats: numbersOf(measured, LIST_LIMITS.samples),
  blocks: listOf(longText, LIST_LIMITS.samples),
  samples: numbersOf(measured, LIST_LIMITS.samples),
  /** Mean and deviation over repetitions that nobody listed. */
  summary: z
    .object({
      mean: measured,
      sd: measured.min(0),
      n: z.int().min(1).max(LARGEST_COUNT).nullable(),
      sampling: sampling.default('ONE_SESSION'),
    })
    .nullable()
    .default(null),
  distribution: distributionShape.extend({ count: z.int().min(0).max(LARGEST_COUNT) }).nullable(),
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
  /** Who said the facts that are not of the file, by key. */
  factSources: tableOf(factSourceShape).default({}),
  /** Values of the file that could not be read, and are not in the record. */
  leftOut: z.int().min(0).max(LARGEST_COUNT).default(0),
  command: longText.nullable(),
  commit: longText.nullable(),
  imageDigest: longText.nullable(),
  /** The raw file, which is no part of the record. */
  evidence: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), fileName: z.string().max(255) }).nullable(),
  startedAt: time.nullable(),
  createdAt: time,
  createdBy: person,
  attachments,
  observations: listOf(observation, LIST_LIMITS.observations),
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
  /** Corrected by Holm over the primary comparisons of the audit; null for what is none of them. */
  reportAdjustedP: z.number().nullable().default(null),
  /** Whether the claim of a change survives that; null where there is none. */
  survivesReport: z.boolean().nullable().default(null),
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
  warnings: listOf(z.object({ code: key, message: bothLanguages, details: tableOf(json) }), LIST_LIMITS.details),
  differences: listOf(
    z.object({
      key,
      before: longText.nullable(),
      after: longText.nullable(),
      tier: z.enum(['BLOCK', 'WARN', 'INFO']),
      isDeclared: z.boolean(),
    }),
    LIST_LIMITS.details,
  ),
  samples: listOf(
    z.object({
      arm: z.enum(['BEFORE', 'AFTER']),
      value: z.number(),
      runId: id.nullable(),
      session: longText.nullable(),
      block: longText.nullable(),
    }),
    LIST_LIMITS.comparedValues,
  ),
});
export type RecordedComparison = z.output<typeof comparison>;

const trial = z.object({
  id,
  /** The id that it had where it was measured: the same in every copy of the trial. */
  originId: id,
  auditItemKey: key,
  hypothesis: optionalLongText,
  variable: listOf(filledName, LIST_LIMITS.names),
  /** Keys of metrics. */
  primaryMetric: key,
  guardrails: listOf(filledName, LIST_LIMITS.names),
  threshold: z.number().min(0).max(LARGEST_THRESHOLD).nullable(),
  isPaired: z.boolean(),
  sampling,
  isControl: z.boolean(),
  /** Whether somebody said so; where a file does not tell, it is judged by the arms. */
  isSaidControl: z.boolean().nullable().default(null),
  /** Runs per arm without which nothing is claimed. */
  plannedRunsPerArm: z.int().min(1).max(LIST_LIMITS.runsOfArm).nullable().default(null),
  /** Which look at growing data its runs are. */
  looks: z.int().min(1).max(LARGEST_COUNT).default(1),
  /** What a reviewer said over differences that block. */
  override: z.object({ reason: longText, by: person, at: time }).nullable().default(null),
  createdAt: time,
  createdBy: person,
  attachments,
  /** In the order of measurement; both empty for a plan. */
  beforeRunIds: listOf(id, LIST_LIMITS.runsOfArm),
  afterRunIds: listOf(id, LIST_LIMITS.runsOfArm),
  /** On the primary metric, over all its series; null for a plan. */
  verdict: verdictShape.nullable(),
  /** Those of the newest computation: the primary metric, the guardrails, then the rest. */
  comparisons: listOf(comparison, LIST_LIMITS.comparisons),
});
export type RecordedTrial = z.output<typeof trial>;

/** The measurements of a record; lists in the order in which things were made. */
export const measurements = {
  metrics: listOf(metric, LIST_LIMITS.metrics),
  runs: listOf(run, LIST_LIMITS.runs),
  trials: listOf(trial, LIST_LIMITS.trials),
};

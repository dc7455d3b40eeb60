import { z } from 'zod';
import type { ArmsComparison, ComparedRow } from '../domain/comparison/compare-arms.js';
import { exitCodes, gateOf, type GateRules } from '../domain/comparison/gate.js';
import { missingTexts } from '../domain/comparison/lost-series.js';
import { rawOutcome } from '../domain/measurement/guardrails.js';
import { dimensionsShape, evidenceShape, verdictShape } from '../domain/measurement/stored.js';
import { weightOver } from '../domain/measurement/trial.js';
import { dataOf, type LocalService } from '../local-service.js';
import { OperatorError } from '../platform/operator-error.js';
import { CommandError, exit, usageError } from './command-error.js';
import type { CompareOptions } from './compare-files.js';
import { judgedRows, printComparison, type OutputOptions } from './compare.js';
import { findTrial } from './find-subject.js';
import { serviceFor, type ServerOptions } from './service-for.js';

const TRIAL = `
  query($id: ID!) { trial(id: $id) {
    verdict guardrails primaryMetric { key }
    comparisons {
      metric { key unit dimension direction target isExact smallestEffect role }
      role dimensions nBefore nAfter medianBefore medianAfter ratio gain gainLow gainHigh gainLow90 gainHigh90
      pValue adjustedP threshold requiredGain method methodVersion evidence verdict isStrong isConfounded moreRunsPerArm
      warnings { code message { en zh } }
      environmentDifferences { key before after tier declared }
      samples { arm value }
    }
  } }`;

const number = z.number().nullable();
const role = z.enum(['PRIMARY', 'SECONDARY', 'GUARDRAIL', 'DIAGNOSTIC']);

const comparison = z.object({
  metric: z.object({
    key: z.string(),
    unit: z.string(),
    dimension: z.string(),
    direction: z.enum(['HIGHER_IS_BETTER', 'LOWER_IS_BETTER', 'TARGET']).nullable(),
    target: number,
    isExact: z.boolean(),
    smallestEffect: z.number(),
    role,
  }),
  role,
  dimensions: dimensionsShape,
  adjustedP: number,
  warnings: z.array(z.object({ code: z.string(), message: z.object({ en: z.string(), zh: z.string() }) })),
  environmentDifferences: z.array(
    z.object({
      key: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      tier: z.enum(['BLOCK', 'WARN', 'INFO']),
      declared: z.boolean(),
    }),
  ),
  samples: z.array(z.object({ arm: z.enum(['BEFORE', 'AFTER']), value: z.number() })),
  nBefore: z.number(),
  nAfter: z.number(),
  medianBefore: number,
  medianAfter: number,
  ratio: number,
  gain: number,
  gainLow: number,
  gainHigh: number,
  gainLow90: number,
  gainHigh90: number,
  pValue: number,
  threshold: z.number(),
  requiredGain: z.number(),
  // prettier-ignore
  method: z.enum([
    'EXACT_COMPARISON', 'NOISE_FLOOR', 'RANGE_GAP', 'MANN_WHITNEY', 'SIGNED_RANK', 'WELCH_LOG', 'NONE',
  ]).catch('NONE'),
  methodVersion: z.string(),
  evidence: evidenceShape,
  verdict: verdictShape,
  isStrong: z.boolean(),
  isConfounded: z.boolean(),
  moreRunsPerArm: number,
});

const found = z.object({
  trial: z
    .object({
      verdict: verdictShape.nullable(),
      guardrails: z.array(z.string()),
      primaryMetric: z.object({ key: z.string() }),
      comparisons: z.array(comparison),
    })
    .nullable(),
});

/** Judges a trial of a server as it stands, and ends as the gate on files does. A name needs its project. */
export async function gateTrial(
  idOrName: string,
  files: readonly string[],
  options: CompareOptions & OutputOptions & ServerOptions & { readonly project?: string },
  rules: GateRules,
): Promise<void> {
  if (files.length > 0 || options.before || options.after) throw usageError('--trial takes no files');
  const compared = await unjudgedOnError(async () => {
    const service = await serviceFor(options);
    try {
      const { project } = options;
      return await trialIn(
        service,
        project === undefined ? idOrName : (await findTrial(service, project, idOrName)).id,
      );
    } finally {
      await service.close();
    }
  });
  const measured = new Set(compared.rows.map(({ metric }) => metric.key));
  const gate = gateOf({ rows: judgedRows(compared), missing: missingTexts(compared, measured), faults: [] }, rules);
  printComparison(compared, null, [], gate, options);
  process.exitCode = exitCodes[gate.outcome];
}

/** 1 says of a gate that something got worse, so no refusal of the server may end with it. */
async function unjudgedOnError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUsage = error instanceof CommandError && error.exitCode !== exit.REFUSED;
    if (isUsage || !(error instanceof OperatorError)) throw error;
    throw new CommandError(exit.UNJUDGED, error.message, { cause: error });
  }
}

/** What a trial says, as comparing files does. UNJUDGED for one that has no runs. */
export async function trialIn(service: LocalService, id: string): Promise<ArmsComparison> {
  const { trial } = found.parse(dataOf(await service.ask(TRIAL, { id })));
  if (!trial) {
    const hint = 'a trial is found by its hypothesis where --project names its project';
    throw new CommandError(exit.UNJUDGED, `There is no trial "${id}", or it may not be seen: ${hint}`);
  }
  const rows = trial.comparisons.map(rowOf);
  const primary = rows.filter((row) => row.role === 'PRIMARY').map(({ result }) => result);
  if (trial.verdict === null || primary.length === 0) {
    throw new CommandError(exit.UNJUDGED, `The trial "${id}" is planned: it has no runs to judge by`);
  }
  return {
    verdict: trial.verdict,
    ...weightOver(primary),
    primary: [trial.primaryMetric.key],
    primaryFrom: 'NAMED',
    guardrails: trial.guardrails,
    rows,
    familySize: primary.filter(({ pValue }) => pValue !== null).length,
    oneSided: [],
    differences: primary[0]?.differences ?? [],
  };
}

function rowOf(row: z.infer<typeof comparison>): ComparedRow {
  const { metric, role: of, dimensions, adjustedP, warnings, environmentDifferences, samples, ...numbers } = row;
  const valuesOf = (arm: 'BEFORE' | 'AFTER') => samples.filter((one) => one.arm === arm).map(({ value }) => value);
  const coded = warnings.map(({ code, message }) => ({ code, details: {}, text: message }));
  return {
    metric,
    role: of,
    dimensions,
    adjustedP,
    raw: numbers.gain === null ? rawOutcome(metric.direction, valuesOf('BEFORE'), valuesOf('AFTER')) : null,
    warnings: coded,
    result: {
      ...numbers,
      warnings: coded,
      differences: environmentDifferences.map(({ declared, ...difference }) => ({
        ...difference,
        isDeclared: declared,
      })),
    },
  };
}

import { randomUUID } from 'node:crypto';
import { dataOf, type LocalService } from '../local-service.js';
import { usageError } from './command-error.js';
import { fraction } from './option-values.js';

/** What makes the runs of a measurement an arm of a trial. */
export interface TrialOptions {
  readonly arm?: 'before' | 'after';
  /** A trial that gets further runs. */
  readonly trial?: string;
  /** Or the audit item that a new trial is of, with the runs of its other arm. */
  readonly item?: string;
  readonly otherArm?: readonly string[];
  readonly metric?: string;
  readonly guardrail?: readonly string[];
  readonly variable?: readonly string[];
  readonly threshold?: string;
  readonly hypothesis?: string;
}

export interface RecordedTrial {
  readonly id: string;
  readonly verdict: string | null;
}

const CREATE = 'mutation($input: CreateTrialInput!) { trial: createTrial(input: $input) { id verdict } }';
const EXTEND = 'mutation($input: ExtendTrialInput!) { trial: extendTrial(input: $input) { id verdict } }';

/** Refuses options that make no trial, before anything is sent. */
export function checkTrialOptions({ arm, trial, item, otherArm, metric }: TrialOptions): void {
  if (arm === undefined) {
    if (trial !== undefined || item !== undefined)
      throw usageError('--trial and --item need --arm before or --arm after');
    return;
  }
  if ((trial === undefined) === (item === undefined)) throw usageError('--arm needs one of --trial and --item');
  if (item !== undefined && (metric === undefined || !otherArm?.length)) {
    throw usageError('a new trial needs --metric, and --other-arm with the ids of the runs of the other arm');
  }
}

/** The runs as an arm of a trial, a new one or one that gets further runs; null where that was not asked for. */
export async function trialOf(
  service: LocalService,
  runIds: readonly string[],
  { arm, trial, item, otherArm = [], metric, ...options }: TrialOptions,
): Promise<RecordedTrial | null> {
  if (arm === undefined) return null;
  const arms = (own: readonly string[], other: readonly string[]) =>
    arm === 'before' ? { beforeRunIds: own, afterRunIds: other } : { beforeRunIds: other, afterRunIds: own };
  const clientMutationId = randomUUID();
  const input =
    trial === undefined
      ? {
          auditItemId: item,
          ...arms(runIds, otherArm),
          primaryMetric: metric,
          guardrails: options.guardrail ?? [],
          variable: options.variable ?? [],
          hypothesis: options.hypothesis ?? null,
          threshold: options.threshold === undefined ? null : fraction(options.threshold, '--threshold'),
          clientMutationId,
        }
      : { id: trial, ...arms(runIds, []), clientMutationId };
  const answer = await service.ask(trial === undefined ? CREATE : EXTEND, { input });
  return dataOf<{ trial: RecordedTrial }>(answer).trial;
}

import { randomUUID } from 'node:crypto';
import type { ArmName } from '../domain/comparison/read-arm.js';
import { dataOf, type LocalService } from '../local-service.js';
import { CommandError, exit, usageError } from './command-error.js';
import { findItem, findTrial, refuseClosed, type FoundTrial } from './find-subject.js';
import { fraction } from './option-values.js';

/** What makes the runs of a measurement the arms of a trial. */
export interface TrialOptions {
  /** The arm that the files are of, where they are of one. */
  readonly arm?: 'before' | 'after';
  /** Or the files of each arm. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** A trial that gets further runs, or a plan that gets its first: its id or its hypothesis. */
  readonly trial?: string;
  /** Or the audit item that a new trial is of: its id or its key. */
  readonly item?: string;
  /** The audit of the item, where several have it: its id or its title. */
  readonly audit?: string;
  /** Ids of runs of the arm that the files are not of. */
  readonly otherArm?: readonly string[];
  readonly metric?: string;
  readonly unit?: string;
  readonly guardrail?: readonly string[];
  readonly variable?: readonly string[];
  readonly threshold?: string;
  readonly hypothesis?: string;
}

export interface RecordedTrial {
  readonly id: string;
  readonly verdict: string | null;
  /** NEW: it was made. EXTENDED: it got runs. KNOWN: all of it was there before. */
  readonly state: 'NEW' | 'EXTENDED' | 'KNOWN';
}

/** The trial that the runs are for. */
export type TrialTarget =
  { readonly kind: 'NEW'; readonly itemId: string } | { readonly kind: 'KNOWN'; readonly trial: FoundTrial };

export type RunsOfArms = Readonly<Record<ArmName, readonly string[]>>;

const CREATE = 'mutation($input: CreateTrialInput!) { trial: createTrial(input: $input) { id verdict isNew } }';
const EXTEND = 'mutation($input: ExtendTrialInput!) { trial: extendTrial(input: $input) { id verdict } }';

/** Options that say how a trial is made, and that one which is there has already. */
const ofNewTrials = ['guardrail', 'variable', 'threshold', 'hypothesis', 'audit'] as const;

/** The arms that get runs: from files, or those that `--other-arm` names. */
function armsGiven({ arm, before = [], after = [], otherArm = [] }: TrialOptions): ReadonlySet<ArmName> {
  const [hasBefore, hasAfter] = [before.length > 0 || arm === 'before', after.length > 0 || arm === 'after'];
  const hasOther = otherArm.length > 0;
  const arms: ArmName[] = [];
  if (hasBefore || (hasAfter && hasOther)) arms.push('BEFORE');
  if (hasAfter || (hasBefore && hasOther)) arms.push('AFTER');
  return new Set(arms);
}

/** Refuses options that make no trial, before anything is sent. */
export function checkTrialOptions(options: TrialOptions): void {
  const { arm, before = [], after = [], trial, item, otherArm = [] } = options;
  const given = armsGiven(options);
  const isByArm = before.length + after.length > 0;
  if (arm !== undefined && isByArm) throw usageError('--before and --after name the arms, so --arm has no part in it');
  if (otherArm.length > 0 && (given.size === 0 || (before.length > 0 && after.length > 0))) {
    throw usageError('--other-arm names runs of the arm that the files are not of: give files of one arm');
  }
  if (trial !== undefined && item !== undefined) throw usageError('--trial and --item exclude each other');
  if (given.size === 0) {
    if (trial === undefined && item === undefined) return;
    throw usageError('--trial and --item need --arm before or --arm after, or the files behind --before and --after');
  }
  if (trial === undefined && item === undefined) {
    throw usageError(`${isByArm ? '--before and --after need' : '--arm needs'} one of --trial and --item`);
  }
  if (options.threshold !== undefined) fraction(options.threshold, '--threshold');
  if (item === undefined) {
    // Beside --unit the metric says what numbers of a file are
    const own = [...(options.unit === undefined ? (['metric'] as const) : []), ...ofNewTrials].find(
      (name) => options[name] !== undefined,
    );
    if (own !== undefined) throw usageError(`--${own} is for a new trial: the one that --trial names has its own`);
    return;
  }
  const missing = [...(options.metric === undefined ? ['its primary metric by --metric'] : []), ...missingArms(given)];
  if (options.guardrail?.includes(options.metric ?? ''))
    throw usageError(`"${options.metric}" cannot be both the primary metric and a guardrail`);
  if (missing.length > 0) throw usageError(`a new trial also needs ${missing.join(', and ')}`);
}

function missingArms(given: ReadonlySet<ArmName>): readonly string[] {
  return (['BEFORE', 'AFTER'] as const)
    .filter((arm) => !given.has(arm))
    .map((arm) => {
      const name = arm.toLowerCase();
      return `the arm ${name}: its files behind --${name}, or the ids of its runs by --other-arm`;
    });
}

/** The trial or the item that the options name; null where the runs are for none. Refused where an arm is missing. */
export async function trialTarget(
  service: LocalService,
  slug: string,
  options: TrialOptions,
): Promise<TrialTarget | null> {
  if (options.item !== undefined) {
    const { item, audit = null } = options;
    return { kind: 'NEW', itemId: await findItem(service, slug, { item, audit }) };
  }
  if (options.trial === undefined) return null;
  const trial = await findTrial(service, slug, options.trial);
  refuseClosed(trial.auditItem);
  const missing = missingArms(armsGiven(options));
  if (trial.verdict === null && missing.length > 0) {
    const what = `The trial "${options.trial}" is planned and has no runs yet, so that it needs both arms at once`;
    throw new CommandError(exit.REFUSED, `${what}. What is missing is ${missing.join(', and ')}`);
  }
  return { kind: 'KNOWN', trial };
}

/** Makes the trial of the runs, or adds them to it; runs that it has in the same arm already are not added again. */
export async function recordTrial(
  service: LocalService,
  target: TrialTarget,
  runs: RunsOfArms,
  options: TrialOptions,
): Promise<RecordedTrial> {
  const clientMutationId = randomUUID();
  if (target.kind === 'NEW') {
    const { metric, guardrail = [], variable = [], hypothesis = null, threshold } = options;
    const input = {
      auditItemId: target.itemId,
      beforeRunIds: runs.BEFORE,
      afterRunIds: runs.AFTER,
      primaryMetric: metric,
      guardrails: guardrail,
      variable,
      hypothesis,
      threshold: threshold === undefined ? null : fraction(threshold, '--threshold'),
      clientMutationId,
    };
    const { trial } = dataOf<{ trial: MadeTrial }>(await service.ask(CREATE, { input }));
    return { id: trial.id, verdict: trial.verdict, state: trial.isNew ? 'NEW' : 'KNOWN' };
  }
  const { id, verdict, ...there } = target.trial;
  const beforeRunIds = runs.BEFORE.filter((run) => !there.beforeRunIds.includes(run));
  const afterRunIds = runs.AFTER.filter((run) => !there.afterRunIds.includes(run));
  if (verdict !== null && beforeRunIds.length + afterRunIds.length === 0) return { id, verdict, state: 'KNOWN' };
  const input = { id, beforeRunIds, afterRunIds, clientMutationId };
  const { trial } = dataOf<{ trial: Omit<MadeTrial, 'isNew'> }>(await service.ask(EXTEND, { input }));
  return { ...trial, state: 'EXTENDED' };
}

interface MadeTrial {
  readonly id: string;
  readonly verdict: string | null;
  readonly isNew: boolean;
}

import type { ArmName } from '../domain/comparison/read-arm.js';
import type { ColumnMapping } from '../domain/importers/mapped/index.js';
import type { Facts } from '../domain/measurement/environment-diff.js';
import { pipelineOf } from '../domain/measurement/pipeline.js';
import { dataOf, type LocalService } from '../local-service.js';
import { OperatorError } from '../platform/operator-error.js';
import { checkTrial, trialWarnings } from './check-trial.js';
import { CommandError, exit, usageError } from './command-error.js';
import { trialIn } from './gate-trial.js';
import { refusedWhereUnread } from './input-files.js';
import { machineFacts, type GivenFacts } from './machine-facts.js';
import { checkMappingOptions, mappingIn } from './mapping-file.js';
import { withFiles, type MeasuredFile, type PathsOfArm, type SentContent } from './measure-files.js';
import { printMeasured, type FileReport, type Measured } from './measure-report.js';
import { checkTrialOptions, recordTrial, trialTarget, type TrialOptions } from './measure-trial.js';
import { factsOf } from './option-values.js';
import { checkPlainOptions } from './plain-file.js';
import { checkedFiles, written } from './send-files.js';
import { serviceFor, type ServerOptions } from './service-for.js';

export interface MeasureOptions extends ServerOptions, TrialOptions {
  readonly format?: string;
  readonly mapping?: string;
  readonly mappingName?: string;
  readonly direction?: 'higher' | 'lower';
  readonly lang?: 'en' | 'zh';
  readonly session?: string;
  readonly sessionBefore?: string;
  readonly sessionAfter?: string;
  readonly block?: string;
  readonly environment?: string;
  readonly detect?: true;
  readonly set?: readonly string[];
  readonly setBefore?: readonly string[];
  readonly setAfter?: readonly string[];
  readonly override?: readonly string[];
  readonly commit?: string;
  readonly imageDigest?: string;
  readonly dryRun?: true;
  readonly output?: 'text' | 'ids' | 'json';
}

const FIND_PROJECT = 'query($slug: String!) { project(slug: $slug) { id viewerCan } }';

/** Sends files to a project, and prints the runs that they became. Ends with 1 where one was refused. */
export async function measureCommand(slug: string, paths: readonly string[], options: MeasureOptions): Promise<void> {
  const arms = armsOf(paths, options);
  checkTrialOptions(options);
  checkArmOptions(arms, options);
  await checkPlainOptions(options);
  checkMappingOptions(options);
  const mapping =
    options.mapping === undefined ? null : await refusedWhereUnread(() => mappingIn(options.mapping ?? ''));
  await withFiles(arms, async (files) => {
    const service = await serviceFor(options);
    try {
      await orRefused(() => send(service, slug, files, mapping, options));
    } finally {
      await service.close();
    }
  });
}

/** The paths with the arm that they are of: that of `--arm`, or those that the options name. */
function armsOf(paths: readonly string[], { arm, before = [], after = [] }: MeasureOptions): readonly PathsOfArm[] {
  if (before.length + after.length === 0) {
    if (paths.length === 0) throw usageError('files are needed: behind the project, or behind --before and --after');
    return [{ arm: arm === undefined ? null : arm === 'before' ? 'BEFORE' : 'AFTER', paths }];
  }
  if (paths.length > 0) throw usageError(`say of "${paths.join(' ')}" whether it is --before or --after`);
  const both: readonly PathsOfArm[] = [
    { arm: 'BEFORE', paths: before },
    { arm: 'AFTER', paths: after },
  ];
  return both.filter((one) => one.paths.length > 0);
}

/** What is said of one arm alone, where no file is of it, would be lost in silence. */
function checkArmOptions(arms: readonly PathsOfArm[], options: MeasureOptions): void {
  for (const [arm, name, given] of [
    ['BEFORE', 'before', options.sessionBefore ?? options.setBefore],
    ['AFTER', 'after', options.sessionAfter ?? options.setAfter],
  ] as const) {
    if (given === undefined || arms.some((one) => one.arm === arm)) continue;
    throw usageError(`--session-${name} and --set-${name} are of files of the arm ${name}, and none are given`);
  }
}

async function send(
  service: LocalService,
  slug: string,
  files: readonly MeasuredFile[],
  mapping: ColumnMapping | null,
  options: MeasureOptions,
): Promise<void> {
  const projectId = await projectToWrite(service, slug);
  const target = await trialTarget(service, slug, options);
  const contextOf = await contexts(service, options);
  const sending = { service, projectId, contextOf, mapping, options, uploaded: new Map<MeasuredFile, SentContent>() };
  const print = (reports: readonly FileReport[], more: Partial<Measured> = {}, isDryRun = false) => {
    const shown = isDryRun ? { ...options, dryRun: true as const } : options;
    printMeasured({ project: slug, files: reports, trial: null, trialProblems: [], ...more }, shown);
    if (reports.some(isRefused)) process.exitCode = exit.REFUSED;
  };
  if (options.dryRun || target !== null) {
    const checked = await checkedFiles(sending, files);
    const reports = checked.map(({ report }) => report);
    const isWrong = reports.some(isRefused);
    if (options.dryRun || isWrong) print(reports, { trialProblems: await trialWarnings(checked, options) }, true);
    if (isWrong) return;
    if (target !== null) await checkTrial(service, target, checked, options);
    if (options.dryRun) return;
  }
  const reports: FileReport[] = [];
  await tellingWritten(reports, async () => {
    for (const file of files) reports.push(await written(sending, file));
    if (target === null || reports.some(isRefused)) return print(reports);
    const recorded = await recordTrial(service, target, runsOf(reports, options), options);
    const comparison = recorded.verdict === null ? null : await trialIn(service, recorded.id);
    print(reports, { trial: { ...recorded, comparison } });
  });
}

const isRefused = ({ problems }: FileReport): boolean => problems.some(({ isBlocking }) => isBlocking);

/** What fails after runs were written says which, since they stay. */
async function tellingWritten(reports: readonly FileReport[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const ids = reports.flatMap(({ runs }) => runs.map(({ id }) => id));
    if (ids.length === 0 || !(error instanceof OperatorError)) throw error;
    const code = error instanceof CommandError ? error.exitCode : exit.REFUSED;
    const rest = 'These runs are written and stay; the same command again takes them and adds nothing twice:';
    throw new CommandError(code, [error.message, rest, ...ids.map((id) => `  ${id}`)].join('\n'), { cause: error });
  }
}

async function projectToWrite(service: LocalService, slug: string): Promise<string> {
  const { project } = dataOf<{ project: { id: string; viewerCan: readonly string[] } | null }>(
    await service.ask(FIND_PROJECT, { slug }),
  );
  if (!project) throw new CommandError(exit.REFUSED, `There is no project "${slug}", or it may not be seen`);
  if (project.viewerCan.includes('WRITE_MEASUREMENTS')) return project.id;
  throw new CommandError(
    exit.REFUSED,
    `The project "${slug}" may be read and not written to: this needs a token with the right ingest, whose creator has WRITE_MEASUREMENTS`,
  );
}

/** The runs of each arm: those of its files, and those that `--other-arm` names. */
function runsOf(
  reports: readonly FileReport[],
  { otherArm = [] }: MeasureOptions,
): Readonly<Record<ArmName, string[]>> {
  const ofArm = (arm: ArmName) =>
    reports.filter((report) => report.arm === arm).flatMap(({ runs }) => runs.map(({ id }) => id));
  const isOther = (arm: ArmName) => reports.every((report) => report.arm !== arm);
  const idsOf = (arm: ArmName) => [...new Set(isOther(arm) ? otherArm : ofArm(arm))];
  return { BEFORE: idsOf('BEFORE'), AFTER: idsOf('AFTER') };
}

/** What is said of all files of an arm: facts, session, and where they come from. */
async function contexts(service: LocalService, options: MeasureOptions) {
  const pipeline = pipelineOf(process.env);
  const shared: readonly GivenFacts[] = [
    ...(await machineFacts(service, options)),
    { option: 'the pipeline', facts: pipeline?.facts ?? {} },
    { option: '--set', facts: factsOf(options.set ?? [], '--set') },
  ];
  const own = {
    BEFORE: {
      session: options.sessionBefore,
      option: '--set-before',
      facts: factsOf(options.setBefore ?? [], '--set-before'),
    },
    AFTER: {
      session: options.sessionAfter,
      option: '--set-after',
      facts: factsOf(options.setAfter ?? [], '--set-after'),
    },
  };
  return (arm: ArmName | null) => {
    const given = arm === null ? shared : [...shared, own[arm]];
    const facts: Facts = Object.fromEntries(given.flatMap((one) => Object.entries(one.facts)));
    const only = (wanted: 'WORKLOAD' | 'ENVIRONMENT') =>
      Object.fromEntries(
        Object.entries(facts).filter(([key]) => key.startsWith('workload.') === (wanted === 'WORKLOAD')),
      );
    const input = {
      format: options.format ?? null,
      session: (arm === null ? undefined : own[arm].session) ?? options.session ?? null,
      block: options.block ?? null,
      environment: only('ENVIRONMENT'),
      workload: only('WORKLOAD'),
      override: options.override ?? [],
      commit: options.commit ?? pipeline?.commit ?? null,
      imageDigest: options.imageDigest ?? pipeline?.imageDigest ?? null,
      source: pipeline === null ? 'IMPORT' : 'CI',
    };
    return { input, given };
  };
}

/** What the API complains about ends the command as refused. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof OperatorError)) throw error;
    throw new CommandError(exit.REFUSED, error.message, { cause: error });
  }
}

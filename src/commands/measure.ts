import { randomUUID } from 'node:crypto';
import type { ArmName } from '../domain/comparison/read-arm.js';
import type { Facts } from '../domain/measurement/environment-diff.js';
import { pipelineOf } from '../domain/measurement/pipeline.js';
import { dataOf, type LocalService } from '../local-service.js';
import { OperatorError } from '../platform/operator-error.js';
import { CommandError, exit, usageError } from './command-error.js';
import { comparisonOfTrial } from './gate-trial.js';
import { machineFacts, withOptions, type GivenFacts, type SaidProblem } from './machine-facts.js';
import { contentOf, withFiles, type MeasuredFile, type PathsOfArm } from './measure-files.js';
import { printMeasured, type FileReport, type MeasuredTrial } from './measure-report.js';
import {
  checkTrialOptions,
  recordTrial,
  trialTarget,
  type RunsOfArms,
  type TrialOptions,
  type TrialTarget,
} from './measure-trial.js';
import { factsOf } from './option-values.js';
import { serviceFor, type ServerOptions } from './service-for.js';

export interface MeasureOptions extends ServerOptions, TrialOptions {
  readonly format?: string;
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
const REPORT = `
  format observationCount wouldWriteCount
  candidates
  runs { id isNew status variant }
  problems { line code value message isBlocking }`;
const IMPORT = `mutation($input: ImportRunInput!) { importRun(input: $input) { ${REPORT} } }`;
/** A dry run also says what was understood. */
const DRY_IMPORT = `
  mutation($input: ImportRunInput!) {
    importRun(input: $input) {
      ${REPORT}
      wouldWrite { index isWritten knownRunId status variant session block observationCount }
      observations(first: 1000) { metric { key unit direction } dimensions value repeats }
    }
  }`;

type ImportAnswer = Omit<FileReport, 'file' | 'arm' | 'problems'> & { readonly problems: readonly SaidProblem[] };

/** Sends files to a project, and prints the runs that they became. Ends with 1 where one was refused. */
export async function measureCommand(slug: string, paths: readonly string[], options: MeasureOptions): Promise<void> {
  const arms = armsOf(paths, options);
  checkTrialOptions(options);
  checkArmOptions(arms, options);
  await withFiles(arms, async (files) => {
    const service = await serviceFor(options);
    try {
      await orRefused(() => send(service, slug, files, options));
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
  options: MeasureOptions,
): Promise<void> {
  const projectId = await projectToWrite(service, slug);
  const target = await trialTarget(service, slug, options);
  const contextOf = await contexts(service, options);
  const reports: FileReport[] = [];
  let trial: MeasuredTrial | null = null;
  try {
    for (const file of files) {
      reports.push(await reportOf(service, { projectId, file, context: contextOf(file.arm) }, options));
    }
    const isDone = reports.some(isRefused) || options.dryRun === true;
    if (target && !isDone) trial = await recordedTrial(service, target, runsOf(reports, options), options);
  } catch (error) {
    if (reports.length > 0) printMeasured({ project: slug, files: reports, trial: null }, options);
    throw withWritten(error, reports, options);
  }
  printMeasured({ project: slug, files: reports, trial }, options);
  if (reports.some(isRefused)) process.exitCode = exit.REFUSED;
}

function isRefused({ problems }: FileReport): boolean {
  return problems.some(({ isBlocking }) => isBlocking);
}

interface SentFile {
  readonly projectId: string;
  readonly file: MeasuredFile;
  readonly context: { readonly input: object; readonly given: readonly GivenFacts[] };
}

async function reportOf(
  service: LocalService,
  { projectId, file, context }: SentFile,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<FileReport> {
  const content = await contentOf(service, projectId, file, dryRun ? 'KEEP_NOTHING' : 'KEEP');
  const input = {
    projectId,
    fileName: file.name,
    ...content,
    ...context.input,
    dryRun,
    // sent again by whoever does not get the answer
    clientMutationId: randomUUID(),
  };
  const { importRun } = dataOf<{ importRun: ImportAnswer }>(await service.ask(dryRun ? DRY_IMPORT : IMPORT, { input }));
  const problems = importRun.problems.map((problem) => withOptions(problem, context.given));
  return { file: file.given, arm: file.arm, ...importRun, problems };
}

/** The trial with what it says. */
async function recordedTrial(
  service: LocalService,
  target: TrialTarget,
  runs: RunsOfArms,
  options: TrialOptions,
): Promise<MeasuredTrial> {
  const trial = await recordTrial(service, target, runs, options);
  return { ...trial, comparison: trial.verdict === null ? null : await comparisonOfTrial(service, trial.id) };
}

/** What failed, with what stays: the runs that were written before it. */
function withWritten(error: unknown, reports: readonly FileReport[], { dryRun }: MeasureOptions): unknown {
  const ids = reports.flatMap(({ runs }) => runs.map(({ id }) => id));
  if (dryRun === true || ids.length === 0 || !(error instanceof OperatorError)) return error;
  const stays = `These runs are written and stay; the same command again takes them up: ${ids.join(' ')}`;
  const code = error instanceof CommandError ? error.exitCode : exit.REFUSED;
  return new CommandError(code, `${error.message}\n${stays}`, { cause: error });
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
  const cut = reports.find(({ runs, wouldWriteCount }) => wouldWriteCount > runs.length);
  if (cut) {
    const what = `${cut.file} holds ${cut.wouldWriteCount} runs, more than are listed (${cut.runs.length})`;
    throw new CommandError(exit.REFUSED, `${what}: they are written, and the trial is not`);
  }
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

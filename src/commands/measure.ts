import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import type { ArmFile } from '../domain/comparison/read-arm.js';
import type { Facts } from '../domain/measurement/environment-diff.js';
import { pipelineOf } from '../domain/measurement/pipeline.js';
import { dataOf, type LocalService } from '../local-service.js';
import { OperatorError } from '../platform/operator-error.js';
import { CommandError, exit } from './command-error.js';
import { readInputs } from './input-files.js';
import { machineOutput } from './machine-output.js';
import { factsOf } from './option-values.js';
import { serviceFor, type ServerOptions } from './service-for.js';
import { checkTrialOptions, trialOf, type RecordedTrial, type TrialOptions } from './measure-trial.js';

export interface MeasureOptions extends ServerOptions, TrialOptions {
  readonly format?: string;
  readonly session?: string;
  readonly block?: string;
  readonly environment?: string;
  readonly detect?: true;
  readonly set?: readonly string[];
  readonly commit?: string;
  readonly imageDigest?: string;
  readonly dryRun?: true;
  readonly output?: 'text' | 'ids' | 'json';
}

const FIND_PROJECT = 'query($slug: String!) { project(slug: $slug) { id } }';
const DETECT = 'query($content: String!) { detectEnvironment(content: $content) { facts summary { text } } }';
const IMPORT = `
  mutation($input: ImportRunInput!) {
    importRun(input: $input) {
      format observationCount
      candidates
      runs { id isNew status variant }
      problems { line message isBlocking }
    }
  }`;

interface FileReport {
  readonly file: string;
  readonly format: string | null;
  readonly observationCount: number;
  readonly candidates: readonly string[];
  readonly runs: readonly {
    readonly id: string;
    readonly isNew: boolean;
    readonly status: string;
    readonly variant: string | null;
  }[];
  readonly problems: readonly {
    readonly line: number | null;
    readonly message: string;
    readonly isBlocking: boolean;
  }[];
}

/** Sends files to a project, and prints the runs that they became. Ends with 1 where one was refused. */
export async function measureCommand(slug: string, paths: readonly string[], options: MeasureOptions): Promise<void> {
  checkTrialOptions(options);
  const files = await inputs(paths);
  const service = await serviceFor(options);
  try {
    await orRefused(() => send(service, slug, files, options));
  } finally {
    await service.close();
  }
}

async function send(
  service: LocalService,
  slug: string,
  files: readonly ArmFile[],
  options: MeasureOptions,
): Promise<void> {
  const { project } = dataOf<{ project: { id: string } | null }>(await service.ask(FIND_PROJECT, { slug }));
  if (!project) throw new CommandError(exit.REFUSED, `There is no project "${slug}", or it may not be seen`);
  const context = await contextOf(service, options);
  const reports: FileReport[] = [];
  for (const { name, text } of files) {
    const input = {
      projectId: project.id,
      fileName: name === '-' ? 'stdin' : basename(name),
      content: text,
      ...context,
      dryRun: options.dryRun ?? false,
      // sent again by whoever does not get the answer
      clientMutationId: randomUUID(),
    };
    const { importRun } = dataOf<{ importRun: Omit<FileReport, 'file'> }>(await service.ask(IMPORT, { input }));
    reports.push({ file: name, ...importRun });
  }
  const isRefused = reports.some(({ problems }) => problems.some(({ isBlocking }) => isBlocking));
  const runIds = reports.flatMap(({ runs }) => runs.map(({ id }) => id));
  const trial = isRefused || options.dryRun ? null : await trialOf(service, runIds, options);
  print({ project: slug, files: reports, trial }, options);
  if (isRefused) process.exitCode = exit.REFUSED;
}

/** What is said of all files: facts, session, and where they come from. */
async function contextOf(service: LocalService, options: MeasureOptions) {
  const pipeline = pipelineOf(process.env);
  const facts = {
    ...(options.environment === undefined ? {} : await factsIn(service, options.environment)),
    ...(options.detect ? await detected(service, await machineOutput()) : {}),
    ...pipeline?.facts,
    ...factsOf(options.set ?? [], '--set'),
  };
  const only = (wanted: 'WORKLOAD' | 'ENVIRONMENT') =>
    Object.fromEntries(
      Object.entries(facts).filter(([key]) => key.startsWith('workload.') === (wanted === 'WORKLOAD')),
    );
  return {
    format: options.format ?? null,
    session: options.session ?? null,
    block: options.block ?? null,
    environment: only('ENVIRONMENT'),
    workload: only('WORKLOAD'),
    commit: options.commit ?? pipeline?.commit ?? null,
    imageDigest: options.imageDigest ?? pipeline?.imageDigest ?? null,
    source: pipeline === null ? 'IMPORT' : 'CI',
  };
}

const factsShape = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number(), z.boolean()]))]),
);

/** A file of facts is a JSON object of keys and values, or the output of tools. */
async function factsIn(service: LocalService, path: string): Promise<Facts> {
  const texts = await inputs([path]);
  const text = texts.map((file) => file.text).join('\n');
  if (!text.trimStart().startsWith('{')) return detected(service, text);
  try {
    return factsShape.parse(JSON.parse(text));
  } catch (cause) {
    throw new CommandError(exit.REFUSED, `${path} is no JSON object of facts by key`, { cause });
  }
}

async function detected(service: LocalService, content: string): Promise<Facts> {
  const { detectEnvironment } = dataOf<{ detectEnvironment: { facts: unknown; summary: { text: string } } }>(
    await service.ask(DETECT, { content }),
  );
  console.error(`Machine: ${detectEnvironment.summary.text}`);
  return factsShape.parse(detectEnvironment.facts);
}

/** A file that cannot be read is refused: 2 says of this command that nobody could be reached. */
async function inputs(paths: readonly string[]): Promise<readonly ArmFile[]> {
  try {
    return await readInputs(paths);
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== exit.UNJUDGED) throw error;
    throw new CommandError(exit.REFUSED, error.message, { cause: error });
  }
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

interface Measured {
  readonly project: string;
  readonly files: readonly FileReport[];
  readonly trial: RecordedTrial | null;
}

function print(measured: Measured, { output, dryRun }: MeasureOptions): void {
  const { files, trial } = measured;
  if (output === 'json') return console.log(JSON.stringify({ format: 'tunebook-measure/1', ...measured }, null, 2));
  const say = output === 'ids' ? console.error : console.log;
  for (const { file, format, observationCount, runs, problems } of files) {
    const count = `${observationCount} ${observationCount === 1 ? 'observation' : 'observations'}`;
    say(`${file}: ${format ?? 'not recognized'}, ${count}${dryRun ? '; nothing was written' : ''}`);
    for (const { id, isNew, status, variant } of runs) {
      if (output === 'ids') console.log(id);
      else console.log(['  run', id, isNew ? 'new' : 'known', status, variant ?? ''].join(' ').trimEnd());
    }
    for (const { line, message, isBlocking } of problems) {
      say(`  ${isBlocking ? 'error' : 'warning'}${line === null ? '' : ` in line ${line}`}: ${message}`);
    }
  }
  if (trial) say(`trial ${trial.id} ${trial.verdict ?? 'planned'}`);
}

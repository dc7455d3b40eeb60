import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { ArmName } from '../domain/comparison/read-arm.js';
import { covers } from '../domain/measurement/environment-diff.js';
import { nearestKeys, unknownVariable } from '../domain/measurement/nearest-keys.js';
import { dimensionsShape } from '../domain/measurement/stored.js';
import { warningText } from '../domain/measurement/warnings.js';
import { nearestNames } from '../domain/search/nearest-names.js';
import { dataOf, type LocalService } from '../local-service.js';
import { catalogLists } from './catalog-lists.js';
import { CommandError, exit } from './command-error.js';
import type { MeasuredFile } from './measure-files.js';
import type { FileProblemReport } from './measure-report.js';
import type { TrialOptions, TrialTarget } from './measure-trial.js';
import type { PreviewedRun } from './previewed-runs.js';

/** A file with what a dry run showed of it. */
export interface CheckedFile {
  readonly file: MeasuredFile;
  readonly runs: readonly PreviewedRun[];
  readonly areAll: boolean;
}

/** A run as far as a trial asks: the metrics that it has, with the point of each; null where there are more than are listed. */
interface KnownRun {
  readonly id: string | null;
  readonly series: readonly Series[] | null;
}

interface Series {
  readonly metric: string;
  readonly point: string;
}

type Arms = Readonly<Record<ArmName, readonly KnownRun[]>>;

/** Refuses, before anything is written, files and options of which no trial can be made. */
export async function checkTrial(
  service: LocalService,
  target: TrialTarget,
  files: readonly CheckedFile[],
  options: TrialOptions,
): Promise<void> {
  for (const { file, runs, areAll } of files) {
    if (!areAll)
      throw refused(`${file.given} holds more than ${runs.length} runs, which is more than a trial names: split it`);
    const failed = runs.find(({ status }) => status === 'FAILED');
    if (failed) throw refused(`${file.given}: run ${failed.index + 1} failed, so that its numbers are no measurement`);
  }
  await refuseSameContent(files);
  const arms = await armsOf(service, files, options);
  refuseSameRuns(target, arms);
  const key = target.kind === 'NEW' ? options.metric : target.trial.verdict === null ? target.trial.metric : undefined;
  if (key !== undefined) refuseWithout(key, arms);
  await refuseUnknownMetrics(service, options.guardrail ?? [], arms);
}

/** What is to be said of a trial beforehand: names of what was varied that no run has. */
export async function trialWarnings(
  files: readonly CheckedFile[],
  { variable = [] }: TrialOptions,
): Promise<readonly FileProblemReport[]> {
  const keys = [...new Set(files.flatMap(({ runs }) => runs.flatMap(keysOf)))];
  const unknown = variable.filter((name) => !keys.some((key) => covers(name, key)));
  if (unknown.length === 0) return [];
  const { tiers } = await catalogLists();
  return unknown.map((key) => {
    const near = nearestKeys(key, keys, [...tiers.keys()]);
    const { en } = warningText(unknownVariable(key, near));
    return { line: null, message: en, isBlocking: false };
  });
}

function keysOf({ environment, workload, variant }: PreviewedRun): readonly string[] {
  return [...Object.keys(environment), ...Object.keys(workload), ...(variant === null ? [] : ['variant'])];
}

/** The runs of one content are the same, so that they cannot be in both arms. */
async function refuseSameContent(files: readonly CheckedFile[]): Promise<void> {
  const before = new Map<string, string>();
  for (const { file } of files) if (file.arm === 'BEFORE') before.set(await digestOf(file.path), file.given);
  if (before.size === 0) return;
  for (const { file } of files) {
    const twin = file.arm === 'AFTER' ? before.get(await digestOf(file.path)) : undefined;
    if (twin !== undefined) throw refused(`${file.given} has the content of ${twin}, which is of the other arm`);
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const pieces: AsyncIterable<Buffer> = createReadStream(path);
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

async function armsOf(
  service: LocalService,
  files: readonly CheckedFile[],
  { otherArm = [] }: TrialOptions,
): Promise<Arms> {
  const ofFiles = (arm: ArmName): readonly KnownRun[] =>
    files.filter(({ file }) => file.arm === arm).flatMap(({ runs }) => runs.map(asKnown));
  const isOther = (arm: ArmName) => files.every(({ file }) => file.arm !== arm);
  const others: KnownRun[] = [];
  for (const id of otherArm) others.push(await runWithId(service, id));
  const runsOf = (arm: ArmName) => (isOther(arm) ? others : ofFiles(arm));
  return { BEFORE: runsOf('BEFORE'), AFTER: runsOf('AFTER') };
}

function asKnown({ knownRunId, observations }: PreviewedRun): KnownRun {
  return {
    id: knownRunId,
    series: observations.map(({ metric, dimensions }) => ({ metric, point: pointOf(dimensions) })),
  };
}

const RUN = `
  query($id: ID!) {
    run(id: $id) {
      status
      observations(first: 100) { pageInfo { hasNextPage } edges { node { metric { key } dimensions } } }
    }
  }`;

const runAnswer = z.object({
  run: z
    .object({
      status: z.string(),
      observations: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean() }),
        edges: z.array(
          z.object({ node: z.object({ metric: z.object({ key: z.string() }), dimensions: dimensionsShape }) }),
        ),
      }),
    })
    .nullable(),
});

async function runWithId(service: LocalService, id: string): Promise<KnownRun> {
  const { run } = runAnswer.parse(dataOf(await service.ask(RUN, { id })));
  if (!run) throw refused(`There is no run "${id}", or it may not be seen`);
  if (run.status === 'FAILED') throw refused(`The run "${id}" failed: its numbers are no measurement`);
  const { pageInfo, edges } = run.observations;
  const series = edges.map(({ node }) => ({ metric: node.metric.key, point: pointOf(node.dimensions) }));
  return { id, series: pageInfo.hasNextPage ? null : series };
}

function refuseSameRuns(target: TrialTarget, arms: Arms): void {
  const there = target.kind === 'KNOWN' ? target.trial : { beforeRunIds: [], afterRunIds: [] };
  const idsOf = (arm: ArmName) => arms[arm].flatMap(({ id }) => (id === null ? [] : [id]));
  const before = new Set([...there.beforeRunIds, ...idsOf('BEFORE')]);
  const twice = [...there.afterRunIds, ...idsOf('AFTER')].find((id) => before.has(id));
  if (twice !== undefined) throw refused(`The run "${twice}" would be in both arms`);
}

/** Refuses arms that have no value of the metric at a point in common. */
function refuseWithout(key: string, { BEFORE, AFTER }: Arms): void {
  const isOpen = [...BEFORE, ...AFTER].some(({ series }) => series === null);
  const pointsIn = (runs: readonly KnownRun[]) => new Set(seriesOf(runs).filter(({ metric }) => metric === key).map(({ point }) => point)); // prettier-ignore
  const [before, after] = [pointsIn(BEFORE), pointsIn(AFTER)];
  if (isOpen || [...before].some((point) => after.has(point))) return;
  const [named, namedAfter] = [metricsIn(BEFORE), metricsIn(AFTER)];
  const all = [...new Set([...named, ...namedAfter])];
  const near = all.includes(key) ? [] : nearestMetrics(key, all);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
  const what =
    before.size > 0 && after.size > 0
      ? `"${key}" is in both arms, and at no point in both`
      : `No value of "${key}" is in both arms`;
  throw refused(`${what}. Before: ${listed(named)}. After: ${listed(namedAfter)}.${hint}`);
}

const seriesOf = (runs: readonly KnownRun[]): readonly Series[] => runs.flatMap(({ series }) => series ?? []);
const metricsIn = (runs: readonly KnownRun[]) => [...new Set(seriesOf(runs).map(({ metric }) => metric))];
const listed = (keys: readonly string[]) =>
  keys.length > 20 ? `${keys.slice(0, 20).join(', ')}, …` : keys.join(', ') || 'none';

function pointOf(dimensions: Readonly<Record<string, string | number>>): string {
  return JSON.stringify(Object.entries(dimensions).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const METRICS = '{ metrics { key } }';

/** A guardrail may be measured later, but there must be a metric of the name. */
async function refuseUnknownMetrics(service: LocalService, keys: readonly string[], arms: Arms): Promise<void> {
  const measured = [...metricsIn(arms.BEFORE), ...metricsIn(arms.AFTER)];
  const open = keys.filter((key) => !measured.includes(key));
  if (open.length === 0) return;
  const { metrics } = dataOf<{ metrics: readonly { key: string }[] }>(await service.ask(METRICS));
  const known = metrics.map(({ key }) => key);
  const unknown = open.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = nearestMetrics(unknown, [...measured, ...known]);
  const hint = near.length === 0 ? '' : `: did you mean ${near.join(', ')}?`;
  throw refused(`The guardrail "${unknown}" is no metric of the catalog, and in none of the files${hint}`);
}

function nearestMetrics(key: string, known: readonly string[]): readonly string[] {
  const byWord = new Map(known.map((name) => [name.replace(/[^a-z0-9]+/g, '-'), name]));
  return nearestNames(key, [...byWord.keys()], 1).map((word) => byWord.get(word) ?? word);
}

function refused(message: string): CommandError {
  return new CommandError(exit.REFUSED, `${message}. Nothing was written.`.replace('?. ', '? ').replace('.. ', '. '));
}

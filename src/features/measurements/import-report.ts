import type { ImportProblem as ReadProblem } from '../../domain/importers/importer.js';
import { redactText } from '../../domain/measurement/redact.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { JoinedRun } from './import-context.service.js';
import type { MeasuredObservation } from './import-measuring.js';
import type { TextReading } from './import-reading.js';
import { isThere, statusOf, type NumberedRun } from './import-writing.js';
import { toObservation } from './measurements.queries.js';
import {
  toImportProblem,
  type ImportPart,
  type ImportProblem,
  type ImportReport,
  type ImportSeverity,
  type ImportTable,
  type RunPreview,
  type SourceOfFact,
} from './imports.types.js';
import type { Observation } from './measurements.types.js';

/** Most runs that a report shows. */
export const REPORT_LIMIT = 100;

/** A file as far as it can be written. */
export interface Selection {
  /** What is to be written; empty where nothing is. */
  readonly runs: readonly NumberedRun[];
  readonly leftOutRuns: number;
  readonly leftOutValues: number;
  readonly isRefused: boolean;
}

/** The part of a file that is written: all of it, or what no error is about. A run without any value is none. */
export function selected(runs: readonly JoinedRun[], problems: readonly ReadProblem[], part: ImportPart): Selection {
  const errors = problems.filter(({ severity }) => severity === 'ERROR');
  const numbered = runs.map((run, index) => ({ part: index, run }));
  const sound = numbered.filter(({ run }) => run.observations.length > 0 || run.status === 'FAILED');
  const leftOutRuns = errors.filter(({ scope }) => scope === 'RUN').length + numbered.length - sound.length;
  const leftOutValues = sound.reduce((sum, { run }) => sum + run.leftOut, 0);
  const isRefused = errors.some(({ scope }) => scope === 'FILE') || (part === 'ALL' && errors.length > 0);
  return { runs: isRefused ? [] : sound, leftOutRuns, leftOutValues, isRefused: isRefused || sound.length === 0 };
}

/** What is known of a file at the moment of the report. */
export interface Reported {
  readonly reading: TextReading;
  readonly runs: readonly JoinedRun[];
  readonly problems: readonly ReadProblem[];
  readonly selection: Selection;
  readonly known: readonly { readonly id: string; readonly part: number; readonly leftOut: number }[];
}

export function reportOf({ reading, runs, problems, selection, known }: Reported): ImportReport {
  const missing = selection.runs.filter((run) => !isThere(run, known));
  const errorCount = problems.filter(({ severity }) => severity === 'ERROR').length;
  const read = runs.flatMap((run) => run.observations);
  return {
    read,
    said: blockingFirst(problems),
    format: reading.format,
    candidates: reading.candidates.map(({ format }) => format),
    found: reading.candidates.map((candidate) => ({ ...candidate, metrics: [...candidate.metrics] })),
    runs: [],
    wouldWrite: selection.runs.slice(0, REPORT_LIMIT).map((numbered) => previewOf(numbered, known)),
    wouldWriteCount: missing.length,
    isKnown: known.length > 0 && missing.length === 0 && !selection.isRefused,
    leftOutRuns: selection.leftOutRuns,
    leftOutValues: selection.leftOutValues,
    observationCount: read.length,
    problemCount: problems.length,
    errorCount,
    warningCount: problems.length - errorCount,
    table: tableOf(reading),
    mapping: reading.mapping && { name: reading.mapping.name, isRemembered: reading.mapping.isRemembered },
  };
}

function tableOf({ table }: TextReading): ImportTable | null {
  if (!table) return null;
  const { kind, columns, signature } = table.columns;
  return {
    kind,
    signature,
    columns: columns.map(({ name, examples }) => ({ name, examples: examples.map(redactText) })),
    suggestedMapping: table.suggestion,
  };
}

function previewOf(numbered: NumberedRun, known: Reported['known']): RunPreview {
  const { part, run } = numbered;
  const { tool, toolVersion, variant, session, block, startedAt, environment, workload, leftOut } = run;
  return {
    index: part,
    isWritten: !isThere(numbered, known),
    knownRunId: known.find((each) => each.part === part)?.id ?? null,
    status: statusOf(run),
    tool,
    toolVersion,
    variant,
    session,
    block,
    startedAt: startedAt === null ? null : new Date(startedAt),
    environment,
    workload,
    factSources: sourcesOf(run.sources),
    observationCount: run.observations.length,
    leftOut,
  };
}

/** Who said the facts that are not of the file, by key. */
export function sourcesOf(sources: Readonly<Record<string, SourceOfFact['source']>>): SourceOfFact[] {
  return Object.entries(sources)
    .map(([key, source]) => ({ key, source }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** An observation of a report, in the unit of its metric. */
export function shownObservation({
  metric,
  dimensions,
  value,
  repeats,
  summary,
  distribution,
}: MeasuredObservation): Observation {
  return toObservation({
    metricId: metric.id,
    dimensions,
    value,
    repeats: [...(repeats ?? [])],
    summary: summary ?? null,
    distribution: distribution ?? null,
  });
}

/** Problems in the language of the viewer, of one severity or of both. */
export function shownProblems(
  viewer: Viewer,
  problems: readonly ReadProblem[],
  severity: ImportSeverity | null,
): ImportProblem[] {
  return problems
    .filter((problem) => severity === null || problem.severity === severity)
    .map((problem) => toImportProblem(problem, viewer.locale));
}

/** What keeps the file from being written must be in the report, however many warnings there are. */
export function blockingFirst(problems: readonly ReadProblem[]): ReadProblem[] {
  const isBlocking = ({ severity }: ReadProblem) => severity === 'ERROR';
  return [...problems.filter(isBlocking), ...problems.filter((problem) => !isBlocking(problem))];
}

import type { ArmsComparison } from '../domain/comparison/compare-arms.js';
import { comparisonJson } from '../domain/comparison/comparison-json.js';
import { labelOf } from '../domain/comparison/lost-series.js';
import type { ArmName } from '../domain/comparison/read-arm.js';
import { viewOf } from '../domain/comparison/view.js';
import { measuredText } from '../domain/report/figures.js';
import { counted } from './counted.js';
import type { RecordedTrial } from './measure-trial.js';
import { localeOf } from './option-values.js';
import type { PreviewedRun, PreviewedValue } from './previewed-runs.js';
import { cleanText, screenOf, tableText } from './print-table.js';

/** What is wrong with a file, or worth knowing about it. */
export interface FileProblemReport {
  readonly line: number | null;
  readonly message: string;
  readonly isBlocking: boolean;
}

/** What is asked of an import to report on its file. */
export const REPORT_FIELDS = `
        format observationCount wouldWriteCount
        candidates
        runs { id isNew status variant }
        problems { line code value message isBlocking }`;

/** What became of a file. */
export interface FileReport {
  readonly file: string;
  /** The arm that it is of, where there is a trial. */
  readonly arm: ArmName | null;
  readonly format: string | null;
  readonly observationCount: number;
  /** How many runs of it are new; `runs` lists 100 at most. */
  readonly wouldWriteCount: number;
  readonly candidates: readonly string[];
  readonly runs: readonly {
    readonly id: string;
    readonly isNew: boolean;
    readonly status: string;
    readonly variant: string | null;
  }[];
  readonly problems: readonly FileProblemReport[];
  /** In a dry run what each run would hold. */
  readonly wouldWrite?: readonly PreviewedRun[];
}

export interface MeasuredTrial extends RecordedTrial {
  /** Null while the trial is planned. */
  readonly comparison: ArmsComparison | null;
}

export interface Measured {
  readonly project: string;
  readonly files: readonly FileReport[];
  readonly trial: MeasuredTrial | null;
  /** What is to be said of the trial that would be made. */
  readonly trialProblems: readonly FileProblemReport[];
}

interface ReportOptions {
  readonly output?: 'text' | 'ids' | 'json';
  readonly lang?: 'en' | 'zh';
  readonly dryRun?: true;
}

/** Most values of a file that are printed as text. */
const MOST_LINES = 200;

/** Prints what became of the files; with `ids` those of the runs alone go to the standard output. */
export function printMeasured(measured: Measured, options: ReportOptions): void {
  const { files, trial, trialProblems } = measured;
  const { output } = options;
  if (output === 'json') return printJson(measured);
  const say = output === 'ids' ? console.error : console.log;
  for (const file of files) printFile(file, say, options);
  for (const problem of trialProblems) say(problemText(problem).trimStart());
  if (!trial) return;
  const { id, verdict, state, comparison } = trial;
  say(`trial ${id} ${verdict ?? 'planned'}${state === 'KNOWN' ? ', which was there before' : ''}`);
  if (!comparison) return;
  const view = viewOf({ comparison, problems: [], gate: null }, localeOf(options.lang, process.env));
  const stream = output === 'ids' ? process.stderr : process.stdout;
  stream.write(`\n${tableText(view, screenOf(stream, process.env))}`);
}

function printJson({ trial, ...measured }: Measured): void {
  const comparison = trial?.comparison ? comparisonJson(trial.comparison, null, [], null) : null;
  const shown = { format: 'tunebook-measure/1', ...measured, trial: trial && { ...trial, comparison } };
  console.log(JSON.stringify(shown, null, 2));
}

function printFile(report: FileReport, say: (line: string) => void, { output, dryRun }: ReportOptions): void {
  const { file, format, observationCount, runs, wouldWrite = [], problems } = report;
  const runCount = dryRun ? wouldWrite.length : runs.length;
  const counts = `${counted(runCount, 'run')}, ${counted(observationCount, 'observation')}`;
  say(`${file}: ${format ?? 'not recognized'}, ${counts}${dryRun ? '; nothing was written' : ''}`);
  for (const { id, isNew, status, variant } of runs) {
    if (output === 'ids') console.log(id);
    else console.log(['  run', id, isNew ? 'new' : 'known', status, variant ?? ''].join(' ').trimEnd());
  }
  printPreviews(wouldWrite, say);
  for (const problem of problems) say(problemText(problem));
}

function printPreviews(previews: readonly PreviewedRun[], say: (line: string) => void): void {
  let left = MOST_LINES;
  for (const { index, knownRunId, status, variant, observations } of previews) {
    const state = knownRunId === null ? 'new' : `known as ${knownRunId}`;
    say(cleanText(['  run', `${index + 1}:`, state, status, variant ?? ''].join(' ').trimEnd()));
    const rows = observations.slice(0, left).map(valueRow);
    const [first, second] = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
    for (const [label = '', value = '', way = ''] of rows)
      say(`    ${label.padEnd(first ?? 0)}  ${value.padEnd(second ?? 0)}  ${way}`.trimEnd());
    left -= rows.length;
    const more = observations.length - rows.length;
    if (more > 0) say(`    and ${counted(more, 'more observation')}: --output json lists all`);
  }
}

const ways: Readonly<Record<string, string>> = {
  HIGHER_IS_BETTER: 'higher is better',
  LOWER_IS_BETTER: 'lower is better',
  TARGET: 'near a target is better',
};

function valueRow({ metric, unit, direction, dimensions, value, count, statistic }: PreviewedValue) {
  const of = { VALUE: '', MEDIAN: 'median', MEAN: 'mean' }[statistic];
  const text = measuredText(value, unit);
  const number = statistic === 'VALUE' ? text : `${text}, ${of} of ${count ?? 'several'} values`;
  return [cleanText(labelOf(metric, dimensions)), number, ways[direction ?? ''] ?? 'no direction'] as const;
}

function problemText({ line, message, isBlocking }: FileProblemReport): string {
  return `  ${isBlocking ? 'error' : 'warning'}${line === null ? '' : ` in line ${line}`}: ${message}`;
}

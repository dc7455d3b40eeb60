import type { ArmsComparison } from '../domain/comparison/compare-arms.js';
import { comparisonJson } from '../domain/comparison/comparison-json.js';
import { labelOf } from '../domain/comparison/lost-series.js';
import type { Dimensions } from '../domain/comparison/points.js';
import type { ArmName } from '../domain/comparison/read-arm.js';
import { viewOf } from '../domain/comparison/view.js';
import { measuredText } from '../domain/report/figures.js';
import type { RecordedTrial } from './measure-trial.js';
import { localeOf } from './option-values.js';
import { cleanText, screenOf, tableText } from './print-table.js';

/** What became of a file. */
export interface FileReport {
  readonly file: string;
  /** The arm that it is of, where there is a trial. */
  readonly arm: ArmName | null;
  readonly format: string | null;
  readonly observationCount: number;
  /** How many runs it holds; `runs` lists 100 at most. */
  readonly wouldWriteCount: number;
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
  /** The runs that a dry run found, at most 100. */
  readonly wouldWrite?: readonly {
    readonly index: number;
    readonly isWritten: boolean;
    readonly knownRunId: string | null;
    readonly status: string;
    readonly variant: string | null;
    readonly session: string | null;
    readonly block: string | null;
    readonly observationCount: number;
  }[];
  /** What a dry run understood, at most 1,000. */
  readonly observations?: readonly {
    readonly metric: { readonly key: string; readonly unit: string; readonly direction: string | null };
    readonly dimensions: Dimensions;
    readonly value: number;
    readonly repeats: readonly number[];
  }[];
}

export interface MeasuredTrial extends RecordedTrial {
  /** Null while it is planned. */
  readonly comparison: ArmsComparison | null;
}

export interface Measured {
  readonly project: string;
  readonly files: readonly FileReport[];
  readonly trial: MeasuredTrial | null;
}

interface ReportOptions {
  readonly output?: 'text' | 'ids' | 'json';
  readonly dryRun?: true;
}

/** Prints what became of the files; with `ids` those of the runs alone go to the standard output. */
export function printMeasured(measured: Measured, { output, dryRun }: ReportOptions): void {
  const { files, trial } = measured;
  if (output === 'json') return console.log(JSON.stringify(jsonOf(measured), null, 2));
  const say = output === 'ids' ? console.error : console.log;
  for (const file of files) {
    const { format, observationCount, runs, problems } = file;
    const count = counted(observationCount, 'observation');
    const written = dryRun ? `, ${counted(file.wouldWriteCount, 'run')}; nothing was written` : '';
    say(`${file.file}: ${format ?? 'not recognized'}, ${count}${written}`);
    for (const { id, isNew, status, variant } of runs) {
      if (output === 'ids') console.log(id);
      else console.log(['  run', id, isNew ? 'new' : 'known', status, variant ?? ''].join(' ').trimEnd());
    }
    for (const line of understood(file)) say(line);
    for (const { line, message, isBlocking } of problems) {
      say(`  ${isBlocking ? 'error' : 'warning'}${line === null ? '' : ` in line ${line}`}: ${message}`);
    }
  }
  if (!trial) return;
  say(`trial ${trial.id} ${trial.verdict ?? 'planned'}${trial.became === 'KNOWN' ? ', known' : ''}`);
  if (output === 'ids' || trial.comparison === null) return;
  const view = viewOf({ comparison: trial.comparison, problems: [], gate: null }, localeOf(undefined, process.env));
  process.stdout.write(`\n${tableText(view, screenOf(process.stdout, process.env))}`);
}

function jsonOf({ trial, ...measured }: Measured): object {
  if (!trial) return { format: 'tunebook-measure/1', ...measured, trial };
  const { comparison, ...recorded } = trial;
  return {
    format: 'tunebook-measure/1',
    ...measured,
    trial: { ...recorded, comparison: comparison && comparisonJson(comparison, null, [], null) },
  };
}

/** Most values of a file that are shown. */
const MOST_SHOWN = 20;

/** What a dry run understood: each run, and the values. */
function understood({ wouldWrite = [], observations = [], observationCount }: FileReport): readonly string[] {
  const runs = wouldWrite.map((run) => {
    const named = [
      ...(run.variant === null ? [] : [run.variant]),
      ...(run.session === null ? [] : [`session ${run.session}`]),
      ...(run.block === null ? [] : [`block ${run.block}`]),
    ];
    const fate = !run.isWritten ? 'left out' : run.knownRunId === null ? 'new' : `known as ${run.knownRunId}`;
    const what = `${run.status}, ${counted(run.observationCount, 'observation')}`;
    return `  run ${run.index + 1}: ${[fate, what, ...named].join(', ')}`;
  });
  const values = observations.slice(0, MOST_SHOWN).map(({ metric, dimensions, value, repeats }) => {
    const way = metric.direction === null ? '' : `, ${metric.direction.toLowerCase().replaceAll('_', ' ')}`;
    const many = repeats.length > 1 ? `, of ${repeats.length} values` : '';
    return `  ${labelOf(metric.key, dimensions)}: ${measuredText(value, metric.unit)}${many}${way}`;
  });
  const more = observationCount - values.length;
  return [...runs, ...values, ...(values.length > 0 && more > 0 ? [`  and ${counted(more, 'more value')}`] : [])].map(
    cleanText,
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

import type { ArmName } from '../domain/comparison/read-arm.js';
import type { RecordedTrial } from './measure-trial.js';

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
}

export interface Measured {
  readonly project: string;
  readonly files: readonly FileReport[];
  readonly trial: RecordedTrial | null;
}

interface ReportOptions {
  readonly output?: 'text' | 'ids' | 'json';
  readonly dryRun?: true;
}

/** Prints what became of the files; with `ids` those of the runs alone go to the standard output. */
export function printMeasured(measured: Measured, { output, dryRun }: ReportOptions): void {
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

import type { ArmData, MeasuredValue } from './compare.js';
import type { StoredSummary, TrialData, TrialRun } from './trial.js';

/** One metric at one point of its dimensions, as both arms measured it. */
export interface Series {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly seriesKey: string;
  /** Single values; none of an arm that is a summary. */
  readonly before: readonly MeasuredValue[];
  readonly after: readonly MeasuredValue[];
  readonly arms: { readonly before: ArmData; readonly after: ArmData };
}

/** What runs of one arm say of a series. */
interface Side extends Pick<Series, 'metric' | 'dimensions' | 'seriesKey'> {
  readonly values: MeasuredValue[];
  /** The summary of each run, null of one that has single values. */
  readonly summaries: (StoredSummary | null)[];
}

/** All series that both arms have, in the order of the first run. */
export function seriesOf({ before, after }: TrialData): readonly Series[] {
  // Names of blocks inside a file are unique in that file only: they say nothing once an arm has several.
  const files = before.length === 1 && after.length === 1 ? 'ONE_AN_ARM' : 'SEVERAL';
  const inAfter = collected(after, files);
  return [...collected(before, files)].flatMap(([id, series]) => {
    const other = inAfter.get(id);
    if (!other) return [];
    const { metric, dimensions, seriesKey } = series;
    const arms = { before: armOf(series), after: armOf(other) };
    return [{ metric, dimensions, seriesKey, arms, before: valuesIn(arms.before), after: valuesIn(arms.after) }];
  });
}

const valuesIn = (arm: ArmData) => (arm.kind === 'values' ? arm.values : []);

/** A run that has no more than a summary is one where it stands alone; of several runs each mean is one value. */
function armOf({ values, summaries }: Side): ArmData {
  const [only] = summaries;
  return summaries.length === 1 && only ? { kind: 'summary', ...only } : { kind: 'values', values };
}

type Files = 'ONE_AN_ARM' | 'SEVERAL';

function collected(runs: readonly TrialRun[], files: Files) {
  const series = new Map<string, Side>();
  for (const run of runs) {
    for (const { metric, dimensions, seriesKey, value, repeats, blocks, summary } of run.observations) {
      const id = `${metric} ${seriesKey}`;
      const entry = series.get(id) ?? { metric, dimensions, seriesKey, values: [], summaries: [] };
      series.set(id, entry);
      entry.summaries.push(repeats.length > 0 ? null : (summary ?? null));
      const values = repeats.length > 0 ? repeats : [value];
      // Of the repetitions inside one run it is known that they are one session; of several runs it is not.
      const session = run.session ?? (runs.length === 1 && values.length > 1 ? sessionOfRun(run.id) : null);
      values.forEach((one, index) =>
        entry.values.push({ value: one, session, block: blockOf(run, blocks[index], files), runId: run.id }),
      );
    }
  }
  return series;
}

/** The name of the session that all values of a run are of, where the run names none. */
export function sessionOfRun(id: string): string {
  return `run:${id}`;
}

/** The block of a value: that of its run, with that of its file inside it. */
function blockOf(run: TrialRun, inFile: string | undefined, files: Files): string | null {
  if (inFile === undefined) return run.block;
  if (run.block !== null) return `${run.block}/${inFile}`;
  return files === 'ONE_AN_ARM' ? inFile : null;
}

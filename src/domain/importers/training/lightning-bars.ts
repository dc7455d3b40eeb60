import { warning, type ImportProblem, type ReadRun } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { barsOf, type Bar } from './progress-bars.js';
import { seriesOf, unfinished } from './steady-steps.js';
import { trainingRun } from './training-run.js';

/** The last state of one bar, such as that of an epoch. */
interface LastBar extends Bar {
  readonly line: number;
}

const notTraining = /valid|sanity|test|predict|eval|load|download|map|token|saving|filter|fetch|generat|shard/i;

/** The rate that the bars of the training show at their ends, as time of a step: one value for each epoch. */
export function lightningRuns(
  text: string,
): readonly { readonly run: ReadRun; readonly problems: readonly ImportProblem[] }[] {
  const bars = longestKind(lastBars(text));
  const times = bars.map(({ secondsPerIteration }) => secondsPerIteration).filter((time) => time !== null);
  const last = bars.at(-1);
  const [first] = bars;
  if (!first || !last || times.length === 0) return [];
  const isUnfinished = last.planned !== null && last.done < last.planned;
  const run = trainingRun({
    tool: 'nemo-log',
    status: isUnfinished ? 'PARTIAL' : 'OK',
    workload: { 'workload.framework': 'pytorch' },
    observations: seriesOf('training.step_time', 's', times),
  });
  const rough = warning(
    first.line,
    'The step time is the rate of a progress bar: a mean with warm-up in it, of three digits. An iteration may be a micro-batch',
    '单步时间取自进度条速率：是含预热的均值，仅三位有效数字；一次迭代可能只是一个微批',
    { code: 'WARM_UP_INCLUDED' },
  );
  const end = isUnfinished ? [unfinished(last.line, last.done, last.planned ?? 0)] : [];
  return [{ run, problems: [rough, ...end] }];
}

/** A bar begins anew where it counts less than before. */
function lastBars(text: string): readonly LastBar[] {
  const open = new Map<string, LastBar>();
  const ended: LastBar[] = [];
  for (const { number, text: line } of labeledLines(text)) {
    for (const bar of barsOf(line)) {
      if (notTraining.test(bar.title) || bar.secondsPerIteration === null) continue;
      const before = open.get(bar.title);
      if (before && bar.done < before.done) ended.push(before);
      if (open.size < 10_000 || before) open.set(bar.title, { ...bar, line: number });
    }
  }
  return [...ended, ...open.values()].sort((a, b) => a.line - b.line);
}

/** The bars whose titles differ in numbers alone and which count the most iterations. */
function longestKind(bars: readonly LastBar[]): readonly LastBar[] {
  const kinds = new Map<string, LastBar[]>();
  for (const bar of bars) {
    const kind = bar.title.replace(/\d{1,20}/g, '#');
    const same = kinds.get(kind);
    if (same) same.push(bar);
    else kinds.set(kind, [bar]);
  }
  const total = (kind: readonly LastBar[]) => kind.reduce((sum, { done }) => sum + done, 0);
  return [...kinds.values()].reduce<readonly LastBar[]>((best, kind) => (total(kind) > total(best) ? kind : best), []);
}

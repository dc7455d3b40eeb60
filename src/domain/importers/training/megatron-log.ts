import { labeledLines } from '../labeled-lines.js';
import {
  leftOut,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { startedAtOf } from '../started-at.js';
import { leadingNumber } from './leading-number.js';
import { MegatronFacts } from './megatron-facts.js';
import { iterationLine, iterationsOf, type Iteration } from './megatron-iterations.js';
import { PhaseTimes } from './phase-times.js';
import { seriesOf, single, stepProblems, unfinished, warmUpOf } from './steady-steps.js';
import { trainingRun } from './training-run.js';
import { lineAt } from '../line-at.js';

/** Iterations of Megatron-LM, Megatron Bridge and Megatron-DeepSpeed: one run for each training of the log. */
export const megatronLog: Importer = {
  tool: 'megatron-log',
  what: 'Megatron-LM, Megatron-DeepSpeed (log of the iterations)',

  recognizes: (text) => iterationLine.test(text),

  nearMiss(text) {
    const at = text.indexOf('--- arguments ---');
    if (at === -1 || !text.includes('tensor_model_parallel_size')) return null;
    const line = lineAt(text, at);
    const en = 'This is the start of a Megatron log: no line of an iteration is in it. Send it with the iterations';
    return error(line, en, '这是 Megatron 日志的开头，其中没有任何迭代行。请上传包含迭代行的日志');
  },

  read(text) {
    const trainings = readTrainings(text);
    const found = trainings.map((training) => trainingOf(training));
    return { runs: found.map(({ run }) => run), problems: found.flatMap(({ problems }) => problems) };
  },
};

interface Training {
  readonly facts: MegatronFacts;
  readonly iterations: Iteration[];
  readonly phases: PhaseTimes;
  /** For each rank the most that it allocated and reserved, in MiB. */
  readonly memory: Map<number, { allocated: number; reserved: number }>;
}

function readTrainings(text: string): readonly Training[] {
  const facts = new MegatronFacts();
  const start = (): Training => ({ facts, iterations: [], phases: new PhaseTimes(), memory: new Map() });
  const trainings = [start()];
  let current = trainings[0] ?? start();
  let seen = new Set<number>();
  for (const { number, text: line, label } of labeledLines(text)) {
    for (const iteration of iterationsOf(line, number, label)) {
      const last = current.iterations.at(-1);
      if (last && isOfAnotherProcess(iteration, last, seen)) continue;
      if (last && (iteration.iteration <= last.iteration || iteration.planned !== last.planned)) {
        current = start();
        seen = new Set();
        trainings.push(current);
      }
      seen.add(iteration.iteration);
      current.iterations.push(iteration);
    }
    if (line.includes(' memory (MB) |')) takeMemory(line, current.memory);
    else if (!current.phases.take(line)) facts.take(line, number);
  }
  return withoutCopies(trainings.filter(({ iterations }) => iterations.length > 0));
}

/** The logs of two nodes, one behind the other, tell of one training. */
function withoutCopies(trainings: readonly Training[]): readonly Training[] {
  const seen = new Set<string>();
  return trainings.filter(({ iterations }) => {
    const key = iterations.map(({ iteration, time }) => `${iteration} ${time}`).join();
    const isCopy = seen.has(key);
    seen.add(key);
    return !isCopy;
  });
}

/** Several ranks or nodes print the same iteration; a training that starts again goes further back. */
function isOfAnotherProcess(found: Iteration, last: Iteration, seen: ReadonlySet<number>): boolean {
  if (found.planned !== last.planned || !seen.has(found.iteration)) return false;
  return found.label === last.label ? found.iteration >= last.iteration - 1 : true;
}

function takeMemory(line: string, memory: Training['memory']): void {
  const reports = line.matchAll(
    /\[Rank (\d{1,6})\] \(?after \d{1,9} iterations\)? memory \(MB\) ([^[\n]{1,300})/g,
  ); // prettier-ignore
  for (const [, rank = '', fields = ''] of reports) {
    const of = (name: string) => {
      const at = fields.indexOf(`| ${name}: `);
      return at === -1 ? 0 : (leadingNumber(fields.slice(at + name.length + 4)) ?? 0);
    };
    const before = memory.get(Number(rank));
    memory.set(Number(rank), {
      allocated: Math.max(before?.allocated ?? 0, of('max allocated')),
      reserved: Math.max(before?.reserved ?? 0, of('max reserved')),
    });
  }
}

function trainingOf(training: Training): { readonly run: ReadRun; readonly problems: readonly ImportProblem[] } {
  const { facts } = training;
  const whole = withoutCutLine(training.iterations);
  const { iterations } = whole;
  const dropped = warmUpOf(iterations.map(({ time }) => time));
  const steady = iterations.slice(dropped);
  const last = iterations.at(-1);
  const line = iterations[0]?.line ?? 1;
  const isUnfinished = last !== undefined && last.iteration < last.planned;
  const sizes = [...new Set(steady.map(({ batchSize }) => batchSize))];
  const [batchSize = null] = sizes;
  const start = startOf(training);
  const run = trainingRun({
    tool: 'megatron-log',
    status: isUnfinished || whole.problems.length > 0 ? 'PARTIAL' : 'OK',
    startedAt: start.startedAt,
    environment: facts.environment(),
    workload: {
      ...facts.workload(),
      ...(sizes.length === 1 && batchSize !== null ? { 'workload.batch_size': batchSize } : {}),
      ...sequenceLengthOf(steady, facts),
    },
    observations: [
      ...sizes.flatMap((size) =>
        speedOf(
          steady.filter((iteration) => iteration.batchSize === size),
          sizes.length === 1 || size === null ? {} : { batch_size: size },
        ),
      ),
      ...(dropped > 0 && iterations[0]?.iteration === 1
        ? single('training.first_step_time', 'ms', iterations[0].time)
        : []),
      ...single('quality.loss', '', last?.loss, { split: 'train' }),
      ...single('quality.overflow_count', 'count', overflowsOf(iterations)),
      ...training.phases.observations(),
      ...memoryOf(training.memory),
    ],
  });
  return {
    run,
    problems: [
      ...whole.problems,
      ...start.problems,
      ...stepProblems(line, dropped, iterations.length),
      ...trainingProblems(iterations, sizes.length),
      ...(isUnfinished ? [unfinished(last.line, last.iteration, last.planned)] : []),
    ],
  };
}

/** The end of a file may be the middle of a number. */
function withoutCutLine(iterations: readonly Iteration[]): {
  readonly iterations: readonly Iteration[];
  readonly problems: readonly ImportProblem[];
} {
  const [before, last] = [iterations.at(-2), iterations.at(-1)];
  if (!before || !last || last.fieldCount >= before.fieldCount) return { iterations, problems: [] };
  const problem = leftOut(
    last.line,
    `The last line of an iteration is cut: iteration ${last.iteration} was left out`,
    `最后一个迭代行不完整，未采用第 ${last.iteration} 次迭代`,
  );
  return { iterations: iterations.slice(0, -1), problems: [problem] };
}

function speedOf(
  iterations: readonly Iteration[],
  dimensions: ReadObservation['dimensions'],
): readonly ReadObservation[] {
  const of = (metric: string, unit: string, value: (iteration: Iteration) => number | null) =>
    seriesOf(metric, unit, iterations.map(value), dimensions);
  return [
    ...of('training.step_time', 'ms', ({ time }) => time),
    ...of('training.throughput', 'samples/s', ({ throughput }) => throughput),
    ...of('training.flops_per_gpu', 'TFLOP/s', ({ flopsPerGpu }) => flopsPerGpu),
    ...of('training.token_throughput_per_gpu', 'tokens/s', ({ tokensPerGpu }) => tokensPerGpu),
  ];
}

/** Megatron calls 2^20 bytes MB. */
function memoryOf(memory: Training['memory']): readonly ReadObservation[] {
  return [...memory]
    .sort(([a], [b]) => a - b)
    .flatMap(([rank, { allocated, reserved }]) => [
      ...single('memory.peak_allocated', 'MiB', allocated || null, { rank }),
      ...single('memory.peak_reserved', 'MiB', reserved || null, { rank }),
    ]);
}

function overflowsOf(iterations: readonly Iteration[]): number {
  return iterations.reduce((sum, { skipped, nan }) => sum + skipped + nan, 0);
}

function sequenceLengthOf(steady: readonly Iteration[], facts: MegatronFacts): ReadRun['workload'] {
  const lengths = new Set(steady.map(({ sequenceLength }) => sequenceLength));
  const [length = null] = lengths;
  if (lengths.size !== 1 || length === null || 'workload.settings.seq_length' in facts.workload()) return {};
  return { 'workload.settings.seq_length': length };
}

function startOf({ facts, iterations }: Training): ReturnType<typeof startedAtOf> {
  if (facts.startedAt) return startedAtOf(facts.startedAt.iso, facts.startedAt.given, facts.startedAt.line);
  const [first] = iterations;
  if (!first || first.writtenAt === null) return { startedAt: null, problems: [] };
  return startedAtOf(`${first.writtenAt.replace(' ', 'T')}Z`, first.writtenAt, first.line);
}

function trainingProblems(iterations: readonly Iteration[], sizeCount: number): readonly ImportProblem[] {
  const found: ImportProblem[] = [];
  const bad = iterations.find(({ skipped, nan }) => skipped + nan > 0);
  if (bad) {
    const count = overflowsOf(iterations);
    found.push(
      warning(
        bad.line,
        `Iterations that were skipped or had NaN: ${count}. They may be faster than the others`,
        `有 ${count} 次迭代被跳过或出现 NaN，这些迭代可能比其余迭代快`,
        { code: 'PART_FAILED' },
      ),
    );
  }
  if (sizeCount > 1) {
    found.push(
      warning(
        iterations[0]?.line ?? null,
        `The global batch size changes (${sizeCount} sizes): each has its own values`,
        `全局批大小有变化（共 ${sizeCount} 种），各自单独取值`,
        { code: 'GROUPED' },
      ),
    );
  }
  return found;
}

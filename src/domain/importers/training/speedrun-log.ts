import type { Facts } from '../../measurement/environment-diff.js';
import { samplesWithDistribution } from '../distribution.js';
import { gpuFacts } from '../gpu.js';
import { warning, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { leadingNumber } from './leading-number.js';
import { single, unfinished } from './steady-steps.js';
import { trainingRun } from './training-run.js';

/** Logs of modded-nanogpt and what descends from it: the source of the training, nvidia-smi, and a line for each step. */
export const speedrunLog: Importer = {
  tool: 'speedrun-log',
  what: 'modded-nanogpt and its kin (log of a speed run)',

  recognizes: (text) => text.includes('step_avg:') && stepLine.test(text),

  read(text) {
    const log = readLog(text);
    const found = log.map(runOf);
    return { runs: found.map(({ run }) => run), problems: found.flatMap(({ problems }) => problems) };
  },
};

const stepLine =
  /(?:^|\n)[^\n]{0,80}step:\d{1,9}\/\d{1,9} (?:[a-z_]{1,20}:[^\s:]{1,20} ){0,4}train_time:\d{1,12}(?:\.\d{1,6})?ms step_avg:/;

interface SpeedRun {
  readonly line: number;
  readonly planned: number;
  reached: number;
  lastLine: number;
  /** Time at each step, in ms. */
  readonly clock: { readonly step: number; readonly time: number }[];
  average: number | null;
  validationLoss: number | null;
  trainingLoss: number | null;
  allocated: number | null;
  reserved: number | null;
  readonly environment: Facts;
}

function readLog(text: string): readonly SpeedRun[] {
  const runs: SpeedRun[] = [];
  let machine: Machine = new Machine();
  for (const { number, text: line } of labeledLines(text)) {
    const last = runs.at(-1);
    const step = line.includes('train_time:') ? stepOf(line) : null;
    if (step) {
      const isNext = last && last.planned === step.planned && step.step >= last.reached;
      const run = isNext ? last : begun(number, step.planned, machine.facts());
      if (!isNext) {
        runs.push(run);
        machine = new Machine();
      }
      takeStep(run, step, number);
    } else if (last && line.includes('peak memory')) takeMemory(last, line);
    else machine.take(line);
  }
  return runs;
}

interface StepLine {
  readonly step: number;
  readonly planned: number;
  readonly fields: ReadonlyMap<string, number | null>;
}

function stepOf(line: string): StepLine | null {
  const found = /step:(\d{1,9})\/(\d{1,9}) ([a-z_]{1,20}:\S.{0,200})$/.exec(line);
  if (!found) return null;
  const fields = new Map<string, number | null>();
  for (const field of (found[3] ?? '').split(' ')) {
    const [name = '', value = ''] = field.split(':');
    fields.set(name, leadingNumber(value));
  }
  return { step: Number(found[1]), planned: Number(found[2]), fields };
}

function begun(line: number, planned: number, environment: Facts): SpeedRun {
  return {
    line,
    planned,
    reached: 0,
    lastLine: line,
    clock: [],
    average: null,
    validationLoss: null,
    trainingLoss: null,
    allocated: null,
    reserved: null,
    environment,
  };
}

function takeStep(run: SpeedRun, { step, fields }: StepLine, line: number): void {
  run.reached = step;
  run.lastLine = line;
  const time = fields.get('train_time') ?? null;
  const last = run.clock.at(-1);
  if (time !== null) {
    // the clock begins anew after the steps of warm-up
    if (last && time < last.time) run.clock.length = 0;
    if (last?.step === step) run.clock.pop();
    run.clock.push({ step, time });
  }
  run.average = fields.get('step_avg') ?? run.average;
  run.validationLoss = fields.get('val_loss') ?? run.validationLoss;
  run.trainingLoss = fields.get('train_loss') ?? run.trainingLoss;
}

function takeMemory(run: SpeedRun, line: string): void {
  const [, allocated, , reserved] =
    /peak memory (?:allocated|consumption): {0,3}(\d{1,9}) MiB( reserved: {0,3}(\d{1,9}) MiB)?/.exec(line) ?? [];
  if (allocated !== undefined) run.allocated = Number(allocated);
  if (reserved !== undefined) run.reserved = Number(reserved);
}

/** What nvidia-smi and the first lines say of the machine. */
class Machine {
  private readonly values: Record<string, string> = {};
  private name: string | null = null;
  private count = 0;

  take(line: string): void {
    if (line.includes('Driver Version:')) {
      const [, driver, cuda] =
        /Driver Version: (\d[\d.]{1,20}) {1,40}CUDA Version: (\d{1,3}\.\d{1,3})/.exec(line) ?? [];
      if (driver !== undefined) this.values.driver = driver;
      if (cuda !== undefined) this.values['driver.cuda'] = cuda;
    } else if (line.startsWith('Running P')) {
      const [, torch] = /^Running PyTorch (\d[\w.+-]{1,40})/.exec(line) ?? [];
      const [, python] = /^Running Python (\d{1,2}\.\d{1,3}\.\d{1,3})/i.exec(line) ?? [];
      const [, cuda] = /compiled for CUDA (\d{1,3}\.\d{1,3})/.exec(line) ?? [];
      Object.assign(this.values, { ...(torch && { torch }), ...(python && { python }), ...(cuda && { cuda }) });
    } else {
      const name = /^\| {1,5}\d{1,3} {1,4}([A-Z][\w -]{3,40}?) {1,20}(?:On|Off) {1,4}\|/.exec(line)?.[1];
      if (name === undefined) return;
      this.count += 1;
      this.name = name;
    }
  }

  facts(): Facts {
    return { ...this.values, ...(this.name === null ? {} : { ...gpuFacts(this.name), 'gpu.count': this.count }) };
  }
}

function runOf(run: SpeedRun): { readonly run: ReadRun; readonly problems: readonly ImportProblem[] } {
  const steps = samplesWithDistribution(timesOf(run.clock));
  const isUnfinished = run.reached < run.planned;
  const time = run.clock.at(-1)?.time ?? null;
  const problems: ImportProblem[] = [];
  if (isUnfinished) problems.push(unfinished(run.lastLine, run.reached, run.planned));
  if (run.average === null) {
    problems.push(
      warning(
        run.lastLine,
        'No step has an average time (step_avg): the training ended during its warm-up',
        '没有任何步给出平均时间（step_avg）：训练在预热阶段结束',
        { code: 'INCOMPLETE' },
      ),
    );
  }
  return {
    run: trainingRun({
      tool: 'speedrun-log',
      status: isUnfinished || run.average === null ? 'PARTIAL' : 'OK',
      environment: run.environment,
      workload: { 'workload.settings.planned_steps': run.planned },
      observations: [
        ...single('training.step_time', 'ms', run.average).map((average) => ({ ...average, ...steps })),
        ...single('training.run_time', 'ms', isUnfinished ? null : time),
        ...single('quality.loss', '', run.validationLoss, { split: 'validation' }),
        ...single('quality.loss', '', run.trainingLoss, { split: 'train' }),
        ...single('memory.peak_allocated', 'MiB', run.allocated),
        ...single('memory.peak_reserved', 'MiB', run.reserved),
      ],
    }),
    problems,
  };
}

/** Time of each step, or per step of a longer stretch, where the clock did not stand still. */
function timesOf(clock: SpeedRun['clock']): readonly number[] {
  return clock.flatMap(({ step, time }, index) => {
    const before = clock[index - 1];
    return before && step > before.step && time > before.time ? [(time - before.time) / (step - before.step)] : [];
  });
}

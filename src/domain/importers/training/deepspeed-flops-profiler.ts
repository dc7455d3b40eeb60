import { medianOf } from '../distribution.js';
import { leftOut, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { profileHead, profileRun, takeProfileLine, type Profile } from './deepspeed-profile.js';
import { leadingNumber } from './leading-number.js';
import { iterationLine, iterationsOf } from './megatron-iterations.js';
import { PhaseTimes } from './phase-times.js';
import { seriesOf, single, stepProblems, warmUpOf } from './steady-steps.js';
import { trainingRun } from './training-run.js';

/**
 * Profiles of DeepSpeed's flops profiler, each a run, and the lines of DeepSpeed's own timers, together a run. A log of
 * another trainer that has such lines too is taken for output of that trainer.
 */
export const deepspeedFlopsProfiler: Importer = {
  tool: 'deepspeed-flops-profiler',
  what: 'DeepSpeed flops profiler, timers of DeepSpeed (log)',

  recognizes: (text) =>
    profileHead.test(text) ||
    (timerLine.test(text) && !iterationLine.test(text) && !text.includes('train_samples_per_second')),

  read(text) {
    const profiles: Profile[] = [];
    const timers = new Timers();
    let open: Profile | null = null;
    for (const { number, text: line, label } of labeledLines(text)) {
      if (profileHead.test(line)) {
        if (open) profiles.push(open);
        open = { line: number, step: null, fields: new Map() };
      } else if (open) {
        const next: Profile | null = takeProfileLine(open, line);
        if (next === null) profiles.push(open);
        open = next;
      } else timers.take(line, number, label);
    }
    if (open) profiles.push(open);
    const found = [...profiles.filter(({ fields }) => fields.size > 0).map(profileRun), ...timers.runs()];
    return { runs: found.map(({ run }) => run), problems: found.flatMap(({ problems }) => problems) };
  },
};

const timerLine =
  /\[timer\.py:\d{1,5}:stop\] [^\n]{0,80}SamplesPerSec=|steps: \d{1,9} loss: [^\n]{1,80} iter time \(s\): \d/;

/** What `ThroughputTimer` and the pipeline engine print every few steps. */
class Timers {
  private readonly throughputs: number[] = [];
  private readonly times: number[] = [];
  private readonly megatron: number[] = [];
  private readonly phases = new PhaseTimes();
  private memory: number | null = null;
  private line: number | null = null;

  take(text: string, number: number, label: string | null): void {
    if (text.includes('SamplesPerSec=')) {
      this.line ??= number;
      this.takeThroughput(text);
    } else if (text.includes('iter time (s): ')) this.takePipeline(text, number);
    else if (text.includes('elapsed time per iteration')) {
      for (const { throughput } of iterationsOf(text, number, label)) if (throughput) this.megatron.push(throughput);
    } else if (!text.includes('across ranks')) this.phases.take(text);
  }

  runs(): readonly { readonly run: ReadRun; readonly problems: readonly ImportProblem[] }[] {
    const dropped = warmUpOf(this.times.length > 0 ? this.times : this.throughputs.map((rate) => 1 / rate));
    const phases = this.megatron.length > 0 ? [] : this.phases.observations();
    const line = this.line ?? 1;
    const contradiction = this.contradiction();
    const observations = [
      ...seriesOf('training.step_time', 's', this.times.slice(dropped)),
      ...(contradiction ? [] : seriesOf('training.throughput', 'samples/s', this.throughputs.slice(dropped))),
      // DeepSpeed calls 2^30 bytes GB
      ...single('memory.peak_allocated', 'GiB', this.memory),
      ...phases,
    ];
    if (this.line === null || observations.length === 0) return [];
    const run = trainingRun({
      tool: 'deepspeed-flops-profiler',
      status: contradiction ? 'PARTIAL' : 'OK',
      workload: { 'workload.framework': 'deepspeed' },
      observations,
    });
    const steps = contradiction
      ? []
      : stepProblems(line, dropped, Math.max(this.times.length, this.throughputs.length));
    return [{ run, problems: [...steps, ...(contradiction ? [contradiction] : [])] }];
  }

  /** The current value where there is one: the running average still holds the first steps. */
  private takeThroughput(text: string): void {
    const current = after(text, 'CurrSamplesPerSec=') ?? after(text, ' SamplesPerSec=');
    if (current !== null && current > 0) this.throughputs.push(current);
    const memory = after(text, 'MaxMemAllocated=');
    if (memory !== null && memory > 0) this.memory = Math.max(this.memory ?? 0, memory);
  }

  private takePipeline(text: string, number: number): void {
    const time = after(text, 'iter time (s): ');
    const throughput = after(text, 'samples/sec: ');
    if (time === null || time <= 0) return;
    this.line ??= number;
    this.times.push(time);
    if (throughput !== null) this.throughputs.push(throughput);
  }

  /** DeepSpeed times the last micro-batch of a step where somebody else accumulates the gradients. */
  private contradiction(): ImportProblem | null {
    const [own, megatron] = [medianOf(this.throughputs), medianOf(this.megatron)];
    if (own === null || megatron === null || Math.abs(own / megatron - 1) < 0.1) return null;
    const [said, known] = [own.toPrecision(4), megatron.toPrecision(4)];
    return leftOut(
      this.line,
      `SamplesPerSec of ${said} was left out: the iterations of Megatron in the same log say ${known} samples/s`,
      `未采用 SamplesPerSec（${said}）：同一日志中 Megatron 的迭代行为 ${known} samples/s`,
    );
  }
}

function after(text: string, mark: string): number | null {
  const at = text.indexOf(mark);
  return at === -1 ? null : leadingNumber(text.slice(at + mark.length, at + mark.length + 40));
}

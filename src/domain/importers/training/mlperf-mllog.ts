import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import {
  leftOut,
  badRun,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { labeledLines } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { leadingNumber } from './leading-number.js';
import { eventOf, systemOf, type MlperfEvent } from './mlperf-events.js';
import { seriesOf, single } from './steady-steps.js';
import { trainingRun } from './training-run.js';

/** Results of MLPerf training: a run for each run_start, with the time to train where it was a success. */
export const mlperfMllog: Importer = {
  tool: 'mlperf-mllog',
  what: 'MLPerf training (:::MLLOG lines, v0.7 and later)',

  recognizes: (text) => /:::MLLOG \{[^\n]{0,300}"key": {0,3}"(?:run_start|run_stop|submission_benchmark)"/.test(text),

  nearMiss(text) {
    if (text.includes(':::MLPv0.')) {
      const en = 'This is a log of MLPerf training v0.5 or v0.6, which is not read';
      return error(null, en, '这是 MLPerf training v0.5 或 v0.6 的日志，不支持读取');
    }
    if (!text.includes(':::MLLOG {') || !text.includes('loadgen_version')) return null;
    const en = 'This is the detail log of LoadGen: send mlperf_log_summary.txt, which has the results';
    return error(null, en, '这是 LoadGen 的明细日志，请上传含结果的 mlperf_log_summary.txt');
  },

  read(text) {
    const log = readLog(text);
    const found = log.trainings.map((training) => runOf(training, log.system));
    return {
      runs: found.map(({ run }) => run),
      problems: [...cutLines(log.cut), ...found.flatMap(({ problems }) => problems)],
    };
  },
};

interface Training {
  /** Events before run_start, which describe the workload. */
  readonly settings: readonly MlperfEvent[];
  readonly start: MlperfEvent | null;
  readonly events: MlperfEvent[];
  stop: MlperfEvent | null;
}

interface Log {
  readonly trainings: readonly Training[];
  readonly system: JsonObject | null;
  readonly cut: readonly number[];
}

function readLog(text: string): Log {
  const trainings: Training[] = [];
  const cut: number[] = [];
  let system: JsonObject | null = null;
  let settings: MlperfEvent[] = [];
  let current: Training | null = null;
  for (const { number, text: line } of labeledLines(text)) {
    system ??= systemOf(line);
    const event = eventOf(line, number);
    if (event === 'cut') cut.push(number);
    if (event === null || event === 'cut') continue;
    const isOver = current === null || current.stop !== null;
    if (event.key === 'run_start' && isOver) {
      current = { settings, start: event, events: [], stop: null };
      trainings.push(current);
      settings = [];
    } else if (event.key === 'run_stop' && current?.stop === null) current.stop = event;
    else if (isOver) settings.push(event);
    else current?.events.push(event);
  }
  // the head of a log that was cut before its start
  if (trainings.length === 0 && settings.length > 0) trainings.push({ settings, start: null, events: settings, stop: null });
  return { trainings, system, cut };
} // prettier-ignore

function runOf(
  training: Training,
  system: JsonObject | null,
): { readonly run: ReadRun; readonly problems: readonly ImportProblem[] } {
  const { settings, start, stop } = training;
  const benchmark = textOf(valueOf(settings, 'submission_benchmark'));
  const problems = [...outcomeOf(training)];
  const isSuccess = stop?.metadata.status === 'success';
  const time = start && stop && isSuccess ? stop.time - start.time : null;
  const started = start ? startedAtOf(isoOf(start.time), String(start.time), start.line) : null;
  const run = trainingRun({
    tool: 'mlperf-mllog',
    status: stop === null ? 'PARTIAL' : isSuccess && (time ?? 1) > 0 ? 'OK' : 'FAILED',
    variant: textOf(valueOf(settings, 'submission_platform')),
    startedAt: started?.startedAt ?? null,
    environment: system ? systemFacts(system) : {},
    workload: workloadOf(settings, benchmark),
    observations: [
      ...single('training.time_to_quality', 'ms', time !== null && time > 0 ? time : null),
      ...seriesOf('training.throughput', 'samples/s', training.events.map(throughputOf)),
      ...qualityOf(training, benchmark),
      ...single('training.effective_batch_size', 'count', numberOf(valueOf(settings, 'global_batch_size'))),
    ],
  });
  return { run, problems: [...problems, ...(started?.problems ?? [])] };
}

function outcomeOf({ start, stop }: Training): readonly ImportProblem[] {
  if (stop === null || start === null) {
    const en = 'The log has no end of the run (run_stop): there is no time to train';
    return [
      warning(start?.line ?? null, en, '日志中没有运行结束事件（run_stop），无法得出训练时间', { code: 'INCOMPLETE' }),
    ];
  }
  if (stop.metadata.status !== 'success') {
    const status = typeof stop.metadata.status === 'string' ? stop.metadata.status.slice(0, 40) : '?';
    return [
      warning(
        stop.line,
        `The run ended with the status "${status}": it did not reach the target, there is no time to train`,
        `运行结束状态为“${status}”：未达到目标质量，无法得出训练时间`,
        { code: 'CHECK_FAILED' },
      ),
    ];
  }
  if (stop.time > start.time) return [];
  return [badRun(stop.line, 'The run ends before it starts: the times are broken', '运行结束早于开始，时间有误')];
}

function valueOf(events: readonly MlperfEvent[], key: string): unknown {
  return events.find((event) => event.key === key)?.value;
}

function throughputOf({ key, value }: MlperfEvent): number | null {
  if (key !== 'tracked_stats' || typeof value !== 'object' || value === null || !('throughput' in value)) return null;
  const { throughput } = value;
  return typeof throughput === 'number' && Number.isFinite(throughput) && throughput > 0 ? throughput : null;
}

/** Benchmarks whose eval_accuracy is a loss or perplexity: lower is better. */
const losses = /^(?:llama|gpt3|mixtral|deepseek|flux|gpt_oss)/;
/** Those whose eval_accuracy is neither a loss nor an accuracy, such as a word error rate. */
const others = /^(?:rnnt|stable_diffusion|minigo)/;

/** The last value: of the last evaluation, or of run_stop. */
function qualityOf({ events, stop }: Training, benchmark: string | null): readonly ReadObservation[] {
  const kinds = ['eval_accuracy', 'eval_error', 'eval_loss'];
  const last = events.filter(({ key }) => kinds.includes(key)).at(-1);
  const value = numberOf(last?.value ?? stop?.value);
  if (benchmark === null || others.test(benchmark)) return [];
  const isLoss = losses.test(benchmark) || last?.key === 'eval_error' || last?.key === 'eval_loss';
  return single(isLoss ? 'quality.loss' : 'quality.score', '', value, { split: 'validation' });
}

const notSettings =
  /^(?:submission_|cache_clear$|init_|run_|block_|epoch_|eval_(?!samples)|staging_|seed$|global_batch_size$|tracked_stats$|weights_init)/;
const MAX_SETTINGS = 60;

function workloadOf(settings: readonly MlperfEvent[], benchmark: string | null): Facts {
  const facts: Record<string, FactValue> = {};
  if (benchmark !== null) facts['workload.model'] = benchmark;
  const size = numberOf(valueOf(settings, 'global_batch_size'));
  if (size !== null) facts['workload.batch_size'] = size;
  for (const { key, value } of settings.slice(0, 1_000)) {
    const isSimple = typeof value === 'boolean' || numberOf(value) !== null || isShortName(value);
    if (!isSimple || notSettings.test(key) || !/^\w{1,60}$/.test(key)) continue;
    if (Object.keys(facts).length < MAX_SETTINGS) facts[`workload.settings.${key}`] ??= simple(value);
  }
  return facts;
}

function isShortName(value: unknown): boolean {
  return typeof value === 'string' && /^[\w.+-]{1,60}$/.test(value);
}

function simple(value: unknown): FactValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function systemFacts(system: JsonObject): Facts {
  const nodes = countOf(system.number_of_nodes);
  const perNode = countOf(system.accelerators_per_node);
  const name = textOf(system.accelerator_model_name);
  const cpu = textOf(system.host_processor_model_name);
  const os = textOf(system.operating_system);
  return {
    ...softwareFacts(system.other_software_stack),
    ...(os === null ? {} : { os }),
    ...(name === null ? {} : gpuFacts(name)),
    ...(nodes === null ? {} : { 'nodes.count': nodes }),
    ...(perNode === null ? {} : { 'gpu.per_node': perNode }),
    ...(nodes === null || perNode === null ? {} : { 'gpu.count': nodes * perNode }),
    ...(cpu === null ? {} : { 'cpu.name': cpu }),
  };
}

const software = [
  ['nvidia_kernel_driver', 'driver'],
  ['cuda_version', 'cuda'],
  ['nccl_version', 'nccl'],
  ['cudnn_version', 'cudnn'],
] as const;

function softwareFacts(stack: Json | undefined): Facts {
  if (!isObject(stack)) return {};
  const found = software.map(([name, key]) => [key, textOf(stack[name])] as const);
  return Object.fromEntries(found.filter(([, version]) => version !== null && /^\d[\w.+-]{0,40}$/.test(version)));
}

function cutLines(lines: readonly number[]): readonly ImportProblem[] {
  const [first] = lines;
  if (first === undefined) return [];
  return [
    leftOut(
      first,
      `Lines of MLLOG that could not be read and were left out: ${lines.length}`,
      `${lines.length} 行 MLLOG 无法读取，未采用`,
    ),
  ];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function countOf(value: unknown): number | null {
  const count = typeof value === 'string' ? leadingNumber(value) : numberOf(value);
  return count !== null && Number.isInteger(count) && count > 0 ? count : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null;
}

/** A time that no date can hold stays what it is, and is refused as such. */
function isoOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

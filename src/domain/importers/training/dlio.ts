import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import {
  leftOut,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { isObject, objectsOf, readJson, startsLikeJson, type Json, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { meanOf, samplesWithDistribution } from '../distribution.js';
import { seriesOf, single } from './steady-steps.js';
import { trainingRun } from './training-run.js';

/** `N_output.json` of one process, with the times of every step, and `summary.json` of all processes of a DLIO benchmark. */
export const dlio: Importer = {
  tool: 'dlio',
  what: 'DLIO benchmark (N_output.json, summary.json)',

  recognizes: (text) =>
    startsLikeJson(text) &&
    (/"train_au_percentage"\s{0,10}:/.test(text) ||
      (/"load"\s{0,10}:\s{0,10}\{\s{0,100}"(?:block\d{1,6}|eval)"/.test(text) &&
        /"proc"\s{0,10}:/.test(text) &&
        /"au"\s{0,10}:/.test(text))),

  nearMiss(text) {
    if (!startsLikeJson(text) || !/"block\d{1,6}"\s{0,10}:\s{0,10}\{\s{0,100}"start"/.test(text)) return null;
    const en = 'This is per_epoch_stats.json of DLIO, which holds no steps: send summary.json or N_output.json';
    return error(1, en, '这是 DLIO 的 per_epoch_stats.json，不含各步数据，请上传 summary.json 或 N_output.json');
  },

  read(text) {
    const json = readJson(text, { skip: machineFacts });
    if (json.problem) return { runs: [], problems: [json.problem] };
    const found = objectsOf(json).map(({ object, line }) =>
      isObject(object.metric) ? summaryRun(object, object.metric, line) : outputRun(object, line),
    );
    const runs = found.map(({ run }) => run).filter(({ observations }) => observations.length > 0);
    return { runs, problems: found.flatMap(({ problems }) => problems) };
  },
};

/** Copies of /proc, of which a file has one for each epoch. */
const machineFacts = new Set(['host_cpuinfo', 'host_meminfo']);

interface Found {
  readonly run: ReadRun;
  readonly problems: readonly ImportProblem[];
}

/** Where times of steps are taken from; an evaluation may stand beside the blocks. */
const stages = ['load', 'proc', 'throughput', 'au', 'compute'] as const;

function outputRun(output: JsonObject, line: number): Found {
  const observations: ReadObservation[] = [];
  let left = 0;
  for (const [epoch, content] of Object.entries(output)) {
    if (!/^\d{1,9}$/.test(epoch) || !isObject(content)) continue;
    const blocks = new Set(stages.flatMap((stage) => Object.keys(isObject(content[stage]) ? content[stage] : {})));
    for (const block of blocks) {
      const found = blockOf(content, block, { epoch: Number(epoch), block });
      if (found.length === 0) left += 1;
      observations.push(...found);
    }
  }
  const run = trainingRun({
    tool: 'dlio',
    status: left > 0 ? 'PARTIAL' : 'OK',
    environment: hostFacts(output),
    observations,
  });
  const problems: ImportProblem[] = [];
  if (observations.length > 0) {
    problems.push(
      warning(
        line,
        'The file is of one process: its throughput is that of one accelerator, and the first load of each epoch stands apart',
        '该文件只含一个进程：吞吐量为单个加速器的值，每个 epoch 的首次加载单独列出',
        { code: 'OTHER_MEANING' },
      ),
    );
  }
  if (left > 0) {
    problems.push(
      leftOut(line, `Blocks without any step were left out: ${left}`, `${left} 个 block 没有任何步，未采用`),
    );
  }
  return { run, problems };
}

/** One block of an epoch. `load` is the wait for a batch, `proc` the whole step, both in seconds. */
function blockOf(
  epoch: JsonObject,
  block: string,
  dimensions: ReadObservation['dimensions'],
): readonly ReadObservation[] {
  const of = (stage: (typeof stages)[number]) => (isObject(epoch[stage]) ? epoch[stage][block] : undefined);
  const [firstLoad, ...loads] = numbersOf(of('load'));
  const [firstStep, ...steps] = numbersOf(of('proc'));
  const steady = (first: number | undefined, rest: readonly number[]) =>
    rest.length > 0 ? rest : first === undefined ? [] : [first];
  return [
    ...seriesOf('training.data_load_time', 's', steady(firstLoad, loads), dimensions),
    ...(loads.length > 0 ? single('training.first_data_load_time', 's', firstLoad, dimensions) : []),
    ...seriesOf('training.step_time', 's', steady(firstStep, steps), dimensions),
    ...seriesOf('training.compute_time', 's', numbersOf(of('compute')), dimensions),
    ...single('training.throughput_per_gpu', 'samples/s', positive(of('throughput')), dimensions),
    ...single('training.accelerator_utilization', '%', positive(of('au')), dimensions),
  ];
}

function numbersOf(value: Json | undefined): readonly number[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is number => typeof each === 'number' && Number.isFinite(each) && each >= 0);
}

function positive(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

function hostFacts(output: JsonObject): Facts {
  const facts: Record<string, FactValue> = {};
  const memory = positive(output.host_memory_GB);
  const cores = positive(output.host_cpu_count);
  // DLIO divides by 1024 three times; the value of one machine differs in its last digits from boot to boot
  if (memory !== null) facts['host.memory'] = Math.round(memory);
  if (cores !== null) facts['cpu.cores'] = cores;
  return facts;
}

const settings = ['num_accelerators', 'num_files_train', 'num_files_eval', 'num_samples_per_file', 'epochs'];

function summaryRun(summary: JsonObject, metric: JsonObject, line: number): Found {
  const workload: Record<string, FactValue> = {};
  for (const key of settings) {
    const value = positive(summary[key]);
    if (value !== null) workload[`workload.settings.${key}`] = value;
  }
  const hosts = positive(summary.num_hosts);
  const start = startOf(summary.start, line);
  const isShort = metric.train_au_meet_expectation === 'fail';
  const isCached = Array.isArray(summary.potential_caching) && summary.potential_caching.includes(1);
  const problems: ImportProblem[] = [...start.problems];
  if (isShort) {
    const en = 'The accelerators were used less than the benchmark demands (train_au_meet_expectation: fail)';
    problems.push(
      warning(line, en, '加速器利用率低于基准要求（train_au_meet_expectation: fail）', { code: 'CHECK_FAILED' }),
    );
  }
  if (isCached) {
    const en = 'The data of a host fit in its memory: after the first epoch it may come from the page cache';
    problems.push(
      warning(line, en, '单机数据量小于主机内存：首个 epoch 之后数据可能来自页缓存', { code: 'OTHER_MEANING' }),
    );
  }
  const run = trainingRun({
    tool: 'dlio',
    startedAt: start.startedAt,
    environment: hosts === null ? {} : { 'nodes.count': hosts },
    workload,
    observations: [
      ...epochs('training.accelerator_utilization', '%', metric, 'train_au_mean_percentage', 'train_au_percentage'),
      ...epochs(
        'training.throughput',
        'samples/s',
        metric,
        'train_throughput_mean_samples_per_second',
        'train_throughput_samples_per_second',
      ),
      // DLIO divides by 1024 twice and calls it MB
      ...single('io.aggregate_read_bandwidth', 'MiB/s', positive(metric.train_io_mean_MB_per_second)),
    ],
  });
  return { run, problems };
}

/** The mean over the epochs, with the epochs as samples. */
function epochs(
  name: string,
  unit: string,
  metric: JsonObject,
  meanKey: string,
  eachKey: string,
): readonly ReadObservation[] {
  const each = numbersOf(metric[eachKey]);
  const mean = positive(metric[meanKey]) ?? (each.length > 0 ? meanOf(each) : null);
  const kept = each.length > 1 ? samplesWithDistribution(each) : null;
  return single(name, unit, mean).map((observation) => ({ ...observation, ...kept }));
}

/** `2024-02-03T04:05:06.789`, a local time; taken as UTC, for want of better. */
function startOf(start: unknown, line: number): ReturnType<typeof startedAtOf> {
  const found = typeof start === 'string' ? /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(start) : null;
  if (!found) return { startedAt: null, problems: [] };
  return startedAtOf(`${found[1]}T${found[2]}Z`, found[0], line);
}

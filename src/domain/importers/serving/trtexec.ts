import type { Facts } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import {
  fewSamples,
  incomplete,
  failedRun,
  error,
  warning,
  type Distribution,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { startedAtOf } from '../started-at.js';
import { contradiction, contradicts, plain, readingOf, type Result } from './requests.js';
import { executionsIn, type TrtexecLog, type TrtTimes } from './trtexec-log.js';
import { WorkloadFacts } from './workload.js';

/** The log of trtexec of TensorRT 7 to 10. */
export const trtexec: Importer = {
  tool: 'trtexec',
  what: 'trtexec (console)',

  recognizes: (text) =>
    /&&&& (?:RUNNING|PASSED|FAILED) TensorRT\.trtexec/.test(text) ||
    (text.includes('=== Performance summary ===') && /GPU Compute Time: min = /.test(text)),

  read: (text) => readingOf(executionsIn(text).map(readLog)),
}; // prettier-ignore

/** Part of the summary -> metric and the statistics that are kept. */
const parts: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  'gpu compute': ['inference.gpu_compute_time', ['median', 'mean', 'p90', 'p95', 'p99']],
  latency: ['inference.latency', ['median', 'mean', 'p90', 'p95', 'p99']],
  'end-to-end': ['inference.end_to_end_latency', ['median', 'mean', 'p99']],
  'enqueue time': ['inference.enqueue_time', ['median', 'mean', 'p99']],
  'h2d latency': ['inference.h2d_time', ['median', 'mean']],
  'd2h latency': ['inference.d2h_time', ['median', 'mean']],
};

function readLog(log: TrtexecLog): Result {
  const line = log.summaryLine ?? log.line;
  const compute = log.times.get('gpu compute');
  const refusal = refusalOf(log, compute);
  const doubts = refusal ? [] : doubtsOf(log);
  const isWhole = log.outcome === 'PASSED' || log.computeTotal !== null;
  const start = startOf(log);
  const run: ReadRun = {
    status: refusal ? 'FAILED' : isWhole ? 'OK' : 'PARTIAL',
    tool: 'trtexec',
    toolVersion: versionOf(log),
    variant: null,
    startedAt: start.startedAt,
    command: log.command,
    environment: environmentOf(log),
    workload: workloadOf(log),
    session: null,
    block: null,
    observations: refusal ? [] : observationsOf(log, doubts.length > 0),
  };
  return {
    // an execution that measured nothing is no run
    run: refusal && log.times.size === 0 ? null : run,
    refusal,
    problems: refusal
      ? []
      : [
          ...(isWhole ? [] : [cutOff(line)]),
          ...fewQueries(log, line),
          ...doubts,
          ...[...log.warnings].map(([text, at]) => ownWarning(text, at)),
          ...start.problems,
        ],
  };
}

function refusalOf(log: TrtexecLog, compute: TrtTimes | undefined): ImportProblem | null {
  if (log.outcome === 'FAILED') {
    return failedRun(log.line, 'trtexec failed: this is no measurement', 'trtexec 运行失败，不构成有效测量');
  }
  if (compute !== undefined && [...compute.values()].some((value) => value > 0)) return null;
  return error(
    log.line,
    'There is no performance summary: trtexec only built the engine, or the log is cut off before it',
    '没有性能汇总：trtexec 只构建了引擎，或日志在汇总之前被截断',
  );
}

function observationsOf(log: TrtexecLog, isRateDoubtful: boolean): readonly ReadObservation[] {
  const observations: ReadObservation[] = [];
  const { throughput, walltime, computeTotal, buildTime } = log;
  if (throughput !== null && throughput > 0 && !isRateDoubtful) {
    observations.push(plain('inference.query_throughput', throughput, 'queries/s'));
  }
  for (const [part, [metric, statistics]] of Object.entries(parts)) {
    const times = log.times.get(part);
    if (!times) continue;
    const distribution = distributionOf(times, log.queries);
    for (const statistic of statistics) {
      const value = times.get(statistic);
      if (value === undefined || !(value > 0)) continue;
      const observation = plain(`${metric}.${statistic}`, value, 'ms');
      observations.push(statistic === 'mean' && distribution ? { ...observation, distribution } : observation);
    }
  }
  if (computeTotal !== null && computeTotal > 0) observations.push(plain('inference.gpu_compute_total', computeTotal, 's'));
  if (walltime !== null && walltime > 0) observations.push(plain('inference.duration', walltime, 's'));
  if (buildTime !== null && buildTime > 0) observations.push(plain('inference.engine_build_time', buildTime, 's'));
  return observations;
} // prettier-ignore

function distributionOf(times: TrtTimes, queries: number | null): Distribution | null {
  if (queries === null || queries < 1) return null;
  const of = (name: string): number | null => times.get(name) ?? null;
  return {
    count: queries,
    mean: of('mean'),
    sd: null,
    min: of('min'),
    p50: of('median'),
    p90: of('p90'),
    p99: of('p99'),
    max: of('max'),
  };
}

/** With implicit batch a query counts once for each element, in the throughput and in the trace alike. */
function doubtsOf({ throughput, throughputLine, queries, walltime }: TrtexecLog): readonly ImportProblem[] {
  if (throughput === 0) {
    return [
      contradiction(
        throughputLine ?? 1,
        ['throughput of 0', 'the log has times of queries'],
        ['吞吐量 0', '日志中有查询耗时'],
      ),
    ];
  }
  if (throughput === null || queries === null || queries === 0 || walltime === null || !(walltime > 0)) return [];
  const own = queries / walltime;
  if (!contradicts(throughput, own, 0.01)) return [];
  const shown = Number(own.toPrecision(6));
  return [
    contradiction(
      throughputLine ?? 1,
      [`throughput of ${throughput}`, `${queries} queries in ${walltime} s are ${shown} per second`],
      [`吞吐量 ${throughput}`, `${walltime} s 内 ${queries} 次查询，即每秒 ${shown} 次`],
    ),
  ];
}

function fewQueries({ queries, times }: TrtexecLog, line: number): readonly ImportProblem[] {
  if (queries === null || queries >= 100 || queries < 1 || times.get('gpu compute')?.get('p99') === undefined)
    return [];
  const count = queries === 1 ? '1 query was' : `${queries} queries were`;
  return [
    fewSamples(
      line,
      `Only ${count} measured: the p99 is close to the maximum`,
      `仅测量 ${queries} 次查询，p99 接近最大值`,
    ),
  ];
}

/** `11/02/2021-09:15:15`, month first: a local time without zone, taken as UTC. */
function startOf({ time, line }: TrtexecLog): ReturnType<typeof startedAtOf> {
  const [, month, day, year, clock] = /^(\d\d)\/(\d\d)\/(\d{4})-(\d\d:\d\d:\d\d)$/.exec(time ?? '') ?? [];
  if (month === undefined) return { startedAt: null, problems: [] };
  return startedAtOf(`${year}-${month}-${day}T${clock}Z`, time ?? '', line);
}

function versionOf({ labels }: TrtexecLog): string | null {
  return /^\d{1,3}(?:\.\d{1,4}){1,3}$/.exec(labels.get('tensorrt version') ?? '')?.[0] ?? null;
}

function environmentOf(log: TrtexecLog): Facts {
  const { labels } = log;
  const [version, device] = [versionOf(log), labels.get('selected device')];
  const [capability, processors] = [labels.get('compute capability'), Number(labels.get('sms'))];
  return {
    ...(device === undefined ? {} : gpuFacts(device)),
    ...(capability !== undefined && /^\d{1,2}\.\d$/.test(capability) ? { 'gpu.computeCapability': capability } : {}),
    ...(processors > 0 && Number.isFinite(processors) ? { 'gpu.multiprocessors': processors } : {}),
    ...(version === null ? {} : { tensorrt: version }),
  };
}

/** Options with an influence on the result, by their labels. */
const settings: Readonly<Record<string, string>> = {
  format: 'model_format',
  streams: 'streams',
  'cuda graph': 'cuda_graph',
  'data transfers': 'data_transfers',
  'spin-wait': 'spin_wait',
  'input inference shapes': 'shapes',
  'input inference shape': 'shapes',
  dlacore: 'dla_core',
  sparsity: 'sparsity',
  'builder optimization level': 'builder_optimization_level',
};

function workloadOf({ labels, command }: TrtexecLog): Facts {
  const workload = new WorkloadFacts().set('tool', 'trtexec').set('framework', 'tensorrt');
  const model = labels.get('model') ?? optionIn(command, 'loadEngine');
  const batch = Number(labels.get('batch'));
  workload
    .set('model', model?.split(/[/\\]/).filter(Boolean).at(-1))
    .set('precision', labels.get('precision')?.toLowerCase().slice(0, 60))
    .set('batch_size', batch > 0 ? batch : null);
  for (const [name, key] of Object.entries(settings)) {
    const value = labels.get(name);
    if (value !== undefined) workload.set(`settings.${key}`, /^\d{1,9}$/.test(value) ? Number(value) : value);
  }
  return workload.facts;
}

function optionIn(command: string | null, name: string): string | undefined {
  return new RegExp(`--${name}=([^\\s'"]{1,300})`).exec(command ?? '')?.[1];
}

function cutOff(line: number): ImportProblem {
  return incomplete(line, 'The summary is not complete: the log is cut off', '性能汇总不完整：日志被截断');
}

function ownWarning(text: string, line: number): ImportProblem {
  if (text.startsWith('GPU compute time is unstable')) {
    const [, share = ''] = /coefficient of variance = (\d{1,6}(?:\.\d{1,6})?)%/.exec(text) ?? [];
    const shown = share === '' ? ['', ''] : [` (coefficient of variation ${share} %)`, `（变异系数 ${share} %）`];
    return warning(
      line,
      `trtexec calls the GPU compute time unstable${shown[0]}: lock the clocks`,
      `trtexec 提示 GPU 计算时间不稳定${shown[1]}：请锁定频率`,
      { code: 'UNSTABLE' },
    );
  }
  const [en, zh] = /Enqueue Time/.test(text)
    ? ['launching on the host', '主机端提交']
    : /host-to-device/.test(text)
      ? ['copies to the device', '主机到设备的拷贝']
      : ['copies to the host', '设备到主机的拷贝'];
  return warning(line, `The throughput may be limited by ${en} and not by the GPU`, `吞吐量可能受限于${zh}，而非 GPU`, {
    code: 'CLIENT_LIMITED',
  });
}

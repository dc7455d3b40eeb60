import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import {
  partFailed,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type Reading,
  type ReadObservation,
} from '../importer.js';
import { ClockLimits, limitsOfMask } from './clock-limits.js';
import { monitorReading } from './monitor-run.js';
import { histogramsOf } from './prometheus-histograms.js';
import { counters, failedRequests, gauges, histograms, isFailed, isValue, quotients } from './prometheus-series.js';
import { SeriesSet, type Series } from './prometheus-set.js';
import { samplesOf, typesOf } from './prometheus-text.js';
import { observed, type Column } from './ticks.js';
import { lineAt } from '../line-at.js';

/** What the `/metrics` of vLLM, SGLang and the exporter of DCGM show. Several scrapes one after another are ticks. */
export const prometheusExposition: Importer = {
  tool: 'prometheus-exposition',
  what: '/metrics (vLLM, SGLang, DCGM-exporter)',

  recognizes(text) {
    if (!/vllm:|sglang:|DCGM_FI_/.test(text)) return false;
    for (const sample of samplesOf(text, isOurs)) if (sample) return true;
    return false;
  },

  nearMiss(text) {
    const at = /(?:^|\n)# TYPE [\w:]{1,200} (?:counter|gauge|histogram|summary)/.exec(text);
    if (!at) return null;
    const line = lineAt(text, at.index + 1);
    return error(
      line,
      'Of Prometheus expositions only the metrics of vLLM, SGLang and DCGM are read, and none of them is here',
      '对于 Prometheus 指标，只读取 vLLM、SGLang 与 DCGM 的指标，此处没有这些指标',
    );
  },

  read(text): Reading {
    const series = new SeriesSet();
    const starts = new Set<number>();
    const programs = new Set<string>();
    for (const sample of samplesOf(text, (name) => isOurs(name) || name === START)) {
      if (sample.name === START) starts.add(Math.round(sample.value));
      else {
        series.add(sample);
        programs.add(sample.name.slice(0, 5));
      }
    }
    if (series.hasSeveralScrapes && starts.size > programs.size) {
      return { runs: [], problems: [ofSeveralProcesses(series.firstLine)] };
    }
    return readingOf(series, typesOf(text));
  },
};

/** Tells the processes apart that one file holds scrapes of. */
const START = 'process_start_time_seconds';

const isOurs = (name: string) => /^(?:vllm:|sglang:|DCGM_FI_)/.test(name);

function readingOf(set: SeriesSet, types: ReadonlyMap<string, string>): Reading {
  const limits = new ClockLimits();
  for (const each of set.named(...limitMasks)) {
    const dimensions = set.dimensionsOf(each.labels);
    for (const value of each.values) limits.take(dimensions, limitsOfMask(String(value)) ?? [], each.line);
  }
  const counted = [...countersOf(set), ...histogramsOf(set, histograms), ...quotientsOf(set)];
  const observations = [...gaugesOf(set, types), ...counted, ...limits.observations()];
  return monitorReading({
    tool: 'prometheus-exposition',
    environment: environmentOf(set),
    workload: workloadOf(set),
    observations,
    isPartial: false,
    problems: [
      ...(counted.length > 0 && !set.hasSeveralScrapes ? [sinceStart(set.firstLine)] : []),
      ...failuresOf(observations, set.firstLine),
      ...limits.problems(),
      ...gpuFaults(set),
    ],
    line: set.firstLine,
  });
}

const limitMasks = ['DCGM_FI_DEV_CLOCKS_EVENT_REASONS', 'DCGM_FI_DEV_CLOCK_THROTTLE_REASONS'];

/** Older exporters give bytes since the start under the name of what is a rate today. */
const isRate = (name: string, types: ReadonlyMap<string, string>) =>
  !/_(?:TX|RX)_BYTES$/.test(name) || types.get(name) !== 'counter';

function gaugesOf(set: SeriesSet, types: ReadonlyMap<string, string>): readonly ReadObservation[] {
  const seen = new Set<string>();
  return Object.entries(gauges).flatMap(([name, column]) =>
    !isRate(name, types)
      ? []
      : set.named(name).flatMap(({ labels, values }) => {
          const dimensions = set.dimensionsOf(labels);
          const known = values.filter((value) => isValue(name, value));
          // one GPU stands there once for each of the pods that share it
          const key = JSON.stringify([column.metric, dimensions, known]);
          if (seen.has(key)) return [];
          seen.add(key);
          return observed(column, dimensions, known);
        }),
  );
}

/** The counters of these names by what they are of, the labels that do not matter added up. */
function totalsOf(set: SeriesSet, names: readonly string[], isTaken: (series: Series) => boolean) {
  const totals = new Map<string, { readonly dimensions: ReadObservation['dimensions']; value: number }>();
  for (const each of set.named(...names).filter(isTaken)) {
    const dimensions = set.dimensionsOf(each.labels);
    const values = each.values.filter((value) => isValue(each.name, value));
    const [first] = values;
    if (first === undefined) continue;
    const key = JSON.stringify(dimensions);
    const total = totals.get(key) ?? { dimensions, value: 0 };
    total.value += set.hasSeveralScrapes ? set.growthOf(values) : first;
    totals.set(key, total);
  }
  return totals;
}

function countersOf(set: SeriesSet): readonly ReadObservation[] {
  const all = Object.entries(counters).flatMap(([name, { total }]) =>
    // a counter since the start of a driver says nothing of the benchmark
    total.over === 'GROWTH' && !set.hasSeveralScrapes
      ? []
      : countedAs(
          total,
          totalsOf(set, [name], ({ labels }) => !isFailed(labels)),
        ),
  );
  return [...all, ...countedAs(failedRequests, totalsOf(set, ['vllm:request_success_total'], ({ labels }) => isFailed(labels)))]; // prettier-ignore
}

function countedAs({ metric, unit }: Column, totals: ReturnType<typeof totalsOf>): readonly ReadObservation[] {
  return Array.from(totals.values(), ({ dimensions, value }) => ({ metric, dimensions, value, unit }));
}

function quotientsOf(set: SeriesSet): readonly ReadObservation[] {
  return quotients.flatMap(({ column: { metric, unit }, part, whole, plus, dimensions }) => {
    const parts = totalsOf(set, part, () => true);
    return [...totalsOf(set, whole, () => true)].flatMap(([key, all]) => {
      const found = parts.get(key);
      if (!found || all.value <= 0) return [];
      return [
        { metric, dimensions: { ...all.dimensions, ...dimensions }, value: plus + found.value / all.value, unit },
      ];
    });
  });
}

function environmentOf(set: SeriesSet): Facts {
  const facts: Record<string, FactValue> = {};
  const onDcgm = set.named(...[...set.names].filter((name) => name.startsWith('DCGM_')));
  if (onDcgm.length === 0) return facts;
  facts.vendor = 'nvidia';
  const only = (label: string) => {
    const values = new Set(onDcgm.flatMap(({ labels }) => labels.get(label) || []));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const [name, driver, profile] = ['modelName', 'DCGM_FI_DRIVER_VERSION', 'GPU_I_PROFILE'].map(only);
  if (name !== undefined) Object.assign(facts, gpuFacts(name));
  if (driver !== undefined && /^\d[\d.]{1,20}$/.test(driver)) facts.driver = driver;
  if (profile !== undefined) facts['gpu.mig'] = profile;
  return facts;
}

/** Settings of vLLM that its metrics state. */
const settings = ['block_size', 'cache_dtype', 'enable_prefix_caching', 'gpu_memory_utilization'];

function workloadOf(set: SeriesSet): Facts {
  const facts: Record<string, FactValue> = { ...set.points.workload(set.names) };
  const [config] = set.named('vllm:cache_config_info');
  for (const key of settings) {
    const value = config?.labels.get(key);
    if (value !== undefined) facts[`workload.settings.${key}`] = value.slice(0, 100);
  }
  return facts;
}

function ofSeveralProcesses(line: number): ImportProblem {
  return error(
    line,
    'The scrapes are of several processes, or of one before and after a restart: send those of each process on their own',
    '这些抓取来自多个进程，或来自同一进程重启前后：请将每个进程的抓取内容分开上传',
  );
}

function sinceStart(line: number): ImportProblem {
  return warning(
    line,
    'Counts and mean times are those since the start of the server, warm-up included: send a scrape from before and one from after the benchmark in one file',
    '计数与平均时间从服务启动算起，包含预热：请把测试前后各抓取一次的内容放在同一个文件中上传',
    { code: 'WARM_UP_INCLUDED' },
  );
}

function failuresOf(observations: readonly ReadObservation[], line: number): readonly ImportProblem[] {
  const sumOf = (metric: string) =>
    observations.filter((each) => each.metric === metric).reduce((sum, { value }) => sum + value, 0);
  const [failed, completed] = [sumOf('serving.failed_requests'), sumOf('serving.completed_requests')];
  if (failed <= 0) return [];
  const share = `${((100 * failed) / (failed + completed)).toFixed(1)} %`;
  return [
    partFailed(
      line,
      `${failed} of ${failed + completed} requests were aborted or ended with an error (${share})`,
      `${failed + completed} 个请求中有 ${failed} 个被中止或出错（${share}）`,
    ),
  ];
}

/** What makes a measurement of this GPU doubtful. */
function gpuFaults(set: SeriesSet): readonly ImportProblem[] {
  const faults = (names: readonly string[]) =>
    set.named(...names).flatMap(({ labels, values, line }) => {
      const value = values.findLast((each) => each > 0 && isValue('DCGM_', each));
      return value === undefined ? [] : [{ gpu: labels.get('gpu')?.slice(0, 10) ?? '?', value, line }];
    });
  return [
    ...faults(['DCGM_FI_DEV_XID_ERRORS', 'DCGM_FI_DEV_XID_ERROR']).map(({ gpu, value, line }) =>
      partFailed(line, `GPU ${gpu} reports XID error ${value}`, `GPU ${gpu} 报告 XID 错误 ${value}`),
    ),
    ...faults(['DCGM_FI_DEV_ROW_REMAP_FAILURE']).map(({ gpu, line }) =>
      partFailed(line, `GPU ${gpu} could not remap a row of its memory`, `GPU ${gpu} 的显存行重映射失败`),
    ),
  ].slice(0, 32);
}

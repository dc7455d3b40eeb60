import type { Facts } from '../../measurement/environment-diff.js';
import {
  fewSamples,
  incomplete,
  leftOut,
  error,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { isNoValue, numberOf } from '../number.js';
import { contradicts, latencyMetric, plain, readingOf, type Result } from './requests.js';
import { WorkloadFacts } from './workload.js';

/** The `mlperf_log_summary.txt` of LoadGen. Latencies are in nanoseconds. */
export const mlperfLoadgenSummary: Importer = {
  tool: 'mlperf-loadgen-summary',
  what: 'MLPerf LoadGen (mlperf_log_summary.txt)',

  recognizes: (text) =>
    (text.includes('MLPerf Results Summary') && text.includes('Scenario : ')) || isAccuracyOnly(text),

  read(text) {
    if (isAccuracyOnly(text)) return { runs: [], problems: [accuracyOnly(1)] };
    return readingOf(summariesIn(text).map(readSummary));
  },
};

/** A run for accuracy leaves nothing but these lines. */
function isAccuracyOnly(text: string): boolean {
  return (
    text.length < 2_000 &&
    /^\s{0,100}(?:No warnings|\d{1,9} warnings?) encountered(?: during test)?\.(?: See detailed log\.)?\s{1,20}(?:No errors|\d{1,9} ERRORS?) encountered(?: during test)?\.(?: See detailed log\.)?\s{0,100}$/i.test(text)
  );
} // prettier-ignore

interface Summary {
  readonly line: number;
  /** Labels with single blanks; the first value of each. */
  readonly values: Map<string, { readonly text: string; readonly line: number }>;
  /** Values of labels that stand twice and differ. */
  readonly contradictions: { readonly label: string; readonly line: number }[];
  isWhole: boolean;
}

function summariesIn(text: string): readonly Summary[] {
  const summaries: Summary[] = [];
  for (const { number, text: line } of labeledLines(text)) {
    if (line === '') continue;
    if (/^\s{0,20}MLPerf Results Summary\s{0,20}$/.test(line)) {
      summaries.push({ line: number, values: new Map(), contradictions: [], isWhole: false });
      continue;
    }
    const summary = summaries.at(-1);
    if (!summary) continue;
    if (/^\s{0,20}Test Parameters Used\s{0,20}$/.test(line)) summary.isWhole = true;
    const estimate = /^\s{0,20}\* Processed at least \d{1,15} queries \((\d{1,15})\)/.exec(line)?.[1];
    if (estimate !== undefined) put(summary, 'processed queries', estimate, number);
    const [, label, value] = /^\s{0,20}([A-Za-z\d][^:]{0,80}[^:\s])\s{0,60}:\s{0,60}(\S[^:]{0,200})$/.exec(line) ?? [];
    if (label !== undefined && value !== undefined) put(summary, label.replace(/\s+/g, ' '), value.trim(), number);
  }
  return summaries;
}

function put({ values, contradictions }: Summary, label: string, text: string, line: number): void {
  const known = values.get(label);
  if (!known) values.set(label, { text, line });
  else if (label !== 'processed queries' && contradicts(Number(text), Number(known.text), 0)) contradictions.push({ label, line });
} // prettier-ignore

const throughputs: readonly (readonly [string, string, string])[] = [
  ['Samples per second', 'serving.request_throughput', 'requests/s'],
  ['Completed samples per second', 'serving.request_throughput', 'requests/s'],
  ['QPS w/ loadgen overhead', 'serving.request_throughput', 'requests/s'],
  ['Scheduled samples per second', 'serving.scheduled_request_throughput', 'requests/s'],
  ['Tokens per second', 'serving.output_token_throughput', 'tokens/s'],
  ['Completed tokens per second', 'serving.output_token_throughput', 'tokens/s'],
  ['TPS w/ loadgen overhead', 'serving.output_token_throughput', 'tokens/s'],
];

/** Name of a latency in the labels -> metric. */
const latencies: readonly (readonly [RegExp, string])[] = [
  [/^(?:(Mean) latency|(\d\d\.\d\d) percentile latency|(\d\d(?:\.\d{1,2})?)th percentile latency) \(ns\)$/, 'serving.e2e_latency'],
  [/^(?:(Mean) First Token latency|(\d\d\.\d\d) percentile first token latency|(\d\d(?:\.\d{1,2})?)th first token percentile latency) \(ns\)$/, 'serving.ttft'],
  [/^(?:(Mean) Time (?:to|per) Output Token|(\d\d\.\d\d) percentile time (?:to|per) output token) \(ns\)$/, 'serving.tpot'],
]; // prettier-ignore

const percentiles = new Set([50, 90, 95, 99]);

function readSummary(summary: Summary): Result {
  const { line, values, isWhole } = summary;
  const text = (label: string): string | null => values.get(label)?.text ?? null;
  const number = (label: string): number | null => {
    const found = text(label);
    const value = found === null || isNoValue(found) ? null : numberOf(found);
    return value !== null && Number.isFinite(value) ? value : null;
  };
  const scenario = (text('Scenario') ?? '').replace(/\s/g, '');
  if (/^Accuracy/.test(text('Mode') ?? '')) return { run: null, refusal: accuracyOnly(line), problems: [] };
  const observations = measuredIn(summary, number);
  if (observations.length === 0) return { run: null, refusal: nothing(line), problems: [] };
  const isValid = text('Result is') === 'VALID';
  const sut = text('SUT name');
  const run: ReadRun = {
    status: text('Result is') === 'INVALID' ? 'FAILED' : isWhole && isValid ? 'OK' : 'PARTIAL',
    tool: 'mlperf-loadgen-summary',
    toolVersion: null,
    variant: sut === null || /^PySUT$/i.test(sut) ? null : sut.slice(0, 200),
    startedAt: null,
    command: null,
    environment: {},
    workload: workloadOf(scenario, number),
    session: null,
    block: null,
    observations,
  };
  return {
    run,
    refusal: text('Result is') === 'INVALID' ? invalid(summary) : null,
    problems: [
      ...(text('Result is') === null || !isWhole ? [truncated(line)] : []),
      ...summary.contradictions.map(contradictory),
      ...(scenario === 'Offline' ? offlineProblems(observations, line) : []),
      ...fewBehind(scenario, number, observations, line),
    ],
  };
}

function measuredIn(summary: Summary, number: (label: string) => number | null): readonly ReadObservation[] {
  const observations = new Map<string, ReadObservation>();
  const doubtful = new Set(summary.contradictions.map(({ label }) => label));
  const set = (metric: string, label: string, unit: string) => {
    const value = number(label);
    if (value !== null && value > 0 && !doubtful.has(label) && !observations.has(metric)) observations.set(metric, plain(metric, value, unit)); // prettier-ignore
  };
  for (const [label, metric, unit] of throughputs) set(metric, label, unit);
  for (const label of summary.values.keys()) {
    for (const [pattern, metric] of latencies) {
      const [, mean, percentile, headline] = pattern.exec(label) ?? [];
      const at = Number(percentile ?? headline ?? NaN);
      if (mean !== undefined) set(`${metric}.mean`, label, 'ns');
      else if (percentiles.has(at)) set(latencyMetric(metric, `p${at}`), label, 'ns');
    }
  }
  return [...observations.values()];
}

/** Limits that a result has to keep, and sizes that change what is measured. Seeds change with every round. */
const settings: readonly (readonly [string, string])[] = [
  ['target_latency (ns)', 'target_latency_ns'],
  ['ttft_latency (ns)', 'ttft_limit_ns'],
  ['tpot_latency (ns)', 'tpot_limit_ns'],
  ['performance_sample_count', 'performance_sample_count'],
];

function workloadOf(scenario: string, number: (label: string) => number | null): Facts {
  const workload = new WorkloadFacts()
    .set('tool', 'mlperf-loadgen')
    .set('settings.scenario', scenario)
    .set('request_rate', scenario === 'Server' ? number('target_qps') : null)
    .set('num_prompts', scenario === 'Offline' ? number('samples_per_query') : null)
    .set('settings.samples_per_query', scenario === 'MultiStream' ? number('samples_per_query') : null);
  for (const [label, key] of settings) {
    const value = number(label);
    if (value !== 0 && (scenario === 'Server' || key === 'performance_sample_count')) workload.set(`settings.${key}`, value);
  }
  return workload.facts;
} // prettier-ignore

function offlineProblems(observations: readonly ReadObservation[], line: number): readonly ImportProblem[] {
  if (!observations.some(({ metric }) => metric.startsWith('serving.e2e_latency'))) return [];
  return [
    warning(
      line,
      'Latencies of the Offline scenario count from the start of the run: judge by the throughput',
      'Offline 场景的延迟从测试开始时算起，请以吞吐量为准',
      { code: 'OTHER_MEANING' },
    ),
  ];
}

function fewBehind(
  scenario: string,
  number: (label: string) => number | null,
  observations: readonly ReadObservation[],
  line: number,
): readonly ImportProblem[] {
  const count = scenario === 'Offline' ? number('samples_per_query') : number('processed queries');
  if (count === null || count >= 100 || !observations.some(({ metric }) => metric.endsWith('.p99'))) return [];
  return [
    fewSamples(line, `Only ${count} samples: the p99 is close to the maximum`, `仅有 ${count} 个样本，p99 接近最大值`),
  ];
}

function accuracyOnly(line: number): ImportProblem {
  return error(
    line,
    'There is no performance result in this file: LoadGen ran in accuracy mode',
    '文件中没有性能结果：LoadGen 以精度模式运行',
  );
}

function nothing(line: number): ImportProblem {
  return error(line, 'The summary holds no throughput and no latency', '摘要中没有吞吐量或延迟');
}

/** What LoadGen says is not satisfied. */
function invalid({ line, values }: Summary): ImportProblem {
  const broken = [...values].filter(([label, { text }]) => / satisfied$/.test(label) && /^no$/i.test(text));
  const names = broken.map(([label]) => label).join(', ');
  const [en, zh] = names === '' ? ['', ''] : [` (no: ${names})`, `（未满足：${names}）`];
  return error(
    values.get('Result is')?.line ?? line,
    `LoadGen calls the result INVALID${en}: it is no measurement`,
    `LoadGen 判定结果为 INVALID${zh}，不能作为测量结果`,
  );
}

function contradictory({ label, line }: { readonly label: string; readonly line: number }): ImportProblem {
  return leftOut(
    line,
    `"${label}" stands twice with different values and was left out`,
    `“${label}”出现两次且值不同，未采用`,
  );
}

function truncated(line: number): ImportProblem {
  return incomplete(line, 'The summary is not complete', '摘要不完整');
}

import { incomplete, error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { isNoValue, numberOf } from '../number.js';
import { startedAtOf } from '../started-at.js';
import { trtllmRun, type TrtllmReport } from './trtllm-run.js';

/** The report that `trtllm-bench throughput` and `latency` log at the end. */
export const trtllmBench: Importer = {
  tool: 'trtllm-bench',
  what: 'trtllm-bench (report)',

  recognizes: (text) =>
    text.includes('= PERFORMANCE OVERVIEW') && /Request Throughput \(req\/sec\):\s{1,60}\S/.test(text),

  nearMiss(text) {
    if (text.includes('= PERFORMANCE OVERVIEW')) return null;
    if (text.includes('= LATENCY OVERVIEW') && text.includes('= THROUGHPUT OVERVIEW')) return olderReport();
    if (!/\[TRT-LLM\] \[I\] (?:Preparing to run|Setting up) (?:throughput|latency) benchmark/.test(text)) return null;
    return error(
      null,
      'The log of trtllm-bench ends before its report ("= PERFORMANCE OVERVIEW"): the benchmark did not finish, or the end was cut',
      'trtllm-bench 日志在结果报告（“= PERFORMANCE OVERVIEW”）之前结束：测试未完成，或日志末尾被截断',
    );
  },

  read(text): Reading {
    const { reports, problems } = reportsIn(text);
    const results = reports.map((report) => ({ report, ...trtllmRun('trtllm-bench', report) }));
    return {
      runs: results.filter(({ run }) => run.observations.length > 1).map(({ run }) => run),
      problems: [
        ...problems,
        ...results.flatMap(({ report, run, problems: own }) =>
          run.observations.length > 1 ? [...own, ...(report.isClosed ? [] : [truncated(report.line)])] : [],
        ),
      ],
    };
  },
};

/** The fields of the sections that belong to one report; the first of each name. */
interface OpenReport {
  line: number | null;
  readonly fields: Map<string, string>;
  isClosed: boolean;
}

const open = (): OpenReport => ({ line: null, fields: new Map(), isClosed: false });

function reportsIn(text: string): {
  readonly reports: readonly TrtllmReport[];
  readonly problems: readonly ImportProblem[];
} {
  const found: OpenReport[] = [];
  let current = open();
  let section = '';
  let stamp: { readonly iso: string; readonly given: string; readonly line: number } | null = null;
  const finish = () => {
    if (current.line !== null && hasResult(current)) found.push(current);
    current = open();
  };
  for (const { number, text: line } of labeledLines(text)) {
    if (line === '') continue;
    const title = /^= ([A-Z][A-Z+ ]{2,60}[A-Z])(?: \([^)]{0,60}\))?$/.exec(line.trim())?.[1];
    if (title !== undefined) {
      if (current.line !== null && (startsReport.has(title) || title === 'PERFORMANCE OVERVIEW')) finish();
      if (title === 'PERFORMANCE OVERVIEW') current.line = number;
      section = title;
      continue;
    }
    if (/^\s{0,10}={20,200}\s*$/.test(line)) {
      if (section === 'PERFORMANCE OVERVIEW' && hasResult(current)) {
        current.isClosed = true;
        section = '';
      }
      continue;
    }
    stamp ??= stampOf(line, number);
    if (section === 'MACHINE DETAILS') setOnce(current, 'machine', /^\s{0,10}([^,:]{2,80}), memory /.exec(line)?.[1]);
    if (!sections.has(section)) continue;
    const [, label, value] = /^\s{0,10}([A-Za-z[][^:\t]{0,60}):\s{1,60}(\S.{0,300})$/.exec(line) ?? [];
    setOnce(current, label?.trim(), value?.trim());
  }
  finish();
  const started = stamp ? startedAtOf(stamp.iso, stamp.given, stamp.line) : { startedAt: null, problems: [] };
  return {
    reports: found.map((each) => reportOf(each, found.length === 1 ? started.startedAt : null)),
    problems: started.problems,
  };
}

const startsReport = new Set(['ENGINE DETAILS', 'PYTORCH BACKEND', 'REQUEST DETAILS', 'WORLD + RUNTIME INFORMATION']);
const sections = new Set([...startsReport, 'PERFORMANCE OVERVIEW', 'DECODING STATISTICS']);

function setOnce({ fields }: OpenReport, label: string | undefined, value: string | undefined): void {
  if (label !== undefined && value !== undefined && !fields.has(label)) fields.set(label, value);
}

function hasResult({ fields }: OpenReport): boolean {
  return fields.has('Request Throughput (req/sec)');
}

/** A local time without zone, taken as UTC, for want of better. */
function stampOf(line: string, number: number): { iso: string; given: string; line: number } | null {
  const found = /^\[(\d\d)\/(\d\d)\/(\d{4})-(\d\d:\d\d:\d\d)\] \[TRT-LLM\]/.exec(line);
  if (!found) return null;
  const [, month, day, year, time] = found;
  return { iso: `${year}-${month}-${day}T${time}Z`, given: found[0].slice(1, 20), line: number };
}

function reportOf({ line, fields, isClosed }: OpenReport, startedAt: string | null): TrtllmReport {
  const text = (...labels: readonly string[]): string | null => {
    const value = labels.map((label) => fields.get(label)).find((each) => each !== undefined) ?? null;
    return value === null || isNoValue(value) ? null : value.slice(0, 300);
  };
  const number = (...labels: readonly string[]): number | null => {
    const value = numberOf((text(...labels) ?? '').replace(/%$/, ''));
    return value !== null && Number.isFinite(value) ? value : null;
  };
  return {
    line: line ?? 1,
    version: text('TensorRT-LLM Version', 'TensorRT LLM Version'),
    gpu: text('machine'),
    model: text('Model'),
    backend: null,
    dtype: text('Dtype'),
    quantization: text('Quantization'),
    settings: {
      kv_cache_dtype: text('KV Cache Dtype'),
      max_batch_size: number('Max Runtime Batch Size'),
      max_num_tokens: number('Max Runtime Tokens'),
      max_sequence_length: number('Max Sequence Length'),
      scheduling_policy: text('Scheduling Policy')?.toLowerCase().replaceAll(' ', '_') ?? null,
      kv_memory_percent: number('KV Memory Percentage'),
    },
    parallelism: { tp: number('TP Size'), pp: number('PP Size'), ep: number('EP Size') },
    requestCount: number('Number of requests'),
    inputLength: number('Average Input Length (tokens)'),
    outputLength: number('Average Output Length (tokens)'),
    issueRate: number('Issue Rate (req/sec)'),
    values: [
      ['serving.request_throughput', 'requests/s', number('Request Throughput (req/sec)')],
      ['serving.output_token_throughput', 'tokens/s', number('Total Output Throughput (tokens/sec)', 'Token Throughput (tokens/sec)')],
      ['serving.total_token_throughput', 'tokens/s', number('Total Token Throughput (tokens/sec)')],
      ['serving.output_token_throughput_per_user', 'tokens/s', number('Per User Output Throughput [w/ ctx] (tps/user)', 'Per User Output Throughput (tps/user)')],
      ['serving.output_token_throughput_per_gpu', 'tokens/s', number('Per GPU Output Throughput (tps/gpu)')],
      ['serving.generation_speed', 'tokens/s', number('Per User Output Speed (tps/user)')],
      ['serving.mean_concurrent_requests', 'count', number('Number of concurrent requests')],
      ['serving.acceptance_length', '', number('[AL] AVERAGE')],
      ['serving.total_latency', 'ms', number('Total Latency (ms)')],
      ['serving.e2e_latency.mean', 'ms', number('Average request latency (ms)')],
      ['serving.ttft.mean', 'ms', number('Average time-to-first-token [TTFT] (ms)')],
      ['serving.tpot.mean', 'ms', number('Average time-per-output-token [TPOT] (ms)')],
    ],
    latencies: Object.fromEntries(
      Object.entries(markers).map(([name, marker]) => [name, statisticsOf(fields, marker)]),
    ),
    startedAt,
    isClosed,
  }; // prettier-ignore
}

const markers = { e2e_latency: 'Latency', ttft: 'TTFT', tpot: 'TPOT' };

function statisticsOf(fields: ReadonlyMap<string, string>, marker: string): Readonly<Record<string, number | null>> {
  const statistics: Record<string, number | null> = {};
  for (const [label, value] of fields) {
    const name = label.startsWith(`[${marker}] `)
      ? label
          .slice(marker.length + 3)
          .trim()
          .toLowerCase()
      : null;
    const number = name === null ? null : numberOf(value);
    if (name !== null) statistics[name] = number !== null && Number.isFinite(number) ? number : null;
  }
  return statistics;
}

function truncated(line: number): ImportProblem {
  return incomplete(line, 'The report ends in the middle: the log is not complete', '报告中途结束，日志不完整');
}

function olderReport(): ImportProblem {
  return error(
    null,
    'This report of trtllm-bench latency has the layout of older versions, which is not read: use a newer version, or --report_json',
    '这是旧版本 trtllm-bench latency 的报告格式，暂不支持，请使用更新的版本或 --report_json',
  );
}

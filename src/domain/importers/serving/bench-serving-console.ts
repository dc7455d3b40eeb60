import type { Facts } from '../../measurement/environment-diff.js';
import {
  incomplete,
  leftOut,
  error,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import type { DecimalSign } from '../number.js';
import { setArguments } from './client-arguments.js';
import { clientMetric } from './client-metrics.js';
import { BlockNumbers, resultBlocks, signOf, valueOf, type Field, type ResultBlock } from './result-blocks.js';
import {
  contradiction, contradicts, countsOf, noneCompleted, plain, readingOf, requestProblems, requestsFrom, roundingProblem,
  statusOf,
  type Requests, type Result,
} from './requests.js'; // prettier-ignore
import { isJsonText, limitOf, meanLength, WorkloadFacts } from './workload.js';
import { ownValue } from '../../own-value.js';

/** The block that the clients of vLLM and of SGLang, and copies of them, print at the end. */
export const benchServingConsole: Importer = {
  tool: 'bench-serving-console',
  what: 'vllm bench serve, sglang.bench_serving (Serving Benchmark Result)',
  readsCommas: true,

  recognizes: (text) =>
    !isJsonText(text) &&
    ['== Serving Benchmark Result ==', 'Successful requests:', 'Request throughput (req/s):'].every((part) =>
      text.includes(part),
    ),

  nearMiss(text) {
    if (text.includes(' Serving Benchmark Result ') || isJsonText(text)) return null;
    const isBlock = ['Successful requests:', 'Output token throughput (tok/s):', 'Mean TTFT (ms):'].every((label) =>
      text.includes(label),
    );
    if (!isBlock) return null;
    return error(
      null,
      'This looks like a result of vllm bench serve or sglang.bench_serving without its first line: send the block from "==== Serving Benchmark Result ====" to the closing line of "="',
      '看起来是 vllm bench serve 或 sglang.bench_serving 的结果，但缺少首行：请上传从“==== Serving Benchmark Result ====”到结尾“=”分隔线的完整内容',
    );
  },

  read: (text) => readingOf(resultBlocks(text).map(readBlock)),
};

const THROUGHPUT = 'request throughput (req/s)';

/** Label -> metric and unit. */
const plainLabels: Readonly<Record<string, readonly [string, string]>> = {
  'benchmark duration (s)': ['serving.duration', 's'],
  'request throughput (req/s)': ['serving.request_throughput', 'requests/s'],
  'request goodput (req/s)': ['serving.request_goodput', 'requests/s'],
  'input token throughput (tok/s)': ['serving.input_token_throughput', 'tokens/s'],
  'output token throughput (tok/s)': ['serving.output_token_throughput', 'tokens/s'],
  'peak output token throughput (tok/s)': ['serving.peak_output_token_throughput', 'tokens/s'],
  'total token throughput (tok/s)': ['serving.total_token_throughput', 'tokens/s'],
  'total throughput (tok/s)': ['serving.total_token_throughput', 'tokens/s'],
  'user throughput (tok/s)': ['serving.output_token_throughput_per_user', 'tokens/s'],
  'peak concurrent requests': ['serving.peak_concurrent_requests', 'count'],
  concurrency: ['serving.mean_concurrent_requests', 'count'],
  'accept length': ['serving.acceptance_length', ''],
  'acceptance length': ['serving.acceptance_length', ''],
  'acceptance rate (%)': ['serving.acceptance_rate', 'percent'],
};

const latencyNames: Readonly<Record<string, string>> = {
  ttft: 'ttft',
  tpot: 'tpot',
  itl: 'itl',
  e2el: 'e2e_latency',
  'e2e latency': 'e2e_latency',
};

interface LatencyField extends Field {
  readonly latency: string;
  readonly statistic: string;
  readonly unit: string;
}

/** `Mean TTFT (ms)`, and `Latency Mean (s)` of clients for models of images. */
function latencyOf(field: Field): LatencyField | null {
  const [, statistic = '', name = ''] =
    /^(mean|median|std|max|min|p[\d.]{1,8}) (ttft|tpot|itl|e2el|e2e latency) \(ms\)$/.exec(field.label) ?? [];
  const latency = ownValue(latencyNames, name);
  if (latency) return { ...field, latency, statistic, unit: 'ms' };
  const ofImage = /^latency (mean|median|p[\d.]{1,8}) \(s\)$/.exec(field.label)?.[1];
  return ofImage === undefined ? null : { ...field, latency: 'e2e_latency', statistic: ofImage, unit: 's' };
}

function readBlock(block: ResultBlock): Result {
  const sign = signOf(block.fields);
  if (typeof sign !== 'string') return { run: null, refusal: null, problems: [ambiguous(sign)] };
  const numbers = new BlockNumbers(block.fields, sign);
  if (!shownByAll.some((label) => numbers.of(label) !== null))
    return { run: null, refusal: placeholders(block.line), problems: [] };
  const requests = requestsIn(block, numbers);
  const latencies = block.fields.map(latencyOf).filter((found) => found !== null);
  const measured = requests.completed === 0 ? { observations: [], problems: [] } : measure(block, numbers, latencies);
  const status = statusOf(requests);
  const run: ReadRun = {
    status: status === 'OK' && !block.isClosed ? 'PARTIAL' : status,
    tool: 'bench-serving-console',
    toolVersion: null,
    variant: block.heading,
    startedAt: null,
    command: block.command,
    environment: {},
    workload: workloadOf(block, numbers, requests),
    session: null,
    block: null,
    observations: [...measured.observations, ...countsOf(requests)],
  };
  const hasP99 = latencies.some(({ statistic }) => statistic === 'p99');
  return {
    run,
    refusal: requests.completed === 0 ? noneCompleted(block.line) : null,
    problems: [
      ...(block.isClosed ? [] : [truncated(block.line)]),
      ...requestProblems(requests, hasP99, block.line),
      ...measured.problems,
    ],
  };
}

/** One of them holds a number in every block that is no template. */
const shownByAll = [THROUGHPUT, 'output token throughput (tok/s)', 'benchmark duration (s)', 'mean ttft (ms)'];

function requestsIn(block: ResultBlock, numbers: BlockNumbers): Requests {
  const completed = numbers.of('successful requests') ?? 0;
  const ofAll = Number(/^\d{1,9}\/(\d{1,9})$/.exec(numbers.text('successful requests') ?? '')?.[1] ?? NaN);
  const asked = Number(block.options.num_prompts ?? NaN);
  const sent = [numbers.of('total requests'), ofAll, asked].find((count) => Number.isFinite(count)) ?? null;
  return requestsFrom(completed, numbers.of('failed requests') ?? (sent === null ? null : sent - completed));
}

interface Measured {
  readonly observations: readonly ReadObservation[];
  readonly problems: readonly ImportProblem[];
}

function measure(block: ResultBlock, numbers: BlockNumbers, latencies: readonly LatencyField[]): Measured {
  const observations = new Map<string, ReadObservation>();
  const problems: ImportProblem[] = [];
  const unreadable: Field[] = [];
  const broken = brokenStreams(latencies, numbers.sign);
  const put = (field: Field, metric: string, unit: string, isMeasured: (value: number) => boolean) => {
    const value = valueOf(field, numbers.sign);
    if (value === null) return;
    if (value === undefined || !isMeasured(value)) unreadable.push(field);
    else if (!observations.has(metric)) observations.set(metric, plain(metric, value, unit));
  };
  for (const field of block.fields) {
    const found = ownValue(plainLabels, field.label);
    if (!found) continue;
    const doubt = doubtOf(field, numbers);
    if (doubt) problems.push(doubt);
    else put(field, found[0], found[1], (value) => value >= 0);
  }
  const unknown: Field[] = [];
  for (const field of latencies) {
    if (broken.some(({ latency }) => latency === field.latency)) continue;
    const metric = clientMetric(field.latency, field.statistic);
    if (metric) put(field, metric, field.unit, (value) => (field.statistic === 'std' ? value >= 0 : value > 0));
    else if (!/^(?:min|max)$/.test(field.statistic)) unknown.push(field);
  }
  problems.push(
    ...roundingProblem(numbers.of(THROUGHPUT), numbers.line(THROUGHPUT) ?? block.line),
    ...brokenProblem(broken),
    ...notKept(unreadable, unknown),
  );
  return { observations: [...observations.values()], problems };
}

/** The first line of each latency whose mean or median is not above zero: its tokens were not received one by one. */
function brokenStreams(latencies: readonly LatencyField[], sign: DecimalSign): readonly LatencyField[] {
  const broken = new Map<string, LatencyField>();
  for (const field of latencies) {
    const value = /^(?:mean|median|p50)$/.test(field.statistic) ? valueOf(field, sign) : null;
    if (typeof value === 'number' && value <= 0 && !broken.has(field.latency)) broken.set(field.latency, field);
  }
  return [...broken.values()];
}

function brokenProblem(broken: readonly LatencyField[]): readonly ImportProblem[] {
  const [first] = broken;
  if (!first) return [];
  const names = broken.map(({ label }) => label.replace(/^\S+ | \(ms\)$/g, '').toUpperCase()).join(', ');
  return [
    leftOut(
      first.line,
      `Left out, since a mean or median of zero shows that answers did not arrive token by token: ${names}. The TTFT is then the time of whole answers`,
      `未采用 ${names}：均值或中位数为零，说明回答并非逐 token 返回，此时 TTFT 实为整个回答的时间`,
    ),
  ];
}

/** A rate that is not the count of the block divided by its duration: the block was edited, or two were mixed. */
function doubtOf(field: Field, numbers: BlockNumbers): ImportProblem | null {
  const [countLabel] = Object.entries(rates).find(([, label]) => label === field.label) ?? [];
  const value = valueOf(field, numbers.sign);
  const duration = numbers.of('benchmark duration (s)');
  const count = countLabel === undefined ? null : numbers.of(countLabel);
  if (typeof value !== 'number' || count === null || duration === null || duration <= 0) return null;
  if (!contradicts(value, count / duration, 0.01)) return null;
  const name = field.label.replace(/ \(.*/, '');
  const own = Number((count / duration).toPrecision(6));
  return contradiction(
    field.line,
    [`${name} of ${value}`, `${count} in ${duration} s are ${own} per second`],
    [` ${name} ${value}`, `${duration} s 内共 ${count}，即每秒 ${own}`],
  );
}

const rates: Readonly<Record<string, string>> = {
  'successful requests': 'request throughput (req/s)',
  'total generated tokens': 'output token throughput (tok/s)',
  'total input tokens': 'input token throughput (tok/s)',
};

function notKept(unreadable: readonly Field[], unknown: readonly Field[]): readonly ImportProblem[] {
  const named = [...unreadable, ...unknown].slice(0, 10);
  const names = named.map(({ label }) => label).join(', ');
  if (named.length === 0) return [];
  return [
    leftOut(
      named[0]?.line ?? null,
      `Left out, since not measured or no known metric: ${names}`,
      `未采用（未测得或没有对应指标）：${names}`,
    ),
  ];
}

function workloadOf(block: ResultBlock, numbers: BlockNumbers, { completed, sent, isFailedKnown }: Requests): Facts {
  const workload = new WorkloadFacts();
  const isSglang = numbers.has('backend') || numbers.has('retokenized') || numbers.has('input token throughput');
  const [concurrency, rate] = [
    numbers.text('maximum request concurrency', 'max request concurrency', 'max reqeuest concurrency'),
    numbers.text('traffic request rate', 'request rate configured (rps)', 'request rate'),
  ];
  const before = (label: string) => block.before.find((field) => field.label === label)?.value;
  workload
    .set('tool', isSglang || numbers.has('e2e latency') ? 'sglang-bench-serving' : 'vllm-bench-serve')
    .set('model', numbers.text('model'))
    .set('dataset', numbers.text('dataset'))
    .set('backend', numbers.text('backend'))
    .set('concurrency', limitOf(concurrency ?? before('maximum request concurrency')))
    .set('request_rate', limitOf(rate ?? before('traffic request rate') ?? inHeading(block, /rate|rps|qps/)))
    .set('burstiness', limitOf(before('burstiness factor')?.split(' ')[0]))
    .set('input_tokens', meanLength(numbers.of('total input tokens'), completed))
    .set('output_tokens', meanLength(numbers.of('total generated tokens'), completed));
  setArguments(workload, block.options);
  workload.set('concurrency', limitOf(inHeading(block, /concurrency/)));
  if (isFailedKnown) workload.set('num_prompts', sent);
  return workload.facts;
}

/** The number behind a word of the heading: `# request rate: 4`, `## concurrency=8`. */
function inHeading({ heading }: ResultBlock, name: RegExp): string | undefined {
  const [, word = '', value] =
    /([a-z]{3,20})\s{0,3}[:=]\s{0,3}(\d{1,6}(?:\.\d{1,3})?|inf)\b/i.exec(heading ?? '') ?? [];
  return name.test(word.toLowerCase()) ? value : undefined;
}

function ambiguous(field: Field): ImportProblem {
  return error(
    field.line,
    `"${field.value}" may be ${field.value.replace(',', '')} or ${field.value.replace(',', '.')}: write the numbers of the block without separators of thousands`,
    `“${field.value}”既可能是 ${field.value.replace(',', '')}，也可能是 ${field.value.replace(',', '.')}：请去掉该结果块中的千位分隔符`,
  );
}

function placeholders(line: number): ImportProblem {
  return error(line, 'The block holds placeholders and no numbers', '结果块中只有占位符，没有数值');
}

function truncated(line: number): ImportProblem {
  return incomplete(
    line,
    'The block ends without its closing line of "=": the output is not complete',
    '结果块缺少结尾的“=”分隔线，输出不完整',
  );
}

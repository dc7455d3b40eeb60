import { incomplete, warning, type ImportProblem, type ReadObservation } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { summarized } from '../repeated.js';
import { contradiction, contradicts, plain, readingOf, roundingProblem, type Result } from './requests.js';
import { noteAround, nothingAround, type Surroundings } from './surroundings.js';
import { batchLatency, batchPercentiles, fewIterations, offlineRun } from './vllm-offline-run.js';
import { meanLength, WorkloadFacts } from './workload.js';

const throughputLine =
  /Throughput: ([\d.]{1,30}) requests\/s, ([\d.]{1,30}) (?:total )?tokens\/s(?:, ([\d.]{1,30}) output tokens\/s)?/;
const averageLine = /\bAvg latency: ([\d.e+-]{1,30}) seconds/;
const deviationLine = /\bStd latency: ([\d.e+-]{1,30}) seconds/;
const percentileLine = /(?:^|\s)(\d{1,3})% percentile latency: ([\d.e+-]{1,30}) seconds/;
const progressLine = /(Processed prompts|Bench iterations): {1,4}100%\|[^|]{0,400}\| {0,4}(\d{1,9})\/(\d{1,9})/g;
const totalLine = /Total num (prompt|output) tokens:\s{1,10}(\d{1,15})/;

/** Whether the text holds a result of `vllm bench throughput` or `latency` as it is printed. */
export function isOfflineConsole(text: string): boolean {
  return throughputLine.test(text) || (averageLine.test(text) && percentileLine.test(text));
}

interface OpenResult {
  readonly kind: 'throughput' | 'latency';
  readonly line: number;
  readonly around: Surroundings;
  /** Prompts or iterations that the progress bar counted. */
  readonly count: number | null;
  readonly values: Map<string, number>;
  readonly isMultiModal: boolean;
}

export function readOfflineConsole(text: string) {
  const results: OpenResult[] = [];
  const fresh = () => ({ around: nothingAround(), count: null as number | null, isMultiModal: false });
  let before = fresh();
  let open: OpenResult | null = null;
  for (const { number, text: line } of labeledLines(text)) {
    if (line === '') continue;
    const rates = throughputLine.exec(line);
    const average = averageLine.exec(line)?.[1];
    if (rates || average !== undefined) {
      const [, requests, total, output] = rates ?? [];
      open = { kind: rates ? 'throughput' : 'latency', line: number, values: new Map(), ...before };
      set(open, 'requests', requests);
      set(open, 'total', total);
      set(open, 'output', output);
      set(open, 'mean', average);
      results.push(open);
      before = fresh();
      continue;
    }
    if (open && readFurther(open, line)) continue;
    for (const [, , done = '', all = ''] of line.matchAll(progressLine)) if (done === all) before.count = Number(all);
    if (/Multi-modal request with .{1,60} detected/.test(line)) before.isMultiModal = true;
    if (noteAround(before.around, line)) open = null;
  }
  return readingOf(results.map((result) => (result.kind === 'throughput' ? throughputOf(result) : latencyOf(result))));
}

function set({ values }: OpenResult, name: string, text: string | undefined): void {
  const value = Number(text ?? NaN);
  if (Number.isFinite(value) && !values.has(name)) values.set(name, value);
}

/** Whether the line belongs to the result above it. */
function readFurther(open: OpenResult, line: string): boolean {
  const [, name, count] = totalLine.exec(line) ?? [];
  const [, percentile, value] = percentileLine.exec(line) ?? [];
  const deviation = deviationLine.exec(line)?.[1];
  if (name !== undefined) set(open, `${name} tokens`, count);
  if (percentile !== undefined) set(open, `p${percentile}`, value);
  if (deviation !== undefined) set(open, 'std', deviation);
  return (name ?? percentile ?? deviation) !== undefined;
}

function throughputOf({ line, values, around, count, isMultiModal }: OpenResult): Result {
  const [requests = 0, total = 0] = [values.get('requests'), values.get('total')];
  const [prompts, answers, output] = [values.get('prompt tokens'), values.get('output tokens'), values.get('output')];
  const problems: ImportProblem[] = isMultiModal ? [uncounted(line)] : [];
  const observations: ReadObservation[] = [
    plain('serving.request_throughput', requests, 'requests/s'),
    plain('serving.total_token_throughput', total, 'tokens/s'),
  ];
  if (output !== undefined) {
    const share = prompts !== undefined && answers !== undefined && prompts + answers > 0 ? answers / (prompts + answers) : null;
    if (share !== null && contradicts(output, total * share, 0.01)) problems.push(outputDoubt(line, output, total, share));
    else observations.push(plain('serving.output_token_throughput', output, 'tokens/s'));
  }
  const workload = new WorkloadFacts()
    .set('num_prompts', count)
    .set('input_tokens', count === null ? null : meanLength(prompts ?? null, count))
    .set('output_tokens', count === null ? null : meanLength(answers ?? null, count));
  const isEmpty = requests === 0 && total === 0;
  return {
    run: isEmpty ? null : offlineRun('throughput', 'OK', workload, observations, around),
    refusal: isEmpty ? nothing(line) : null,
    problems: [...problems, ...roundingProblem(requests, line)],
  };
} // prettier-ignore

function latencyOf({ line, values, around, count }: OpenResult): Result {
  const mean = values.get('mean') ?? 0;
  const observations: ReadObservation[] = [
    { ...plain(batchLatency(null), mean, 's'), ...summarized(mean, sampleDeviation(values.get('std'), count), count) },
  ];
  for (const percentile of batchPercentiles) {
    const value = values.get(`p${percentile}`);
    if (value !== undefined && value > 0) observations.push(plain(batchLatency(percentile), value, 's'));
  }
  const isWhole = observations.length > batchPercentiles.length;
  const run = offlineRun('latency', isWhole ? 'OK' : 'PARTIAL', new WorkloadFacts(), observations, around);
  if (mean <= 0) return { run: null, refusal: nothing(line), problems: [] };
  return { run, refusal: null, problems: [...(isWhole ? [] : [notComplete(line)]), ...fewIterations(count, line)] };
}

/** What is printed is NumPy's, which divides by the number of iterations. */
function sampleDeviation(sd: number | undefined, count: number | null): number | undefined {
  return sd === undefined || count === null || count < 2 ? sd : sd * Math.sqrt(count / (count - 1));
}

function uncounted(line: number): ImportProblem {
  return warning(
    line,
    'vLLM warns that tokens of images were not counted: the token throughput is too low',
    'vLLM 提示未统计图像 token，token 吞吐量偏低',
    { code: 'OTHER_MEANING' },
  );
}

function outputDoubt(line: number, output: number, total: number, share: number): ImportProblem {
  const own = Number((total * share).toPrecision(6));
  return contradiction(
    line,
    [`output token throughput of ${output}`, `by the counts of tokens it is ${own} of ${total} tokens/s`],
    [`输出 token 吞吐量 ${output}`, `按 token 计数，${total} tokens/s 中输出应为 ${own}`],
  );
}

function notComplete(line: number): ImportProblem {
  return incomplete(line, 'Percentiles are missing: the output is not complete', '缺少百分位数，输出不完整');
}

function nothing(line: number): ImportProblem {
  return {
    ...warning(line, 'A result of zero is no measurement', '结果为零，不能作为测量结果', { code: 'NO_MEASUREMENT' }),
    severity: 'ERROR',
  };
}

import { dimensionOf } from '../../measurement/unit.js';
import type { ColumnWords } from './column-words.js';

type PlainRole = 'VARIANT' | 'SESSION' | 'BLOCK' | 'STARTED_AT';

/** Names that people give to columns, as `plainWords` writes them. */
export const roleNames: readonly (readonly [PlainRole, readonly string[]])[] = [
  ['VARIANT', ['variant', 'arm', 'label', 'config', 'version tested', '变体', '方案', '配置']],
  ['SESSION', ['session', 'session id', 'run id', 'job id', '会话', '作业']],
  ['BLOCK', ['block', 'pair', 'round', '区组']],
  ['STARTED_AT', ['time', 'date', 'timestamp', 'started', 'started at', 'start time', '时间', '日期', '开始时间']],
];

interface FactName {
  readonly role: 'WORKLOAD' | 'ENVIRONMENT';
  readonly key: string;
  /** What a column under this name holds; a number under a name of words is something else. */
  readonly holds: 'NUMBERS' | 'WORDS' | 'ANY';
  readonly names: readonly string[];
}

const fact = (role: FactName['role'], key: string, holds: FactName['holds'], names: string): FactName => ({
  role,
  key,
  holds,
  names: names.split(', '),
});

export const factNames: readonly FactName[] = [
  fact('WORKLOAD', 'workload.model', 'WORDS', 'model, model id, model name, llm, 模型, 模型名称'),
  fact('WORKLOAD', 'workload.precision', 'WORDS', 'precision, dtype, data type, quant, quantization, 精度, 数据类型, 量化'),
  fact('WORKLOAD', 'workload.batch_size', 'NUMBERS', 'batch, batch size, batchsize, bs, bsz, 批大小, 批次大小, 批量'),
  fact('WORKLOAD', 'workload.concurrency', 'NUMBERS', 'conc, concurrency, max concurrency, concurrent, concurrent requests, clients, users, c, 并发, 并发数, 并发度'),
  fact('WORKLOAD', 'workload.request_rate', 'NUMBERS', 'request rate, req rate, rate, target qps, target rps, offered rate, offered qps, offered rps, 请求速率, 请求率, 目标 qps'),
  fact('WORKLOAD', 'workload.num_prompts', 'NUMBERS', 'num prompts, num requests, prompts, n requests, n prompts, 请求数'),
  fact('WORKLOAD', 'workload.input_tokens', 'NUMBERS', 'isl, input tokens, input len, input length, in len, prompt len, prompt length, prompt tokens, random input len, 输入长度, 输入 token, 输入 token 数'),
  fact('WORKLOAD', 'workload.output_tokens', 'NUMBERS', 'osl, output tokens, output len, output length, out len, gen len, random output len, 输出长度, 输出 token, 输出 token 数'),
  fact('WORKLOAD', 'workload.dataset', 'WORDS', 'dataset, data set, dataset name, 数据集'),
  fact('WORKLOAD', 'workload.framework', 'WORDS', 'framework, engine, server, 框架, 引擎, 推理引擎'),
  fact('WORKLOAD', 'workload.parallelism.tp', 'NUMBERS', 'tp, tp size, tensor parallel size, tensor parallel, 张量并行'),
  fact('WORKLOAD', 'workload.parallelism.pp', 'NUMBERS', 'pp, pp size, pipeline parallel size, pipeline parallel, 流水线并行'),
  fact('WORKLOAD', 'workload.parallelism.dp', 'NUMBERS', 'dp, dp size, data parallel size, data parallel, 数据并行'),
  fact('WORKLOAD', 'workload.parallelism.ep', 'NUMBERS', 'ep, ep size, expert parallel size, expert parallel, 专家并行'),
  fact('ENVIRONMENT', 'gpu.sku', 'WORDS', 'gpu, gpu name, gpu type, gpu model, accelerator, sku, 显卡, 显卡型号, 卡型'),
  fact('ENVIRONMENT', 'gpu.count', 'NUMBERS', 'gpus, gpu count, num gpus, n gpus, world size, 卡数, 显卡数'),
  fact('ENVIRONMENT', 'nodes.count', 'NUMBERS', 'nodes, num nodes, n nodes, nnodes, 节点数'),
  fact('ENVIRONMENT', 'driver', 'ANY', 'driver, driver version, 驱动, 驱动版本'),
  fact('ENVIRONMENT', 'cuda', 'ANY', 'cuda, cuda version'),
  fact('ENVIRONMENT', 'nccl', 'ANY', 'nccl, nccl version'),
  fact('ENVIRONMENT', 'torch', 'ANY', 'torch, pytorch, torch version, pytorch version'),
]; // prettier-ignore

export const pointNames: readonly string[] = ['size', 'bytes', 'message size', 'rank', 'layer', 'kernel', 'operator', 'op', 'step', 'gpu id']; // prettier-ignore

/** A metric by a name that people give it, and the unit that the name means. */
export interface NamedMetric {
  readonly key: string;
  readonly unit: string | null;
}

const latencies: readonly (readonly [RegExp, string])[] = [
  [/ (?:ttft|time to first token) |首 ?(?:token|字|词|包)/, 'serving.ttft'],
  [/ (?:tpot|time per output token) |每 ?(?:token|字|词)/, 'serving.tpot'],
  [/ (?:itl|inter token latency|inter token) |token 间/, 'serving.itl'],
  [/ (?:e2e|e2el|end to end|request latency) |端到端|请求(?:延迟|时延)/, 'serving.e2e_latency'],
];

const anyLatency = / latency |延迟|时延/;
const outputSide = / (?:out|output|gen|generated|generation|decode) |输出|生成/;
const inputSide = / (?:in|input|prompt|prefill) |输入|预填充/;
const all = / (?:total|overall) |总/;
const perSecond = / (?:tps|throughput|thpt|tput) |吞吐/;

/** Whether a table with this column is of a server of a model. */
export function tellsServing({ text }: ColumnWords, factKey: string | undefined): boolean {
  const isLoad = factKey === 'workload.concurrency' || factKey === 'workload.request_rate';
  return isLoad || latencies.some(([name]) => name.test(text)) || (/ tps /.test(text) && outputSide.test(text));
}

/** What people mean by a name, whatever order its words have; null for a name that is in no list. */
export function namedMetric({ text, unit }: ColumnWords, isServing: boolean): NamedMetric | null {
  const latency = latencies.find(([name]) => name.test(text))?.[1];
  if (latency !== undefined) return { key: `${latency}.${statisticOf(text)}`, unit };
  if (isServing && anyLatency.test(text)) return { key: `serving.e2e_latency.${statisticOf(text)}`, unit };
  return throughputOf(text, unit, isServing) ?? memoryOf(text, unit);
}

/** A latency without a word for it is taken as the mean. */
function statisticOf(text: string): string {
  const [, percentile = null] = /\bp(50|90|95|99)\b/.exec(text) ?? /\b(50|90|95|99)(?:th|%)?\b/.exec(text) ?? [];
  if (percentile !== null) return `p${percentile}`;
  if (/ (?:median|med) |中位/.test(text)) return 'median';
  return / (?:std|stddev|sd) |标准差/.test(text) ? 'std' : / max |最大/.test(text) ? 'max' : 'mean';
}

/** With a server beside it tokens are those of answers, unless the name says which. */
function throughputOf(text: string, unit: string | null, isServing: boolean): NamedMetric | null {
  const dimension = unit === null ? null : dimensionOf(unit);
  if (/ (?:rps|qps) /.test(text) || (isServing && dimension === 'request-rate') || /请求吞吐/.test(text)) {
    return { key: 'serving.request_throughput', unit: dimension === 'request-rate' ? unit : 'requests/s' };
  }
  const isTokens = dimension === 'token-rate' || / tps /.test(text);
  if (dimension !== null && dimension !== 'token-rate') return null;
  if (!isTokens && !perSecond.test(text)) return null;
  const side = all.test(text) ? 'total' : inputSide.test(text) ? 'input' : outputSide.test(text) ? 'output' : null;
  if (!isServing && side === null) return / tps /.test(text) ? { key: outputTokens, unit: null } : null;
  const per = side === 'total' || side === 'input' ? '' : / (?:per gpu|gpu) |每卡|单卡/.test(text) ? '_per_gpu' : / (?:per user|user) |每用户/.test(text) ? '_per_user' : '';
  return { key: `serving.${side ?? 'output'}_token_throughput${per}`, unit: unit ?? (isTokens ? 'tokens/s' : null) };
} // prettier-ignore

const outputTokens = 'serving.output_token_throughput';

function memoryOf(text: string, unit: string | null): NamedMetric | null {
  if (!/ (?:mem|memory|vram|hbm) |显存/.test(text)) return null;
  if (unit !== null && dimensionOf(unit) !== 'data-size') return null;
  if (/ (?:host|cpu|kv|cache|weights?|clock|freq|bandwidth|bw|temp|util) /.test(text)) return null;
  const isPeak = / (?:peak|max) |峰值|最大/.test(text);
  if (/ (?:reserved|cached) |预留|保留/.test(text)) return { key: isPeak ? 'memory.peak_reserved' : 'memory.reserved', unit };
  return { key: / used |已用|占用/.test(text) && !isPeak ? 'gpu.memory_used' : 'memory.peak_allocated', unit };
} // prettier-ignore

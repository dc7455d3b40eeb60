import type { BothLanguages } from '../locale.js';
import { same } from '../report/figures.js';

/** What a quantity takes beside the metric that it is of. */
export type Need = 'gpus' | 'power' | 'pricePerGpuHour' | 'pricePerKwh' | 'pue' | 'flopsPerToken' | 'peakFlops';

/** A value that follows from what a run observed. */
export interface Quantity {
  readonly key: string;
  readonly name: BothLanguages;
  /** The metric that it is of; the first of these that the run observed, in `metricUnit`. */
  readonly metrics: readonly string[];
  readonly metricUnit: string;
  /** In the order in which `of` takes them, after the metric. */
  readonly needs: readonly Need[];
  /** A unit of unit.ts; CURRENCY is that of the prices. */
  readonly unit: string;
  readonly formula: BothLanguages;
  readonly of: (measured: number, ...needs: number[]) => number;
}

export const CURRENCY = 'CURRENCY';

const MILLION = 1e6;
const SECONDS_PER_HOUR = 3600;
const JOULES_PER_KWH = 3.6e6;

const outputTokens = { metrics: ['serving.output_token_throughput'], metricUnit: 'tokens/s' } as const;
const totalTokens = { metrics: ['serving.total_token_throughput'], metricUnit: 'tokens/s' } as const;
const requests = { metrics: ['serving.request_throughput', 'throughput.requests'], metricUnit: 'requests/s' } as const;
const goodRequests = { metrics: ['serving.request_goodput'], metricUnit: 'requests/s' } as const;
const trainedTokens = { metrics: ['training.token_throughput'], metricUnit: 'tokens/s' } as const;
const trainedSamples = { metrics: ['training.throughput'], metricUnit: 'samples/s' } as const;
const steps = { metrics: ['training.step_time'], metricUnit: 's' } as const;

type Rate = Pick<Quantity, 'metrics' | 'metricUnit'>;

const metricOf = ({ metrics }: Rate): string => metrics[0] ?? '';

/** What so many of the things cost. */
function costOf(key: string, name: BothLanguages, rate: Rate, things: number): Quantity {
  const count = things.toLocaleString('en-US');
  return {
    key,
    name,
    ...rate,
    needs: ['gpus', 'pricePerGpuHour'],
    unit: CURRENCY,
    formula: same(`gpu.count × pricePerGpuHour ÷ (${metricOf(rate)} × 3,600) × ${count}`),
    of: (perSecond, gpus, price) => (gpus * price * things) / (perSecond * SECONDS_PER_HOUR),
  };
}

function energyOf(key: string, name: BothLanguages, rate: Rate, unit: string): Quantity {
  return {
    key,
    name,
    ...rate,
    needs: ['power'],
    unit,
    formula: same(`power ÷ ${metricOf(rate)}`),
    of: (perSecond, power) => power / perSecond,
  };
}

function perGpu(key: string, name: BothLanguages, rate: Rate): Quantity {
  return {
    key,
    name,
    ...rate,
    needs: ['gpus'],
    unit: rate.metricUnit,
    formula: same(`${metricOf(rate)} ÷ gpu.count`),
    of: (perSecond, gpus) => perSecond / gpus,
  };
}

/**
 * What is derived from runs, in the order in which it is shown. Each one rises or falls throughout with each of its
 * inputs, so that the ends of an interval give the ends of the result.
 */
export const quantities: readonly Quantity[] = [
  costOf('cost.per_million_output_tokens', { en: 'Cost per million output tokens', zh: '每百万输出 token 成本' }, outputTokens, MILLION),
  costOf('cost.per_million_total_tokens', { en: 'Cost per million tokens, input and output', zh: '每百万 token 成本（输入与输出合计）' }, totalTokens, MILLION),
  costOf('cost.per_thousand_requests', { en: 'Cost per 1,000 requests', zh: '每千次请求成本' }, requests, 1000),
  costOf('cost.per_thousand_good_requests', { en: 'Cost per 1,000 requests that meet the latency targets', zh: '每千次满足延迟目标的请求成本' }, goodRequests, 1000),
  costOf('cost.per_million_trained_tokens', { en: 'Cost per million trained tokens', zh: '每百万训练 token 成本' }, trainedTokens, MILLION),
  {
    key: 'cost.per_step',
    name: { en: 'Cost per training step', zh: '每训练步成本' },
    ...steps,
    needs: ['gpus', 'pricePerGpuHour'],
    unit: CURRENCY,
    formula: same('gpu.count × pricePerGpuHour × training.step_time ÷ 3,600'),
    of: (seconds, gpus, price) => (gpus * price * seconds) / SECONDS_PER_HOUR,
  },
  {
    key: 'cost.electricity_per_million_output_tokens',
    name: { en: 'Electricity cost per million output tokens', zh: '每百万输出 token 电费' },
    ...outputTokens,
    needs: ['power', 'pue', 'pricePerKwh'],
    unit: CURRENCY,
    formula: same('power × pue × pricePerKwh ÷ (serving.output_token_throughput × 3,600,000) × 1,000,000'),
    of: (perSecond, power, pue, price) =>
      (power * pue * price * MILLION) / (perSecond * JOULES_PER_KWH),
  },
  energyOf('energy.per_output_token', { en: 'Energy per output token', zh: '单个输出 token 能耗' }, outputTokens, 'J/token'),
  energyOf('energy.per_total_token', { en: 'Energy per token, input and output', zh: '单 token 能耗（输入与输出合计）' }, totalTokens, 'J/token'),
  energyOf('energy.per_request', { en: 'Energy per request', zh: '单请求能耗' }, requests, 'J/request'),
  energyOf('energy.per_trained_token', { en: 'Energy per trained token', zh: '单个训练 token 能耗' }, trainedTokens, 'J/token'),
  {
    key: 'energy.per_step',
    name: { en: 'Energy per training step', zh: '每训练步能耗' },
    ...steps,
    needs: ['power'],
    unit: 'J/step',
    formula: same('power × training.step_time'),
    of: (seconds, power) => power * seconds,
  },
  ...[
    [outputTokens, 'output', { en: 'Output tokens', zh: '输出 token 数' }] as const,
    [trainedTokens, 'trained', { en: 'Trained tokens', zh: '训练 token 数' }] as const,
  ].flatMap(([rate, kind, what]): Quantity[] => [
    {
      key: `energy.${kind}_tokens_per_joule`,
      name: { en: `${what.en} per joule`, zh: `每焦耳${what.zh}` },
      ...rate,
      needs: ['power'],
      unit: 'tokens/J',
      formula: same(`${metricOf(rate)} ÷ power`),
      of: (perSecond, power) => perSecond / power,
    },
    {
      key: `energy.${kind}_tokens_per_kwh`,
      name: { en: `${what.en} per kWh`, zh: `每千瓦时${what.zh}` },
      ...rate,
      needs: ['power'],
      unit: 'tokens/kWh',
      formula: same(`${metricOf(rate)} × 3,600,000 ÷ power`),
      of: (perSecond, power) => (perSecond * JOULES_PER_KWH) / power,
    },
  ]),
  perGpu('throughput.output_tokens_per_gpu', { en: 'Output tokens per second and GPU', zh: '单卡输出 token 吞吐量' }, outputTokens),
  perGpu('throughput.total_tokens_per_gpu', { en: 'Tokens per second and GPU, input and output', zh: '单卡 token 吞吐量（输入与输出合计）' }, totalTokens),
  perGpu('throughput.trained_tokens_per_gpu', { en: 'Trained tokens per second and GPU', zh: '单卡训练 token 吞吐量' }, trainedTokens),
  perGpu('throughput.trained_samples_per_gpu', { en: 'Trained samples per second and GPU', zh: '单卡训练样本吞吐量' }, trainedSamples),
  perGpu('throughput.requests_per_gpu', { en: 'Requests per second and GPU', zh: '单卡请求吞吐量' }, requests),
  perGpu('goodput.requests_per_gpu', { en: 'Goodput per GPU', zh: '单卡有效吞吐量' }, goodRequests),
  {
    key: 'training.mfu',
    name: { en: 'Model FLOPs utilization (MFU)', zh: '模型算力利用率（MFU）' },
    ...trainedTokens,
    needs: ['flopsPerToken', 'gpus', 'peakFlops'],
    unit: 'fraction',
    formula: same('workload.flops_per_token × training.token_throughput ÷ (gpu.count × gpu.peak_flops × 10¹²)'),
    of: (perSecond, flops, gpus, peak) => (flops * perSecond) / (gpus * peak * 1e12),
  },
]; // prettier-ignore

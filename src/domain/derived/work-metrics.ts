import type { BothLanguages } from '../locale.js';

/** Whether a change of a metric changes the hours that the work of a fleet takes. */
export type Convertible =
  | { readonly kind: 'THROUGHPUT' | 'TIME'; readonly reason: null }
  | { readonly kind: null; readonly reason: BothLanguages };

/** Work per time, or a useful share of the time, of everything that the GPUs are rented for. */
const throughput: ReadonlySet<string> = new Set([
  'serving.request_throughput',
  'serving.request_goodput',
  'serving.output_token_throughput',
  'serving.total_token_throughput',
  'training.throughput',
  'training.token_throughput',
  'training.mfu',
  'training.goodput',
  'throughput.sequences',
  'throughput.images',
  'throughput.rows',
  'throughput.requests',
  'gpu.throughput_per_device',
]);

/** Time that a fixed amount of work takes from start to end. */
const times: ReadonlySet<string> = new Set([
  'training.step_time',
  'training.epoch_time',
  'training.time_to_quality',
  'time.job',
]);

const reasons: readonly (readonly [RegExp, BothLanguages])[] = [
  [
    /^kernel\./,
    {
      en: 'a kernel is a part of the work: how much of the whole it is is not known',
      zh: '核函数只是整个工作的一部分，占比未知',
    },
  ],
  [
    /^serving\.(ttft|tpot|itl|e2e_latency)\.|latency|^time\.(per_token|first_)/,
    {
      en: 'a latency says how long one request waits, not how much work an hour does',
      zh: '延迟只说明单个请求等待多久，不说明每小时能完成多少工作',
    },
  ],
  [
    /^(fabric|network|io|memory|host|checkpoint|compile)\./,
    {
      en: 'it is of one resource: how much of the whole time it takes is not known',
      zh: '该指标只涉及单一资源，占总时间的比例未知',
    },
  ],
  [
    /^time\./,
    {
      en: 'it is the time of one operation or command, and nobody said that it is all of the work',
      zh: '这是单个操作或命令的耗时，并未说明它就是全部工作',
    },
  ],
];

/**
 * Whether gains on this metric can be turned into hours of a fleet: end-to-end throughput and time alone, never kernel
 * times, tails of latency or diagnostics. A metric that a project named itself may be of anything.
 */
export function convertible(key: string, scope: 'CATALOG' | 'PROJECT'): Convertible {
  if (scope === 'PROJECT') {
    return notHours(key, {
      en: 'the project named it itself, and it may be of a part of the work',
      zh: '这是项目自定义的指标，可能只涉及部分工作',
    });
  }
  if (throughput.has(key)) return { kind: 'THROUGHPUT', reason: null };
  if (times.has(key)) return { kind: 'TIME', reason: null };
  const found = reasons.find(([pattern]) => pattern.test(key));
  return notHours(
    key,
    found?.[1] ?? { en: 'it is neither work per time nor the time of the work', zh: '它既不是单位时间的工作量，也不是完成工作所需的时间' },
  ); // prettier-ignore
}

function notHours(key: string, why: BothLanguages): Convertible {
  return {
    kind: null,
    reason: {
      en: `A gain on ${key} cannot be turned into GPU hours: ${why.en}`,
      zh: `${key} 的收益无法换算为 GPU 小时：${why.zh}`,
    },
  };
}

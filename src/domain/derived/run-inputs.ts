import type { Facts } from '../measurement/environment-diff.js';
import { medianOf } from '../measurement/order-statistics.js';
import { convert } from '../measurement/unit.js';
import type { DerivedInput, InputSource, Missing } from './fleet.js';
import { ownValue } from '../own-value.js';

// What a run says about its GPUs, its power and its model. What it does not say is missing, never guessed.

export type Dimensions = Readonly<Record<string, string | number>>;

/** What a run observed of one metric at one point; values are in `unit`. */
export interface ObservedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly dimensions: Dimensions;
  readonly value: number;
  readonly repeats: readonly number[];
}

/** A run as the derived values see it. */
export interface DerivableRun {
  readonly environment: Facts;
  readonly workload: Facts;
  readonly observations: readonly ObservedPoint[];
}

export type Found = { readonly input: DerivedInput } | { readonly missing: Missing };

/** Dimensions that name a part of the run: one device, one rank, one engine of several. */
const partDimensions: readonly string[] = [
  'gpu', 'device', 'rank', 'engine', 'replica', 'instance', 'worker', 'node', 'host', 'stage', 'shard',
]; // prettier-ignore
const deviceDimensions: readonly string[] = ['gpu', 'device'];
/** What power is of: the GPUs of the run together. */
const wholeBoundaries: readonly string[] = ['run', 'gpus', 'all', 'job'];
/** Metrics of power, the first that a run has is taken. */
export const POWER_METRICS: readonly string[] = ['power.average', 'gpu.power_draw'];
const parallelKeys = ['tp', 'pp', 'dp', 'cp'] as const;

/** Whether a value is of one part of the run, such as one engine or one device. */
export function isOfPart(dimensions: Dimensions): boolean {
  return Object.keys(dimensions).some((name) => partDimensions.includes(name));
}

/** The value of a point: the median of what was repeated. */
export function valueOf({ value, repeats }: Pick<ObservedPoint, 'value' | 'repeats'>): number {
  return repeats.length > 0 ? medianOf(repeats) : value;
}

/** A fact that is a number, typed or as text; null for any other. */
export function numberOf(facts: Facts, key: string): number | null {
  const fact = ownValue(facts, key);
  const value = typeof fact === 'string' && fact.trim() !== '' ? Number(fact) : fact;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

const gpusName = { en: 'GPUs of the run', zh: '本次运行使用的 GPU 数' };

/**
 * How many GPUs the run used: what the caller says, else `gpu.count`, nodes × GPUs of a node, or tensor × pipeline × data
 * parallelism. Where these disagree the machine may have GPUs that the run left idle, and nothing is taken.
 */
export function gpusOf({ environment, workload }: DerivableRun, given: number | null): Found {
  const input = (key: string, value: number, source: InputSource): Found => ({
    input: { key, name: gpusName, value, unit: 'count', source },
  });
  if (given !== null) return input('gpus', given, 'ARGUMENT');
  const facts = { ...environment, ...workload };
  const [perNode, nodes] = [positive(facts, 'gpu.per_node'), positive(facts, 'nodes.count')];
  const counted = positive(facts, 'gpu.count') ?? (perNode === null || nodes === null ? null : perNode * nodes);
  const [tp, pp, dp, cp] = parallelKeys.map((key) => positive(facts, `workload.parallelism.${key}`));
  const stated = [tp, pp, dp, cp].filter((size) => typeof size === 'number');
  const product = stated.length === 0 ? null : stated.reduce((all, size) => all * size, 1);
  if (counted !== null && (product === null || product === counted)) {
    return input(facts['gpu.count'] === undefined ? 'gpu.per_node × nodes.count' : 'gpu.count', counted, 'ENVIRONMENT');
  }
  if (counted !== null && product !== null) {
    return {
      missing: {
        key: 'gpu.count',
        reason: {
          en: `The facts say ${counted} GPUs, and the stated parallelism takes ${product}: how many GPUs the run used is not known. State workload.parallelism.dp, or give \`gpus\``,
          zh: `环境信息为 ${counted} 块 GPU，而所述并行度只用 ${product} 块，无法确定本次运行实际使用的 GPU 数。请补充 workload.parallelism.dp，或给出 \`gpus\``,
        },
      },
    };
  }
  const isWhole = [tp, pp, dp].every((size) => typeof size === 'number');
  if (product !== null && isWhole) return input('workload.parallelism', product, 'WORKLOAD');
  return {
    missing: {
      key: 'gpu.count',
      reason: {
        en: 'How many GPUs the run used is not known: the run lacks the fact gpu.count, and `gpus` is not given',
        zh: '不知道本次运行使用了多少块 GPU：运行没有 gpu.count，也没有给出 `gpus`',
      },
    },
  };
}

function positive(facts: Facts, key: string): number | null {
  const value = numberOf(facts, key);
  return value !== null && value > 0 ? value : null;
}

const powerName = { en: 'Mean power of all GPUs of the run', zh: '本次运行全部 GPU 的平均功率' };

/**
 * The power of all GPUs of the run at a point, in W. Values of single devices are added where every device has one; a
 * value that names no device is taken for a run of one GPU, or where the dimension `boundary` says that it is of all.
 */
export function powerOf(run: DerivableRun, at: Dimensions, isOnlyPoint: boolean, gpus: number | null): Found {
  const metric = POWER_METRICS.find((key) => run.observations.some((one) => one.metric === key));
  const measured = run.observations.filter((one) => one.metric === metric);
  if (metric === undefined || measured.length === 0) {
    return missingPower('No power was observed (power.average, gpu.power_draw), and `powerPerGpu` is not given', '没有观测到功率（power.average、gpu.power_draw），也没有给出 `powerPerGpu`');
  }
  const here = measured.filter(({ dimensions }) => {
    const point = without(dimensions, [...partDimensions, 'boundary']);
    return sameDimensions(point, at) || (isOnlyPoint && Object.keys(point).length === 0);
  });
  if (here.length === 0) {
    return missingPower(`${metric} was not observed at this point`, `在这个测点没有观测到 ${metric}`);
  }
  const total = (value: number, source: InputSource): Found => ({
    input: { key: metric, name: powerName, value, unit: 'W', source },
  });
  const whole = here.find(({ dimensions }) => wholeBoundaries.includes(String(dimensions['boundary'])) && !isOfPart(dimensions));
  if (whole) return total(watts(whole), 'OBSERVATION');
  if (gpus === null) {
    return missingPower('How many GPUs the power is of is not known', '不知道功率对应多少块 GPU');
  }
  const devices = new Map(
    here.flatMap((one) => {
      const device = deviceOf(one.dimensions);
      return device === null ? [] : [[device, watts(one)]];
    }),
  );
  if (devices.size > 0 && devices.size === gpus) {
    return total([...devices.values()].reduce((sum, value) => sum + value, 0), 'OBSERVATION');
  }
  if (devices.size > 0) {
    return missingPower(
      `The power of ${devices.size} GPUs was observed, and the run used ${gpus}: that of a part is not that of the run`,
      `只观测到 ${devices.size} 块 GPU 的功率，而本次运行使用了 ${gpus} 块：部分 GPU 的功率不等于整次运行的功率`,
    );
  }
  const [only] = here.filter(({ dimensions }) => !isOfPart(dimensions) && dimensions['boundary'] === undefined);
  if (only && gpus === 1) return total(watts(only), 'OBSERVATION');
  return missingPower(
    `${metric} does not say whether it is of one GPU or of all ${gpus}: give a value for each device, or the dimension boundary = gpus`,
    `${metric} 未说明是单卡功率还是全部 ${gpus} 块 GPU 的功率：请逐卡给出，或加上维度 boundary = gpus`,
  );
} // prettier-ignore

function missingPower(en: string, zh: string): Found {
  return { missing: { key: 'power', reason: { en, zh } } };
}

function watts(point: ObservedPoint): number {
  return convert(valueOf(point), point.unit, 'W');
}

/** The one device that a value is of; null where it is of none, or of another part. */
function deviceOf(dimensions: Dimensions): string | null {
  const parts = Object.keys(dimensions).filter((name) => partDimensions.includes(name));
  const isDevice = parts.some((name) => deviceDimensions.includes(name));
  return isDevice ? parts.sort().map((name) => `${name}=${dimensions[name]}`).join(' ') : null;
} // prettier-ignore

function without(dimensions: Dimensions, names: readonly string[]): Dimensions {
  return Object.fromEntries(Object.entries(dimensions).filter(([name]) => !names.includes(name)));
}

function sameDimensions(one: Dimensions, other: Dimensions): boolean {
  const [a, b] = [Object.keys(one), Object.keys(other)];
  return a.length === b.length && a.every((name) => Object.hasOwn(other, name) && one[name] === other[name]);
}

/** A number that only the facts of the run can tell. */
export function factOf(
  run: DerivableRun,
  key: 'workload.flops_per_token' | 'gpu.peak_flops',
): Found {
  const value = positive({ ...run.environment, ...run.workload }, key);
  const { name, unit, source, hint } = told[key];
  if (value !== null) return { input: { key, name, value, unit, source } };
  return { missing: { key, reason: { en: `The run lacks the fact ${key}: ${hint.en}`, zh: `运行没有 ${key}：${hint.zh}` } } };
} // prettier-ignore

const told = {
  'workload.flops_per_token': {
    name: { en: 'Arithmetic of the model per token', zh: '模型每 token 运算量' },
    unit: 'FLOP',
    source: 'WORKLOAD',
    hint: { en: 'the operations that the model needs for one token, forward and backward', zh: '模型处理一个 token 所需的运算量（前向与反向）' },
  },
  'gpu.peak_flops': {
    name: { en: 'Peak of one GPU at the precision in use', zh: '所用精度下的单卡峰值算力' },
    unit: 'TFLOP/s',
    source: 'ENVIRONMENT',
    hint: { en: 'the catalog has no peaks; state the dense one of the precision in use, in TFLOP/s', zh: '目录中没有峰值算力，请写明所用精度的稠密峰值（TFLOP/s）' },
  },
} as const; // prettier-ignore

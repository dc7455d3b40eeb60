import type { Applies } from '../../../src/domain/applicability/evaluate.js';
import type { Facts } from '../../../src/domain/applicability/facts.js';

/** One reason, in English, and in Chinese where that is checked too. */
export type Reason = string | readonly [en: string, zh: string];
export type Expected = readonly [
  item: string,
  answer: Applies,
  reasons: readonly Reason[],
  missing?: readonly string[],
];
export interface Scene {
  readonly machine: string;
  readonly profile: string | null;
  readonly facts: Facts;
  readonly expected: readonly Expected[];
}

export const one = { 'gpu.count': 1 };
export const nodeOf = (gpus: number): Facts => ({ 'gpu.count': gpus, 'nodes.count': 1 });
export const train = { 'workload.phase': 'training' };
export const infer = { 'workload.phase': 'inference' };

export const count = (gpus: number): Reason => [
  `Number of GPUs on all nodes is ${gpus}`,
  `GPU 总数（所有节点合计）为 ${gpus}`,
];
export const nodes = (given: number): Reason => [`Number of nodes is ${given}`, `节点数为 ${given}`];
export const has = (hardware: string, name: string): Reason => [`${hardware} has ${name}`, `${hardware} 具备 ${name}`];
export const lacks = (hardware: string, name: string): Reason => [
  `needs ${name}; ${hardware} does not have it`,
  `需要 ${name}，而 ${hardware} 不具备`,
];
export const open = (hardware: string, name: string, capability: string): Reason => [
  `needs ${name}; ${hardware} alone does not tell, set capability.${capability}`,
  `需要 ${name}，但仅凭 ${hardware} 无法判断，请填写 capability.${capability}`,
];
export const noLink = (hardware: string): Reason => [
  `needs one of: NVLink, Infinity Fabric, HCCS; ${hardware} has none of them`,
  `需要以下任意一项：NVLink、Infinity Fabric、HCCS，而 ${hardware} 均不具备`,
];
export const tooFew: Reason = [
  'Number of GPUs on all nodes must be at least 2; it is 1',
  'GPU 总数（所有节点合计）须不小于 2，实际为 1',
];
export const training: Reason = ['Workload phase is training', '负载阶段为 training'];
export const inference: Reason = ['Workload phase is prefill, decode', '负载阶段为 prefill、decode'];
export const notTraining: Reason = [
  'Workload phase must be training; it is prefill, decode',
  '负载阶段须为 training，实际为 prefill、decode',
];
export const noPhase: Reason = [
  'Workload phase is not known (workload.phase must be training)',
  '负载阶段未知（workload.phase 须为 training）',
];
export const vendor = (name: string): Reason => [`Vendor of the accelerator is ${name}`, `加速器厂商为 ${name}`];
export const architecture = (name: string): Reason => [
  `Architecture of the accelerator is ${name}`,
  `加速器架构为 ${name}`,
];
export const boardOf8: Reason = [
  'H100 SXM has NVSwitch (boards of 8 SXM modules have NVSwitch)',
  'H100 SXM 具备 NVSwitch（8 块 SXM 模组的基板带有 NVSwitch）',
];

export const noFp8 = (hardware: string): Reason => [
  `needs one of: FP8 Tensor Cores, FP4 Tensor Cores, FP8 Matrix Cores, FP4 Matrix Cores; ${hardware} has none of them`,
  `需要以下任意一项：FP8 张量核心、FP4 张量核心、FP8 矩阵核心、FP4 矩阵核心，而 ${hardware} 均不具备`,
];
export const noBf16 = (hardware: string): Reason =>
  `needs one of: BF16 Tensor Cores, BF16 Matrix Cores, BF16 Cube units; ${hardware} has none of them`;
export const noMig = (hardware: string): Reason => [
  `needs Multi-Instance GPU; ${hardware} does not have it`,
  `需要多实例 GPU（MIG），而 ${hardware} 不具备`,
];

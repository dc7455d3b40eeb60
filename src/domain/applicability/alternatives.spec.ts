import { describe, expect, it } from '@jest/globals';
import type { BothLanguages } from '../locale.js';
import type { Facts } from '../measurement/environment-diff.js';
import { applicability } from './evaluate.js';
import { knownFacts } from './facts.js';
import type { Predicate } from './predicate.js';

const mi300x = {
  name: 'MI300X',
  capabilities: ['rocm', 'mig', 'ecc'],
  facts: { vendor: 'amd', 'capability.nvlink': 'unknown', 'capability.nvswitch': 'unknown' },
};
const names: Readonly<Record<string, BothLanguages>> = {
  fp16: { en: 'FP16 Tensor Cores', zh: 'FP16 张量核心' },
  bf16: { en: 'BF16 Tensor Cores', zh: 'BF16 张量核心' },
  mig: { en: 'MIG', zh: 'MIG' },
  ecc: { en: 'ECC memory', zh: 'ECC 显存' },
  nvlink: { en: 'NVLink', zh: 'NVLink' },
  nvswitch: { en: 'NVSwitch', zh: 'NVSwitch' },
  cuda: { en: 'CUDA', zh: 'CUDA' },
  cann: { en: 'CANN', zh: 'CANN' },
  'nodes.count': { en: 'Number of nodes', zh: '节点数' },
  'gpu.count': { en: 'Number of GPUs', zh: 'GPU 总数' },
  'workload.phase': { en: 'Workload phase', zh: '负载阶段' },
};
const nameOf = (key: string): BothLanguages => names[key] ?? { en: key, zh: key };

function ask(predicate: Predicate, device: 'MI300X' | null, environment: Facts = {}) {
  const known = knownFacts(device && mi300x, environment);
  const { answer, reasons } = applicability(predicate, known, { capabilityName: nameOf, factName: nameOf });
  return { answer, reasons };
}

const phase = (name: string): Predicate => ({ 'workload.phase': name });
const tensorCores: Predicate = { any: [{ capability: 'fp16' }, { capability: 'bf16' }] };
const several: Predicate = { any: [{ 'nodes.count': { atLeast: 2 } }, { 'gpu.count': { atLeast: 2 } }] };

describe('alternatives of which none holds', () => {
  it.each<[Predicate, 'MI300X' | null, Facts, string, string]>([
    [
      tensorCores,
      'MI300X',
      {},
      'needs one of: FP16 Tensor Cores, BF16 Tensor Cores; MI300X has none of them',
      '需要以下任意一项：FP16 张量核心、BF16 张量核心，而 MI300X 均不具备',
    ],
    [
      { any: [tensorCores, { capability: 'cann' }] },
      'MI300X',
      {},
      'needs one of: FP16 Tensor Cores, BF16 Tensor Cores, CANN; MI300X has none of them',
      '需要以下任意一项：FP16 张量核心、BF16 张量核心、CANN，而 MI300X 均不具备',
    ],
    [
      { not: { all: [{ capability: 'mig' }, { capability: 'ecc' }] } },
      'MI300X',
      {},
      'is not for hardware with all of: MIG, ECC memory; MI300X has them all',
      '不适用于同时具备 MIG、ECC 显存的硬件，而 MI300X 均具备',
    ],
    [
      { any: [phase('prefill'), phase('decode')] },
      'MI300X',
      { 'workload.phase': 'training' },
      'Workload phase must be one of prefill, decode; it is training',
      '负载阶段须为 prefill、decode 之一，实际为 training',
    ],
    [
      { any: [{ 'gpu.count': { atLeast: 8 } }, { 'gpu.count': 1 }] },
      'MI300X',
      { 'gpu.count': 4 },
      'Number of GPUs must be at least 8 or must be 1; it is 4',
      'GPU 总数须不小于 8 或须为 1，实际为 4',
    ],
    [
      several,
      'MI300X',
      { 'nodes.count': 1, 'gpu.count': 1 },
      'one of these must hold, and none does: (1) Number of nodes must be at least 2; it is 1; (2) Number of GPUs must be at least 2; it is 1',
      '以下条件须满足其一，但均不满足：（1）节点数须不小于 2，实际为 1；（2）GPU 总数须不小于 2，实际为 1',
    ],
    [
      { any: [{ capability: 'fp16' }, { all: [{ capability: 'bf16' }, { 'gpu.count': 1 }] }] },
      'MI300X',
      { 'gpu.count': 2 },
      'one of these must hold, and none does: (1) needs FP16 Tensor Cores; MI300X does not have it; (2) needs BF16 Tensor Cores; MI300X does not have it, and Number of GPUs must be 1; it is 2',
      '以下条件须满足其一，但均不满足：（1）需要 FP16 张量核心，而 MI300X 不具备；（2）需要 BF16 张量核心，而 MI300X 不具备，且 GPU 总数须为 1，实际为 2',
    ],
    [
      { any: [{ cuda: { version: '>=12' } }, { capability: 'cann' }] },
      'MI300X',
      {},
      'one of these must hold, and none does: (1) needs CUDA; MI300X does not have it; (2) needs CANN; MI300X does not have it',
      '以下条件须满足其一，但均不满足：（1）需要 CUDA，而 MI300X 不具备；（2）需要 CANN，而 MI300X 不具备',
    ],
  ])('are one reason of %j on %s with %j', (predicate, device, environment, en, zh) => {
    expect(ask(predicate, device, environment)).toEqual({ answer: 'NO', reasons: [{ en, zh }] });
  });

  it('stay one plain reason where they say the same', () => {
    expect(ask({ any: [{ capability: 'fp16' }, { capability: 'fp16' }] }, 'MI300X').reasons).toEqual([
      { en: 'needs FP16 Tensor Cores; MI300X does not have it', zh: '需要 FP16 张量核心，而 MI300X 不具备' },
    ]);
  });

  it('stand beside what else rules the item out', () => {
    const predicate = { all: [tensorCores, { any: [phase('prefill'), phase('decode')] }] };
    expect(ask(predicate, 'MI300X', { 'workload.phase': 'training' }).reasons.map(({ en }) => en)).toEqual([
      'needs one of: FP16 Tensor Cores, BF16 Tensor Cores; MI300X has none of them',
      'Workload phase must be one of prefill, decode; it is training',
    ]);
  });
});

describe('alternatives of which none is known to hold', () => {
  it.each<[Predicate, 'MI300X' | null, Facts, string, string]>([
    [
      tensorCores,
      null,
      {},
      'needs one of: FP16 Tensor Cores, BF16 Tensor Cores; the hardware is not known',
      '需要以下任意一项：FP16 张量核心、BF16 张量核心，但硬件未知',
    ],
    [
      { any: [{ capability: 'nvlink' }, { capability: 'nvswitch' }] },
      'MI300X',
      {},
      'needs one of: NVLink, NVSwitch; MI300X alone does not tell, set capability.nvlink or capability.nvswitch',
      '需要以下任意一项：NVLink、NVSwitch，但仅凭 MI300X 无法判断，请填写 capability.nvlink 或 capability.nvswitch',
    ],
    [
      { not: { all: [{ capability: 'mig' }, { capability: 'ecc' }] } },
      null,
      {},
      'is not for hardware with all of: MIG, ECC memory; the hardware is not known',
      '不适用于同时具备 MIG、ECC 显存的硬件，但硬件未知',
    ],
    [
      { any: [phase('prefill'), phase('decode')] },
      'MI300X',
      {},
      'Workload phase is not known (workload.phase must be one of prefill, decode)',
      '负载阶段未知（workload.phase 须为 prefill、decode 之一）',
    ],
    [
      several,
      'MI300X',
      {},
      'one of these must hold, and none is known to hold: (1) Number of nodes is not known (nodes.count must be at least 2); (2) Number of GPUs is not known (gpu.count must be at least 2)',
      '以下条件须满足其一，但均无法确认：（1）节点数未知（nodes.count 须不小于 2）；（2）GPU 总数未知（gpu.count 须不小于 2）',
    ],
    [
      { any: [{ 'gpu.count': { atLeast: 8 } }, { 'gpu.count': { atMost: 2 } }] },
      'MI300X',
      { 'gpu.count': 'many' },
      'Number of GPUs must be at least 8 or must be at most 2; "many" cannot be compared with that',
      'GPU 总数须不小于 8 或须不大于 2，但“many”无法与之比较',
    ],
  ])('are one reason of %j on %s with %j', (predicate, device, environment, en, zh) => {
    expect(ask(predicate, device, environment)).toEqual({ answer: 'UNKNOWN', reasons: [{ en, zh }] });
  });

  it('leave out those that are known not to hold', () => {
    expect(ask({ any: [{ capability: 'fp16' }, { 'nodes.count': { atLeast: 2 } }] }, 'MI300X').reasons).toEqual([
      {
        en: 'Number of nodes is not known (nodes.count must be at least 2)',
        zh: '节点数未知（nodes.count 须不小于 2）',
      },
    ]);
  });
});

describe('alternatives of which one holds', () => {
  it('give only what is met', () => {
    expect(ask({ any: [tensorCores, { capability: 'mig' }, { capability: 'ecc' }] }, 'MI300X')).toEqual({
      answer: 'YES',
      reasons: [
        { en: 'MI300X has MIG', zh: 'MI300X 具备 MIG' },
        { en: 'MI300X has ECC memory', zh: 'MI300X 具备 ECC 显存' },
      ],
    });
  });

  it('are met by inference where prefill or decode is asked for', () => {
    for (const asked of [phase('decode'), phase('prefill'), { 'workload.phase': { in: ['decode', 'data'] } }]) {
      expect(ask(asked, null, { 'workload.phase': 'inference' }).answer).toBe('YES');
    }
    expect(ask(phase('training'), null, { 'workload.phase': 'inference' })).toEqual({
      answer: 'NO',
      reasons: [
        {
          en: 'Workload phase must be training; it is prefill, decode',
          zh: '负载阶段须为 training，实际为 prefill、decode',
        },
      ],
    });
  });
});

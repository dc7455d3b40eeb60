import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../test/support/ends.js';
import type { Facts } from '../measurement/environment-diff.js';
import type { Applies } from './evaluate.js';
import { applicability } from './evaluate.js';

import { knownFacts } from './facts.js';
import type { Predicate } from './predicate.js';
import type { Vocabulary } from './reasons.js';

const hopper = ['cuda', 'bf16-tensor-cores', 'fp8-tensor-cores', 'tensor-memory-accelerator', 'mig', 'pcie'];
const nvidia = { vendor: 'nvidia', architecture: 'hopper', 'gpu.computeCapability': 9 };

const hardware = {
  'H100 SXM': {
    name: 'H100 SXM',
    capabilities: [...hopper, 'nvlink'],
    facts: { ...nvidia, 'gpu.sku': 'H100 SXM', 'gpu.memory': 80, 'capability.nvswitch': 'unknown' },
  },
  'H100 PCIe': {
    name: 'H100 PCIe',
    capabilities: hopper,
    facts: { ...nvidia, 'gpu.sku': 'H100 PCIe', 'gpu.memory': 80, 'capability.nvlink': 'unknown' },
  },
  'H100 NVL': {
    name: 'H100 NVL',
    capabilities: [...hopper, 'nvlink'],
    facts: { ...nvidia, 'gpu.sku': 'H100 NVL', 'gpu.memory': 94 },
  },
  'GB200 NVL72': {
    name: 'GB200 NVL72',
    capabilities: [...hopper, 'fp4-tensor-cores', 'nvlink', 'nvswitch', 'nvlink-c2c', 'liquid-cooling'],
    facts: { vendor: 'nvidia', architecture: 'blackwell', 'gpu.sku': 'GB200', 'gpu.count': 72 },
  },
  L4: {
    name: 'L4',
    capabilities: ['cuda', 'bf16-tensor-cores', 'fp8-tensor-cores', 'pcie'],
    facts: { vendor: 'nvidia', architecture: 'ada', 'gpu.sku': 'L4', 'gpu.memory': 24 },
  },
  MI300X: {
    name: 'MI300X',
    capabilities: ['rocm', 'matrix-cores', 'fp8-matrix-cores', 'infinity-fabric'],
    facts: { vendor: 'amd', architecture: 'cdna3', 'gpu.sku': 'MI300X', 'gpu.memory': 192 },
  },
  'Ascend 910B': {
    name: 'Ascend 910B',
    capabilities: ['cann', 'cube-cores', 'hccs'],
    facts: { vendor: 'huawei', architecture: 'ascend', 'gpu.sku': 'Ascend 910B' },
  },
} as const;

const capabilityNames: Readonly<Record<string, string>> = {
  nvlink: 'NVLink',
  nvswitch: 'NVSwitch',
  'nvlink-c2c': 'NVLink-C2C',
  'liquid-cooling': '液冷',
};
const factNames: Readonly<Record<string, { en: string; zh: string }>> = {
  driver: { en: 'driver', zh: '驱动' },
  cuda: { en: 'CUDA', zh: 'CUDA' },
  torch: { en: 'PyTorch', zh: 'PyTorch' },
  'gpu.count': { en: 'GPU count', zh: 'GPU 数量' },
  'workload.precision': { en: 'precision', zh: '精度' },
};
const vocabulary: Vocabulary = {
  capabilityName: (key) => ({
    en: key === 'liquid-cooling' ? 'liquid cooling' : (capabilityNames[key] ?? key),
    zh: capabilityNames[key] ?? key,
  }),
  factName: (key) => factNames[key] ?? { en: key, zh: key },
};

function ask(predicate: Predicate | null, device: keyof typeof hardware | null, environment: Facts = {}) {
  return applicability(predicate, knownFacts(device && hardware[device], environment), vocabulary);
}

const fp8: Predicate = { any: [{ capability: 'fp8-tensor-cores' }, { capability: 'fp8-matrix-cores' }] };
const rackScale: Predicate = { all: [{ capability: 'nvswitch' }, { 'gpu.count': { atLeast: 16 } }] };

describe('applicability', () => {
  it.each<[Predicate | null, keyof typeof hardware | null, Facts, Applies]>([
    [null, null, {}, 'YES'],
    // capabilities of a closed list
    [{ capability: 'nvlink' }, 'H100 SXM', {}, 'YES'],
    [{ capability: 'nvlink' }, 'H100 NVL', {}, 'YES'],
    [{ capability: 'nvlink' }, 'L4', {}, 'NO'],
    [{ capability: 'nvlink' }, 'MI300X', {}, 'NO'],
    [{ capability: 'hccs' }, 'Ascend 910B', {}, 'YES'],
    [{ capability: 'nvlink-c2c' }, 'H100 SXM', {}, 'NO'],
    [{ capability: 'nvlink-c2c' }, 'GB200 NVL72', {}, 'YES'],
    [{ not: { capability: 'mig' } }, 'L4', {}, 'YES'],
    [{ not: { capability: 'mig' } }, 'H100 PCIe', {}, 'NO'],
    // capabilities that the product leaves open
    [{ capability: 'nvlink' }, 'H100 PCIe', {}, 'UNKNOWN'],
    [{ capability: 'nvlink' }, 'H100 PCIe', { 'capability.nvlink': true }, 'YES'],
    [{ capability: 'nvswitch' }, 'H100 SXM', {}, 'UNKNOWN'],
    [{ capability: 'nvswitch' }, 'H100 SXM', { 'capability.nvswitch': 'false' }, 'NO'],
    [{ not: { capability: 'nvswitch' } }, 'H100 SXM', {}, 'UNKNOWN'],
    // an unknown device
    [{ capability: 'nvlink' }, null, {}, 'UNKNOWN'],
    [{ capability: 'nvlink' }, null, { capabilities: ['nvlink'] }, 'YES'],
    [{ vendor: 'nvidia' }, null, {}, 'UNKNOWN'],
    [{ vendor: 'nvidia' }, null, { vendor: 'NVIDIA' }, 'YES'],
    // combinations
    [fp8, 'MI300X', {}, 'YES'],
    [fp8, 'L4', {}, 'YES'],
    [fp8, 'Ascend 910B', {}, 'NO'],
    [fp8, null, { 'capability.fp8-tensor-cores': false }, 'UNKNOWN'],
    [rackScale, 'GB200 NVL72', {}, 'YES'],
    [rackScale, 'GB200 NVL72', { 'gpu.count': 4 }, 'NO'],
    [rackScale, 'H100 SXM', { 'gpu.count': 8 }, 'NO'],
    [rackScale, 'H100 SXM', { 'gpu.count': 64 }, 'UNKNOWN'],
    [{ not: { all: [{ capability: 'mig' }, { vendor: 'amd' }] } }, 'H100 SXM', {}, 'YES'],
    [{ not: { any: [{ capability: 'mig' }, { vendor: 'amd' }] } }, 'MI300X', {}, 'NO'],
    [{ not: { any: [{ vendor: 'amd' }, { driver: '1' }] } }, 'H100 SXM', {}, 'UNKNOWN'],
    [{ not: { not: { capability: 'nvlink' } } }, 'L4', {}, 'NO'],
    // values
    [{ 'gpu.sku': { in: ['h100 sxm', 'H200 SXM'] } }, 'H100 SXM', {}, 'YES'],
    [{ 'gpu.sku': { in: ['H100 SXM', 'H200 SXM'] } }, 'H100 NVL', {}, 'NO'],
    [{ 'gpu.memory': { atLeast: 90 } }, 'H100 NVL', {}, 'YES'],
    [{ 'gpu.memory': { atLeast: 90 } }, 'H100 PCIe', {}, 'NO'],
    [{ 'gpu.count': { atLeast: 2, atMost: 8 } }, 'L4', { 'gpu.count': '8' }, 'YES'],
    [{ 'gpu.count': 8 }, 'L4', { 'gpu.count': '8.0' }, 'YES'],
    [{ 'gpu.count': { atLeast: 2 } }, 'L4', { 'gpu.count': 'many' }, 'UNKNOWN'],
    [{ 'gpu.mig': { not: true } }, 'H100 SXM', { 'gpu.mig': 'True' }, 'NO'],
    [{ 'gpu.mig': { not: true } }, 'H100 SXM', { 'gpu.mig': false }, 'YES'],
    [{ not: { 'gpu.count': { not: 1 } } }, 'L4', { 'gpu.count': 1 }, 'YES'],
    [{ 'workload.precision': { in: ['bf16', 'fp8'] } }, 'H100 SXM', { 'workload.precision': ['fp32', 'BF16'] }, 'YES'],
    [{ 'workload.precision': 'fp8' }, 'H100 SXM', { 'workload.precision': ['fp32', 'bf16'] }, 'NO'],
    [{ 'workload.precision': 'fp8' }, 'H100 SXM', { 'workload.precision': [] }, 'UNKNOWN'],
    [{ image: '12.1' }, null, { image: '12.10' }, 'NO'],
    // versions
    [{ driver: { version: '>=550' } }, 'H100 SXM', { driver: '580.159.03' }, 'YES'],
    [{ driver: { version: '>=550' } }, 'H100 SXM', { driver: '535.54.03' }, 'NO'],
    [{ driver: { version: '>=550' } }, 'H100 SXM', {}, 'UNKNOWN'],
    [{ torch: { version: '>=2.9' } }, 'MI300X', { torch: '2.11.0+rocm7.0' }, 'YES'],
    [{ torch: { version: '>=2.9' } }, 'MI300X', { torch: ['2.8.0', '2.9.1'] }, 'UNKNOWN'],
    [{ torch: { version: '>=2.9' } }, 'MI300X', { torch: 'nightly' }, 'UNKNOWN'],
    [{ cuda: { version: '>=12.6' } }, 'MI300X', {}, 'NO'],
    [{ cuda: { version: '>=12.6' } }, 'Ascend 910B', {}, 'NO'],
    [{ cuda: { version: '>=12.6' } }, 'H100 SXM', {}, 'UNKNOWN'],
    [{ not: { cuda: { version: '<12.6' } } }, 'MI300X', {}, 'YES'],
  ])('%j on %s with %j: %s', (predicate, device, environment, expected) => {
    expect(ask(predicate, device, environment).answer).toBe(expected);
  });

  it('explains a missing capability', () => {
    expect(ask({ capability: 'nvlink-c2c' }, 'H100 SXM').reasons).toEqual([
      { en: 'needs NVLink-C2C; H100 SXM does not have it', zh: '需要 NVLink-C2C，而 H100 SXM 不具备' },
    ]);
  });

  it('explains a capability that the product leaves open', () => {
    expect(ask({ capability: 'nvswitch' }, 'H100 SXM').reasons).toEqual([
      {
        en: 'needs NVSwitch; H100 SXM alone does not tell, set capability.nvswitch',
        zh: '需要 NVSwitch，但仅凭 H100 SXM 无法判断，请填写 capability.nvswitch',
      },
    ]);
  });

  it.each<[Predicate, keyof typeof hardware | null, Facts, string, string]>([
    [{ capability: 'nvlink' }, null, {}, 'needs NVLink; the hardware is not known', '需要 NVLink，但硬件未知'],
    [{ capability: 'liquid-cooling' }, 'L4', {}, 'needs liquid cooling; L4 does not have it', '需要液冷，而 L4 不具备'],
    [{ capability: 'liquid-cooling' }, 'GB200 NVL72', {}, 'GB200 NVL72 has liquid cooling', 'GB200 NVL72 具备液冷'],
    [
      { not: { capability: 'liquid-cooling' } },
      'GB200 NVL72',
      {},
      'is not for hardware with liquid cooling; GB200 NVL72 has it',
      '不适用于具备液冷的硬件，而 GB200 NVL72 具备',
    ],
    [
      { not: { capability: 'nvlink' } },
      null,
      {},
      'is not for hardware with NVLink; the hardware is not known',
      '不适用于具备 NVLink 的硬件，但硬件未知',
    ],
    [
      { capability: 'nvlink' },
      null,
      { 'capability.nvlink': false },
      'needs NVLink; this environment does not have it',
      '需要 NVLink，而该环境不具备',
    ],
    [
      { driver: { version: '>=550' } },
      'L4',
      {},
      'driver is not known (driver must be version >=550)',
      '驱动未知（driver 版本须满足 >=550）',
    ],
    [
      { torch: { version: '>=2.9' } },
      'L4',
      { torch: '2.8.0' },
      'PyTorch must be version >=2.9; it is 2.8.0',
      'PyTorch 版本须满足 >=2.9，实际为 2.8.0',
    ],
    [
      { torch: { version: '>=2.9' } },
      'L4',
      { torch: 'nightly' },
      'PyTorch must be version >=2.9; "nightly" cannot be compared with that',
      'PyTorch 版本须满足 >=2.9，但“nightly”无法与之比较',
    ],
    [
      { 'gpu.count': { atLeast: 8 } },
      'L4',
      { 'gpu.count': 4 },
      'GPU count must be at least 8; it is 4',
      'GPU 数量须不小于 8，实际为 4',
    ],
    [
      { not: { 'gpu.count': { atLeast: 8 } } },
      'L4',
      { 'gpu.count': 8 },
      'GPU count must be below 8; it is 8',
      'GPU 数量须小于 8，实际为 8',
    ],
    [
      { 'workload.precision': { in: ['fp32', 'tf32'] } },
      'L4',
      { 'workload.precision': 'bf16' },
      'precision must be one of fp32, tf32; it is bf16',
      '精度须为 fp32、tf32 之一，实际为 bf16',
    ],
    [{ 'workload.precision': 'bf16' }, 'L4', { 'workload.precision': 'bf16' }, 'precision is bf16', '精度为 bf16'],
    [{ cuda: { version: '>=12' } }, 'MI300X', {}, 'needs CUDA; MI300X does not have it', '需要 CUDA，而 MI300X 不具备'],
  ])('explains %j on %s with %j', (predicate, device, environment, en, zh) => {
    expect(ask(predicate, device, environment).reasons).toEqual([{ en, zh }]);
  });

  it('gives only the failing parts as reasons of a NO, each once', () => {
    const parts: Predicate[] = [
      { capability: 'nvlink' },
      { driver: '1' },
      { capability: 'pcie' },
      { capability: 'nvlink' },
    ];
    expect(ask({ all: parts }, 'L4').reasons.map((reason) => reason.en)).toEqual(['needs NVLink; L4 does not have it']);
  });

  it('gives only the missing facts as reasons of UNKNOWN', () => {
    const parts: Predicate[] = [{ capability: 'pcie' }, { driver: '1' }, { torch: '1' }];
    expect(ask({ all: parts }, 'L4').reasons.map((reason) => reason.en)).toEqual([
      'driver is not known (driver must be 1)',
      'PyTorch is not known (torch must be 1)',
    ]);
  });

  it('says that an item without a predicate applies everywhere', () => {
    expect(ask(null, 'L4').reasons).toEqual([{ en: 'applies to every environment', zh: '适用于所有环境' }]);
  });

  it('answers 1,000 questions', () => {
    const predicate: Predicate = { all: [fp8, { torch: { version: '>=2.9' } }, { driver: { version: '>=550 <590' } }] };
    const known = knownFacts(hardware['H100 SXM'], { torch: '2.11.0+cu130', driver: '580.159.03' });
    const answers = ends(() => Array.from({ length: 1_000 }, () => applicability(predicate, known, vocabulary).answer));
    expect(new Set(answers)).toEqual(new Set(['YES']));
  });
});

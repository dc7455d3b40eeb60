import { describe, expect, it } from '@jest/globals';
import type { Facts } from '../measurement/environment-diff.js';
import { applicability, type Applies } from './evaluate.js';
import { knownFacts } from './facts.js';
import type { Predicate } from './predicate.js';
import type { Vocabulary } from './reasons.js';

const h200 = {
  name: 'H200 SXM',
  capabilities: ['cuda', 'mig', 'nvlink'],
  facts: {
    vendor: 'nvidia',
    architecture: 'hopper',
    'gpu.form': 'sxm',
    'capability.nvswitch': 'unknown',
    'capability.liquid-cooling': 'unknown',
  },
};
const names: Readonly<Record<string, { en: string; zh: string }>> = {
  nvlink: { en: 'NVLink', zh: 'NVLink' },
  nvswitch: { en: 'NVSwitch', zh: 'NVSwitch' },
  cuda: { en: 'CUDA', zh: 'CUDA' },
  torch: { en: 'PyTorch', zh: 'PyTorch' },
  image: { en: 'container image', zh: '容器镜像' },
  'gpu.count': { en: 'GPU count', zh: 'GPU 数量' },
  'fabric.rdma': { en: 'RDMA', zh: 'RDMA' },
};
const nameOf = (key: string) => names[key] ?? { en: key, zh: key };
const vocabulary: Vocabulary = { capabilityName: nameOf, factName: nameOf };

const onH200 = (predicate: Predicate, environment: Facts = {}) =>
  applicability(predicate, knownFacts(h200, environment), vocabulary);
const anywhere = (predicate: Predicate, environment: Facts = {}) =>
  applicability(predicate, knownFacts(null, environment), vocabulary);

const before29: Predicate = { torch: { version: '<2.9' } };
const amd: Predicate = { vendor: 'amd' };
const newTorch = { torch: '2.11.0' };

describe('isPast', () => {
  it.each<[string, Predicate, Facts, Applies, boolean]>([
    ['a version above the range', before29, newTorch, 'NO', true],
    ['a version within the range', before29, { torch: '2.8.0' }, 'YES', false],
    ['a version below the range', { torch: { version: '>=2.9' } }, { torch: '2.8.0' }, 'NO', false],
    ['a version between two parts', { torch: { version: '<2.9 || >=2.12' } }, newTorch, 'NO', false],
    ['a version that cannot be read', before29, { torch: 'nightly' }, 'UNKNOWN', false],
    ['several versions, all above', before29, { torch: ['2.11.0', '2.12.0'] }, 'NO', true],
    ['several versions, one within', before29, { torch: ['2.11.0', '2.8.0'] }, 'UNKNOWN', false],
    ['a range that is excluded', { not: { torch: { version: '>=2.9' } } }, newTorch, 'NO', false],
    ['what is not excluded', { not: before29 }, newTorch, 'YES', false],
    ['two versions above', { all: [before29, { vllm: { version: '<1' } }] }, { ...newTorch, vllm: '1.2' }, 'NO', true],
    ['another part that fails', { all: [before29, amd] }, newTorch, 'NO', false],
    ['another part that is unknown', { all: [before29, { driver: { version: '>=550' } }] }, newTorch, 'NO', true],
    ['another part that holds', { all: [before29, { vendor: 'nvidia' }] }, newTorch, 'NO', true],
    ['another version that an exclusion leaves out', { all: [before29, { not: { vllm: { version: '<1' } } }] }, { ...newTorch, vllm: '1.2' }, 'NO', true],
    ['an alternative that fails for good', { any: [before29, amd] }, newTorch, 'NO', true],
    ['an alternative that is unknown', { any: [before29, { driver: '1' }] }, newTorch, 'UNKNOWN', false],
    ['alternatives of which one needs more', { any: [{ all: [before29, amd] }, amd] }, newTorch, 'NO', false],
    ['an alternative that a newer version would meet', { any: [before29, { driver: { version: '>=600' } }] }, { ...newTorch, driver: '580.95.05' }, 'NO', false],
    ['hardware of a newer kind', { 'gpu.computeCapability': { version: '<9' } }, { 'gpu.computeCapability': '10.0' }, 'NO', false],
    ['a number above', { 'gpu.count': { atMost: 8 } }, { 'gpu.count': 16 }, 'NO', false],
    ['an image above', { image: { name: 'pytorch', version: '<25.04' } }, { image: 'nvcr.io/nvidia/pytorch:25.10-py3' }, 'NO', true],
    ['an image of another name', { image: { name: 'pytorch', version: '<25.04' } }, { image: 'nvcr.io/nvidia/jax:25.10-py3' }, 'NO', false],
  ])('tells of %s', (_, predicate, environment, answer, isPast) => {
    expect(onH200(predicate, environment)).toMatchObject({ answer, isPast });
  }); // prettier-ignore
});

describe('missing', () => {
  it.each<[Predicate, Facts, readonly string[]]>([
    [{ driver: { version: '>=550' } }, {}, ['driver']],
    [before29, { torch: 'nightly' }, ['torch']],
    [{ all: [{ driver: '1' }, before29, { vendor: 'nvidia' }, { driver: '2' }] }, {}, ['driver', 'torch']],
    [{ any: [{ driver: '1' }, { all: [before29, { kernel: '6' }] }, amd] }, {}, ['driver', 'torch', 'kernel']],
    [{ not: { any: [{ driver: '1' }, amd] } }, {}, ['driver']],
    [{ capability: 'nvswitch' }, {}, ['capability.nvswitch']],
    [{ not: { capability: 'liquid-cooling' } }, {}, ['capability.liquid-cooling']],
    [{ any: [{ capability: 'nvswitch' }, { capability: 'hccs' }] }, {}, ['capability.nvswitch']],
    [{ 'gpu.count': { atLeast: 16 } }, {}, ['gpu.count']],
    [{ 'gpu.count': { atLeast: 16 } }, { 'gpu.per_node': 8 }, ['nodes.count']],
    // settled
    [{ capability: 'nvlink' }, {}, []],
    [{ capability: 'hccs' }, {}, []],
    [{ all: [{ driver: '1' }, amd] }, {}, []],
    [{ any: [{ driver: '1' }, { vendor: 'nvidia' }] }, {}, []],
  ])('of %j with %j on an H200 is %j', (predicate, environment, expected) => {
    expect(onH200(predicate, environment).missing).toEqual(expected);
  });

  it('is the hardware where nothing of it is known, and the capability where the environment leaves it open', () => {
    expect(anywhere({ any: [{ capability: 'nvlink' }, { capability: 'hccs' }] }).missing).toEqual(['hardware']);
    expect(anywhere({ capability: 'nvlink' }, { 'capability.nvlink': 'unknown' }).missing).toEqual([
      'capability.nvlink',
    ]);
  });
});

describe('the GPUs of one node, where the number of all GPUs is not known', () => {
  it.each<[Predicate, Applies]>([
    [{ 'gpu.count': { atLeast: 2 } }, 'YES'],
    [{ 'gpu.count': { atLeast: 8 } }, 'YES'],
    [{ 'gpu.count': { atLeast: 9 } }, 'UNKNOWN'],
    [{ 'gpu.count': { atMost: 7 } }, 'NO'],
    [{ 'gpu.count': { atMost: 8 } }, 'UNKNOWN'],
    [{ 'gpu.count': { atLeast: 2, atMost: 4 } }, 'NO'],
    [{ 'gpu.count': { atLeast: 2, atMost: 64 } }, 'UNKNOWN'],
    [{ not: { 'gpu.count': { atLeast: 2 } } }, 'NO'],
    [{ not: { 'gpu.count': { atMost: 4 } } }, 'YES'],
    [{ 'gpu.count': 8 }, 'UNKNOWN'],
    [{ 'gpu.count': { in: [1, 2] } }, 'NO'],
    [{ 'gpu.count': 1 }, 'NO'],
    [{ 'gpu.count': { not: 1 } }, 'YES'],
    [{ 'nodes.count': { atLeast: 2 } }, 'UNKNOWN'],
  ])('are a lower bound: with 8 of them %j is %s', (predicate, expected) => {
    expect(onH200(predicate, { 'gpu.per_node': 8 }).answer).toBe(expected);
  });

  it.each<[Predicate, Applies, string, string]>([
    [{ 'gpu.count': { atLeast: 2 } }, 'YES', 'GPU count is at least 8', 'GPU 数量为 8 或更多'],
    [{ 'gpu.count': { atMost: 4 } }, 'NO', 'GPU count must be at most 4; it is at least 8', 'GPU 数量须不大于 4，实际为 8 或更多'],
    [{ 'gpu.count': { atLeast: 16 } }, 'UNKNOWN', 'GPU count is not known (gpu.count must be at least 16)', 'GPU 数量未知（gpu.count 须不小于 16）'],
  ])('explain %j', (predicate, answer, en, zh) => {
    expect(onH200(predicate, { 'gpu.per_node': '8' })).toMatchObject({ answer, reasons: [{ en, zh }] });
  }); // prettier-ignore

  it('say nothing where the number of all GPUs is stated', () => {
    expect(onH200({ 'gpu.count': { atLeast: 2 } }, { 'gpu.per_node': 8, 'gpu.count': 1 }).answer).toBe('NO');
  });
});

describe('an image', () => {
  const wanted: Predicate = { image: { name: 'nvidia/pytorch', version: '>=25.04' } };

  it.each<[string | readonly string[], Applies]>([
    ['nvcr.io/nvidia/pytorch:25.04-py3', 'YES'],
    ['NVIDIA/PyTorch:25.10-py3', 'YES'],
    ['nvcr.io/nvidia/pytorch:25.04-py3@sha256:0a1b', 'YES'],
    ['registry.local:5000/nvidia/pytorch:26.01-py3', 'YES'],
    ['nvcr.io/nvidia/pytorch:24.12-py3', 'NO'],
    ['nvcr.io/nvidia/tritonserver:25.04-py3', 'NO'],
    ['nvcr.io/my-nvidia/pytorch:25.04-py3', 'NO'],
    ['pytorch:25.04', 'NO'],
    ['nvcr.io/nvidia/pytorch', 'UNKNOWN'],
    ['nvcr.io/nvidia/pytorch:latest', 'UNKNOWN'],
    ['registry.local:5000/nvidia/pytorch', 'UNKNOWN'],
    [['nvcr.io/nvidia/pytorch:25.04-py3', 'nvidia/pytorch:25.10-py3'], 'YES'],
    [['nvcr.io/nvidia/pytorch:25.04-py3', 'nvcr.io/nvidia/jax:25.04-py3'], 'UNKNOWN'],
  ])('%s: %s', (image, expected) => {
    expect(anywhere(wanted, { image }).answer).toBe(expected);
  });

  it.each<[Predicate, string | null, string, string]>([
    [wanted, 'nvidia/pytorch:25.10-py3', 'container image is nvidia/pytorch:25.10-py3', '容器镜像为 nvidia/pytorch:25.10-py3'],
    [wanted, 'nvidia/pytorch:24.12-py3', 'container image must be nvidia/pytorch with a tag in >=25.04; it is nvidia/pytorch:24.12-py3', '容器镜像须为 nvidia/pytorch 且标签版本满足 >=25.04，实际为 nvidia/pytorch:24.12-py3'],
    [wanted, 'nvidia/pytorch:latest', 'container image must be nvidia/pytorch with a tag in >=25.04; "nvidia/pytorch:latest" cannot be compared with that', '容器镜像须为 nvidia/pytorch 且标签版本满足 >=25.04，但“nvidia/pytorch:latest”无法与之比较'],
    [wanted, null, 'container image is not known (image must be nvidia/pytorch with a tag in >=25.04)', '容器镜像未知（image 须为 nvidia/pytorch 且标签版本满足 >=25.04）'],
    [{ not: wanted }, 'nvidia/pytorch:25.10-py3', 'container image must not be nvidia/pytorch with a tag in >=25.04; it is nvidia/pytorch:25.10-py3', '容器镜像不得为 nvidia/pytorch 且标签版本满足 >=25.04，实际为 nvidia/pytorch:25.10-py3'],
  ])('explains %j for %s', (predicate, image, en, zh) => {
    expect(anywhere(predicate, { image }).reasons).toEqual([{ en, zh }]);
  }); // prettier-ignore
});

describe('a fact that nobody stated', () => {
  it.each<[Predicate, Facts, Applies, string, string]>([
    [{ cuda: { version: '>=12.6' } }, { torch: '2.11.0+cu128' }, 'YES', 'CUDA is 12.8 (PyTorch is 2.11.0+cu128)', 'CUDA 为 12.8（PyTorch 为 2.11.0+cu128）'],
    [{ cuda: { version: '>=13' } }, { torch: '2.11.0+cu128' }, 'NO', 'CUDA must be version >=13; it is 12.8 (PyTorch is 2.11.0+cu128)', 'CUDA 版本须满足 >=13，实际为 12.8（PyTorch 为 2.11.0+cu128）'],
    [{ 'gpu.count': { atLeast: 16 } }, { 'gpu.per_node': 8, 'nodes.count': 4 }, 'YES', 'GPU count is 32 (4 nodes of 8)', 'GPU 数量为 32（4 个节点，每个 8 块）'],
    [{ 'fabric.rdma': true }, { 'fabric.kind': 'none' }, 'NO', 'RDMA must be true; it is false (the fabric is none)', 'RDMA 须为 true，实际为 false（互连类型为 none）'],
    [{ capability: 'nvswitch' }, { 'gpu.per_node': 8 }, 'YES', 'H200 SXM has NVSwitch (boards of 8 SXM modules have NVSwitch)', 'H200 SXM 具备 NVSwitch（8 块 SXM 模组的基板带有 NVSwitch）'],
    [{ capability: 'nvlink' }, { 'gpu.mig': '1g.18gb' }, 'NO', 'needs NVLink; H200 SXM does not have it (MIG instances reach no other GPU)', '需要 NVLink，而 H200 SXM 不具备（MIG 实例无法访问其他 GPU）'],
    [{ not: { capability: 'nvswitch' } }, { 'gpu.count': 1 }, 'YES', 'H200 SXM does not have NVSwitch (there is one GPU)', 'H200 SXM 不具备 NVSwitch（只有一块 GPU）'],
  ])('is shown with what it follows from: %j with %j', (predicate, environment, answer, en, zh) => {
    expect(onH200(predicate, environment)).toMatchObject({ answer, reasons: [{ en, zh }] });
  }); // prettier-ignore

  it('gives the vendor as the reason for what runs on hardware that is not known', () => {
    expect(anywhere({ capability: 'cuda' }, { vendor: 'amd' }).reasons).toEqual([
      {
        en: 'needs CUDA; this environment does not have it (the vendor is amd)',
        zh: '需要 CUDA，而该环境不具备（厂商为 amd）',
      },
    ]);
  });

  it('gives way to what somebody states, without a cause', () => {
    const facts = { torch: '2.11.0+cu128', cuda: '13.0' };
    expect(onH200({ cuda: { version: '>=13' } }, facts).reasons).toEqual([{ en: 'CUDA is 13.0', zh: 'CUDA 为 13.0' }]);
  });
});

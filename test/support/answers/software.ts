import {
  architecture,
  count,
  has,
  infer,
  inference,
  nodeOf,
  nodes,
  notTraining,
  one,
  train,
  training,
  vendor,
  type Scene,
  type Reason,
} from './reasons.js';

const noTorch = (range: string): Reason => [
  `PyTorch is not known (torch must be version ${range})`,
  `PyTorch 未知（torch 版本须满足 ${range}）`,
];
const torchIs = (version: string): Reason => [`PyTorch is ${version}`, `PyTorch 为 ${version}`];
const twoNodes = { 'gpu.count': 16, 'nodes.count': 2, ...train, 'storage.kind': 'nvme' };
const rdmaOf = (kind: string): Reason => [`RDMA is true (the fabric is ${kind})`, `RDMA 为 true（互连类型为 ${kind}）`];
const ofTwoNodes = (kind: string): Reason => [`Kind of fabric is ${kind}`, `互连类型为 ${kind}`];

export const software: readonly Scene[] = [
  {
    machine: 'H100 SXM with software that is not known',
    profile: 'h100-sxm',
    facts: { ...one, ...train },
    expected: [
      ['cuda/torch-compile', 'UNKNOWN', [noTorch('>=2.0')], ['torch']],
      ['training/torch-compile', 'UNKNOWN', [noTorch('>=2.5')], ['torch']],
      [
        'launch/dynamic-parallelism',
        'UNKNOWN',
        [['CUDA is not known (cuda must be version >=12.0)', 'CUDA 未知（cuda 版本须满足 >=12.0）']],
        ['cuda'],
      ],
    ],
  },
  {
    machine: 'H100 SXM with a container image alone',
    profile: 'h100-sxm',
    facts: { ...one, ...train, image: 'nvcr.io/nvidia/pytorch:25.06-py3' },
    expected: [['cuda/torch-compile', 'UNKNOWN', [noTorch('>=2.0')], ['torch']]],
  },
  {
    machine: 'H100 SXM with PyTorch 2.8.0+cu128',
    profile: 'h100-sxm',
    facts: { ...one, ...train, torch: '2.8.0+cu128' },
    expected: [
      [
        'training/torch-compile',
        'YES',
        [has('H100 SXM', 'CUDA'), architecture('hopper'), torchIs('2.8.0+cu128'), training],
      ],
      [
        'launch/dynamic-parallelism',
        'YES',
        [has('H100 SXM', 'CUDA'), ['CUDA is 12.8 (PyTorch is 2.8.0+cu128)', 'CUDA 为 12.8（PyTorch 为 2.8.0+cu128）']],
      ],
    ],
  },
  {
    machine: 'H100 SXM with PyTorch 2.1.2+cu118',
    profile: 'h100-sxm',
    facts: { ...nodeOf(8), ...train, torch: '2.1.2+cu118', nccl: '2.16.2' },
    expected: [
      [
        'training/torch-compile',
        'NO',
        [['PyTorch must be version >=2.5; it is 2.1.2+cu118', 'PyTorch 版本须满足 >=2.5，实际为 2.1.2+cu118']],
      ],
      [
        'launch/dynamic-parallelism',
        'NO',
        [
          [
            'CUDA must be version >=12.0; it is 11.8 (PyTorch is 2.1.2+cu118)',
            'CUDA 版本须满足 >=12.0，实际为 11.8（PyTorch 为 2.1.2+cu118）',
          ],
        ],
      ],
      ['cuda/torch-compile', 'YES', [torchIs('2.1.2+cu118'), architecture('hopper')]],
      [
        'multi-gpu/collective-algorithms',
        'YES',
        [
          'H100 SXM has NVLink multicast (boards of 8 SXM modules have NVSwitch)',
          has('H100 SXM', 'NVLink'),
          count(8),
          torchIs('2.1.2+cu118'),
        ],
      ],
    ],
  },
  {
    machine: 'H100 SXM with PyTorch 1.13.1 and NCCL 2.14',
    profile: 'h100-sxm',
    facts: { ...nodeOf(8), ...train, torch: '1.13.1', nccl: '2.14.3' },
    expected: [
      ['cuda/torch-compile', 'NO', ['PyTorch must be version >=2.0; it is 1.13.1']],
      [
        'multi-gpu/collective-algorithms',
        'NO',
        [
          'one of these must hold, and none does: (1) NCCL must be version >=2.17; it is 2.14.3; ' +
            '(2) PyTorch must be version >=2.1; it is 1.13.1; ' +
            '(3) Architecture of the accelerator must be one of blackwell, rubin; it is hopper',
        ],
      ],
    ],
  },
  {
    machine: 'H100 SXM with a release candidate of PyTorch 2.5',
    profile: 'h100-sxm',
    facts: { ...one, ...train, torch: '2.5.0rc3' },
    expected: [
      ['training/torch-compile', 'NO', ['PyTorch must be version >=2.5; it is 2.5.0rc3']],
      ['cuda/dynamic-shapes', 'YES', ['PyTorch is 2.5.0rc3']],
    ],
  },
  {
    machine: 'GH200 with DeepSpeed 0.17.5',
    profile: 'gh200-96gb',
    facts: { ...one, ...train, deepspeed: '0.17.5' },
    expected: [
      [
        'superchip/superchip-algorithms',
        'NO',
        [['DeepSpeed must be version >=0.18; it is 0.17.5', 'DeepSpeed 版本须满足 >=0.18，实际为 0.17.5']],
      ],
    ],
  },
  {
    machine: '2 nodes of 8 H100 SXM on InfiniBand',
    profile: 'h100-sxm',
    facts: { ...twoNodes, 'fabric.kind': 'infiniband' },
    expected: [
      ['network/rdma', 'YES', [vendor('nvidia'), nodes(2), ofTwoNodes('infiniband'), rdmaOf('infiniband')]],
      ['host-os/locked-memory-limit', 'YES', [nodes(2), ofTwoNodes('infiniband'), rdmaOf('infiniband')]],
      ['network/all-reduce-topology', 'YES', [training, nodes(2)]],
      ['multi-gpu/beyond-one-rack', 'YES', [has('H100 SXM', 'NVLink'), nodes(2), 'H100 SXM does not have NVLink-C2C']],
      [
        'network/tcp-tuning',
        'NO',
        [
          'one of these must hold, and none does: (1) Kind of fabric must be ethernet; it is infiniband, ' +
            'and RDMA must not be true; it is true (the fabric is infiniband); ' +
            '(2) Kind of storage must be one of nfs, object; it is nvme',
        ],
      ],
    ],
  },
  {
    machine: '2 nodes of 8 MI300X on RoCE',
    profile: 'mi300x',
    facts: { ...twoNodes, 'fabric.kind': 'roce' },
    expected: [['network/rdma', 'YES', [vendor('amd'), nodes(2), ofTwoNodes('roce'), rdmaOf('roce')]]],
  },
  {
    machine: '2 nodes of 8 H100 SXM on Ethernet',
    profile: 'h100-sxm',
    facts: { ...twoNodes, 'fabric.kind': 'ethernet' },
    expected: [
      [
        'network/rdma',
        'UNKNOWN',
        [['RDMA is not known (fabric.rdma must be true)', 'RDMA 未知（fabric.rdma 须为 true）']],
        ['fabric.rdma'],
      ],
      [
        'network/tcp-tuning',
        'UNKNOWN',
        [['RDMA is not known (fabric.rdma must not be true)', 'RDMA 未知（fabric.rdma 不得为 true）']],
        ['fabric.rdma'],
      ],
    ],
  },
  {
    machine: '2 nodes of 8 H100 SXM on Ethernet without RDMA',
    profile: 'h100-sxm',
    facts: { ...twoNodes, 'fabric.kind': 'ethernet', 'fabric.rdma': false },
    expected: [
      [
        'network/rdma',
        'NO',
        [
          [
            'one of these must hold, and none does: (1) Kind of fabric must be one of infiniband, roce; it is ethernet; ' +
              '(2) RDMA must be true; it is false',
            '以下条件须满足其一，但均不满足：（1）互连类型须为 infiniband、roce 之一，实际为 ethernet；' +
              '（2）RDMA 须为 true，实际为 false',
          ],
        ],
      ],
      ['network/tcp-tuning', 'YES', [ofTwoNodes('ethernet'), ['RDMA is false', 'RDMA 为 false']]],
    ],
  },
  {
    machine: 'one node of 8 H100 SXM',
    profile: 'h100-sxm',
    facts: { ...nodeOf(8), ...train, 'fabric.kind': 'none' },
    expected: [
      ['network/network-health', 'NO', [['Number of nodes must be at least 2; it is 1', '节点数须不小于 2，实际为 1']]],
      [
        'serving/batching-and-concurrency',
        'NO',
        [
          [
            'Workload phase must be one of inference, prefill, decode; it is training',
            '负载阶段须为 inference、prefill、decode 之一，实际为 training',
          ],
        ],
      ],
    ],
  },
  {
    machine: '8 H200 SXM that serve',
    profile: 'h200-sxm',
    facts: { ...nodeOf(8), ...infer, 'workload.framework': 'vllm' },
    expected: [
      ['precision/accumulation-and-checkpointing', 'NO', [notTraining]],
      ['inference/speculative-decoding', 'YES', [has('H200 SXM', 'CUDA'), inference]],
      ['serving/batching-and-concurrency', 'YES', [inference]],
      ['data-pipeline/binary-formats', 'NO', ['Workload phase must be one of training, data; it is prefill, decode']],
      [
        'inference/tensorrt',
        'NO',
        [
          'one of these must hold, and none does: (1) Workload phase must not be decode; it is prefill, decode; ' +
            '(2) Framework or engine must not be vllm or vllm-ascend or sglang or tensorrt-llm or trt-llm or trtllm or ' +
            'dynamo or llm-d or lmdeploy or tgi or text-generation-inference or llama.cpp or ollama; it is vllm',
        ],
      ],
    ],
  },
];

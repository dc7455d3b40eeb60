import {
  count,
  infer,
  inference,
  lacks,
  noFp8,
  nodeOf,
  notTraining,
  one,
  open,
  tooFew,
  train,
  training,
  vendor,
  type Scene,
} from './reasons.js';

export const unlisted: readonly Scene[] = [
  {
    machine: '2 RTX 3090, known by their architecture',
    profile: 'ampere-sm86',
    facts: { ...nodeOf(2), ...train, 'gpu.sku': 'RTX 3090' },
    expected: [
      ['precision/bf16', 'YES', [['RTX 3090 has BF16 Tensor Cores', 'RTX 3090 具备 BF16 张量核心'], training]],
      ['precision/fp8-and-fp4', 'NO', [noFp8('RTX 3090')]],
      ['multi-gpu/nvlink-bandwidth', 'UNKNOWN', [open('RTX 3090', 'NVLink', 'nvlink')], ['capability.nvlink']],
      ['multi-gpu/all-to-all-topology', 'NO', [lacks('RTX 3090', 'NVSwitch')]],
    ],
  },
  {
    machine: '8 GPUs of an unknown Hopper product',
    profile: 'hopper-sm90',
    facts: { ...nodeOf(8), ...infer, 'gpu.name': 'NVIDIA H20-3e' },
    expected: [
      ['launch/thread-block-clusters', 'YES', ['NVIDIA H20-3e has Thread block clusters']],
      [
        'multi-gpu/fine-grained-parallelism',
        'UNKNOWN',
        [open('NVIDIA H20-3e', 'NVLink', 'nvlink')],
        ['capability.nvlink'],
      ],
      [
        'gpu-scheduling/fabric-manager',
        'UNKNOWN',
        [open('NVIDIA H20-3e', 'NVSwitch', 'nvswitch')],
        ['capability.nvswitch'],
      ],
      [
        'gpu-scheduling/mig',
        'UNKNOWN',
        ['needs Multi-Instance GPU; NVIDIA H20-3e alone does not tell, set capability.mig'],
        ['capability.mig'],
      ],
    ],
  },
  {
    machine: 'an unknown Hopper product cut into MIG instances',
    profile: 'hopper-sm90',
    facts: { ...one, ...infer, 'gpu.mig': '1g.18gb' },
    expected: [
      [
        'gpu-scheduling/mig',
        'YES',
        [
          vendor('nvidia'),
          'Hopper GPU (compute capability 9.0) has Multi-Instance GPU (gpu.mig is 1g.18gb)',
          inference,
          count(1),
        ],
      ],
    ],
  },
  {
    machine: 'an RDNA2 card',
    profile: 'rdna2',
    facts: { ...one, ...infer },
    expected: [
      ['cuda/coalescing', 'UNKNOWN', [open('RDNA2 GPU', 'ROCm', 'rocm')], ['capability.rocm']],
      ['profiling-tools/nsight-compute', 'NO', [lacks('RDNA2 GPU', 'CUDA')]],
    ],
  },
  {
    machine: 'an RDNA3 card with ROCm installed',
    profile: 'rdna3',
    facts: { ...one, ...infer, 'gpu.sku': 'Radeon RX 7900 XTX', rocm: '6.4.1' },
    expected: [
      [
        'cuda/coalescing',
        'YES',
        [['Radeon RX 7900 XTX has ROCm (rocm is 6.4.1)', 'Radeon RX 7900 XTX 具备 ROCm（rocm 为 6.4.1）']],
      ],
    ],
  },
  {
    machine: 'an unknown device',
    profile: null,
    facts: { ...infer, 'gpu.count': 4 },
    expected: [
      [
        'cuda/coalescing',
        'UNKNOWN',
        [['needs one of: CUDA, ROCm; the hardware is not known', '需要以下任意一项：CUDA、ROCm，但硬件未知']],
        ['hardware'],
      ],
      ['multi-gpu/nvlink-bandwidth', 'NO', [notTraining]],
      ['cuda/streams', 'YES', [['applies to every environment', '适用于所有环境']]],
    ],
  },
  {
    machine: 'an unknown device of NVIDIA',
    profile: null,
    facts: { ...one, ...infer, vendor: 'nvidia' },
    expected: [
      [
        'profiling-tools/nsight-compute',
        'UNKNOWN',
        [
          [
            'Architecture of the accelerator is not known (architecture must not be pascal)',
            '加速器架构未知（architecture 不得为 pascal）',
          ],
        ],
        ['architecture'],
      ],
      [
        'multi-gpu/fine-grained-parallelism',
        'NO',
        ['needs one of: NVLink, Infinity Fabric, HCCS; this environment has none of them', tooFew],
      ],
    ],
  },
  {
    machine: 'a host without a GPU',
    profile: null,
    facts: { 'gpu.count': 0, 'workload.phase': 'data', 'storage.kind': 'lustre', 'cpu.threads_per_core': 2 },
    expected: [
      [
        'profiling-tools/nsight-compute',
        'NO',
        [['needs CUDA; this environment does not have it', '需要 CUDA，而该环境不具备']],
      ],
      [
        'data-pipeline/gpu-augmentation',
        'NO',
        [
          [
            'needs one of: CUDA, ROCm, CANN; this environment has none of them',
            '需要以下任意一项：CUDA、ROCm、CANN，而该环境均不具备',
          ],
        ],
      ],
      ['architecture/cluster-size', 'NO', ['Number of GPUs on all nodes must be at least 2; it is 0']],
      [
        'data-pipeline/hyperthreading',
        'YES',
        [
          'Workload phase is data',
          'this environment does not have Grace CPU',
          'Hardware threads per CPU core in use is 2',
        ],
      ],
      ['io/striping', 'YES', [['Kind of storage is lustre', '存储类型为 lustre'], 'Workload phase is data']],
    ],
  },
];

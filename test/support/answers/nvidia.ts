import {
  count,
  has,
  infer,
  inference,
  lacks,
  noBf16,
  noFp8,
  noLink,
  noMig,
  nodeOf,
  nodes,
  notTraining,
  one,
  open,
  train,
  training,
  vendor,
  type Scene,
} from './reasons.js';

export const nvidia: readonly Scene[] = [
  {
    machine: '2 RTX 4090',
    profile: 'rtx-4090',
    facts: { ...nodeOf(2), ...train },
    expected: [
      [
        'training/fp8',
        'YES',
        [['GeForce RTX 4090 has FP8 Tensor Cores', 'GeForce RTX 4090 具备 FP8 张量核心'], training],
      ],
      ['multi-gpu/nvlink-bandwidth', 'NO', [noLink('GeForce RTX 4090')]],
      [
        'gpu-scheduling/ecc',
        'UNKNOWN',
        [
          [
            'needs ECC memory; GeForce RTX 4090 alone does not tell, set capability.ecc',
            '需要 ECC 显存，但仅凭 GeForce RTX 4090 无法判断，请填写 capability.ecc',
          ],
        ],
        ['capability.ecc'],
      ],
      [
        'profiling-tools/dcgm',
        'NO',
        [
          'one of these must hold, and none does: (1) Compute capability must be one of 8.0, 9.0, 10.0, 10.3; it is 8.9; ' +
            '(2) GPU model (SKU) must not be RTX 4090 or RTX 5090; it is RTX 4090',
        ],
      ],
      ['launch/thread-block-clusters', 'NO', ['needs Thread block clusters; GeForce RTX 4090 does not have it']],
    ],
  },
  {
    machine: 'one RTX 5090',
    profile: 'rtx-5090',
    facts: { ...one, ...infer },
    expected: [
      [
        'precision/inference-quantization',
        'YES',
        [
          'GeForce RTX 5090 has INT8 Tensor Cores',
          'GeForce RTX 5090 has FP8 Tensor Cores',
          'GeForce RTX 5090 has FP4 Tensor Cores',
          inference,
        ],
      ],
      [
        'launch/thread-block-clusters',
        'YES',
        [['GeForce RTX 5090 has Thread block clusters', 'GeForce RTX 5090 具备线程块集群']],
      ],
      ['gpu-scheduling/mig', 'NO', [noMig('GeForce RTX 5090')]],
    ],
  },
  {
    machine: '8 A100 SXM',
    profile: 'a100-sxm-80gb',
    facts: { ...nodeOf(8), ...train, 'workload.precision': 'fp32' },
    expected: [
      ['precision/fp8-and-fp4', 'NO', [noFp8('A100 SXM4 80GB')]],
      [
        'precision/bf16',
        'YES',
        [['A100 SXM4 80GB has BF16 Tensor Cores', 'A100 SXM4 80GB 具备 BF16 张量核心'], training],
      ],
      ['precision/tf32', 'YES', ['A100 SXM4 80GB has TF32 Tensor Cores', ['Precision is fp32', '精度为 fp32']]],
      [
        'multi-gpu/collective-algorithms',
        'NO',
        [['needs NVLink multicast; A100 SXM4 80GB does not have it', '需要 NVLink 多播，而 A100 SXM4 80GB 不具备']],
      ],
    ],
  },
  {
    machine: '4 A100 SXM',
    profile: 'a100-sxm-80gb',
    facts: { ...nodeOf(4), ...train },
    expected: [
      [
        'gpu-scheduling/fabric-manager',
        'UNKNOWN',
        [open('A100 SXM4 80GB', 'NVSwitch', 'nvswitch')],
        ['capability.nvswitch'],
      ],
    ],
  },
  {
    machine: '8 V100 SXM2',
    profile: 'v100-sxm2-32gb',
    facts: { ...nodeOf(8), ...train },
    expected: [
      ['precision/bf16', 'NO', [noBf16('V100 SXM2 32GB')]],
      ['precision/mixed-precision', 'YES', ['V100 SXM2 32GB has FP16 Tensor Cores', training]],
      ['multi-gpu/nvlink-bandwidth', 'YES', [has('V100 SXM2 32GB', 'NVLink'), training, count(8)]],
      ['multi-gpu/all-to-all-topology', 'NO', [lacks('V100 SXM2 32GB', 'NVSwitch')]],
      [
        'cuda/copy-compute-overlap',
        'NO',
        [
          'needs one of: Asynchronous copy to shared memory, Tensor Memory Accelerator, ROCm; V100 SXM2 32GB has none of them',
        ],
      ],
    ],
  },
  {
    machine: 'one T4',
    profile: 't4',
    facts: { ...one, ...infer },
    expected: [
      ['precision/inference-quantization', 'YES', [['T4 has INT8 Tensor Cores', 'T4 具备 INT8 张量核心'], inference]],
      [
        'precision/structured-sparsity',
        'NO',
        [['needs 2:4 structured sparsity; T4 does not have it', '需要 2:4 结构化稀疏，而 T4 不具备']],
      ],
      ['serving/edge-deployment', 'YES', [inference, 'GPU model (SKU) is T4']],
      ['precision/bf16', 'NO', [noBf16('T4'), notTraining]],
    ],
  },
  {
    machine: 'one L4',
    profile: 'l4',
    facts: { ...one, ...infer },
    expected: [
      ['precision/inference-quantization', 'YES', ['L4 has INT8 Tensor Cores', 'L4 has FP8 Tensor Cores', inference]],
      ['gpu-scheduling/mig', 'NO', [noMig('L4')]],
    ],
  },
  {
    machine: 'one GH200',
    profile: 'gh200-96gb',
    facts: { ...one, ...train, 'cpu.threads_per_core': 1 },
    expected: [
      [
        'superchip/unified-memory',
        'YES',
        [
          ['GH200 96GB has NVLink-C2C', 'GH200 96GB 具备 NVLink-C2C'],
          ['Compute capability is 9.0', '计算能力为 9.0'],
        ],
      ],
      [
        'data-pipeline/hyperthreading',
        'NO',
        [
          'is not for hardware with Grace CPU; GH200 96GB has it',
          'Hardware threads per CPU core in use must be at least 2; it is 1',
        ],
      ],
      [
        'superchip/superchip-algorithms',
        'UNKNOWN',
        [
          [
            'DeepSpeed is not known (deepspeed must be version >=0.18)',
            'DeepSpeed 未知（deepspeed 版本须满足 >=0.18）',
          ],
        ],
        ['deepspeed'],
      ],
    ],
  },
  {
    machine: '2 GH200 of one node',
    profile: 'gh200-96gb',
    facts: { ...nodeOf(2), ...train },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'UNKNOWN', [open('GH200 96GB', 'NVLink', 'nvlink')], ['capability.nvlink']],
    ],
  },
  {
    machine: 'one GB200 NVL72',
    profile: 'gb200-nvl72',
    facts: train,
    expected: [
      [
        'multi-gpu/all-to-all-topology',
        'YES',
        [has('GB200 NVL72', 'NVSwitch'), has('GB200 NVL72', 'NVLink'), count(72)],
      ],
      [
        'multi-gpu/collective-algorithms',
        'YES',
        [
          'GB200 NVL72 has NVLink multicast',
          'GB200 NVL72 has NVLink',
          count(72),
          'Architecture of the accelerator is blackwell',
        ],
      ],
      [
        'multi-gpu/beyond-one-rack',
        'NO',
        [
          [
            'one of these must hold, and none does: (1) is not for hardware with NVLink-C2C; GB200 NVL72 has it; ' +
              '(2) is not for hardware with NVSwitch; GB200 NVL72 has it; ' +
              '(3) Number of GPUs on all nodes must be above 72; it is 72',
            '以下条件须满足其一，但均不满足：（1）不适用于具备 NVLink-C2C 的硬件，而 GB200 NVL72 具备；' +
              '（2）不适用于具备 NVSwitch 的硬件，而 GB200 NVL72 具备；' +
              '（3）GPU 总数（所有节点合计）须大于 72，实际为 72',
          ],
        ],
      ],
      ['training/fp8', 'YES', ['GB200 NVL72 has FP8 Tensor Cores', training]],
      ['network/all-reduce-topology', 'YES', [training, nodes(18)]],
    ],
  },
  {
    machine: '2 GB200 NVL72',
    profile: 'gb200-nvl72',
    facts: { 'gpu.count': 144, 'nodes.count': 36, ...train },
    expected: [['multi-gpu/beyond-one-rack', 'YES', [has('GB200 NVL72', 'NVLink'), nodes(36), count(144)]]],
  },
  {
    machine: '8 B200',
    profile: 'b200-sxm',
    facts: { ...nodeOf(8), ...infer },
    expected: [
      ['multi-gpu/all-to-all-topology', 'YES', [has('B200 SXM', 'NVSwitch'), has('B200 SXM', 'NVLink'), count(8)]],
      ['superchip/grace-cpu', 'NO', ['needs Grace CPU; B200 SXM does not have it']],
      [
        'serving/edge-deployment',
        'NO',
        [
          'one of these must hold, and none does: (1) GPU model (SKU) must be one of Jetson AGX Orin 64GB, Jetson T5000, ' +
            'DGX Spark, L4, T4, A2; it is B200 SXM; (2) Compute capability must be one of 7.2, 8.7, 11.0, 12.1; it is 10.0',
        ],
      ],
    ],
  },
  {
    machine: 'DGX Spark',
    profile: 'dgx-spark',
    facts: { ...one, ...infer },
    expected: [
      [
        'superchip/unified-memory',
        'NO',
        [['Compute capability must not be 12.1; it is 12.1', '计算能力不得为 12.1，实际为 12.1']],
      ],
      ['serving/grace-preprocessing', 'NO', ['Compute capability must not be 12.1; it is 12.1']],
      [
        'precision/structured-sparsity',
        'UNKNOWN',
        ['needs 2:4 structured sparsity; DGX Spark (GB10) alone does not tell, set capability.sparsity-2-4'],
        ['capability.sparsity-2-4'],
      ],
      ['serving/edge-deployment', 'YES', [inference, 'GPU model (SKU) is DGX Spark', 'Compute capability is 12.1']],
    ],
  },
  {
    machine: 'Jetson AGX Orin',
    profile: 'jetson-agx-orin',
    facts: { ...one, ...infer },
    expected: [
      [
        'serving/edge-deployment',
        'YES',
        [inference, 'GPU model (SKU) is Jetson AGX Orin 64GB', 'Compute capability is 8.7'],
      ],
      ['host-os/persistence-mode', 'NO', ['Compute capability must not be 8.7 or 11.0; it is 8.7']],
      [
        'serving/kv-cache-offload',
        'NO',
        ['needs one of: PCIe attachment, NVLink-C2C, CANN; Jetson AGX Orin 64GB has none of them'],
      ],
      ['gpu-scheduling/clocks-and-power-limits', 'YES', [vendor('nvidia')]],
    ],
  },
];

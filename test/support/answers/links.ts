import {
  boardOf8,
  count,
  has,
  infer,
  inference,
  lacks,
  noLink,
  noPhase,
  nodeOf,
  one,
  open,
  tooFew,
  train,
  training,
  vendor,
  type Scene,
} from './reasons.js';

export const links: readonly Scene[] = [
  {
    machine: '8 H100 SXM of one node',
    profile: 'h100-sxm',
    facts: { ...nodeOf(8), ...train },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'YES', [has('H100 SXM', 'NVLink'), training, count(8)]],
      ['multi-gpu/all-to-all-topology', 'YES', [boardOf8, has('H100 SXM', 'NVLink'), count(8)]],
      ['gpu-scheduling/fabric-manager', 'YES', [vendor('nvidia'), boardOf8]],
      [
        'multi-gpu/collective-algorithms',
        'UNKNOWN',
        [
          [
            'one of these must hold, and none is known to hold: (1) NCCL is not known (nccl must be version >=2.17); ' +
              '(2) PyTorch is not known (torch must be version >=2.1)',
            '以下条件须满足其一，但均无法确认：（1）NCCL 未知（nccl 版本须满足 >=2.17）；' +
              '（2）PyTorch 未知（torch 版本须满足 >=2.1）',
          ],
        ],
        ['nccl', 'torch'],
      ],
      [
        'network/accumulation-for-slow-links',
        'NO',
        [
          [
            'one of these must hold, and none does: (1) Number of nodes must be at least 2; it is 1; ' +
              '(2) is not for hardware with NVLink; H100 SXM has it',
            '以下条件须满足其一，但均不满足：（1）节点数须不小于 2，实际为 1；' +
              '（2）不适用于具备 NVLink 的硬件，而 H100 SXM 具备',
          ],
        ],
      ],
    ],
  },
  {
    machine: 'a node of 8 H100 SXM, seen by its tools',
    profile: 'h100-sxm',
    facts: { 'gpu.per_node': 8, ...train },
    expected: [
      [
        'algorithms/optimizer-sharding',
        'YES',
        [['Number of GPUs on all nodes is at least 8', 'GPU 总数（所有节点合计）为 8 或更多'], training],
      ],
      [
        'network/all-reduce-topology',
        'UNKNOWN',
        [['Number of nodes is not known (nodes.count must be at least 2)', '节点数未知（nodes.count 须不小于 2）']],
        ['nodes.count'],
      ],
    ],
  },
  {
    machine: 'one node of 8 H100 SXM, counted by node',
    profile: 'h100-sxm',
    facts: { 'gpu.per_node': 8, 'nodes.count': 1, 'gpu.count': null, ...train },
    expected: [
      [
        'algorithms/pipeline-parallelism',
        'YES',
        [
          ['Number of GPUs on all nodes is 8 (one node of 8)', 'GPU 总数（所有节点合计）为 8（1 个节点，每个 8 块）'],
          training,
        ],
      ],
    ],
  },
  {
    machine: '2 H100 SXM of one node',
    profile: 'h100-sxm',
    facts: { ...nodeOf(2), ...train },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'YES', [has('H100 SXM', 'NVLink'), training, count(2)]],
      ['multi-gpu/all-to-all-topology', 'UNKNOWN', [open('H100 SXM', 'NVSwitch', 'nvswitch')], ['capability.nvswitch']],
    ],
  },
  {
    machine: 'one H100 SXM',
    profile: 'h100-sxm',
    facts: { ...one, ...train },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'NO', [tooFew]],
      [
        'multi-gpu/all-to-all-topology',
        'NO',
        [
          [
            'needs NVSwitch; H100 SXM does not have it (there is one GPU)',
            '需要 NVSwitch，而 H100 SXM 不具备（只有一块 GPU）',
          ],
          tooFew,
        ],
      ],
      [
        'network/nccl-settings',
        'NO',
        [
          'one of these must hold, and none does: (1) Number of nodes must be at least 2; it is 1 (there is one GPU); ' +
            '(2) Number of GPUs on all nodes must be at least 2; it is 1',
        ],
      ],
      ['training/fp8', 'YES', [['H100 SXM has FP8 Tensor Cores', 'H100 SXM 具备 FP8 张量核心'], training]],
    ],
  },
  {
    machine: 'H100 SXM of which nothing else is said',
    profile: 'h100-sxm',
    facts: {},
    expected: [
      [
        'algorithms/optimizer-sharding',
        'UNKNOWN',
        [
          [
            'Number of GPUs on all nodes is not known (gpu.count must be at least 2)',
            'GPU 总数（所有节点合计）未知（gpu.count 须不小于 2）',
          ],
          noPhase,
        ],
        ['gpu.count', 'workload.phase'],
      ],
      ['cuda/cuda-graphs', 'YES', [['applies to every environment', '适用于所有环境']]],
    ],
  },
  {
    machine: '2 H100 PCIe',
    profile: 'h100-pcie',
    facts: { ...nodeOf(2), ...train },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'UNKNOWN', [open('H100 PCIe', 'NVLink', 'nvlink')], ['capability.nvlink']],
      ['multi-gpu/all-to-all-topology', 'NO', [lacks('H100 PCIe', 'NVSwitch')]],
    ],
  },
  {
    machine: '2 H100 PCIe with a bridge',
    profile: 'h100-pcie',
    facts: { ...nodeOf(2), ...train, 'capability.nvlink': true },
    expected: [['multi-gpu/nvlink-bandwidth', 'YES', [has('H100 PCIe', 'NVLink'), training, count(2)]]],
  },
  {
    machine: '8 H100 PCIe without bridges',
    profile: 'h100-pcie',
    facts: { ...nodeOf(8), ...train, 'capability.nvlink': false },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'NO', [noLink('H100 PCIe')]],
      ['gpu-scheduling/fabric-manager', 'NO', [lacks('H100 PCIe', 'NVSwitch')]],
    ],
  },
  {
    machine: 'one H100 PCIe',
    profile: 'h100-pcie',
    facts: { ...one, ...train },
    expected: [['multi-gpu/nvlink-bandwidth', 'NO', [noLink('H100 PCIe'), tooFew]]],
  },
  {
    machine: '2 H100 NVL with a bridge',
    profile: 'h100-nvl',
    facts: { ...nodeOf(2), ...infer, 'capability.nvlink': true },
    expected: [['multi-gpu/fine-grained-parallelism', 'YES', [has('H100 NVL', 'NVLink'), count(2)]]],
  },
  {
    machine: '8 H100 NVL',
    profile: 'h100-nvl',
    facts: { ...nodeOf(8), ...infer },
    expected: [
      ['multi-gpu/fine-grained-parallelism', 'UNKNOWN', [open('H100 NVL', 'NVLink', 'nvlink')], ['capability.nvlink']],
      ['gpu-scheduling/fabric-manager', 'NO', [lacks('H100 NVL', 'NVSwitch')]],
    ],
  },
  {
    machine: '8 L40S',
    profile: 'l40s',
    facts: { ...nodeOf(8), ...train },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'NO', [noLink('L40S')]],
      ['training/sharded-parallelism', 'YES', [count(8), 'L40S does not have Multi-Instance GPU', training]],
      [
        'network/accumulation-for-slow-links',
        'YES',
        [
          training,
          'L40S does not have NVLink-C2C',
          'L40S does not have NVSwitch',
          'L40S does not have NVLink',
          count(8),
          'L40S does not have Infinity Fabric',
          'L40S does not have HCCS',
        ],
      ],
    ],
  },
  {
    machine: '8 H100 SXM cut into MIG instances',
    profile: 'h100-sxm',
    facts: { ...nodeOf(8), ...infer, 'gpu.mig': '1g.10gb' },
    expected: [
      ['multi-gpu/fine-grained-parallelism', 'NO', [noLink('H100 SXM')]],
      [
        'multi-gpu/all-to-all-topology',
        'NO',
        [
          [
            'needs NVLink; H100 SXM does not have it (MIG instances reach no other GPU)',
            '需要 NVLink，而 H100 SXM 不具备（MIG 实例无法访问其他 GPU）',
          ],
        ],
      ],
      [
        'multinode-serving/model-sharding',
        'NO',
        [
          'one of these must hold, and none does: ' +
            '(1) needs NVLink; H100 SXM does not have it (MIG instances reach no other GPU); ' +
            '(2) needs Infinity Fabric; H100 SXM does not have it; ' +
            '(3) needs HCCS; H100 SXM does not have it; ' +
            '(4) is not for hardware with Multi-Instance GPU; H100 SXM has it; ' +
            '(5) MIG profile must be none; it is 1g.10gb',
        ],
      ],
      ['gpu-scheduling/mig', 'YES', [vendor('nvidia'), 'H100 SXM has Multi-Instance GPU', inference]],
      ['serving/tail-latency', 'YES', [inference]],
    ],
  },
  {
    machine: 'one H100 SXM with MIG that trains',
    profile: 'h100-sxm',
    facts: { ...one, ...train, 'gpu.mig': '1g.10gb' },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'NO', [noLink('H100 SXM'), tooFew]],
      ['gpu-scheduling/mig', 'YES', [vendor('nvidia'), 'H100 SXM has Multi-Instance GPU', count(1)]],
    ],
  },
];

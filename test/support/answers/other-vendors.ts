import {
  count,
  has,
  infer,
  inference,
  lacks,
  noFp8,
  nodeOf,
  notTraining,
  one,
  open,
  train,
  training,
  type Scene,
} from './reasons.js';

export const otherVendors: readonly Scene[] = [
  {
    machine: '8 MI300X',
    profile: 'mi300x',
    facts: { ...nodeOf(8), ...train, 'workload.precision': 'fp32', torch: '2.6.0+rocm6.2.4' },
    expected: [
      ['multi-gpu/nvlink-bandwidth', 'YES', [has('MI300X', 'Infinity Fabric'), training, count(8)]],
      ['training/fp8', 'YES', [['MI300X has FP8 Matrix Cores', 'MI300X 具备 FP8 矩阵核心'], training]],
      ['profiling-tools/nsight-systems', 'NO', [lacks('MI300X', 'CUDA')]],
      ['cuda/coalescing', 'YES', [has('MI300X', 'ROCm')]],
      ['launch/dynamic-parallelism', 'NO', [lacks('MI300X', 'CUDA')]],
      [
        'gpu-scheduling/fabric-manager',
        'NO',
        [
          ['Vendor of the accelerator must be nvidia; it is amd', '加速器厂商须为 nvidia，实际为 amd'],
          lacks('MI300X', 'NVSwitch'),
        ],
      ],
      [
        'precision/tf32',
        'NO',
        [
          'one of these must hold, and none does: (1) needs TF32 Tensor Cores; MI300X does not have it; ' +
            '(2) PyTorch must be version >=2.7; it is 2.6.0+rocm6.2.4; ' +
            '(3) Architecture of the accelerator must be cdna4; it is cdna3, ' +
            'and ROCm must be version >=7.0; it is 6.2.4 (PyTorch is 2.6.0+rocm6.2.4), ' +
            'and PyTorch must be version >=2.7; it is 2.6.0+rocm6.2.4; ' +
            '(4) needs BF16 Cube units; MI300X does not have it',
        ],
      ],
    ],
  },
  {
    machine: 'one MI300X with ROCm 7',
    profile: 'mi300x',
    facts: { ...one, ...infer, torch: '2.9.0+rocm7.0', 'workload.precision': 'fp32' },
    expected: [
      ['precision/tf32', 'YES', ['MI300X has TF32 Matrix Cores', 'PyTorch is 2.9.0+rocm7.0', 'Precision is fp32']],
      [
        'precision/structured-sparsity',
        'YES',
        [
          ['MI300X has 2:4 structured sparsity', 'MI300X 具备 2:4 结构化稀疏'],
          ['ROCm is 7.0 (PyTorch is 2.9.0+rocm7.0)', 'ROCm 为 7.0（PyTorch 为 2.9.0+rocm7.0）'],
          inference,
        ],
      ],
      [
        'inference/triton-dynamic-batching',
        'UNKNOWN',
        [
          'Framework or engine is not known (workload.framework must not be vllm or vllm-ascend or sglang or tensorrt-llm ' +
            'or trt-llm or trtllm or dynamo or llm-d or lmdeploy or tgi or text-generation-inference or llama.cpp or ollama)',
        ],
        ['workload.framework'],
      ],
    ],
  },
  {
    machine: 'MI300X serving with a ROCm that is not known',
    profile: 'mi300x',
    facts: { ...one, ...infer },
    expected: [
      [
        'precision/structured-sparsity',
        'UNKNOWN',
        [['ROCm is not known (rocm must be version >=7.0)', 'ROCm 未知（rocm 版本须满足 >=7.0）']],
        ['rocm'],
      ],
    ],
  },
  {
    machine: '4 MI250X',
    profile: 'mi250x',
    facts: { ...nodeOf(4), ...infer },
    expected: [
      ['precision/fp8-and-fp4', 'NO', [noFp8('MI250X'), notTraining]],
      ['multi-gpu/fine-grained-parallelism', 'YES', [has('MI250X', 'Infinity Fabric'), count(4)]],
      [
        'inference/triton-dynamic-batching',
        'NO',
        [
          'one of these must hold, and none does: (1) needs CUDA; MI250X does not have it; ' +
            '(2) Architecture of the accelerator must be one of cdna3, cdna4; it is cdna2',
        ],
      ],
    ],
  },
  {
    machine: '8 Ascend 910B',
    profile: 'ascend-910b',
    facts: { ...nodeOf(8), ...train, torch: '2.7.1' },
    expected: [
      ['precision/bf16', 'YES', [['Ascend 910B has BF16 Cube units', 'Ascend 910B 具备 BF16 Cube 计算单元'], training]],
      ['precision/fp8-and-fp4', 'NO', [noFp8('Ascend 910B')]],
      ['multi-gpu/nvlink-bandwidth', 'UNKNOWN', [open('Ascend 910B', 'HCCS', 'hccs')], ['capability.hccs']],
      [
        'cuda/coalescing',
        'NO',
        [
          [
            'needs one of: CUDA, ROCm; Ascend 910B has none of them',
            '需要以下任意一项：CUDA、ROCm，而 Ascend 910B 均不具备',
          ],
        ],
      ],
      ['cuda/triton-custom-ops', 'YES', ['Ascend 910B has BF16 Cube units', 'PyTorch is 2.7.1']],
    ],
  },
  {
    machine: '16 Ascend 910C',
    profile: 'ascend-910c',
    facts: { ...nodeOf(16), ...infer },
    expected: [
      ['multi-gpu/fine-grained-parallelism', 'YES', [has('Ascend 910C', 'HCCS'), count(16)]],
      [
        'precision/structured-sparsity',
        'NO',
        [
          'one of these must hold, and none does: (1) needs CUDA; Ascend 910C does not have it; ' +
            '(2) needs ROCm; Ascend 910C does not have it',
        ],
      ],
    ],
  },
];

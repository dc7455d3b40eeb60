import { describe, expect, it } from '@jest/globals';
import { facts, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { sglangCheckEnv } from './collect-env-sglang.js';

describe('check_env of SGLang', () => {
  it('reads versions, GPUs and the hypervisor, and leaves the topology alone', () => {
    expect(facts(sglangCheckEnv, output('collect-env/sglang.txt'))).toEqual({
      python: '3.12.3',
      'cuda.toolkit': '12.9.86',
      driver: '575.57.08',
      torch: '2.8.0+cu129',
      'host.virtual': true,
      'gpu.name': 'NVIDIA H200',
      'gpu.per_node': 4,
      'gpu.count': 4,
      'gpu.computeCapability': '9.0',
      sglang: '0.5.4',
      triton: '3.4.0',
    });
  });

  it('takes what ROCm prints there for no compute capability', () => {
    expect(facts(sglangCheckEnv, output('collect-env/sglang-rocm.txt'))).toEqual({
      python: '3.12.8',
      rocm: '6.3.42131-fa1d09cbd',
      driver: '6.10.5',
      torch: '2.6.0a0+git0a1b2c3',
      'gpu.name': 'AMD Instinct MI300A',
      'gpu.per_node': 2,
      'gpu.count': 2,
      sglang: '0.4.5',
      triton: '3.2.0+git4d5e6f70',
    });
  });

  it('reads two outputs apart, and nothing without SGLang', () => {
    expect(read(sglangCheckEnv, output('collect-env/sglang.txt') + output('collect-env/sglang-rocm.txt'))).toHaveLength(2); // prettier-ignore
    expect(read(sglangCheckEnv, 'Python: 3.12.3\nPyTorch: 2.8.0\ntriton: 3.4.0\n')).toEqual([]);
  });

  it('reads broken copies without a fault', () => {
    const texts = [output('collect-env/sglang.txt'), output('collect-env/sglang-rocm.txt')];
    expect(faultsWhenBroken(sglangCheckEnv, texts)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { unknownKeys } from './unknown-keys.js';

const registry = {
  facts: new Set(['vendor', 'gpu.sku', 'nodes.count', 'env.*', 'workload.parallelism.*']),
  capabilities: new Set(['nvlink', 'mig']),
};

describe('unknownKeys', () => {
  it('names keys that neither the registry nor a family covers, in order', () => {
    const facts = {
      vendor: 'amd',
      nodes: 2,
      'gpu.vendor': 'amd',
      'gpu.sku': 'MI300X',
      'nodes.count': null,
      'Gpu.sku': 'x',
    };
    expect(unknownKeys(facts, registry)).toEqual(['Gpu.sku', 'gpu.vendor', 'nodes']);
  });

  it('knows the members of a family, yet not the family itself', () => {
    const facts = { 'env.NCCL_ALGO': 'Ring', 'workload.parallelism.tp': 8, env: 1, 'env.*': 1 };
    expect(unknownKeys(facts, registry)).toEqual(['env', 'env.*']);
  });

  it('knows capabilities that exist, one by one or as a list', () => {
    const facts = { 'capability.mig': true, 'capability.nvlnk': true, capabilities: ['nvlink', 'mig'] };
    expect(unknownKeys(facts, registry)).toEqual(['capability.nvlnk']);
    expect(unknownKeys({ capabilities: ['nvlink', 'nvlnk'] }, registry)).toEqual(['capabilities']);
    expect(unknownKeys({ capabilities: 'nvlink' }, registry)).toEqual(['capabilities']);
  });
});

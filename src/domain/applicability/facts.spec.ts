import { describe, expect, it } from '@jest/globals';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { hasCapability, isOpen, knownFacts } from './facts.js';

const hgx = {
  name: 'H100 SXM',
  capabilities: ['cuda', 'nvlink', 'mig'],
  facts: { vendor: 'nvidia', 'gpu.memory': 80, 'capability.nvswitch': 'unknown' },
};

describe('knownFacts', () => {
  it('lets the environment win over the profile', () => {
    expect(knownFacts(hgx, { 'gpu.memory': 96 }).facts['gpu.memory']).toBe(96);
  });

  it('keeps the name of the product, whatever the driver calls it', () => {
    const named = { ...hgx, facts: { ...hgx.facts, 'gpu.sku': 'H100 SXM' } };
    expect(knownFacts(named, { 'gpu.sku': 'H100 80GB HBM3' }).facts['gpu.sku']).toBe('H100 SXM');
    expect(knownFacts(null, { 'gpu.sku': 'H100 80GB HBM3' }).facts['gpu.sku']).toBe('H100 80GB HBM3');
  });

  it('keeps the fact of the profile where the environment does not know it', () => {
    expect(knownFacts(hgx, { 'gpu.memory': null }).facts['gpu.memory']).toBe(80);
  });

  it('extends and cuts the list of the profile by what the environment states', () => {
    const known = knownFacts(hgx, { 'capability.nvswitch': true, 'capability.mig': false });
    expect(known.capabilities).toEqual(['cuda', 'nvlink', 'nvswitch']);
  });

  it('adds the capabilities that the environment lists', () => {
    const known = knownFacts(hgx, { capabilities: ['nvswitch', 'liquid-cooling'] });
    expect(known.capabilities).toEqual(['cuda', 'nvlink', 'mig', 'nvswitch', 'liquid-cooling']);
  });

  it.each<[FactValue, FactValue]>([
    ['inference', ['prefill', 'decode']],
    [' Inference ', ['prefill', 'decode']],
    [
      ['training', 'inference', 'decode'],
      ['training', 'prefill', 'decode'],
    ],
    ['decode', 'decode'],
    [
      ['data', 'training'],
      ['data', 'training'],
    ],
    ['Inferenz', 'Inferenz'],
    [
      ['Training', 1],
      ['Training', 1],
    ],
  ])('reads the phase %j as %j', (phase, expected) => {
    expect(knownFacts(hgx, { 'workload.phase': phase }).facts['workload.phase']).toEqual(expected);
  });

  it('knows no list for an unknown device, yet keeps what the environment states', () => {
    const known = knownFacts(null, { capabilities: ['nvlink'], 'capability.mig': false });
    expect(known.capabilities).toBeNull();
    expect(known.hardwareName).toBeNull();
    expect(hasCapability(known, 'nvlink')).toBe(true);
    expect(hasCapability(known, 'mig')).toBe(false);
    expect(hasCapability(known, 'cuda')).toBeUndefined();
  });
});

describe('knownFacts, what follows from facts', () => {
  it('is added, with the reason', () => {
    const known = knownFacts(hgx, { torch: '2.11.0+cu130', 'gpu.per_node': 8, 'nodes.count': 2 });
    expect(known.facts).toMatchObject({ cuda: '13.0', 'gpu.count': 16 });
    expect([...known.derived]).toEqual([
      ['cuda', { en: 'PyTorch is 2.11.0+cu130', zh: 'PyTorch 为 2.11.0+cu130' }],
      ['gpu.count', { en: '2 nodes of 8', zh: '2 个节点，每个 8 块' }],
    ]);
  });

  it('does not replace what the profile or the environment states', () => {
    const stated = { torch: '2.11.0+cu130', cuda: '12.9', vendor: 'nvidia', 'capability.rocm': true };
    const known = knownFacts(null, stated);
    expect(known.facts).toEqual({ ...stated, 'capability.cuda': true, 'capability.cann': false });
    expect([...known.derived.keys()]).toEqual(['capability.cuda', 'capability.cann']);
    expect(knownFacts({ ...hgx, facts: { 'nodes.count': 2, 'gpu.count': 72 } }, {}).facts).toEqual({
      'nodes.count': 2,
      'gpu.count': 72,
      'gpu.per_node': 36,
    });
  });

  it('is added where the environment says that it does not know', () => {
    expect(knownFacts(null, { torch: '2.11.0+cu130', cuda: null }).facts).toEqual({
      torch: '2.11.0+cu130',
      cuda: '13.0',
    });
  });

  it('takes the links from a MIG slice, also those that the environment states, and not the switches', () => {
    const slice = knownFacts(hgx, { 'gpu.mig': '1g.10gb' });
    expect(hasCapability(slice, 'nvlink')).toBe(false);
    expect(slice.capabilities).toEqual(['cuda', 'mig']);
    expect(hasCapability(knownFacts(hgx, { 'gpu.mig': '1g.10gb', 'capability.nvlink': true }), 'nvlink')).toBe(false);
    expect(hasCapability(knownFacts(hgx, { 'gpu.mig': '1g.10gb', capabilities: ['nvlink'] }), 'nvlink')).toBe(false);
  });

  it.each<[Facts, readonly (readonly [string, number])[]]>([
    [{ 'gpu.per_node': 8 }, [['gpu.count', 8]]],
    [{ 'gpu.per_node': '8', 'gpu.count': null }, [['gpu.count', 8]]],
    [{ 'gpu.per_node': 8, 'gpu.count': 8 }, []],
    [{ 'gpu.per_node': 8, 'nodes.count': 2 }, []],
    [{ 'gpu.per_node': 'eight' }, []],
    [{ 'gpu.per_node': [4, 8] }, []],
    [{}, []],
  ])('knows a lower bound of the GPUs of all nodes: %j', (environment, expected) => {
    expect([...knownFacts(null, environment).atLeast]).toEqual(expected);
  });

  it('knows that a host without a GPU can do nothing that takes one', () => {
    const host = knownFacts(null, { 'gpu.per_node': 0, 'capability.nvlink': 'unknown' });
    expect(host.capabilities).toEqual([]);
    expect(hasCapability(host, 'cuda')).toBe(false);
    expect(knownFacts(null, { 'gpu.per_node': null }).capabilities).toBeNull();
  });
});

describe('knownFacts, the name of the hardware', () => {
  const generic = { ...hgx, name: 'NVIDIA Hopper', isGeneric: true };

  it('is that of the profile, and for a generic one that of the product', () => {
    expect(knownFacts(hgx, { 'gpu.sku': 'H100 80GB HBM3' }).hardwareName).toBe('H100 SXM');
    expect(knownFacts(generic, { 'gpu.sku': 'H20', 'gpu.name': 'NVIDIA H20' }).hardwareName).toBe('H20');
    expect(knownFacts(generic, { 'gpu.name': 'NVIDIA H20' }).hardwareName).toBe('NVIDIA H20');
    expect(knownFacts(generic, { 'gpu.name': ['NVIDIA H20', 'NVIDIA H100'] }).hardwareName).toBe('NVIDIA Hopper');
    expect(knownFacts(generic, {}).hardwareName).toBe('NVIDIA Hopper');
  });
});

describe('isOpen', () => {
  it('is true only for what the profile leaves open and the environment does not settle', () => {
    expect(isOpen(knownFacts(hgx, {}), 'nvswitch')).toBe(true);
    expect(isOpen(knownFacts(hgx, { 'capability.nvswitch': false }), 'nvswitch')).toBe(false);
    expect(isOpen(knownFacts(hgx, {}), 'liquid-cooling')).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { FactValue } from '../measurement/environment-diff.js';
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

describe('isOpen', () => {
  it('is true only for what the profile leaves open and the environment does not settle', () => {
    expect(isOpen(knownFacts(hgx, {}), 'nvswitch')).toBe(true);
    expect(isOpen(knownFacts(hgx, { 'capability.nvswitch': false }), 'nvswitch')).toBe(false);
    expect(isOpen(knownFacts(hgx, {}), 'liquid-cooling')).toBe(false);
  });
});

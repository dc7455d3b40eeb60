import { describe, expect, it } from '@jest/globals';
import { normalFacts, normalPrintedFacts, productNames } from './normal-facts.js';

const products = productNames([
  { slug: 'h100-sxm', name: 'H100 SXM', isGeneric: false, printed: ['NVIDIA H100 80GB HBM3', 'H100*'], facts: { 'gpu.sku': 'H100 SXM' } },
  { slug: 'hgx-h100', name: 'HGX H100', isGeneric: false, printed: ['NVIDIA H100 80GB HBM3'], facts: { 'gpu.sku': 'H100 SXM' } },
  { slug: 'one', name: 'One', isGeneric: false, printed: ['Twin'], facts: { 'gpu.sku': 'One 40GB' } },
  { slug: 'two', name: 'Two', isGeneric: false, printed: ['Twin'], facts: { 'gpu.sku': 'Two 80GB' } },
  { slug: 'any', name: 'Any', isGeneric: true, printed: [], facts: { 'gpu.sku': 'Any' } },
]); // prettier-ignore

const words = {
  products,
  amounts: new Set(['gpu.power_limit']),
  values: new Map([
    ['workload.precision', { values: [{ value: 'bf16', also: ['bfloat16'] }], isClosed: false, least: null }],
    ['fabric.kind', { values: [{ value: 'roce', also: ['rocev2'] }], isClosed: true, least: null }],
    ['gpu.count', { values: [], isClosed: false, least: 0 }],
  ]),
};

describe('facts as they are compared', () => {
  it.each([
    ['gpu.sku', 'H100 80GB HBM3', 'H100 SXM'],
    ['gpu.sku', 'NVIDIA H100-80GB-HBM3', 'H100 SXM'],
    ['gpu.sku', 'h100-sxm', 'H100 SXM'],
    ['gpu.sku', 'Twin', 'Twin'],
    ['gpu.sku', 'any', 'any'],
    ['workload.precision', 'BF16', 'bf16'],
    ['workload.precision', 'torch.bfloat16', 'bf16'],
    ['workload.concurrency', '32', 32],
    ['gpu.power_limit', '700', 700],
    ['gpu.count', '8', 8],
    ['cuda', 12.8, '12.8'],
    ['gpu.computeCapability', 9, '9'],
    ['workload.settings.layers', '32', '32'],
    ['fabric.kind', 'RoCEv2', 'roce'],
  ])('%s of %j is %j', (key, given, expected) => {
    expect(normalFacts({ [key]: given }, words, 'environment')).toEqual({ [key]: expected });
    expect(normalPrintedFacts({ [key]: given }, words)).toEqual({ [key]: expected });
  });

  it('refuse a word that a closed list lacks where a person gives it, and keep it where a tool printed it', () => {
    const facts = { 'fabric.kind': 'telegraph' };
    expect(() => normalFacts(facts, words, 'environment')).toThrow(
      'environment.fabric.kind "telegraph" is none of roce',
    );
    expect(normalPrintedFacts(facts, words)).toEqual(facts);
  });
});

import type { Facts } from '../measurement/environment-diff.js';

/** What the name of a GPU says, as drivers write it: `NVIDIA H200` is vendor `nvidia`, SKU `H200`. */
export function gpuFacts(name: string): Facts {
  const full = name.trim().replace(/\s+/g, ' ');
  if (full === '') return {};
  const vendor = vendorOf(full);
  const form = formOf(full);
  return {
    'gpu.name': full,
    'gpu.sku': full.replace(/^(NVIDIA|Tesla|AMD Instinct|AMD|Instinct|Huawei)\s+(Tesla\s+)?/i, ''),
    ...(vendor ? { vendor } : {}),
    ...(form ? { 'gpu.form': form } : {}),
  };
}

/** The architecture of an NVIDIA compute capability such as `9.0`, or null. */
export function architectureOf(computeCapability: string): string | null {
  if (computeCapability === '7.5') return 'turing';
  if (computeCapability === '8.9') return 'ada';
  return architectures[computeCapability.split('.')[0] ?? ''] ?? null;
}

const architectures: Readonly<Record<string, string>> = {
  7: 'volta',
  8: 'ampere',
  9: 'hopper',
  10: 'blackwell',
  11: 'blackwell',
  12: 'blackwell',
};

function vendorOf(name: string): string | null {
  if (/NVIDIA|Tesla|GeForce|Quadro|^(GB|GH|[ABHLTV])\d{1,3}\b/.test(name)) return 'nvidia';
  if (/AMD|Instinct|Radeon|^MI\d{3}/.test(name)) return 'amd';
  return /Ascend|Huawei|^910/.test(name) ? 'huawei' : null;
}

function formOf(name: string): string | null {
  if (/SXM/i.test(name)) return 'sxm';
  if (/PCIe/i.test(name)) return 'pcie';
  if (/\bNVL\b/i.test(name)) return 'nvl';
  return /\bOAM\b/i.test(name) ? 'oam' : null;
}

import type { Facts } from '../../measurement/environment-diff.js';
import { architectureOf, gpuFacts } from '../gpu.js';

/** Environment of the laboratory -> key of the registry. What is not here (date, seed) is no fact. */
const environmentKeys: Readonly<Record<string, string>> = {
  gpu_count: 'gpu.count',
  compute_capability: 'gpu.computeCapability',
  multiprocessors: 'gpu.multiprocessors',
  driver: 'driver',
  cuda: 'cuda',
  rocm: 'rocm',
  nccl: 'nccl',
  torch: 'torch',
  triton: 'triton',
  python: 'python',
  os: 'os',
  image: 'image',
  cpu: 'cpu.name',
  cpu_cores: 'cpu.cores',
  virtual_machine: 'host.virtual',
};

/** The facts that a result states of its machine. */
export function environmentOf(found: Readonly<Record<string, unknown>>): Facts {
  const plain = Object.entries(environmentKeys).flatMap(([from, to]) => {
    const value = found[from];
    return isScalar(value) ? [[to, value] as const] : [];
  });
  const capability = found.compute_capability;
  const architecture = typeof capability === 'string' ? architectureOf(capability) : null;
  return {
    ...(typeof found.gpu === 'string' ? gpuFacts(found.gpu) : {}),
    ...(architecture ? { architecture } : {}),
    ...Object.fromEntries(plain),
    ...(found.cudnn === undefined ? {} : { cudnn: cudnnVersion(found.cudnn) }),
  };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** 91900 is 9.19.0; before version 9 the number was shorter, 8902 is 8.9.2. */
function cudnnVersion(found: unknown): string {
  if (typeof found !== 'number') return String(found);
  const major = found >= 10_000 ? 10_000 : 1_000;
  return `${Math.floor(found / major)}.${Math.floor((found % major) / 100)}.${found % 100}`;
}

import type { Finding, ReadingProblem } from './reader.js';
import { ownValue } from '../../own-value.js';

/** A Python package as pip or conda lists it. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly line: number;
}

const keys: Readonly<Record<string, string>> = {
  torch: 'torch',
  triton: 'triton',
  'pytorch-triton': 'triton',
  'pytorch-triton-rocm': 'triton',
  'triton-rocm': 'triton',
  torchtriton: 'triton',
  vllm: 'vllm',
  sglang: 'sglang',
  'tensorrt-llm': 'tensorrtLlm',
  'transformer-engine': 'transformerEngine',
  'flash-attn': 'flashAttention',
  deepspeed: 'deepspeed',
  'megatron-core': 'megatronCore',
  jax: 'jax',
  'torch-npu': 'torchNpu',
  'nvidia-nccl': 'nccl',
  'nvidia-cudnn': 'cudnn',
};

/** What conda calls the libraries that are wheels at PyPI. */
const condaKeys: Readonly<Record<string, string>> = { pytorch: 'torch', nccl: 'nccl', cudnn: 'cudnn' };

/** Names are equal whatever their case and separators; NVIDIA's end with the CUDA release that they are for. */
function normalized(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_.]+/g, '-')
    .replace(/^(nvidia-(?:nccl|cudnn))-cu\d{2}$/, '$1');
}

/** The fact that the version of this package is, undefined where it is none. */
export function packageFact(name: string): string | undefined {
  const key = normalized(name);
  return ownValue(keys, key);
}

function condaFact(name: string): string | undefined {
  return Object.hasOwn(condaKeys, name) ? condaKeys[name] : packageFact(name);
}

const version = /^v?\d[\w.+!-]{0,80}$/;

interface Facts {
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadingProblem[];
}

/**
 * Versions of the packages that matter. What pip lists is what Python imports, so that it wins over conda. Two wheels
 * for one fact with different versions, such as NCCL for CUDA 12 and 13, give a problem instead of a guess.
 */
export function packageFacts(pip: readonly Package[], conda: readonly Package[] = []): Facts {
  const fromPip = versionsOf(pip, packageFact);
  const fromConda = versionsOf(conda, condaFact);
  const findings: Finding[] = [];
  const problems: ReadingProblem[] = [];
  for (const [key, packages] of new Map([...fromConda, ...fromPip])) {
    const [first] = packages;
    const versions = new Set(packages.map((each) => each.version));
    if (first && versions.size === 1) findings.push({ key, value: first.version, line: first.line });
    else if (first) problems.push(twoVersions(first.line, packages));
  }
  return { findings, problems };
}

function versionsOf(
  packages: readonly Package[],
  factOf: (name: string) => string | undefined,
): Map<string, Package[]> {
  const found = new Map<string, Package[]>();
  for (const each of packages) {
    const key = factOf(each.name);
    if (!key || !version.test(each.version)) continue;
    const before = found.get(key);
    if (before) before.push(each);
    else found.set(key, [each]);
  }
  return found;
}

function twoVersions(line: number, packages: readonly Package[]): ReadingProblem {
  const distinct = [...new Set(packages.map((each) => `${each.name} ${each.version}`))].slice(0, 4);
  return {
    line,
    message: {
      en: `Which of these is in use cannot be told: ${distinct.join(', ')}`,
      zh: `无法判断实际使用的是哪一个：${distinct.join('、')}`,
    },
  };
}

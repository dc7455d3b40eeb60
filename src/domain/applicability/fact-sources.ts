import type { KnownFacts } from './facts.js';

/** What describes the accelerators of each vendor; where the vendor is not known, most have the first. */
const ofDevices: Readonly<Record<string, string>> = {
  nvidia: 'nvidia-smi -q',
  amd: 'amd-smi static',
  huawei: 'npu-smi info',
};
const device = /^hardware$|^gpu\.|^driver|^pcie\./;

/** The command whose output tells a fact, by its key; what only a person can tell is not in it. */
const commands: readonly (readonly [RegExp, string])[] = [
  [/^capability\.(nvlink|nvswitch|nvlink-multicast)$/, 'nvidia-smi topo -m'],
  [/^capability\.infinity-fabric$/, 'amd-smi topology'],
  [/^capability\.hccs$/, 'npu-smi info -t topo'],
  [/^fabric\.|^nic\./, 'ibstat'],
  [/^numa\.|^cpu\.|^host\.virtual$/, 'lscpu'],
  [/^host\.memory$/, 'numactl --hardware'],
  [/^cuda\.toolkit$/, 'nvcc --version'],
  [/^rocm$/, 'amd-smi version'],
  [/^cann$/, 'cat ascend_toolkit_install.info'],
  [
    /^(cuda|cudnn|torch|triton|nccl|rccl|python|os|kernel|vllm|sglang|tensorrtLlm|transformerEngine|flashAttention|deepspeed|megatronCore|jax|torchNpu)$/,
    'python -m torch.utils.collect_env',
  ],
];

/** The command whose output tells this fact of a machine; null for what only a person can tell, such as the workload. */
export function commandFor(key: string, { facts }: Pick<KnownFacts, 'facts'>): string | null {
  // Where the GPUs of one node are counted, nobody but a person can tell how many nodes there are
  if (key === 'gpu.count' && typeof facts['gpu.per_node'] === 'number') return null;
  if (device.test(key)) return ofDevices[String(facts['vendor']).toLowerCase()] ?? 'nvidia-smi -q';
  return commands.find(([pattern]) => pattern.test(key))?.[1] ?? null;
}

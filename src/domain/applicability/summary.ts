import type { BothLanguages } from '../locale.js';
import { hasCapability, type KnownFacts } from './facts.js';

const links = [
  ['nvswitch', 'NVSwitch'],
  ['nvlink', 'NVLink'],
  ['infinity-fabric', 'Infinity Fabric'],
  ['hccs', 'HCCS'],
] as const;

/** A machine in a few words: "H200 SXM, 8 GPUs, NVSwitch". */
export function machineSummary(known: KnownFacts): BothLanguages {
  const count = known.facts['gpu.per_node'];
  const nodes = known.facts['nodes.count'];
  const link = links.find(([capability]) => hasCapability(known, capability) === true)?.[1];
  const mig = known.facts['gpu.mig'];
  const isMig = typeof mig === 'string' && mig !== 'none';
  const name = known.hardwareName ?? known.facts['gpu.name'];
  const parts: BothLanguages[] = [
    typeof name === 'string' ? { en: name, zh: name } : { en: 'unknown hardware', zh: '未知硬件' },
    ...(typeof count === 'number' ? [{ en: count === 1 ? '1 GPU' : `${count} GPUs`, zh: `${count} 块 GPU` }] : []),
    ...(isMig
      ? [{ en: `MIG ${mig === 'enabled' ? 'on' : mig}`, zh: mig === 'enabled' ? '已启用 MIG' : `MIG ${mig}` }]
      : []),
    // One GPU has nobody to talk to
    ...(link !== undefined && count !== 1 && !isMig ? [{ en: link, zh: link }] : []),
    ...(typeof nodes === 'number' && nodes > 1 ? [{ en: `${nodes} nodes`, zh: `${nodes} 个节点` }] : []),
  ];
  return { en: parts.map(({ en }) => en).join(', '), zh: parts.map(({ zh }) => zh).join('，') };
}

import type { BothLanguages } from '../locale.js';
import type { FactValue } from '../measurement/environment-diff.js';

/** A fact that nobody stated and that follows from others, with the reason. */
interface Derived {
  readonly key: string;
  readonly value: Exclude<FactValue, null>;
  readonly because: BothLanguages;
  /** It stands over what was stated: of the machine as it is used, not as it was built. */
  readonly isOver?: boolean;
}

type Given = ReadonlyMap<string, FactValue>;

/**
 * What follows from the facts of an environment: the CUDA of a PyTorch build, the GPUs of a node, the links that a board
 * of eight has and that a MIG slice or a single GPU lacks. A stated fact is never replaced, except that MIG takes the
 * links from hardware that has them. `isOpen` tells whether a capability is neither listed nor ruled out, `isAbsent`
 * whether the hardware lacks it.
 */
export function derivedFacts(
  given: Given,
  isOpen: (capability: string) => boolean,
  isAbsent: (capability: string) => boolean = () => false,
): readonly Derived[] {
  const settled = [...derivedVersions(given), ...derivedCounts(given), ...derivedRdma(given)];
  const facts = new Map([...given, ...settled.map(({ key, value }) => [key, value] as const)]);
  return [
    ...settled,
    ...derivedPlatforms(facts, isOpen),
    ...derivedMig(facts, isOpen),
    ...derivedLinks(facts, isOpen, isAbsent),
  ];
}

/** InfiniBand and RoCE are RDMA; without a fabric there is none. Ethernet alone does not tell. */
function derivedRdma(given: Given): readonly Derived[] {
  const kind = given.get('fabric.kind');
  const hasRdma = typeof kind === 'string' ? rdmaOf[kind] : undefined;
  if (hasRdma === undefined || !isMissing(given, 'fabric.rdma')) return [];
  const because = { en: `the fabric is ${String(kind)}`, zh: `互连类型为 ${String(kind)}` };
  return [{ key: 'fabric.rdma', value: hasRdma, because }];
}

const rdmaOf: Readonly<Record<string, boolean>> = { infiniband: true, roce: true, none: false };

/** What runs on the accelerators of each vendor. */
const platformOf: Readonly<Record<string, string>> = { nvidia: 'cuda', amd: 'rocm', huawei: 'cann' };

function derivedPlatforms(given: Given, isOpen: (capability: string) => boolean): readonly Derived[] {
  const vendor = given.get('vendor');
  const own = typeof vendor === 'string' ? platformOf[vendor.trim().toLowerCase()] : undefined;
  if (own === undefined) return [];
  const because = { en: `the vendor is ${String(vendor)}`, zh: `厂商为 ${String(vendor)}` };
  return Object.values(platformOf)
    .filter(isOpen)
    .flatMap((capability): readonly Derived[] => {
      const key = `capability.${capability}`;
      if (isMissing(given, key)) return [{ key, value: capability === own, because }];
      // A profile that leaves it open knows more than the vendor's name: ROCm does not run on every Radeon
      if (capability !== own || isMissing(given, own)) return [];
      const version = String(given.get(own));
      return [{ key, value: true, because: { en: `${own} is ${version}`, zh: `${own} 为 ${version}` } }];
    });
}

function derivedMig(given: Given, isOpen: (capability: string) => boolean): readonly Derived[] {
  const mig = given.get('gpu.mig');
  if (!isMig(mig) || !isOpen('mig')) return [];
  const profiles = [mig].flat();
  const because = { en: `gpu.mig is ${profiles.join(', ')}`, zh: `gpu.mig 为 ${profiles.join('、')}` };
  return [{ key: 'capability.mig', value: true, because }];
}

function derivedVersions(given: Given): readonly Derived[] {
  const torch = given.get('torch');
  if (typeof torch !== 'string') return [];
  const cuda = /\+cu(\d{1,2})(\d)\b/.exec(torch);
  const rocm = /\+rocm(\d+(?:\.\d+)+)/.exec(torch);
  const because = { en: `PyTorch is ${torch}`, zh: `PyTorch 为 ${torch}` };
  return [
    ...(cuda && isMissing(given, 'cuda') ? [{ key: 'cuda', value: `${cuda[1]}.${cuda[2]}`, because }] : []),
    ...(rocm && isMissing(given, 'rocm') ? [{ key: 'rocm', value: rocm[1] ?? '', because }] : []),
  ];
}

function derivedCounts(given: Given): readonly Derived[] {
  const [all, perNode, nodes] = [count(given, 'gpu.count'), count(given, 'gpu.per_node'), count(given, 'nodes.count')];
  const add = (key: string, value: number, en: string, zh: string): Derived => ({ key, value, because: { en, zh } });
  const nodesText = nodes === 1 ? 'one node' : `${nodes} nodes`;
  if (all === 1) {
    const [en, zh] = ['there is one GPU', '只有一块 GPU'];
    return [
      ...(perNode === null ? [add('gpu.per_node', 1, en, zh)] : []),
      ...(nodes === null ? [add('nodes.count', 1, en, zh)] : []),
    ];
  }
  if (all === null && perNode !== null && nodes !== null) {
    return [add('gpu.count', perNode * nodes, `${nodesText} of ${perNode}`, `${nodes} 个节点，每个 ${perNode} 块`)];
  }
  if (all !== null && nodes === null && perNode !== null && all % perNode === 0) {
    return [add('nodes.count', all / perNode, `${all} GPUs, ${perNode} a node`, `共 ${all} 块，每节点 ${perNode} 块`)];
  }
  if (all !== null && nodes !== null && perNode === null && nodes > 0 && all % nodes === 0) {
    const [en, zh] = [`${all} GPUs on ${nodesText}`, `${nodes} 个节点共 ${all} 块`];
    return [add('gpu.per_node', all / nodes, en, zh)];
  }
  return [];
}

/** Links from GPU to GPU, which a slice of a GPU cannot use and a single GPU has no partner for. */
const links = ['nvlink', 'nvswitch', 'nvlink-multicast', 'infinity-fabric', 'hccs'];
/** A board with SXM modules joins this many through NVSwitch; four are joined directly, or are part of such a board. */
const switchedBoards = new Set([8, 16]);
/** What the switches of such boards do; Volta joined eight modules without any. */
const switchesOf: Readonly<Record<string, readonly string[]>> = {
  ampere: ['nvswitch'],
  hopper: ['nvswitch', 'nvlink-multicast'],
  blackwell: ['nvswitch', 'nvlink-multicast'],
};

function derivedLinks(
  facts: Given,
  isOpen: (capability: string) => boolean,
  isAbsent: (capability: string) => boolean,
): readonly Derived[] {
  const set = (capabilities: readonly string[], value: boolean, because: BothLanguages): readonly Derived[] =>
    capabilities.map((capability) => ({ key: `capability.${capability}`, value, because }));
  const perNode = count(facts, 'gpu.per_node');
  const switches = switchesOf[String(facts.get('architecture'))] ?? [];
  const isBoard = facts.get('gpu.form') === 'sxm' && perNode !== null && switchedBoards.has(perNode);
  const switched = isBoard ? switches.filter(isOpen) : [];
  const board = {
    en: `boards of ${perNode} SXM modules have NVSwitch`,
    zh: `${perNode} 块 SXM 模组的基板带有 NVSwitch`,
  };
  if (isMig(facts.get('gpu.mig'))) {
    const lost = links.filter((capability) => capability !== 'nvswitch' && !isAbsent(capability));
    const because = { en: 'MIG instances reach no other GPU', zh: 'MIG 实例无法访问其他 GPU' };
    return [
      ...set(lost, false, because).map((derived) => ({ ...derived, isOver: true })),
      // The switches are there all the same: they must run before any GPU of the board does
      ...set(
        switched.filter((capability) => capability === 'nvswitch'),
        true,
        board,
      ),
    ];
  }
  if (count(facts, 'gpu.count') === 1) {
    return set(links.filter(isOpen), false, { en: 'there is one GPU', zh: '只有一块 GPU' });
  }
  return set(switched, true, board);
}

function isMig(value: FactValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  const values = typeof value === 'object' ? value : [value];
  return (
    values.length > 0 && values.every((one) => /^(enabled|on|true|yes)$|^\d+(c\.\d+)?g(\.|$)/i.test(String(one).trim()))
  );
}

function isMissing(given: Given, key: string): boolean {
  const value = given.get(key);
  return value === undefined || value === null;
}

function count(given: Given, key: string): number | null {
  const value = given.get(key);
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : null;
}

import type { Facts } from '../measurement/environment-diff.js';

/** What a profile says of itself, as far as tools print it. */
export interface MatchableProfile {
  readonly slug: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly isGeneric: boolean;
  /** Names as tools print them; `*` at the end stands for any rest. */
  readonly printed: readonly string[];
  readonly facts: Facts;
  readonly capabilities: readonly string[];
}

/** A device as tools describe it. */
export interface DeviceFacts {
  readonly name: string | null;
  readonly vendor: string | null;
  readonly architecture: string | null;
  readonly computeCapability: string | null;
  /** GiB of device memory, null where it is not known or a slice of it. */
  readonly memory: number | null;
  /** GPUs of one machine. */
  readonly perNode: number | null;
}

/** Device memory that a driver reports lies below what vendors state, by up to this part where ECC takes its share. */
const MEMORY_TOLERANCE = 0.09;

/**
 * The profiles that a device can be, the likeliest first. A name that tools print for a product finds its profile; a name
 * that no profile has finds the generic profile of its architecture: by name, compute capability, or architecture.
 */
export function matchProfiles<P extends MatchableProfile>(device: DeviceFacts, profiles: readonly P[]): readonly P[] {
  const ofVendor = profiles.filter(({ vendor }) => device.vendor === null || device.vendor === vendor);
  const named =
    device.name === null
      ? []
      : byName(
          device.name,
          ofVendor.filter(({ isGeneric }) => !isGeneric),
        );
  const fitting = named.filter((profile) => fits(profile, device));
  const likely = [...fitting].sort((one, other) => likeness(other, device) - likeness(one, device));
  if (likely[0] && likeness(likely[0], device) > 0) return likely;
  // A system of another size is possible only; what all products of the architecture have is sure
  const generics = ofVendor.filter(({ isGeneric }) => isGeneric);
  return [
    ...genericProfiles(likely[0] ? { ...device, architecture: likely[0].architecture } : device, generics),
    ...likely,
  ];
}

/** Memory tells a product from one of the same name, such as the 141 GB variant of a 96 GB card. */
function fits({ facts }: MatchableProfile, { memory }: DeviceFacts): boolean {
  const { 'gpu.memory': whole, 'gpu.dies': dies } = facts;
  if (memory === null || typeof whole !== 'number') return true;
  // Tools list the dies of one package as devices of their own
  const stated = typeof dies === 'number' ? whole / dies : whole;
  return memory <= stated * (1 + MEMORY_TOLERANCE / 3) && memory >= stated * (1 - MEMORY_TOLERANCE);
}

/** A system of 72 GPUs is not meant where a machine shows four. */
function likeness({ facts }: MatchableProfile, { perNode }: DeviceFacts): number {
  const count = facts['gpu.count'];
  if (typeof count !== 'number') return 1;
  if (perNode === null) return 0.5;
  return count === perNode ? 2 : 0;
}

function genericProfiles<P extends MatchableProfile>(device: DeviceFacts, generics: readonly P[]): readonly P[] {
  const capability = device.computeCapability;
  const byCapability = generics.filter(
    ({ facts }) => capability !== null && facts['gpu.computeCapability'] === capability,
  );
  if (byCapability.length > 0) return byCapability.slice(0, 1);
  const named = device.name === null ? [] : byName(device.name, generics);
  const sameKind = named.filter(
    ({ architecture }) => device.architecture === null || architecture === device.architecture,
  );
  if (sameKind.length > 0) return sameKind.slice(0, 1);
  const ofArchitecture = generics.filter(({ architecture }) => architecture === device.architecture);
  // Of several compute capabilities only the profile that leaves them open says nothing wrong
  const open = ofArchitecture.filter(({ facts }) => facts['gpu.computeCapability'] === undefined);
  return ofArchitecture.length === 1 ? ofArchitecture : open.slice(0, 1);
}

/** The profiles with this name: exact ones, else those with the longest beginning. */
function byName<P extends MatchableProfile>(name: string, profiles: readonly P[]): readonly P[] {
  const asked = plainName(name);
  const scored = profiles.map((profile) => ({
    profile,
    score: Math.max(0, ...namesOf(profile).map((one) => scoreOf(asked, one))),
  }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ profile }) => profile);
}

const EXACT = 1_000;

function scoreOf(asked: string, printed: string): number {
  if (!printed.endsWith('*')) return asked === plainName(printed) ? EXACT : 0;
  const beginning = plainName(printed.slice(0, -1));
  return asked.startsWith(beginning) ? beginning.length : 0;
}

function namesOf({ printed, facts }: MatchableProfile): readonly string[] {
  return [...printed, facts['gpu.name'], facts['gpu.sku']].filter((name) => typeof name === 'string');
}

/** Drivers write the vendor or leave it out, and change hyphens and spaces between versions. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(nvidia|amd|huawei|ascend)\b[\s-]*/, '')
    .replace(/^(tesla|instinct)\b[\s-]*/, '')
    .replace(/[\s_-]+/g, ' ')
    .trim();
}

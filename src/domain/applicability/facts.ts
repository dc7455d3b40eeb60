import type { BothLanguages } from '../locale.js';
import { derivedFacts } from './derived-facts.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
export type { Facts };

/** What an applicability predicate is asked about. */
export interface KnownFacts {
  /** Facts of the profile, overlaid by those of the environment; `capability.<key>` decides over the list. */
  readonly facts: Facts;
  /** What the hardware can do, a closed list: what is not in it is absent. Null where the hardware is unknown. */
  readonly capabilities: readonly string[] | null;
  readonly hardwareName: string | null;
  /** For the facts that nobody stated and that follow from others, why they do. */
  readonly derived: ReadonlyMap<string, BothLanguages>;
  /** Counts that are not known, and are no smaller than this. */
  readonly atLeast: ReadonlyMap<string, number>;
}

interface Profile {
  readonly name: string;
  /** Stands for a product that is not listed, of its architecture. */
  readonly isGeneric?: boolean;
  readonly capabilities: readonly string[];
  readonly facts: Facts;
}

/** What keys of facts about single capabilities begin with. */
export const capabilityFact = 'capability.';
const phaseFact = 'workload.phase';

/**
 * Lays an environment over the profile of its hardware (null: unknown device). Environment facts win; null facts say
 * nothing; only the product's name stays the profile's, because drivers call an H100 SXM "H100 80GB HBM3".
 * `capability.<key>: true|false` extends or cuts the profile's list, an array fact `capabilities` adds to it. The phase
 * `inference` is prefill and decode. What follows from these facts is added, with the reason in `derived`.
 */
export function knownFacts(profile: Profile | null, environment: Facts): KnownFacts {
  const facts: Record<string, FactValue> = { ...profile?.facts };
  const listed = listOf(environment['capabilities']).map((capability) => capabilityFact + capability);
  for (const key of listed) facts[key] = true;
  // A system's own size is not that of an environment which says how many nodes of it there are
  const counts = ['gpu.count', 'gpu.per_node', 'nodes.count'];
  const given = counts.filter((key) => isGiven(environment[key]));
  if (given.length > 1 || given.includes('gpu.count')) for (const key of counts) delete facts[key];
  for (const [key, value] of Object.entries(environment)) {
    const isNameOfProduct = key === 'gpu.sku' && profile !== null && key in profile.facts;
    if (value === null || key === 'capabilities' || isNameOfProduct) continue;
    facts[key] = key === phaseFact ? phases(value) : value;
  }
  const stated = new Set([...listed, ...Object.keys(environment).filter((key) => environment[key] !== null)]);
  const isOpenHere = (capability: string): boolean => {
    const value = facts[capabilityFact + capability];
    if (value === undefined || value === null) return profile === null;
    return stateOf(value) === undefined;
  };
  const derived = new Map<string, BothLanguages>();
  const isAbsent = (capability: string): boolean => {
    const value = facts[capabilityFact + capability];
    if (value !== undefined && value !== null) return stateOf(value) === false;
    return profile !== null && !profile.capabilities.includes(capability);
  };
  for (const { key, value, because, isOver } of derivedFacts(new Map(Object.entries(facts)), isOpenHere, isAbsent)) {
    if (stated.has(key) && !isOver) continue;
    facts[key] = value;
    derived.set(key, because);
  }
  return {
    facts,
    capabilities: profile || hasNoGpu(facts) ? capabilitiesOf(profile?.capabilities ?? [], facts) : null,
    hardwareName: profile && nameOf(profile, facts),
    derived,
    atLeast: lowerBounds(facts),
  };
}

function isGiven(value: FactValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** A host without a GPU is no unknown hardware: it has none of the capabilities. */
function hasNoGpu(facts: Facts): boolean {
  return ['gpu.count', 'gpu.per_node'].some((key) => facts[key] === 0 || facts[key] === '0');
}

function nameOf({ name, isGeneric }: Profile, facts: Facts): string {
  const product = isGeneric ? (facts['gpu.sku'] ?? facts['gpu.name']) : undefined;
  return typeof product === 'string' ? product : name;
}

/** All nodes have at least as many GPUs as the one that was looked at. */
function lowerBounds(facts: Facts): ReadonlyMap<string, number> {
  const perNode = Number(/^\d+$/.exec(String(facts['gpu.per_node']))?.[0] ?? NaN);
  const isUnknown = facts['gpu.count'] === undefined || facts['gpu.count'] === null;
  return new Map(isUnknown && Number.isInteger(perNode) ? [['gpu.count', perNode]] : []);
}

/** True, false, or undefined where neither the facts nor the profile's list can tell. */
export function hasCapability(known: KnownFacts, capability: string): boolean | undefined {
  const stated = known.facts[capabilityFact + capability];
  if (stated === undefined || stated === null) return known.capabilities?.includes(capability);
  return stateOf(stated);
}

/** True where the profile leaves the capability open (`unknown`), so that only the environment can tell. */
export function isOpen(known: KnownFacts, capability: string): boolean {
  const stated = known.facts[capabilityFact + capability];
  return stated !== undefined && stated !== null && stateOf(stated) === undefined;
}

type Given = Exclude<FactValue, null>;

function phases(value: Given): Given {
  const given = typeof value === 'object' ? value : [value];
  if (!given.some(isInference)) return value;
  return [...new Set(given.flatMap((phase) => (isInference(phase) ? ['prefill', 'decode'] : [phase])))];
}

function isInference(phase: string | number | boolean): boolean {
  return String(phase).trim().toLowerCase() === 'inference';
}

function capabilitiesOf(listed: readonly string[], facts: Facts): readonly string[] {
  const all = new Set(listed);
  for (const [key, value] of Object.entries(facts)) {
    if (!key.startsWith(capabilityFact) || value === null) continue;
    const capability = key.slice(capabilityFact.length);
    if (stateOf(value) === true) all.add(capability);
    else all.delete(capability);
  }
  return [...all];
}

function stateOf(stated: FactValue): boolean | undefined {
  const word = String(stated).trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

function listOf(value: FactValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

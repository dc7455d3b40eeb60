import type { Facts, FactValue } from '../measurement/environment-diff.js';
export type { Facts };

/** What an applicability predicate is asked about. */
export interface KnownFacts {
  /** Facts of the profile, overlaid by those of the environment; `capability.<key>` decides over the list. */
  readonly facts: Facts;
  /** What the hardware can do, a closed list: what is not in it is absent. Null where the hardware is unknown. */
  readonly capabilities: readonly string[] | null;
  readonly hardwareName: string | null;
}

interface Profile {
  readonly name: string;
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
 * `inference` is prefill and decode.
 */
export function knownFacts(profile: Profile | null, environment: Facts): KnownFacts {
  const facts: Record<string, FactValue> = { ...profile?.facts };
  for (const capability of listOf(environment['capabilities'])) facts[capabilityFact + capability] = true;
  for (const [key, value] of Object.entries(environment)) {
    const isNameOfProduct = key === 'gpu.sku' && profile !== null && key in profile.facts;
    if (value === null || key === 'capabilities' || isNameOfProduct) continue;
    facts[key] = key === phaseFact ? phases(value) : value;
  }
  return {
    facts,
    capabilities: profile && capabilitiesOf(profile.capabilities, facts),
    hardwareName: profile?.name ?? null,
  };
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
  const word = String(stated).toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

function listOf(value: FactValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

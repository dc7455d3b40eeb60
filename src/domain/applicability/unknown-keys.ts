import { isKnownFact } from '../content/registry.js';
import type { Facts } from '../measurement/environment-diff.js';
import { capabilityFact } from './facts.js';

/**
 * Keys of an environment that no key or family (`env.*`) of the registry covers, in order: no rule uses them.
 * `capability.<key>` needs a known capability, `capabilities` a list of known ones.
 */
export function unknownKeys(
  environment: Facts,
  registry: { readonly facts: ReadonlySet<string>; readonly capabilities: ReadonlySet<string> },
): readonly string[] {
  const isKnown = (key: string): boolean => {
    if (key.startsWith(capabilityFact)) return registry.capabilities.has(key.slice(capabilityFact.length));
    if (key !== 'capabilities') return isKnownFact(registry.facts, key);
    const listed = environment[key];
    return Array.isArray(listed) && listed.every((capability) => registry.capabilities.has(String(capability)));
  };
  return Object.keys(environment)
    .filter((key) => !isKnown(key))
    .sort();
}

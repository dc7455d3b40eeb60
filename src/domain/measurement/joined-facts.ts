import type { BothLanguages } from '../locale.js';
import { isMeasuredMean, isSameLength } from './measured-lengths.js';
import { covers, textOfFact, tierOf, type DifferenceTier, type Facts, type FactValue } from './environment-diff.js';

/** Who said a fact: the file, whoever imported it, or an environment of the project. */
export type FactSource = 'FILE' | 'CALLER' | 'ENVIRONMENT';

export interface SaidFacts {
  readonly file: Facts;
  readonly caller: Facts;
  readonly environment: Facts;
}

/** A key for which somebody says something else than the file. */
export interface FactConflict {
  readonly key: string;
  readonly file: string;
  readonly said: string;
  readonly source: 'CALLER' | 'ENVIRONMENT';
  /** Whether it makes runs incomparable, and nobody said that it is meant. */
  readonly isBlocking: boolean;
}

export interface JoinedFacts {
  readonly facts: Facts;
  /** Of the facts that are not of the file. */
  readonly sources: Readonly<Record<string, Exclude<FactSource, 'FILE'>>>;
  readonly conflicts: readonly FactConflict[];
}

/**
 * One snapshot of what the file, the caller and the environment say. The caller's word stands over the file, and never
 * silently: where they differ it is a conflict, which blocks for keys of tier BLOCK unless `override` names the key. The
 * environment fills what neither says; it was described at another time, so the file stands over it.
 */
export function joinedFacts(
  { file, caller, environment }: SaidFacts,
  tiers: ReadonlyMap<string, DifferenceTier>,
  override: readonly string[],
): JoinedFacts {
  const facts = new Map<string, FactValue>(Object.entries(file));
  const sources: Record<string, Exclude<FactSource, 'FILE'>> = {};
  const conflicts: FactConflict[] = [];
  const known = (key: string): string | null => textOfFact(facts.get(key) ?? null);
  for (const [key, value] of Object.entries(caller)) {
    const [said, there] = [textOfFact(value), known(key)];
    if (said === null || isSame(key, said, there)) continue;
    if (there !== null) {
      const isMeant = override.some((name) => covers(name, key));
      const isBlocking = tierOf(key, tiers) === 'BLOCK' && !isMeant;
      conflicts.push({ key, file: there, said, source: 'CALLER', isBlocking });
    }
    facts.set(key, value);
    sources[key] = 'CALLER';
  }
  for (const [key, value] of Object.entries(environment)) {
    const [said, there] = [textOfFact(value), known(key)];
    if (said === null || isSame(key, said, there)) continue;
    if (there === null) {
      facts.set(key, value);
      sources[key] = 'ENVIRONMENT';
    } else if (sources[key] === undefined) {
      conflicts.push({ key, file: there, said, source: 'ENVIRONMENT', isBlocking: false });
    }
  }
  return { facts: Object.fromEntries(facts), sources, conflicts };
}

function isSame(key: string, one: string, other: string | null): boolean {
  if (other === null) return false;
  return one.toLowerCase() === other.toLowerCase() || (isMeasuredMean(key) && isSameLength(one, other));
}

/** A conflict in words. */
export function conflictText({ key, file, said, source, isBlocking }: FactConflict): BothLanguages {
  if (source === 'ENVIRONMENT') {
    return {
      en: `The file says ${key} = "${file}", the environment "${said}": the file stands`,
      zh: `文件中 ${key} 为“${file}”，环境中为“${said}”：以文件为准`,
    };
  }
  return isBlocking
    ? {
        en: `The file says ${key} = "${file}", you say "${said}", and runs that differ in it cannot be compared: leave it out, or name ${key} in override`,
        zh: `文件中 ${key} 为“${file}”，而给出的是“${said}”，该项不同的运行无法比较：请不要给出该项，或在 override 中列出 ${key}`,
      }
    : {
        en: `The file says ${key} = "${file}", you say "${said}": yours is kept`,
        zh: `文件中 ${key} 为“${file}”，而给出的是“${said}”：保留给出的值`,
      };
}

import type { FactValue } from './environment-diff.js';

type Given = Exclude<FactValue, null>;

/**
 * Whether two values of a fact say the same: in any letter case, a version beside one that is cut short, sizes that tools
 * round, and MIG that is on beside its profile.
 */
export function isSameFact(key: string, one: Given, other: Given): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return (
      one === other || (measured.has(key) && Math.abs(one - other) <= 0.02 * Math.max(Math.abs(one), Math.abs(other)))
    );
  }
  const [a, b] = [plainFact(one), plainFact(other)];
  // Some tools say that MIG is on, others into which profiles
  if ((a === 'enabled' && isMigProfile(b)) || (b === 'enabled' && isMigProfile(a))) return true;
  return a === b || isPartOfVersion(a, b) || isPartOfVersion(b, a);
}

/** The more exact of two values that say the same has more of it. */
export function exactness(value: Given): number {
  if (typeof value === 'number') return value;
  const text = plainFact(value);
  return isMigProfile(text) ? EXACT_LENGTH : typeof value === 'string' ? text.length : 0;
}

export function plainFact(value: Given): string {
  return (typeof value === 'object' ? value.map(String).join(', ') : String(value)).trim().toLowerCase();
}

/** Sizes that two tools round are close; counts are equal or they differ. */
const measured: ReadonlySet<string> = new Set(['gpu.memory', 'host.memory', 'gpu.power_limit']);

/** 12.8 is 12.8.1 cut short, and 2.11.0 is 2.11.0+cu130; 12.8 is not 12.80. */
function isPartOfVersion(short: string, long: string): boolean {
  const rest = long.startsWith(short) ? long.slice(short.length) : '';
  return /^v?\d+(\.\w+)+/.test(short) && /^[.+\-_]/.test(rest) && !/^[.\-_]?(a|b|rc|alpha|beta|dev|pre)\d*/i.test(rest);
}

function isMigProfile(text: string): boolean {
  return /^\d+g\.\d+gb/.test(text);
}

/** More than any word has letters. */
const EXACT_LENGTH = 1_000;

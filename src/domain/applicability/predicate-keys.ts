import { isAll, isAny, isNot } from './evaluate.js';
import type { Predicate } from './predicate.js';

/** What a predicate asks about. */
export interface PredicateKeys {
  /** Keys of facts, and `capability.<key>`. */
  readonly all: ReadonlySet<string>;
  /** The facts whose version it bounds, or on which a result hangs otherwise. */
  readonly versions: ReadonlySet<string>;
}

/** The keys that a predicate asks about, on any path through it. */
export function predicateKeys(predicate: Predicate | null): PredicateKeys {
  const all = new Set<string>();
  const versions = new Set<string>();
  if (predicate !== null) collect(predicate, all, versions);
  return { all, versions };
}

function collect(predicate: Predicate, all: Set<string>, versions: Set<string>): void {
  if (isNot(predicate)) return collect(predicate.not, all, versions);
  if (isAll(predicate) || isAny(predicate)) {
    for (const part of isAll(predicate) ? predicate.all : predicate.any) collect(part, all, versions);
    return;
  }
  for (const [key, condition] of Object.entries(predicate)) {
    all.add(key === 'capability' && typeof condition === 'string' ? `capability.${condition}` : key);
    if (typeof condition === 'object' && 'version' in condition) versions.add(key);
  }
}

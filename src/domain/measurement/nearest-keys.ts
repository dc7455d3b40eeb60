import { distanceOf } from '../search/spelling.js';
import type { ComparisonWarning } from './compare.js';
import { covers } from './environment-diff.js';

const MOST_NAMED = 3;

/**
 * Keys that somebody may have meant by a name that no run has, the nearest first: those of the runs, else those of the
 * registry. None for a name of the registry, which is right and not said.
 */
export function nearestKeys(name: string, ofRuns: readonly string[], registry: readonly string[]): readonly string[] {
  const near = nearestOf(name, ofRuns);
  if (near.length > 0) return near;
  const known = registry.filter((key) => !/[*<]/.test(key));
  return known.some((key) => covers(name, key)) ? [] : nearestOf(name, known);
}

/** What to say of a declared variable that no run has. */
export function unknownVariable(name: string, near: readonly string[]): ComparisonWarning {
  return { code: 'VARIABLE_UNCHANGED', details: { keys: [name], isInNoRun: true, near } };
}

function nearestOf(name: string, keys: readonly string[]): readonly string[] {
  const word = plain(name);
  if (word.length < 3 || word.length > 100) return [];
  const allowed = Math.max(1, Math.floor(word.length / 4));
  return keys
    .map((key) => ({ key, slips: Math.min(...endsOf(plain(key)).map((end) => distanceOf(word, end))) }))
    .filter(({ slips }) => slips <= allowed)
    .sort((one, other) => one.slips - other.slips || (one.key < other.key ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map(({ key }) => key);
}

/** `workload.settings.precision` may be meant by its end alone: `settings.precision`, `precision`. */
function endsOf(key: string): readonly string[] {
  const parts = key.split('.');
  return parts.map((_, index) => parts.slice(index).join('.'));
}

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

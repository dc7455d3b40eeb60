import { distanceOf } from './spelling.js';

/**
 * Names of a short list that somebody may have meant by one that it lacks, the nearest first: those that contain it, that
 * share a part with a digit (`h100` of "NVIDIA H100 80GB"), or that begin like it but for one slip in four letters.
 */
export function nearestNames(asked: string, names: readonly string[], limit = 3): readonly string[] {
  const word = asked
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (word.length < 2 || word.length > 60) return [];
  return names
    .map((name) => ({ name, cost: costOf(word, name) }))
    .filter(({ cost }) => cost !== null)
    .sort((one, other) => (one.cost ?? 0) - (other.cost ?? 0))
    .slice(0, limit)
    .map(({ name }) => name);
}

function costOf(word: string, name: string): number | null {
  if (name.includes(word)) return 0;
  const distance = Math.min(distanceOf(word, name), distanceOf(word, name.slice(0, word.length)));
  if (distance <= Math.max(1, Math.floor(word.length / 4))) return distance;
  const models = name.split('-').filter((part) => /\d/.test(part) && part.length > 2);
  const shared = models.filter((model) => word.split('-').includes(model));
  return shared.length > 0 ? word.length : null;
}

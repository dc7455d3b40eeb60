import type { Answer } from './evaluate.js';

/** A key that would settle answers, with how many hang on it. */
export interface MissingKey {
  readonly key: string;
  readonly itemCount: number;
}

/** What is not known, by the number of items that hang on it, the most first; an item may hang on several. */
export function missingKeys(answers: readonly Pick<Answer, 'missing'>[]): readonly MissingKey[] {
  const counts = new Map<string, number>();
  for (const { missing } of answers) for (const key of missing) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .map(([key, itemCount]) => ({ key, itemCount }))
    .sort((one, other) => other.itemCount - one.itemCount || (one.key < other.key ? -1 : 1));
}

import { expect } from '@jest/globals';

/**
 * The most that work may take before it counts as a hang, in milliseconds. All that stands under it takes at most a
 * tenth of it on a busy machine; time that grows with the square of the input takes a multiple of it.
 */
const HANG_MS = 60_000;

/** Does `work`, expects that it did not hang, and gives its answer. It says nothing about speed: `bench/` does. */
export function ends<T>(work: () => T): T {
  const start = performance.now();
  const answer = work();
  expect(performance.now() - start).toBeLessThan(HANG_MS);
  return answer;
}

import { DomainError } from '../errors.js';
import type { BothLanguages } from '../locale.js';

// How the checks of a record say what is wrong, and where.

/** Says that something of a record cannot be. */
export type Say = (place: string, message: BothLanguages) => void;

/** Says what a rule of the product refuses. */
export function attempt(say: Say, place: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    say(place, error.text);
  }
}

export function isNowhere(name: string): BothLanguages {
  return { en: `"${name}" is nowhere in the file`, zh: `文件中没有“${name}”` };
}

function isTwice(name: string): BothLanguages {
  return { en: `"${name}" is there twice`, zh: `“${name}”重复出现` };
}

/** Says of each name that was there before. */
export function once(say: Say): (place: string, name: string) => void {
  const seen = new Set<string>();
  return (place, name) => {
    if (seen.has(name)) say(place, isTwice(name));
    seen.add(name);
  };
}

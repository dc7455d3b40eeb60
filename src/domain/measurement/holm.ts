import { invalidInput } from '../errors.js';

/** Holm's step-down correction (1979): adjusted p in the order given, so that one alarm in the family stays at 5 %. */
export function holm(p: readonly number[]): number[] {
  const wrong = p.find((value) => !(value >= 0 && value <= 1));
  if (wrong !== undefined) {
    throw invalidInput({
      en: `A p value lies between 0 and 1, not ${wrong}.`,
      zh: `p 值应在 0 到 1 之间，收到 ${wrong}。`,
    });
  }
  const adjusted = new Array<number>(p.length).fill(1);
  let largest = 0;
  [...p.entries()]
    .sort(([, a], [, b]) => a - b)
    .forEach(([index, value], place) => {
      largest = Math.max(largest, Math.min(1, value * (p.length - place)));
      adjusted[index] = largest;
    });
  return adjusted;
}

/** Holm over the comparisons that have a p value; the others stay null and do not count. */
export function holmOverKnown(p: readonly (number | null)[]): (number | null)[] {
  const adjusted = holm(p.filter((value) => value !== null)).values();
  return p.map((value) => (value === null ? null : (adjusted.next().value ?? null)));
}

import { normalQuantile } from './distributions.js';

/** The share of false alarms that a first look may give: the 95 % interval of product.md. */
const FIRST_ALPHA = 0.05;

/**
 * What each further look at a growing trial may give. A first look that found nothing has used up its 5 %, so the rest
 * has to be small (Armitage, McPherson and Rowe 1969; the constant level of later looks is that of Pocock 1977, made
 * smaller because the first is not corrected). By simulation of the whole rule (`npm run bench:verdicts`) it is the
 * largest of 0.01, 0.005, 0.0025 and 0.001 with which four looks stay at 5 % within the error of 4,000 trials, whatever
 * the first look had; 0.005 reaches 5.9 % where eight runs an arm become 16, 24 and 32.
 */
const FURTHER_ALPHA = 0.0025;

/** The two-sided level of a look, from 1. */
export function alphaOfLook(look: number): number {
  return look <= 1 ? FIRST_ALPHA : FURTHER_ALPHA;
}

/** How sure the interval of a look is, and that on which "no meaningful change" rests; as repeated intervals they keep 95 %. */
export function levelsOfLook(look: number): { readonly change: number; readonly sameness: number } {
  const alpha = alphaOfLook(look);
  return { change: 1 - alpha, sameness: 1 - 2 * alpha };
}

/** The quantiles of the normal distribution that both levels of a look stand for. */
export function quantilesOfLook(look: number): { readonly change: number; readonly sameness: number } {
  const alpha = alphaOfLook(look);
  return { change: normalQuantile(alpha / 2), sameness: normalQuantile(alpha) };
}

/** The p value of a look on the scale of a first one: below 0.05 exactly where the look may claim something. */
export function pOfLook(p: number | null, look: number): number | null {
  return p === null ? null : Math.min(1, p * (FIRST_ALPHA / alphaOfLook(look)));
}

/** A gap of two or three values has no p: a further look asks for twice the gap. */
export function gapFactorOfLook(look: number): number {
  return look <= 1 ? 2 : 4;
}

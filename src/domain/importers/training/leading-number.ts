/** The number that a text begins with, such as that of `13236.0[Rank 6]` or `46.86 s`; null for none, NaN or infinity. */
export function leadingNumber(text: string): number | null {
  const found = /^\s{0,40}([+-]?\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,4})?)(?![\d_,]\d)/.exec(text)?.[1];
  const value = found === undefined ? NaN : Number(found);
  return Number.isFinite(value) ? value : null;
}

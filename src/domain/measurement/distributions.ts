/** Quantiles of the normal distribution: 97.5 %, 95 % and 80 %. */
export const Z_975 = 1.959963984540054;
export const Z_950 = 1.6448536269514722;
export const Z_800 = 0.8416212335729143;

/** The z that cuts off `tail` of the normal distribution: 1.96 for 0.025. */
export function normalQuantile(tail: number): number {
  if (tail === 0.025) return Z_975;
  if (tail === 0.05) return Z_950;
  let low = 0;
  let high = 40;
  for (let middle = 20; low < middle && middle < high; middle = (low + high) / 2) {
    if (normalUpperTail(middle) > tail) low = middle;
    else high = middle;
  }
  return high;
}

const SMALLEST = 1e-300;
const PRECISION = 1e-16;

/** P(Z > z): series of the error function near the middle, continued fraction in the tail (Abramowitz–Stegun 7.1). */
export function normalUpperTail(z: number): number {
  if (z < 0) return 1 - normalUpperTail(-z);
  const x = z / Math.SQRT2;
  if (x < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; term > sum * PRECISION; n += 1) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 0.5 - (Math.exp(-x * x) * sum) / Math.sqrt(Math.PI);
  }
  let fraction = 0;
  for (let n = 100; n >= 1; n -= 1) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / (2 * Math.sqrt(Math.PI) * (x + fraction));
}

/** Two-sided p of Student's t with `df` degrees of freedom, which need not be whole. */
export function studentTwoSidedP(t: number, df: number): number {
  return incompleteBeta(df / (df + t * t), df / 2, 0.5);
}

/** The t that cuts off (1 − level) in both tails together: 2.776 for 0.95 and 4 degrees of freedom. */
export function studentQuantile(level: number, df: number): number {
  const p = 1 - level;
  let low = 0;
  let high = 2;
  while (studentTwoSidedP(high, df) > p) high *= 2;
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (studentTwoSidedP(middle, df) > p) low = middle;
    else high = middle;
  }
  return high;
}

/** ln Γ(x) for x > 0: Stirling's series after shifting x above 10 (Abramowitz–Stegun 6.1.41). */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  for (; shifted < 10; shifted += 1) product *= shifted;
  const inverse = 1 / (shifted * shifted);
  const series =
    (1 / 12 -
      inverse *
        (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse * (1 / 1188 - inverse * (691 / 360360)))))) /
    shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}

/** The regularized incomplete beta function, by Lentz's continued fraction (Numerical Recipes, 6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  const nonZero = (value: number): number => (Math.abs(value) < SMALLEST ? SMALLEST : value);
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < PRECISION * 4) break;
  }
  return result;
}

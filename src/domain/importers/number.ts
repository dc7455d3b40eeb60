/** What separates the whole part from the fraction. */
export type DecimalSign = '.' | ',';

/** What stands before the decimals in the numbers of a file; BOTH where some have a point and others a comma. */
export type DecimalMark = 'POINT' | 'COMMA' | 'BOTH' | 'UNKNOWN';

/** Why a cell gives no number. */
export type NumberFault = 'NO_NUMBER' | 'AMBIGUOUS' | 'TOO_LARGE';

/** What tools print where there is no value: it is never 0. */
export function isNoValue(cell: string): boolean {
  // most cells are numbers
  if (isDigit(cell.charCodeAt(0))) return false;
  return /^(?:|-+|\.{2,}|x{2,}|\[?(?:n\/?a|nan|none|null|not supported|unknown error|unknown|insufficient permissions)\]?)$/i.test(
    cell.trim(),
  );
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * The number that a cell holds, with this decimal sign; the other sign, blanks, apostrophes and underscores separate
 * thousands where they stand before groups of three digits. Null for no value and for anything else. A number beyond all
 * bounds is infinite.
 */
export function numberOf(cell: string, decimal: DecimalSign = '.'): number | null {
  const text = cell.trim();
  if (text.length > LONGEST_NUMBER) return null;
  if (plain.test(text) && (decimal === '.' || !text.includes('.'))) return Number(text);
  const [, sign = '', whole = '', fraction = '', exponent = ''] = (decimal === '.' ? point : comma).exec(text) ?? [];
  if (whole === '' && fraction === '') return null;
  const isParted = /\D/.test(whole);
  // nobody parts thousands before an exponent, nor behind a zero
  if (isParted && (exponent !== '' || !groups.test(whole))) return null;
  const digits = isParted ? whole.replace(/\D/g, '') : whole;
  return Number(`${sign}${digits || '0'}.${fraction || '0'}${exponent}`);
}

/** No number is longer: what follows looks at a bounded text. */
const LONGEST_NUMBER = 100;
/** Nobody measures more, in whatever unit, and a sum over a whole file stays finite. */
const LARGEST_NUMBER = 1e30;
/** Nearly all numbers: nothing parts thousands. */
const plain = /^[+-]?\d+(?:\.\d+)?$/;
const point = /^([+-]?)([\d,'’_ \u00a0\u202f]*)(?:\.(\d*))?([eE][+-]?\d{1,4})?$/;
const comma = /^([+-]?)([\d.'’_ \u00a0\u202f]*)(?:,(\d+))?([eE][+-]?\d{1,4})?$/;
/** One separator, the same all along. */
const groups = /^[1-9]\d{0,2}(?:([,.'’_ \u00a0\u202f])\d{3})(?:\1\d{3})*$/;

/** Which decimal signs the text can be read with. With both it has one number, or two that differ: `1,234` and `1.234`. */
type Readings = { readonly [sign in DecimalSign]: number | null };

/** Without either sign both readings say the same. */
const hasSign = (text: string): boolean => text.includes('.') || text.includes(',');

function readingsOf(text: string): Readings {
  const value = numberOf(text, '.');
  return { '.': value, ',': hasSign(text) ? numberOf(text, ',') : value };
}

const isDoubtful = (found: Readings): boolean => found['.'] !== null && found[','] !== null && found['.'] !== found[',']; // prettier-ignore

/** The sign that a text tells, since it is a number with this one alone. */
function signOf(found: Readings): DecimalSign | null {
  if ((found['.'] === null) === (found[','] === null)) return null;
  return found['.'] === null ? ',' : '.';
}

/**
 * The decimal sign of numbers that one program wrote: the sign that comes last where a number has both, and a comma that
 * no three digits follow, or follow more than once, decide for all. Null where every comma has exactly three digits behind
 * it, or other numbers contradict each other: `1,234` may be either, and whoever reads it has to ask. A point alone is a
 * decimal point.
 */
export function decimalSignOf(cells: Iterable<string>): DecimalSign | null {
  let hasDoubt = false;
  let told: DecimalSign | null = null;
  let hasBoth = false;
  for (const cell of cells) {
    if (!hasSign(cell)) continue;
    const found = readingsOf(cell);
    const sign = signOf(found);
    if (sign !== null) {
      hasBoth ||= told !== null && told !== sign;
      told ??= sign;
    } else if (isDoubtful(found) && cell.includes(',')) hasDoubt = true;
  }
  if (told !== null && !(hasBoth && hasDoubt)) return told;
  return hasDoubt ? null : '.';
}

/**
 * The mark that numbers of people and several programs tell: `12.5` and `1,234.5` have a point, `12,5` and `1.234,5` a
 * comma. One mark before exactly three digits tells nothing.
 */
export function decimalMarkOf(numbers: Iterable<string>): DecimalMark {
  const found = new Set<DecimalSign | null>();
  for (const number of numbers) if (hasSign(number)) found.add(signOf(readingsOf(number)));
  if (found.has('.')) return found.has(',') ? 'BOTH' : 'POINT';
  return found.has(',') ? 'COMMA' : 'UNKNOWN';
}

/**
 * The number that digits say in a file of this mark, whatever its sign where there is no doubt. `1,234` is AMBIGUOUS unless
 * the file tells the mark; `1.234` has decimals, as programs write them, unless the file has decimal commas.
 */
export function numberIn(digits: string, mark: DecimalMark): number | NumberFault {
  const found = readingsOf(digits);
  const sign = isDoubtful(found) ? chosenSign(digits, mark) : found['.'] === null ? ',' : '.';
  if (sign === null) return 'AMBIGUOUS';
  const value = found[sign];
  if (value === null) return 'NO_NUMBER';
  return Math.abs(value) <= LARGEST_NUMBER ? value : 'TOO_LARGE';
}

function chosenSign(digits: string, mark: DecimalMark): DecimalSign | null {
  if (mark === 'POINT') return '.';
  if (mark === 'COMMA') return ',';
  return mark === 'UNKNOWN' && !digits.includes(',') ? '.' : null;
}

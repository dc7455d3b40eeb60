import { cutText } from '../../cut-text.js';
import { error, type ImportProblem } from '../../importers/importer.js';
import type { BothLanguages } from '../../locale.js';

/** What stands before the decimals in the numbers of a file; BOTH where some have a point and others a comma. */
export type DecimalMark = 'POINT' | 'COMMA' | 'BOTH' | 'UNKNOWN';

/** Why a cell gives no number. */
export type NumberFault = 'NO_NUMBER' | 'AMBIGUOUS' | 'TOO_LARGE';

/** A number with the unit behind it, as they stand in a cell. */
export interface Quantity {
  readonly digits: string;
  /** Empty where there is none; `%` is one. */
  readonly unit: string;
}

/** Nobody measures more, in whatever unit, and a sum over a whole file stays finite. */
const LARGEST_NUMBER = 1e30;
/** No number is longer: what follows looks at a bounded text. */
const LONGEST_NUMBER = 100;

const quantity = /^([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*([a-zµμ%]*)$/i;

/** The parts of a cell such as `12.3 ms`; null for what begins with no number. */
export function quantityIn(cell: string): Quantity | null {
  const text = cell.trim();
  if (text.length > LONGEST_NUMBER) return null;
  const [, digits, unit = ''] = quantity.exec(text) ?? [];
  return digits === undefined ? null : { digits, unit };
}

/** How digits can be read: without a mark, by the one that is decimal, or in two ways. */
type Shape = 'WHOLE' | 'POINT' | 'COMMA' | 'POINT_OR_THOUSANDS' | 'COMMA_OR_THOUSANDS';

const shapes: readonly (readonly [RegExp, Shape])[] = [
  [/^\d+$/, 'WHOLE'],
  [/^[1-9]\d{0,2}\.\d{3}$/, 'POINT_OR_THOUSANDS'],
  [/^[1-9]\d{0,2},\d{3}$/, 'COMMA_OR_THOUSANDS'],
  [/^(?:\d+\.\d*|\.\d+)$/, 'POINT'],
  [/^\d*,\d+$/, 'COMMA'],
  [/^[1-9]\d{0,2}(?:,\d{3})+\.\d+$/, 'POINT'],
  [/^[1-9]\d{0,2}(?:,\d{3}){2,}$/, 'POINT'],
  [/^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/, 'COMMA'],
  [/^[1-9]\d{0,2}(?:\.\d{3}){2,}$/, 'COMMA'],
];

function shapeOf(digits: string): Shape | null {
  const [plain = '', exponent] = digits.replace(/^[+-]/, '').split(/[eE]/);
  const shape = shapes.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
  if (exponent === undefined) return shape;
  // Nobody parts thousands before an exponent
  return shape === 'POINT_OR_THOUSANDS' ? 'POINT' : shape === 'COMMA_OR_THOUSANDS' ? 'COMMA' : shape;
}

/**
 * The mark that the numbers of a file tell: `12.5` and `1,234.5` have a point, `12,5` and `1.234,5` a comma. One mark
 * before exactly three digits tells nothing.
 */
export function decimalMarkOf(cells: Iterable<string>): DecimalMark {
  const found = new Set<Shape | null>();
  for (const cell of cells) found.add(shapeOf(quantityIn(cell)?.digits ?? ''));
  if (found.has('POINT')) return found.has('COMMA') ? 'BOTH' : 'POINT';
  return found.has('COMMA') ? 'COMMA' : 'UNKNOWN';
}

/**
 * The number that digits say in a file of this mark. `1,234` is AMBIGUOUS unless the file tells the mark; `1.234` has
 * decimals, as programs write them, unless the file has decimal commas.
 */
export function numberIn(digits: string, mark: DecimalMark): number | NumberFault {
  if (digits.length > LONGEST_NUMBER) return 'NO_NUMBER';
  const shape = shapeOf(digits);
  if (shape === null) return 'NO_NUMBER';
  const decimal = decimalIn(shape, mark);
  if (decimal === 'AMBIGUOUS') return decimal;
  const value = decimal === ',' ? byComma(digits) : byPoint(digits);
  if (Number.isNaN(value)) return 'NO_NUMBER';
  return Math.abs(value) <= LARGEST_NUMBER ? value : 'TOO_LARGE';
}

function decimalIn(shape: Shape, mark: DecimalMark): '.' | ',' | 'AMBIGUOUS' {
  switch (shape) {
    case 'WHOLE':
    case 'POINT':
      return '.';
    case 'COMMA':
      return ',';
    case 'POINT_OR_THOUSANDS':
      return mark === 'BOTH' ? 'AMBIGUOUS' : mark === 'COMMA' ? ',' : '.';
    case 'COMMA_OR_THOUSANDS':
      return mark === 'POINT' ? '.' : mark === 'COMMA' ? ',' : 'AMBIGUOUS';
  }
}

const byPoint = (digits: string): number => Number(digits.replaceAll(',', ''));
const byComma = (digits: string): number => Number(digits.replaceAll('.', '').replace(',', '.'));

const secondsPer: ReadonlyMap<string, number> = new Map(Object.entries({
  ns: 1e-9, nsec: 1e-9, nanoseconds: 1e-9, us: 1e-6, 'µs': 1e-6, 'μs': 1e-6, usec: 1e-6, microseconds: 1e-6,
  ms: 1e-3, msec: 1e-3, milliseconds: 1e-3, s: 1, sec: 1, secs: 1, seconds: 1, min: 60, minutes: 60,
})); // prettier-ignore

/** How many seconds a unit of time has; null for what is none. */
export function secondsOfUnit(unit: string): number | null {
  return secondsPer.get(unit.toLowerCase()) ?? null;
}

/** The seconds that a cell such as `12.3ms` says. */
export function timeIn(cell: string, mark: DecimalMark): number | NumberFault {
  const { digits = '', unit = '' } = quantityIn(cell) ?? {};
  const scale = secondsOfUnit(unit);
  const value = numberIn(digits, mark);
  if (typeof value !== 'number') return value;
  return scale === null ? 'NO_NUMBER' : value * scale;
}

/** The number of a cell that is to hold a time without its unit: negative values are none. */
export function amountIn(cell: string, mark: DecimalMark): number | NumberFault {
  const value = numberIn(cell, mark);
  return typeof value === 'number' && value < 0 ? 'NO_NUMBER' : value;
}

const LONGEST_SHOWN = 60;

/** Part of a file as a problem shows it. */
export function excerpt(text: string): string {
  return cutText(text, LONGEST_SHOWN);
}

export const noTime: BothLanguages = { en: 'is no time', zh: '不是时间' };

/** Names the line and the value that cannot be read, and why; `not` says what the value is not. */
export function unreadable(
  line: number | null,
  name: string,
  cell: string,
  fault: NumberFault,
  not: BothLanguages,
): ImportProblem {
  const [shownName, shown] = [excerpt(name), excerpt(cell)];
  const why = faultText(fault, cell, not);
  return error(line, `${shownName} "${shown}" ${why.en}`, `${shownName} 的值“${shown}”${why.zh}`);
}

function faultText(fault: NumberFault, cell: string, not: BothLanguages): BothLanguages {
  if (fault === 'NO_NUMBER') return not;
  if (fault === 'TOO_LARGE') return { en: 'is too large', zh: '过大' };
  const { digits = '' } = quantityIn(cell) ?? {};
  const readings = [numberIn(digits, 'POINT'), numberIn(digits, 'COMMA')].map(Number).sort((a, b) => a - b);
  return {
    en: `can be ${readings.join(' or ')}, and the file does not tell which: write numbers with a decimal point and without separators of thousands`,
    zh: `可以读作 ${readings.join(' 或 ')}，而文件本身无法说明是哪一个：请使用小数点，不要使用千位分隔符`,
  };
}

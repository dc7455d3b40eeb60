import { cutText } from '../cut-text.js';
import type { BothLanguages } from '../locale.js';
import { error, type ImportProblem } from './importer.js';
import { decimalMarkOf, numberIn, type DecimalMark, type NumberFault } from './number.js';

/** A number with the unit behind it, as they stand in a cell. */
export interface Quantity {
  readonly digits: string;
  /** Empty where there is none; `%` is one. */
  readonly unit: string;
}

/** No quantity is longer: what follows looks at a bounded text. */
const LONGEST_NUMBER = 100;

const quantity = /^([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*([a-zµμ%]*)$/i;

/** The parts of a cell such as `12.3 ms`; null for what begins with no number. */
export function quantityIn(cell: string): Quantity | null {
  const text = cell.trim();
  if (text.length > LONGEST_NUMBER) return null;
  const [, digits, unit = ''] = quantity.exec(text) ?? [];
  return digits === undefined ? null : { digits, unit };
}

/** The mark that the numbers of a file tell, with units behind them or not. */
export function decimalMarkIn(cells: Iterable<string>): DecimalMark {
  return decimalMarkOf([...cells].map((cell) => quantityIn(cell)?.digits ?? ''));
}

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

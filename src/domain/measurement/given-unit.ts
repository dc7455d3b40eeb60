import { invalidInput, type DomainError } from '../errors.js';
import { convert, dimensionOf } from './unit.js';

/** The metric that numbers are given for. */
export interface GoalOfUnit {
  readonly key: string;
  readonly unit: string;
}

/** Kept in 2^20 or 2^30 bytes, as tools of memory count, whatever they print behind it. */
const binarySizes = /^[KMGT]iB$/;
const decimalSizes: ReadonlyMap<string, string> = new Map([
  ['kB', '10^3 B'],
  ['MB', '10^6 B'],
  ['GB', '10^9 B'],
  ['TB', '10^12 B'],
]);

/**
 * A value that a person typed or mapped, in the unit of the metric. Beyond what `convert` refuses: `GB` for memory, which
 * tools print for GiB, and 50 as a ratio, which is meant in percent. INVALID_INPUT names what can be written instead.
 */
export function convertGiven(value: number, unit: string, { key, unit: to }: GoalOfUnit): number {
  const decimal = decimalSizes.get(unit);
  if (decimal !== undefined && binarySizes.test(to)) throw decimalMemory(value, unit, key, decimal);
  const isRatio = unit === 'ratio' || unit === 'fraction';
  if (isRatio && dimensionOf(to) === 'ratio' && Math.abs(value) > LARGEST_RATIO) throw percentAsRatio(value, unit, key);
  return convert(value, unit, to);
}

/** A few ratios pass 1, such as an overhead or the energy of a building per energy of its machines; none is meant by 50. */
const LARGEST_RATIO = 2;

function decimalMemory(value: number, unit: string, key: string, decimal: string): DomainError {
  const binary = `${unit.slice(0, 1).toUpperCase()}iB`;
  return invalidInput(
    {
      en: `${value} ${unit} of "${key}" can be read in two ways: tools of memory print ${unit} for ${binary} too. Write ${binary} or ${decimal}.`,
      zh: `“${key}”的 ${value} ${unit} 有两种读法：显存和内存工具也用 ${unit} 表示 ${binary}。请写作 ${binary} 或 ${decimal}。`,
    },
    { value, unit, suggestions: [binary, decimal], isAmbiguous: true },
  );
}

function percentAsRatio(value: number, unit: string, key: string): DomainError {
  return invalidInput(
    {
      en: `${value} as a ${unit} of "${key}" is ${value * 100} %. Write ${value} percent or ${value / 100} ratio, whichever is meant.`,
      zh: `“${key}”的 ${value} 按 ${unit} 理解即 ${value * 100}%。请按实际含义写作 ${value} percent 或 ${value / 100} ratio。`,
    },
    { value, unit, suggestions: ['percent', 'ratio'], isAmbiguous: true },
  );
}

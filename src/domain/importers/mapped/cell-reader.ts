import { error, type ImportProblem } from '../importer.js';
import { decimalSignOf, isNoValue, numberOf, type DecimalSign } from '../number.js';
import type { Cell, Table } from './table.js';
import { ownValue } from '../../own-value.js';

export interface Decimal {
  readonly sign: DecimalSign;
  readonly problem: ImportProblem | null;
}

/** The decimal sign of the columns that hold numbers: as the mapping says, else as the numbers show. */
export function decimalOf({ rows }: Table, columns: readonly number[], given: DecimalSign | undefined): Decimal {
  if (given) return { sign: given, problem: null };
  const texts = function* (): Iterable<string> {
    for (const { cells } of rows) {
      for (const at of columns) {
        const cell = cells[at];
        if (typeof cell === 'string') yield cell;
      }
    }
  };
  const sign = decimalSignOf(texts());
  if (sign !== null) return { sign, problem: null };
  const doubtful = rows.flatMap(({ line, cells }) => {
    const cell = columns.map((at) => cells[at]).find((each) => typeof each === 'string' && each.includes(','));
    return cell === undefined || cell === null ? [] : [{ line, cell: String(cell).slice(0, 40) }];
  });
  const [{ line, cell } = { line: null, cell: '' }] = doubtful;
  return {
    sign: '.',
    problem: error(
      line,
      `"${cell}" may be a fraction or thousands: say in the mapping which decimal sign the file uses`,
      `“${cell}”可能是小数，也可能是千分位：请在映射中指定小数点符号`,
      { code: 'AMBIGUOUS_NUMBER', value: cell },
    ),
  };
}

/** What a number cell holds: a finite number, no value, or something else. */
export type NumberCell = { readonly value: number } | 'NO_VALUE' | 'NO_NUMBER';

/** A number may carry the unit that its column has anyway. */
export function numberCell(cell: Cell, sign: DecimalSign, unit: string): NumberCell {
  if (cell === null || (typeof cell === 'number' && Number.isNaN(cell))) return 'NO_VALUE';
  if (typeof cell === 'boolean') return 'NO_NUMBER';
  if (typeof cell === 'string' && isNoValue(cell)) return 'NO_VALUE';
  const value = typeof cell === 'number' ? cell : numberOf(bare(cell, unit), sign);
  return value !== null && Number.isFinite(value) ? { value } : 'NO_NUMBER';
}

const spellings: Readonly<Record<string, readonly string[]>> = { percent: ['%'], '°C': ['C'] };

function bare(cell: string, unit: string): string {
  const text = cell.trim();
  const found = [unit, ...(ownValue(spellings, unit) ?? [])].find((name) => name !== '' && text.endsWith(name));
  return found === undefined ? text : text.slice(0, -found.length);
}

export function noNumber(column: string, cell: Cell, line: number): ImportProblem {
  const shown = String(cell).slice(0, 60);
  const name = column.slice(0, 60);
  return error(line, `"${shown}" in ${name} is no number`, `${name} 中的“${shown}”不是数字`, {
    scope: 'VALUE',
    code: 'NO_NUMBER',
    value: shown,
  });
}

/** Whether all values of a column are plain numbers, so that they are kept as such; `007` is a name. */
export function isNumeric({ rows }: Table, at: number): boolean {
  let isAny = false;
  for (const { cells } of rows) {
    const cell = cells[at] ?? null;
    if (cell === null || cell === '') continue;
    isAny = true;
    if (typeof cell === 'number' ? !Number.isFinite(cell) : !plain.test(String(cell))) return false;
  }
  return isAny;
}

const plain = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?$/;

import type { ImportProblem } from '../importer.js';
import { numberIn } from '../number.js';
import { noTime, timeIn, unreadable } from '../quantity.js';
import { dashedTables, type DashedTable } from './dashed-table.js';

/** A table of `prof.key_averages().table()`. */
export interface TorchTable extends DashedTable {
  /** As the columns name it, such as CUDA, which also stands for ROCm; null where only the processor was profiled. */
  readonly device: string | null;
}

/** A row of the table; times in seconds. */
export interface TorchRow {
  readonly line: number;
  readonly name: string;
  readonly selfProcessor: number;
  readonly processorTotal: number;
  readonly selfDevice: number;
  readonly calls: number;
  /** What stands in a column; empty where there is none. */
  cell(column: string): string;
}

/** All tables of a text in their order. Looks at no line where the text cannot hold one. */
export function torchTables(text: string): readonly TorchTable[] {
  if (!text.includes(CALLS)) return [];
  const tables = dashedTables(text, (line) => {
    const names = line.trim();
    return /^Name\s/.test(names) && names.includes('Self CPU') && names.includes(CALLS);
  });
  return tables.map((table) => ({ ...table, device: deviceOf(table) }));
}

const CALLS = '# of Calls';

function deviceOf({ columns }: DashedTable): string | null {
  const found = columns
    .map((name) => /^Self (\w+)$/.exec(name)?.[1])
    .find((name) => name !== undefined && name !== 'CPU');
  return found ?? null;
}

/** PyTorch prints decimal points and no separators of thousands, whatever the language of the machine. */
const MARK = 'POINT';

/**
 * The rows that name something: further lines of a stack do not. What is no time becomes a problem. The last row of a table
 * that does not end is none where it is cut before its last column.
 */
export function torchRows(
  { columns, rows, device, isClosed }: TorchTable,
  problems: ImportProblem[],
): readonly TorchRow[] {
  const timeAt = (name: string) => {
    const index = columns.indexOf(name);
    return (line: number, cells: readonly string[]): number => {
      const cell = cells[index] ?? '';
      const value = cell === '' ? 0 : timeIn(cell, MARK);
      if (typeof value === 'number') return value;
      const { severity, ...problem } = unreadable(line, name, cell, value, noTime);
      // A value of another kind counts as none, a time that is beyond all bounds cannot
      problems.push({ ...problem, severity: value === 'NO_NUMBER' ? 'WARNING' : severity });
      return 0;
    };
  };
  const [self, total, own] = [timeAt('Self CPU'), timeAt('CPU total'), timeAt(`Self ${device}`)];
  return rows.flatMap(({ line, cells }, index): TorchRow[] => {
    const name = cells[0] ?? '';
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
    const isCut = !isClosed && index === rows.length - 1 && cell(columns.at(-1) ?? '') === '';
    if (name === '' || isCut) return [];
    const count = numberIn(cell(CALLS), MARK);
    return [
      {
        line,
        name,
        selfProcessor: self(line, cells),
        processorTotal: total(line, cells),
        selfDevice: own(line, cells),
        calls: typeof count === 'number' ? count : 1,
        cell,
      },
    ];
  });
}

/**
 * What ran on the device. An operator has its kernels' time too, and so has a range that was annotated: only rows without
 * time of the processor are kernels and copies, and of these not the ranges. Old versions list operators alone.
 */
export function kernelRows(rows: readonly TorchRow[]): readonly TorchRow[] {
  const onProcessor = new Set(rows.filter(({ processorTotal }) => processorTotal > 0).map(({ name }) => name));
  return rows.filter(
    ({ name, selfProcessor, processorTotal, selfDevice }) =>
      selfDevice > 0 &&
      selfProcessor === 0 &&
      processorTotal === 0 &&
      !onProcessor.has(name) &&
      !isStep(name) &&
      !isRange(name),
  );
}

export function isStep(name: string): boolean {
  return name.startsWith('ProfilerStep');
}

/** Ranges that PyTorch itself annotates. */
function isRange(name: string): boolean {
  return /^(?:nccl|gloo|mpi|ucc|hccl|xccl):|^Optimizer\.|^DistributedDataParallel\.|^FSDP::|^## Call Compiled|^Torch-Compiled Region|\(dynamo_timed/.test(
    name,
  );
}

/** The total that stands below the table, such as `1.822ms`; empty where there is none. */
export function footerCell({ footer }: DashedTable, device: string): string {
  const line = footer.find((one) => one.trim().startsWith(`Self ${device} time total:`));
  return line?.split(':')[1]?.trim() ?? '';
}

/** The total that stands below the table in seconds; null where there is none. */
export function footerTime(table: DashedTable, device: string): number | null {
  const time = timeIn(footerCell(table, device), MARK);
  return typeof time === 'number' ? time : null;
}

/** How far the sum of the rows may be from the total that the table states: times are rounded. */
export const ROUNDING = 0.02;
